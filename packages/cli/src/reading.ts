/** Reading files into memory as a step of a command: resolving names, and a progress line. */
import { stat } from 'node:fs/promises';
import { type AskedFiles, askedFiles } from './asked-files.js';
import { assertUsed } from './formats/file-settings.js';
import { assertUnitUsed } from './formats/formats.js';
import { inputFiles } from './formats/input-files.js';
import { ModelFrame } from './formats/model-frame.js';
import { type Model, readModels } from './formats/read-model.js';
import { Progress } from './progress.js';

export type { FileOptions } from './asked-files.js';

/**
 * Reads all files that these names refer to (files, folders, patterns) into a frame that may contain other files, too.
 */
export async function readFiles(
  names: readonly string[],
  options: Parameters<typeof askedFiles>[0],
  frame = new ModelFrame(),
): Promise<Model[]> {
  const asked = askedFiles(options);
  const paths = await inputFiles(names);
  assertUsed(paths, asked.patterns);
  await assertUnitUsed(paths, asked.metresPerUnit);
  return readPaths(paths, asked, frame);
}

/** The same for two sides in one frame; settings for single files may concern either. */
export async function readBoth(
  namesA: readonly string[],
  namesB: readonly string[],
  options: Parameters<typeof askedFiles>[0],
): Promise<[Model[], Model[]]> {
  const asked = askedFiles(options);
  const [pathsA, pathsB] = [await inputFiles(namesA), await inputFiles(namesB)];
  assertUsed([...pathsA, ...pathsB], asked.patterns);
  await assertUnitUsed([...pathsA, ...pathsB], asked.metresPerUnit);
  const frame = new ModelFrame();
  return [await readPaths(pathsA, asked, frame), await readPaths(pathsB, asked, frame)];
}

async function readPaths(paths: readonly string[], asked: AskedFiles, frame: ModelFrame): Promise<Model[]> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const progress = new Progress();
  progress.begin({ label: 'reading', total, unit: 'bytes' });
  try {
    return await readModels(paths, { ...asked, frame, onProgress: ({ done }) => progress.update(done) });
  } finally {
    progress.end();
  }
}
