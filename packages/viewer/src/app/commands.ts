/** All keyboard commands, with their descriptions for tooltips and the help dialog. */
import { REVIEW_STATUSES } from '../../../ui/src/decisions.js';
import { setter, toggler } from '../../../ui/src/signals.js';
import { nextTheme } from '../../../ui/src/theme.js';
import { TOOL_NAMES, TOOLS, type ToolName } from '../tools/tools.js';
import { SURROUNDINGS } from './address.js';
import { leftOpen, rightOpen, showTab } from './layout.js';
import type { Viewer } from './viewer.js';

export interface Command {
  readonly title: string;
  /** Values of `event.key`; `Shift+1` by physical key. */
  readonly keys: readonly string[];
  readonly group: 'Picture' | 'Objects' | 'Clashes' | 'Recording' | 'Page';
  run(viewer: Viewer): void;
}

export const COMMANDS = {
  orbit: command('Picture', 'Orbit around the model', ['1'], ({ navigation }) => setter(navigation)('orbit')),
  walk: command('Picture', 'Walk', ['2'], ({ navigation }) => setter(navigation)('walk')),
  fly: command('Picture', 'Fly', ['3'], ({ navigation }) => setter(navigation)('fly')),
  fit: command('Picture', 'Fit the selection', ['f'], (viewer) => viewer.frame(new Set(viewer.chosen()))),
  fitAll: command('Picture', 'Fit the whole model', ['F'], (viewer) => viewer.frame(new Set())),
  ...(Object.fromEntries(
    TOOL_NAMES.map((name) => {
      const { group, help, key } = TOOLS[name];
      return [name, command(group, help, [key], (viewer) => viewer.toggleTool(name))];
    }),
  ) as Record<ToolName, Command>),
  hide: command('Objects', 'Hide or show the selection', ['h'], (viewer) => viewer.hide()),
  isolate: command('Objects', 'Isolate the selection', ['i'], (viewer) => viewer.isolate()),
  ghost: command('Objects', 'Fade or show the selection', ['g'], (viewer) => viewer.ghost()),
  showAll: command('Objects', 'Show all', ['u'], (viewer) => viewer.showAll()),
  search: command('Objects', 'Search objects', ['/'], () => {
    showTab('objects');
    focusSoon('object-search');
  }),
  next: command('Clashes', 'Next clash', ['n'], (viewer) => viewer.stepClash(1)),
  previous: command('Clashes', 'Previous clash', ['p'], (viewer) => viewer.stepClash(-1)),
  surroundings: command('Clashes', 'Fade, cut, hide or show the surroundings', ['v'], (viewer) => {
    const review = viewer.review.peek();
    if (!review) return;
    const now = SURROUNDINGS.indexOf(review.surroundings.peek());
    review.surroundings.value = SURROUNDINGS[(now + 1) % SURROUNDINGS.length];
  }),
  searchClashes: command('Clashes', 'Search clashes', ['k'], (viewer) => {
    if (!viewer.review.peek()) return;
    showTab('clashes');
    focusSoon('clash-search');
  }),
  matrix: command('Clashes', 'Clash matrix', ['b'], (viewer) => {
    if (viewer.review.peek()) viewer.open('matrix');
  }),
  comment: command('Clashes', 'Write a comment', ['c'], () => focusSoon('comment')),
  ...Object.fromEntries(
    REVIEW_STATUSES.map((status, i) => [
      status,
      command('Clashes', `Set the status: ${status}`, [`Shift+${i + 1}`], (viewer) => {
        const review = viewer.review.peek();
        const clash = review?.current.peek() ?? -1;
        if (review && clash >= 0) review.decide([clash], { status });
      }),
    ]),
  ),
  play: command('Recording', 'Play or pause', ['r'], (viewer) => viewer.replay.peek()?.toggle()),
  left: command('Page', 'Open or close the list', ['['], toggler(leftOpen)),
  right: command('Page', 'Open or close the details', [']'], toggler(rightOpen)),
  theme: command('Page', 'Colours: system, light, dark', ['t'], nextTheme),
  help: command('Page', 'Keyboard shortcuts', ['?'], (viewer) => viewer.open('help')),
  escape: command('Page', 'Close or deselect', ['Escape'], (viewer) => viewer.escape()),
} satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

function command(
  group: Command['group'],
  title: string,
  keys: readonly string[],
  run: Command['run'],
): Command {
  return { group, title, keys, run };
}

/** `Fit the selection (f)`. */
export function tip({ title, keys }: Command): string {
  return `${title} (${keys.join(', ')})`;
}

/** Waits until the opened element exists. */
function focusSoon(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus(), 50);
}

/** Runs the command of a key, unless the user is typing or the event was already handled. */
export function listenToKeys(viewer: Viewer): () => void {
  const byKey = new Map<string, Command>();
  for (const one of Object.values(COMMANDS)) for (const key of one.keys) byKey.set(key, one);
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (viewer.dialog.peek() !== 'none') return;
    if (target.closest?.('input, select, textarea')) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    const digit = event.shiftKey && !/\d/.test(event.key) ? /^Digit(\d)$/.exec(event.code) : null;
    const found = byKey.get(digit ? `Shift+${digit[1]}` : event.key);
    if (!found) return;
    event.preventDefault();
    found.run(viewer);
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
