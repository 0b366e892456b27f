/** The generated plant as a store. */
import { StoreWriter } from '@impinge/model';
import { FileSink, modelPool } from '@impinge/model/node';
import { type Plant, type PlantOptions, plant } from '@impinge/scenes/plant';
import { writeAtomically } from './atomic-file.js';

export interface GeneratedPlant {
  readonly plant: Plant;
  readonly objects: number;
  readonly triangles: number;
  readonly byteLength: number;
}

/** Generated models have no date of their own; reports need one that is always the same. */
const DATE = '2000-01-01T00:00:00.000Z';

export interface StoreOptions {
  /** Threads that make levels; undefined: no levels. */
  readonly levelWorkers?: number;
  readonly onTriangles?: (done: number) => void;
}

export async function generatePlant(
  options: PlantOptions,
  output: string,
  { levelWorkers, onTriangles = () => {} }: StoreOptions = {},
): Promise<GeneratedPlant> {
  const made = plant(options);
  let triangles = 0;
  let byteLength = 0;
  let objects = 0;
  const pool = levelWorkers === undefined ? undefined : modelPool(levelWorkers);
  await writeAtomically(output, async (file, signal) => {
    const writer = new StoreWriter(new FileSink(file), pool && { levels: true, pool });
    for (const shape of made.shapes()) {
      signal.throwIfAborted();
      await writer.add(shape);
      triangles += (shape.objects.length * shape.geometry.indices.length) / 3;
      onTriangles(triangles);
    }
    objects = writer.objectCount;
    const name = `plant, seed ${options.seed ?? 1}`;
    const source = { name, byteLength: 0, modified: DATE, objects, triangles };
    await writer.finish({
      title: name,
      metresPerUnit: 1,
      files: [source],
      recipe: JSON.stringify(options),
    });
    byteLength = writer.byteLength;
  }).finally(() => pool?.dispose());
  return { plant: made, objects, triangles, byteLength };
}
