/** `impinge pack`: model files into a store. */
import { availableParallelism } from 'node:os';
import { CommandError } from '../command-error.js';
import { inputFiles } from '../formats/input-files.js';
import { parseBytes, parseUnit } from '../formats/units.js';
import { STORE_EXTENSION } from '../jobs/model-file.js';
import { type Packed, type PackOptions, packModel } from '../jobs/pack-model.js';
import { Progress } from '../progress.js';
import { count, counted, fileSize, json, printable, type Terminal } from '../terminal.js';

export interface PackCommandOptions {
  readonly output: string;
  readonly unit?: string;
  readonly up?: 'y' | 'z';
  readonly memory: string;
  readonly json?: boolean;
}

export async function pack(
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (!options.output.endsWith(STORE_EXTENSION)) {
    throw new CommandError(`-o ${options.output}: the name of a store ends with ${STORE_EXTENSION}`);
  }
  const paths = await inputFiles(names);
  const started = performance.now();
  const packed = await packing((progress) =>
    packModel(paths, options.output, { ...packOptions(options), ...progress }),
  );
  const seconds = (performance.now() - started) / 1000;
  if (options.json) {
    terminal.out(json({ store: options.output, ...packed, seconds }));
    return 0;
  }
  terminal.out(
    `${options.output}: ${counted(packed.objects, 'object')}, ${counted(packed.triangles, 'triangle')}, ` +
      `${fileSize(packed.byteLength)}, in ${seconds.toFixed(1)} s\n`,
  );
  printNotes(packed, terminal);
  return 0;
}

const LEAST_MEMORY = 1e6;

/** The bytes of `--memory`; a number without a unit is probably a slip. */
export function memoryOf(text: string): number {
  const bytes = parseBytes(text, '--memory');
  if (bytes < LEAST_MEMORY) {
    throw new CommandError(`--memory: "${text}" is ${counted(bytes, 'byte')}; write 160MB, for example`);
  }
  return bytes;
}

/** What the options of a command say about packing. */
export function packOptions(options: {
  readonly unit?: string;
  readonly up?: 'y' | 'z';
  readonly memory: string;
}): PackOptions {
  return {
    memory: memoryOf(options.memory),
    ...(options.unit === undefined ? {} : { metresPerUnit: parseUnit(options.unit, '--unit') }),
    ...(options.up === undefined ? {} : { up: options.up }),
  };
}

/** Runs a job that packs, with a line that shows how far it is, stopped by Ctrl-C. */
export async function packing<T>(
  job: (options: Pick<PackOptions, 'signal' | 'onProgress'>) => Promise<T>,
): Promise<T> {
  const progress = new Progress();
  let begun = false;
  try {
    return await interruptible((signal) =>
      job({
        signal,
        onProgress: ({ bytesDone, bytesTotal, objects, triangles }) => {
          if (!begun) progress.begin({ label: 'packing', total: bytesTotal, unit: 'bytes' });
          begun = true;
          progress.update(bytesDone, `${count(objects)} objects, ${count(triangles)} triangles`);
        },
      }),
    );
  } finally {
    progress.end();
  }
}

/** Runs work that Ctrl-C stops: the first one tells it to, the next one ends the process as usual. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new CommandError('stopped'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

export function printNotes({ notes }: Packed, { out }: Terminal): void {
  for (const note of notes) out(`  ${printable(note)}\n`);
}

/** As many workers as the option says, or one per core. */
export function workerCount(text: string | undefined): number {
  if (text === undefined) return availableParallelism();
  const workers = Number(text);
  if (!Number.isInteger(workers) || workers < 1 || workers > 256) {
    throw new CommandError(`--workers: "${text}" is not a whole number from 1 to 256`);
  }
  return workers;
}
