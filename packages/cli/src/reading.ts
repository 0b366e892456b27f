/** Reading files into memory as a step of a command: which are meant, and a line that shows how far it is. */
import { stat } from 'node:fs/promises';
import { inputFiles } from './formats/input-files.js';
import { type Model, type ReadOptions, readModels } from './formats/read-model.js';
import { Progress } from './progress.js';
import { parseUnit } from './quantities.js';

/** What the options of a command say about the files it reads. */
export interface FileOptions {
  readonly unit?: string;
  readonly up?: 'y' | 'z';
}

export function sourceOptions({ unit, up }: FileOptions): Pick<ReadOptions, 'metresPerUnit' | 'up'> {
  return {
    ...(unit === undefined ? {} : { metresPerUnit: parseUnit(unit, '--unit') }),
    ...(up === undefined ? {} : { up }),
  };
}

/** Reads all files that these names stand for: files, folders, patterns. */
export async function readFiles(names: readonly string[], options: FileOptions): Promise<Model[]> {
  const source = sourceOptions(options);
  const paths = await inputFiles(names);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const progress = new Progress();
  progress.begin({ label: 'reading', total, unit: 'bytes' });
  try {
    return await readModels(paths, { ...source, onProgress: ({ done }) => progress.update(done) });
  } finally {
    progress.end();
  }
}
