/** A store with levels is the same however much memory there was, on however many threads, from arrays or a stream. */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { torus } from '@impinge/scenes';
import { arena } from 'impinge/internal/base/arena.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { expect, test } from 'vitest';
import { FAST, full } from '../../../../test/budget.js';
import { fileSpill } from '../../src/node/files.js';
import { modelPool } from '../../src/node/index.js';
import { divideShape } from '../../src/store/divided-shape.js';
import type { ShapeArrays, ShapeStream, SourceShape } from '../../src/store/source.js';
import type { Spill } from '../../src/store/spill.js';
import type { StoreWriterOptions } from '../../src/store/writer.js';
import { cornersOf, named, storeBytes, streamOf } from './fixtures.js';

/** The same triangles in batches of other sizes, and a wrong guess at how many there are. */
const guessed = (geometry: ShapeArrays, batch: number): ShapeStream => ({
  ...streamOf(cornersOf(geometry), batch),
  triangleCount: 17,
});

/** More than a group takes. */
const GARBAGE_BYTES = 1 << 24;

const hashOf = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

/** Everything that pieces are. */
async function divided(geometry: ShapeArrays | ShapeStream, spill: Spill | undefined): Promise<string[]> {
  const named = <T>(make: () => T) => make();
  const shape = await divideShape(geometry, { most: 8192, levels: true, spill, label: 'ring', named });
  const hashes: string[] = [...shape.box!].map(String);
  for await (const piece of shape.pieces()) hashes.push(hashOf(piece.toBytes()));
  return hashes;
}

full('a shape of many chunks is divided in one way', async () => {
  const ring = torus(1, 0.4, 384, 192);
  expect(ring.indices.length / 3).toBeGreaterThan(1 << 17);
  const first = await divided(ring, undefined);
  expect(first.length).toBeGreaterThan(18);
  expect(await divided(ring, fileSpill(1000, tmpdir()))).toEqual(first);
  expect(await divided(guessed(ring, 50_000), fileSpill(1e6, tmpdir()))).toEqual(first);
});

full('a store has the same bytes for any cap, threads, arrays and streams', async () => {
  const ring = FAST ? torus(1, 0.4, 40, 20) : torus(1, 0.4, 60, 30);
  const far = { ...ring, positions: Float64Array.from(ring.positions, (x, i) => x + [4e6, 5e6, 0.1][i % 3]) };
  const stray = { ...ring, positions: Float32Array.from([...ring.positions, 1e9, 1e9, 1e9]) }; // of no triangle
  const mesh = Mesh.from(ring);
  const pool = modelPool(2);
  const bytes = async (geometry: SourceShape['geometry'], options: StoreWriterOptions = {}) => {
    const shape = { geometry, objects: [named('ring')] };
    return hashOf(await storeBytes([shape], { levels: true, pieceTriangles: FAST ? 256 : 512, ...options }));
  };
  try {
    const first = await bytes(ring);
    // whatever was in memory before
    for (const garbage of [1, 3, 10, 0xffffffff]) {
      const at = arena().alloc(GARBAGE_BYTES);
      arena()
        .u32()
        .fill(garbage, at >>> 2, (at + GARBAGE_BYTES) >>> 2);
      arena().free(at);
      expect(await bytes(ring)).toBe(first);
    }
    // some of the clusters of each level are in files
    expect(await bytes(ring, { spill: fileSpill(1000, tmpdir()), pool })).toBe(first);
    expect(await bytes(guessed(ring, 100), { spill: fileSpill(1, tmpdir()), pool })).toBe(first);
    expect(await bytes(stray, { pool })).toBe(first);
    expect(await bytes(mesh, { pool })).toBe(first);
    const other = await bytes(far);
    expect(other).not.toBe(first);
    expect(await bytes(guessed(far, 7), { spill: fileSpill(1e6, tmpdir()), pool })).toBe(other);
  } finally {
    await pool.dispose();
    mesh.dispose();
  }
});

test('threads that end, or fail, are told of', async () => {
  const pool = modelPool(1);
  const task = {
    input: {
      positions: new Float32Array(9),
      indices: Uint32Array.of(0, 1, 2),
      locked: new Uint8Array(3),
      out: new Float32Array(1),
      in: new Float32Array(1),
    },
    least: { out: 0, in: 0 },
    shares: [0.5, 0.25],
  };
  const broken = { ...task, input: { ...structuredClone(task.input), out: undefined } };
  await expect(pool.simplify(structuredClone(task))).resolves.toBeUndefined();
  await expect(pool.simplify(broken as never)).rejects.toThrow();
  const late = pool.simplify(structuredClone(task));
  const waiting = pool.simplify(structuredClone(task));
  await Promise.all([
    expect(late).rejects.toMatchObject({ code: 'aborted' }),
    expect(waiting).rejects.toMatchObject({ code: 'disposed' }),
    pool.dispose(),
  ]);
  await expect(pool.simplify(task)).rejects.toMatchObject({ code: 'disposed' });
});
