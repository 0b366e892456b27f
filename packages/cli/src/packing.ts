/** Packing as a step of a command: what its options say, a line that shows how far it is, what was left out. */
import type { StoreSourceFile } from 'impinge/store';
import { leftOutLines } from './formats/left-out.js';
import type { PackOptions } from './jobs/pack-model.js';
import { Progress } from './progress.js';
import { parseMemory } from './quantities.js';
import { type FileOptions, sourceOptions } from './reading.js';
import { count, printable, type Terminal } from './terminal.js';

/** What the options of a command say about packing. */
export function packOptions(options: FileOptions & { readonly memory: string }): PackOptions {
  return { memory: parseMemory(options.memory), ...sourceOptions(options) };
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

/** Prints what was left out of which file. */
export function printLeftOut(files: readonly StoreSourceFile[], { out }: Terminal): void {
  for (const { name, leftOut = [] } of files) {
    for (const line of leftOutLines(leftOut)) out(`  ${printable(`${name}: ${line}`)}\n`);
  }
}

/** The same for machines. */
export function leftOutOf(files: readonly StoreSourceFile[]) {
  return files.flatMap(({ name, leftOut = [] }) => leftOut.map((group) => ({ file: name, ...group })));
}
