/** `impinge disassemble`: in which order, and along which proved paths, the parts of an assembly come out. */
import { CommandError } from '../command-error.js';
import { interruptible } from '../interruptible.js';
import { apartJson, readApart, stepsOf, writeApart } from '../path/apart-file.js';
import { writeExplosion, writeSteps } from '../path/apart-recording.js';
import { type AssemblyPart, AssemblyParts } from '../path/assembly-parts.js';
import { parseSeconds, readMotionOutput } from '../path/motion-options.js';
import { openPathModel } from '../path/path-model.js';
import { searching } from '../path/searching.js';
import { type TakenApart, takeApart, verifySteps, type WrittenStep } from '../path/take-apart.js';
import { parseLength } from '../quantities.js';
import type { FileOptions } from '../reading.js';
import { counted, decimal, direction, json, pathEnd, printable, type Terminal, table } from '../terminal.js';

export interface DisassembleCommandOptions extends FileOptions {
  readonly parts?: string;
  readonly remove?: readonly string[];
  readonly passing?: readonly string[];
  readonly direction?: readonly string[];
  readonly clearance: string;
  readonly allowed: string;
  readonly time: string;
  readonly output?: string;
  readonly exploded?: boolean;
  readonly verify?: string;
  readonly json?: boolean;
}

const WHY = {
  time: 'time was up',
  blocked: 'no motion was found for what is left; there may be one',
  deeper: 'some parts are deeper in each other than --allowed, and move as one',
} as const;
/** Lines of a list, and names of parts in a line. */
const SHOWN = 12;
const NAMES = 4;

export async function disassemble(
  name: string | undefined,
  options: DisassembleCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.verify !== undefined) return verify(name, options.verify, options, terminal);
  const output = readMotionOutput(options);
  const asked = {
    clearance: parseLength(options.clearance, '--clearance'),
    allowed: parseLength(options.allowed, '--allowed'),
  };
  const timeLimit = parseSeconds(options.time, '--time');
  const directions = options.direction?.map(parseDirection);
  if (options.exploded && !output?.endsWith('.glb'))
    throw new CommandError('--exploded needs a picture: -o exploded.glb');
  if (name === undefined) throw new CommandError('name a model, or a file with --verify');
  return interruptible((signal) =>
    withParts(name, options.parts, options, async (assembly) => {
      const remove = options.remove && (await assembly.select(options.remove, '--remove'));
      const tolerances = { ...asked, passing: await assembly.select(options.passing ?? [], '--passing') };
      const task = { label: 'taking apart', total: timeLimit, unit: '' };
      const began = performance.now();
      const found = await searching(task, (update) =>
        takeApart(assembly, {
          ...{ ...tolerances, timeLimit, signal },
          ...(remove && { remove }),
          ...(directions && { directions }),
          onProgress: ({ steps, parts }) =>
            update(
              (performance.now() - began) / 1000,
              `${counted(steps, 'step')}, ${counted(parts, 'part')}`,
            ),
        }),
      );
      signal.throwIfAborted();
      const said = { ...tolerances, model: name, parts: options.parts };
      if (output?.endsWith('.json')) await writeApart(output, said, found);
      else if (output !== undefined)
        await (options.exploded ? writeExplosion : writeSteps)(output, assembly, found);
      terminal.out(
        options.json ? json(apartJson(said, found, '.')) : printed(assembly, found, output, terminal),
      );
      return found.complete ? 0 : 1;
    }),
  );
}

async function withParts<T>(
  name: string,
  selector: string | undefined,
  options: FileOptions,
  work: (assembly: AssemblyParts) => Promise<T>,
): Promise<T> {
  const model = await openPathModel(name, options);
  try {
    const assembly = await AssemblyParts.open(model, selector);
    try {
      return await work(assembly);
    } finally {
      assembly.dispose();
    }
  } finally {
    await model.dispose();
  }
}

async function verify(
  name: string | undefined,
  given: string,
  options: DisassembleCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const file = await readApart(given);
  const parts = options.parts ?? file.parts;
  const { step, depth } = await withParts(name ?? file.model, parts, options, async (assembly) => {
    const { steps, tolerances } = stepsOf(given, file, assembly);
    return verifySteps(assembly, steps, tolerances);
  });
  const count = file.steps.length;
  if (options.json) terminal.out(json({ free: step < 0, ...(step < 0 ? { depth } : { step }) }));
  else if (step < 0)
    terminal.out(`proved: ${counted(count, 'step')}, parts get at most ${decimal(depth)} m deep\n`);
  else
    terminal.out(`not proved: step ${step + 1} of ${count} touches something, or cannot be shown not to\n`);
  return step < 0 ? 0 : 1;
}

function parseDirection(text: string): readonly number[] {
  const numbers = text.split(',').map((word) => (word.trim() === '' ? Number.NaN : Number(word)));
  if (numbers.length !== 3 || !numbers.every(Number.isFinite) || numbers.every((x) => x === 0))
    throw new CommandError(`--direction: "${text}" is not a direction: three numbers, not all 0`);
  return numbers;
}

function printed(
  { parts }: AssemblyParts,
  found: TakenApart,
  output: string | undefined,
  { colors }: Terminal,
): string {
  const { complete, reason, steps, left, deeper, blocking, stats, depth } = found;
  const head = complete ? 'comes apart' : `does not come apart: ${WHY[reason!]}`;
  const lists = [
    list('steps', steps.map(stepText)),
    list('still together', left.map(names)),
    list('deeper in each other than allowed', deeper.map(names)),
  ];
  const stuck = new Set(left.flat());
  const inWay = blocking.filter(({ parts: those }) => those.some((part) => stuck.has(part)));
  lists.push(
    list(
      'in the way',
      inWay.map(({ parts: those, direction: way, by }) =>
        [names(those), `along ${direction(way)}`, names(by)].join('  '),
      ),
    ),
  );
  const rows = [
    ['parts', `${parts.length}, ${counted(steps.length, 'step')}, each proved again`],
    ['depth', depth > 0 ? `at most ${decimal(depth)} m where parts touch` : 'no parts touch'],
    ['searched', `${counted(stats.motions, 'motion')}, ${stats.seconds.toFixed(1)} s`],
  ];
  const written = output === undefined ? '' : `\nwritten to ${printable(output)}\n`;
  return `${colors.bold(head)}\n${table(rows)}${lists.join('')}${written}`;
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, SHOWN).map((line) => `  ${line}\n`);
  const more = lines.length > SHOWN ? `  … ${lines.length - SHOWN} more: see -o NAME.json\n` : '';
  return `\n${title}\n${shown.join('')}${more}`;
}

function stepText({ direction: way, moves }: WrittenStep, i: number): string {
  const how = way ? `along ${direction(way)}` : `${counted(moves[0].poses.length - 1, 'motion')}`;
  return `${String(i + 1).padStart(3)}  ${names(moves.map(({ part }) => part))}  ${how}`;
}

function names(parts: readonly AssemblyPart[]): string {
  const shown = parts.slice(0, NAMES).map(({ path }) => pathEnd(path, 40));
  return parts.length > NAMES ? `${shown.join(', ')} and ${parts.length - NAMES} more` : shown.join(', ');
}
