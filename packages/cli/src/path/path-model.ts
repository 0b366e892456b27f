/** The model among which paths are looked for: a store that is named, or files, packed into memory. */

import { basename } from 'node:path';
import { MemorySink, MemorySource, openStore, type StoredModel, StoreWriter } from '@impinge/model';
import { CommandError } from '../command-error.js';
import type { Model } from '../formats/read-model.js';
import { scaledShape } from '../formats/scaled-shape.js';
import { openStoreAt } from '../jobs/model-file.js';
import { commonUnit } from '../placed-model.js';
import { type FileOptions, readFiles } from '../reading.js';
import { isStore } from '../store-extension.js';

export async function openPathModel(name: string, options: FileOptions): Promise<StoredModel> {
  return isStore(name) ? openStoreAt(name) : packedInMemory(name, await readFiles([name], options));
}

async function packedInMemory(title: string, models: readonly Model[]): Promise<StoredModel> {
  const metresPerUnit = commonUnit(models);
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  for (const model of models) {
    const factor = model.metresPerUnit / metresPerUnit;
    for (const shape of model.shapes) await writer.add(scaledShape(shape, factor));
  }
  if (writer.objectCount === 0) throw new CommandError(`${title}: no object with triangles`);
  const files = models.map(({ path, byteLength, shapes }) => ({
    name: basename(path),
    byteLength,
    modified: new Date(0).toISOString(),
    objects: shapes.reduce((sum, { objects }) => sum + objects.length, 0),
    triangles: shapes.reduce(
      (sum, { geometry, objects }) => sum + (objects.length * geometry.indices.length) / 3,
      0,
    ),
  }));
  await writer.finish({ title, metresPerUnit, files, recipe: '' });
  return openStore(new MemorySource(sink.bytes()));
}
