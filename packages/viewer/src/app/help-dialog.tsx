/** The help dialog: keys and pointer actions. */
import { COMMANDS, type Command } from './commands.js';
import { Modal } from './controls.js';
import type { Viewer } from './viewer.js';

const GROUPS: readonly Command['group'][] = ['Picture', 'Objects', 'Clashes', 'Recording', 'Page'];

const POINTERS = [
  ['Drag', 'rotate; in walk and fly: look around'],
  ['Right drag, or two fingers', 'pan'],
  ['Wheel, or pinch', 'zoom towards the pointer'],
  ['Click', 'select; with Ctrl, add to the selection'],
  ['Double click', 'fit'],
  ['W A S D, Q E, arrows', 'walk and fly'],
  ['Arrows, Page keys, comma, period', 'move and turn the dragged object; with Shift, in larger steps'],
] as const;

const LISTS = [
  [['↑', '↓'], 'one row; also Page, Home and End'],
  [['←', '→'], 'close and open a branch'],
  [['Enter'], 'select and fit; with Shift, add to the selection'],
] as const;

interface SectionProps {
  readonly title: string;
  /** Keys, or an action in words; and the effect. */
  readonly rows: readonly (readonly [how: string | readonly string[], what: string])[];
}

function Section({ title, rows }: SectionProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {rows.map(([how, what]) => (
          <div key={what}>
            <dt>{typeof how === 'string' ? how : how.flatMap((key) => [<kbd key={key}>{key}</kbd>, ' '])}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function HelpDialog({ viewer }: { readonly viewer: Viewer }) {
  const absent = new Set<Command['group']>();
  if (!viewer.review.value) absent.add('Clashes');
  if (!viewer.replay.value) absent.add('Recording');
  return (
    <Modal viewer={viewer} title="Keyboard and mouse" class="wide">
      <div class="keys">
        <Section title="Pointer" rows={POINTERS} />
        {GROUPS.filter((group) => !absent.has(group)).map((group) => (
          <Section
            key={group}
            title={group}
            rows={Object.values(COMMANDS)
              .filter((command) => command.group === group)
              .map(({ title, keys }) => [keys.map((key) => (key === 'F' ? 'Shift+F' : key)), title])}
          />
        ))}
        <Section title="Lists" rows={LISTS} />
      </div>
    </Modal>
  );
}
