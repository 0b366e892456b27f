/** Packing as a step of a command: its options, a progress line, elements left out. */
import type { StoreSourceFile } from '@impinge/model';
import { askedFiles, type FileOptions } from './asked-files.js';
import type { FilePattern } from './formats/file-settings.js';
import { leftOutLines } from './formats/left-out.js';
import type { PackOptions } from './jobs/pack-model.js';
import { Progress } from './progress.js';
import { parseMemory, parseWorkers } from './quantities.js';
import { count, printable, type Terminal } from './terminal.js';

/** Options of `impinge pack`. */
export interface PackCommandOptions extends FileOptions {
  readonly output: string;
  readonly memory: string;
  readonly levels?: boolean;
  readonly workers?: string;
  readonly each?: boolean;
  readonly queue?: string;
  readonly json?: boolean;
}

/** The packing options of a command; `others`: settings for single files from a file of rules. */
export function packOptions(
  options: FileOptions & { readonly memory: string; readonly workers?: string },
  others: readonly FilePattern[] = [],
): PackOptions {
  const workers = parseWorkers(options.workers);
  return { memory: parseMemory(options.memory), workers, ...askedFiles(options, others) };
}

/** Runs a job that packs, with a progress line. */
export async function packing<T>(
  job: (options: Pick<PackOptions, 'onProgress'>) => Promise<T>,
  withLevels = false,
): Promise<T> {
  const progress = new Progress();
  let begun = false;
  try {
    return await job({
      onProgress: ({ done, total, levels, objects, triangles }) => {
        // with levels, progress is not only in bytes
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

/** How many of the files did not have to be read. */
export function keptNote(kept: number, files: number): string {
  if (kept === 0) return '';
  return kept === files ? ', nothing read again' : `, ${kept} of ${files} files not read again`;
}

/** Prints the notes about files: their places, elements left out. */
export function printNotes(files: readonly StoreSourceFile[], { out }: Terminal): void {
  for (const { name, notes = [], leftOut = [] } of files) {
    for (const line of [...notes, ...leftOutLines(leftOut)]) out(`  ${printable(`${name}: ${line}`)}\n`);
  }
}

/** The notes about files, for programs. */
export function notesOf(files: readonly StoreSourceFile[]) {
  return files.flatMap(({ name, notes = [] }) => notes.map((note) => ({ file: name, note })));
}

/** The elements left out, for programs. */
export function leftOutOf(files: readonly StoreSourceFile[]) {
  return files.flatMap(({ name, leftOut = [] }) => leftOut.map((one) => ({ file: name, ...one })));
}
