/** Stores of few boxes and balls, whose pictures are known. */
import { writeFile } from 'node:fs/promises';
import { MemorySink, StoreWriter } from '@impinge/model';

export type Place = readonly [number, number, number];

export function at([x, y, z]: Place): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
}

/** A closed box with a corner at the origin. */
export function box([x, y, z]: Place) {
  const corner = (k: number) => [k & 1 ? x : 0, k & 2 ? y : 0, k & 4 ? z : 0];
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return {
    positions: Float32Array.from(Array.from({ length: 8 }, (_, k) => corner(k)).flat()),
    indices: Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])),
  };
}

/** A closed ball of 4 n² − 4 n triangles around the origin. */
export function ball(radius: number, n: number) {
  const positions = [0, 0, radius];
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < 2 * n; j++) {
      const [p, q] = [(Math.PI * i) / n, (Math.PI * j) / n];
      positions.push(
        radius * Math.sin(p) * Math.cos(q),
        radius * Math.sin(p) * Math.sin(q),
        radius * Math.cos(p),
      );
    }
  }
  positions.push(0, 0, -radius);
  const vertex = (i: number, j: number) =>
    i === 0 ? 0 : i === n ? positions.length / 3 - 1 : 1 + (i - 1) * 2 * n + (j % (2 * n));
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < 2 * n; j++) {
      const [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
      if (i < n - 1) indices.push(a, b, c);
      if (i > 0) indices.push(a, c, d);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

export interface StoreShape {
  readonly geometry: { readonly positions: Float32Array; readonly indices: Uint32Array };
  readonly poses: readonly Float64Array[];
}

/** Objects are numbered in this order. */
export async function storeBytes(shapes: readonly StoreShape[], levels = false): Promise<Uint8Array> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink, { levels, pieceTriangles: 512 });
  for (const { geometry, poses } of shapes) {
    const texts = { type: 'box', discipline: '', file: 'boxes', storey: '' };
    await writer.add({
      geometry,
      objects: poses.map((pose, i) => ({ id: `${i}`, name: `box ${i}`, path: `box ${i}`, ...texts, pose })),
    });
  }
  await writer.finish({ title: 'boxes', metresPerUnit: 1, files: [], recipe: '' });
  return sink.bytes();
}

export async function writeStore(path: string, shapes: readonly StoreShape[], levels = false): Promise<void> {
  await writeFile(path, await storeBytes(shapes, levels));
}
