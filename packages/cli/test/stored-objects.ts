/** Objects of reports as a store in memory, for what is drawn of them. */
import type { Clash } from '@impinge/model';
import {
  MemorySink,
  MemorySource,
  openStore,
  type ShapeArrays,
  type SourceObject,
  type StoredModel,
  StoreWriter,
} from '@impinge/model';
import { DATE } from './reports-clashes.js';

export function cuboid(min: readonly number[], max: readonly number[]) {
  const positions = Float32Array.from(
    { length: 24 },
    (_, i) => (((i / 3) >> (i % 3)) & 1 ? max : min)[i % 3],
  );
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return { positions, indices: Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])) };
}

/** One object a shape, and an axis of a grid. */
export async function stored(
  shapes: readonly (readonly [ShapeArrays, Clash['a']])[],
  metresPerUnit = 1,
): Promise<StoredModel> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  for (const [geometry, object] of shapes) {
    await writer.add({ geometry, objects: [{ ...object, pose: undefined } as SourceObject] });
  }
  const axis = { tag: 'B', family: 0, point: [0, 7, 0], along: [1, 0, 0] } as const;
  const file = { name: 'plant.ifc', byteLength: 1, modified: DATE, objects: shapes.length, triangles: 12 };
  const files = [{ ...file, grids: [{ axes: [axis] }] }];
  await writer.finish({ title: 'plant', metresPerUnit, files, recipe: '' });
  return openStore(new MemorySource(sink.bytes()));
}
