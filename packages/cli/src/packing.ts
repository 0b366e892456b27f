/** Packing as a step of a command: what its options say, a line that shows how far it is, what was left out. */
import type { StoreSourceFile } from '@impinge/model';
import { askedFiles, type FileOptions } from './asked-files.js';
import type { FilePattern } from './formats/file-settings.js';
import { leftOutLines } from './formats/left-out.js';
import type { PackOptions } from './jobs/pack-model.js';
import { Progress } from './progress.js';
import { parseMemory, parseWorkers } from './quantities.js';
import { count, printable, type Terminal } from './terminal.js';

/** Of `impinge pack`. */
export interface PackCommandOptions extends FileOptions {
  readonly output: string;
  readonly memory: string;
  readonly levels?: boolean;
  readonly workers?: string;
  readonly each?: boolean;
  readonly queue?: string;
  readonly json?: boolean;
}

/** What the options of a command say about packing; `others`: what a file of rules says about single files. */
export function packOptions(
  options: FileOptions & { readonly memory: string; readonly workers?: string },
  others: readonly FilePattern[] = [],
): PackOptions {
  const workers = parseWorkers(options.workers);
  return { memory: parseMemory(options.memory), workers, ...askedFiles(options, others) };
}

/** Runs a job that packs, with a line that shows how far it is. */
export async function packing<T>(
  job: (options: Pick<PackOptions, 'onProgress'>) => Promise<T>,
  withLevels = false,
): Promise<T> {
  const progress = new Progress();
  let begun = false;
  try {
    return await job({
      onProgress: ({ done, total, levels, objects, triangles }) => {
        // with levels, what is done is not only bytes
        if (!begun) progress.begin({ label: 'packing', total, unit: withLevels ? '' : 'bytes' });
        begun = true;
        const level = levels === undefined ? '' : `levels ${Math.floor(100 * levels)} %, `;
        progress.update(done, `${level}${count(objects)} objects, ${count(triangles)} triangles`);
      },
    });
  } finally {
    progress.end();
  }
}

/** Prints what there is to say about the files: where they are, what was left out of them. */
export function printNotes(files: readonly StoreSourceFile[], { out }: Terminal): void {
  for (const { name, notes = [], leftOut = [] } of files) {
    for (const line of [...notes, ...leftOutLines(leftOut)]) out(`  ${printable(`${name}: ${line}`)}\n`);
  }
}

/** What is remarkable about files, for machines. */
export function notesOf(files: readonly StoreSourceFile[]) {
  return files.flatMap(({ name, notes = [] }) => notes.map((note) => ({ file: name, note })));
}

/** What was left out of them, for machines. */
export function leftOutOf(files: readonly StoreSourceFile[]) {
  return files.flatMap(({ name, leftOut = [] }) => leftOut.map((group) => ({ file: name, ...group })));
}
