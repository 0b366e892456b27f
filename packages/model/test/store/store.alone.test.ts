/** Stores: what goes in comes out, and what was altered is recognised. */
import fc from 'fast-check';
import { arena } from 'impinge/internal/base/arena.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, torusKnot } from '../../../../lab/scenes/index.mjs';
import { every, full, least, runs } from '../../../../test/budget.js';
import { piecesKernels } from '../../src/store/kernels.generated.js';
import { openStore } from '../../src/store/open.js';
import { chunksOf } from '../../src/store/out-of-core.js';
import { pageChecksum } from '../../src/store/page-hash.js';
import { MemorySink, MemorySource } from '../../src/store/page-source.js';
import { PieceCache } from '../../src/store/piece-cache.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { survey } from '../../src/store/survey.js';
import { StoreWriter } from '../../src/store/writer.js';
import {
  cornersOf,
  memorySpill,
  moved,
  named,
  seal,
  slowSource,
  storeBytes,
  storeOf,
  streamOf,
  triangleTexts,
} from './fixtures.js';

const KNOT = torusKnot(400, 24) as ShapeArrays;
const BALL = icosphere(3) as ShapeArrays;
const CRATE = box(1, 1, 1) as ShapeArrays;

function piecesOf(model: Awaited<ReturnType<typeof openStore>>, object: number, limit = 1e9): string[] {
  const cache = new PieceCache(model, { limit, onLoad: () => {} });
  const out: string[] = [];
  for (let i = 0; i < model.pieceCountOf(object); i++) {
    const piece = model.firstPiece(object) + i;
    expect(cache.acquire([piece])).toBeUndefined();
    const mesh = cache.mesh(piece);
    const [x, y, z] = mesh.origin;
    const positions = Float64Array.from(mesh.positions, (p, k) => p + [x, y, z][k % 3]);
    out.push(...triangleTexts(positions, mesh.indices));
    cache.release([piece]);
  }
  cache.dispose();
  return out.sort();
}

describe('a store', () => {
  test('gives back objects, poses, texts and properties', async () => {
    const objects = [
      { ...named('piping/pump'), properties: { system: 'cooling', flow: 3.5, spare: true } },
      { ...named('piping/pump 2', moved(5, 0, 0)), type: 'IfcPump', storey: 'Level 2' },
    ];
    const model = await openStore(
      await storeOf([
        { geometry: BALL, objects },
        { geometry: CRATE, objects: [named('käse/棚')] },
      ]),
    );
    expect(model.objectCount).toBe(3);
    expect(model.shapeCount).toBe(2);
    expect(model.triangleCount).toBe((2 * BALL.indices.length + CRATE.indices.length) / 3);
    expect(model.object(1)).toEqual({
      rounding: expect.any(Number),
      curveError: 0,
      id: 'piping/pump 2',
      name: 'pump 2',
      path: 'piping/pump 2',
      type: 'IfcPump',
      discipline: 'piping',
      file: 'test',
      storey: 'Level 2',
    });
    expect(model.object(2).path).toBe('käse/棚');
    expect([...model.pose(1)]).toEqual([...moved(5, 0, 0)]);
    expect(await model.properties(0)).toEqual({ system: 'cooling', flow: 3.5, spare: true });
    expect(await model.properties(1)).toBeUndefined();
  });

  test('gives back labels and relations, several of each', async () => {
    const labels = { system: ['supply', 'cooling'], material: ['steel'] };
    const relations = { partOf: ['skid 1', 'plant'], connectedTo: ['valve'] };
    const objects = [{ ...named('pump'), labels, relations }, named('valve'), { ...named('x'), relations }];
    const model = await openStore(await storeOf([{ geometry: CRATE, objects }]));
    expect(model.object(0)).toEqual({ ...model.object(1), id: 'pump', name: 'pump', path: 'pump', labels });
    expect(model.object(1)).not.toHaveProperty('labels');
    expect([0, 1, 2].map((i) => model.relations(i))).toEqual([relations, {}, relations]);
    const wrong = { geometry: CRATE, objects: [{ ...named('bad'), labels: { system: ['x', 3] } }] };
    await expect(storeOf([wrong as never])).rejects.toThrow(/"bad": its labels, system,/);
  });

  full.each(every([64, 100, 1000, 8192], 2))(
    'splits into pieces of about %i triangles and loses none',
    async (most) => {
      const model = await openStore(
        await storeOf([{ geometry: KNOT, objects: [named('knot')] }], { pieceTriangles: most }),
      );
      const sizes = [...model.directory.pieceTriangles];
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1.25 * most);
      expect(sizes.length).toBeLessThan((KNOT.indices.length / 3 / most) * 6 + 2);
      expect(piecesOf(model, 0)).toEqual(triangleTexts(KNOT.positions, KNOT.indices));
    },
  );

  test('has the boxes of its objects and pieces in the world', async () => {
    const half = Math.SQRT1_2;
    const turn = Float64Array.of(half, -half, 0, half, half, 0, 0, 0, 1, 10, 20, 30);
    const model = await openStore(
      await storeOf([{ geometry: KNOT, objects: [named('still'), named('turned', turn)] }], {
        pieceTriangles: 500,
      }),
    );
    for (const object of [0, 1]) {
      const pose = model.pose(object);
      const around = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
      for (let v = 0; v < KNOT.positions.length; v += 3) {
        for (let k = 0; k < 3; k++) {
          const [x, y, z] = KNOT.positions.subarray(v, v + 3);
          const p = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
          around[k] = Math.min(around[k], p);
          around[3 + k] = Math.max(around[3 + k], p);
        }
      }
      const stored = [...model.box(object)];
      around.forEach((x, k) => {
        expect(stored[k]).toBeCloseTo(x, 10);
      });
    }
  });

  test('makes poses rotations to the last bits, and leaves axis turns alone', async () => {
    const s = Math.fround(Math.SQRT1_2);
    const rough = Float64Array.of(s, -s, 0, s, s, 0, 0, 0, 1, 0, 0, 0);
    const turn = Float64Array.of(1, 0, 0, 0, 0, -1, 0, 1, 0, 1, 2, 3);
    const model = await openStore(
      await storeOf([{ geometry: CRATE, objects: [named('a', rough), named('b', turn)] }]),
    );
    const [a, b, , d, e] = model.pose(0);
    expect(Math.abs(a * a + d * d - 1)).toBeLessThan(1e-15);
    expect(Math.abs(a * b + d * e)).toBeLessThan(1e-15);
    expect(Math.abs(a - s)).toBeLessThan(1e-7);
    expect([...model.pose(1)]).toEqual([...turn]);
  });

  test('knows what is closed, by position', async () => {
    const open = { positions: KNOT.positions, indices: KNOT.indices.subarray(3) };
    const soup = {
      positions: cornersOf(CRATE),
      indices: Uint32Array.from({ length: CRATE.indices.length }, (_, i) => i),
    };
    // the borders of a tube along an axis differ in that coordinate only
    const tubes = [0, 1, 2].map((axis) => ({
      positions: CRATE.positions,
      indices: CRATE.indices.filter((_, i) => {
        const corners = CRATE.indices.subarray(i - (i % 3), i - (i % 3) + 3);
        return new Set(Array.from(corners, (v) => CRATE.positions[3 * v + axis])).size > 1;
      }),
    }));
    const shapes = [KNOT, soup, open, ...tubes].map((geometry, i) => ({
      geometry,
      objects: [named(`o${i}`)],
    }));
    const model = await openStore(await storeOf(shapes, { pieceTriangles: 300 }));
    expect(shapes.map((_, i) => model.isClosed(i))).toEqual([true, true, false, false, false, false]);
    expect(isClosed(Mesh.from(open))).toBe(false);
  });

  test('refuses bad input with the name of the object', async () => {
    const positions = CRATE.positions.slice();
    positions[4] = Number.NaN;
    const bad = { geometry: { ...CRATE, positions }, objects: [named('walls/bad one')] };
    await expect(storeOf([bad])).rejects.toThrow(/walls\/bad one.*vertex 1.*NaN/s);
    const mirror = Float64Array.of(-1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    await expect(storeOf([{ geometry: CRATE, objects: [named('m', mirror)] }])).rejects.toThrow(
      /"m".*mirrors/s,
    );
  });
});

describe('a store that was damaged', () => {
  const make = () => storeBytes([{ geometry: BALL, objects: [named('a'), named('b', moved(1, 0, 0))] }]);

  test('and cut off anywhere is not opened', async () => {
    const bytes = await make();
    for (let length = 0; length < bytes.length; length += 1 + Math.floor(length / 40)) {
      const cut = new MemorySource(bytes.slice(0, length));
      await expect(openStore(cut)).rejects.toMatchObject({ code: 'bad-buffer' });
    }
  });

  test('and altered in any byte is recognised when it is opened or read', async () => {
    const bytes = await make();
    const readAll = async (altered: Uint8Array) => {
      const model = await openStore(new MemorySource(altered));
      piecesOf(model, 0);
    };
    await readAll(bytes);
    for (let at = 0; at < bytes.length; at += at < 64 ? 8 : 97) {
      if (at >= 8 && at < 64) continue; // unused
      const altered = bytes.slice();
      altered[at] ^= 1 << (at % 8);
      await expect(readAll(altered), `byte ${at}`).rejects.toMatchObject({ code: 'bad-buffer' });
    }
  });

  test.each([
    ['"triangles":12', '"triafgles":12'],
    ['"triangles":12', '"triangles":[]'],
    ['"modified":"', '"modifie_":"'],
    ['"byteLength":0', '"byteLength":-'],
    ['"metresPerUnit":1', '"metresPerUnit":0'],
    ['"recipe":""', '"recipe":42'],
  ])('and described wrongly, with the right checksums, is not opened: %s as %s', async (right, wrong) => {
    const source = { name: 'a', byteLength: 0, modified: '', objects: 1, triangles: 12 };
    const sink = new MemorySink();
    const writer = new StoreWriter(sink);
    await writer.add({ geometry: CRATE, objects: [named('a')] });
    await writer.finish({ title: '', metresPerUnit: 1, files: [source], recipe: '' });
    const bytes = Buffer.from(sink.bytes());
    const at = bytes.indexOf(right);
    expect(at).toBeGreaterThan(0);
    bytes.write(wrong, at, 'latin1');
    const opened = openStore(new MemorySource(seal(bytes)));
    await expect(opened).rejects.toThrow('the store was altered: its description cannot be read');
  });

  test('is told by its version', async () => {
    const bytes = await make();
    bytes[4] = 9;
    await expect(openStore(new MemorySource(bytes))).rejects.toThrow(/version 9/);
  });

  test('and read short after opening gives an error, not a hang', async () => {
    const bytes = await make();
    const model = await openStore(new MemorySource(bytes));
    let broken = false;
    const refuse = () => {
      if (broken) throw new Error('the disk is gone');
    };
    const fragile = await openStore(slowSource(bytes, refuse));
    broken = true;
    const cache = new PieceCache(fragile, { limit: 1e8, onLoad: () => {} });
    await expect(cache.acquire([0])).rejects.toThrow(/disk is gone/);
    broken = false;
    await cache.acquire([0]);
    expect(cache.mesh(0).triangleCount).toBe(model.directory.pieceTriangles[0]);
    cache.release([0]);
    await cache.dispose();
  });
});

describe('the cache', () => {
  test('stays under its cap, whatever is asked of it (seed 11)', async () => {
    const shapes = Array.from({ length: 60 }, (_, i) => ({
      geometry: i % 3 === 0 ? KNOT : BALL,
      objects: [named(`o${i}`)],
    }));
    const source = await storeOf(shapes, { pieceTriangles: 1000 });
    const model = await openStore(source);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(model.pieceCount - 1), { minLength: 1, maxLength: 3 }), { maxLength: 80 }),
        fc.boolean(),
        async (requests, known) => {
          const before = arena().usedBytes;
          const limit = arena().extentBytes + 700_000;
          const order = requests.flat();
          let position = 0;
          const nextUse = (piece: number) => {
            const next = order.indexOf(piece, position);
            return next < 0 ? Infinity : next;
          };
          const cache = new PieceCache(model, { limit, onLoad: () => {}, ...(known ? { nextUse } : {}) });
          for (const request of requests) {
            const pieces = [...new Set(request)];
            cache.prefetch(pieces.slice(1));
            await cache.acquire(pieces);
            for (const piece of pieces) expect(cache.mesh(piece).triangleCount).toBeGreaterThan(0);
            cache.release(pieces);
            position += request.length;
            expect(arena().extentBytes).toBeLessThanOrEqual(limit);
          }
          expect(cache.stats.overflows).toBe(0);
          await cache.dispose();
          expect(arena().usedBytes).toBe(before);
        },
      ),
      { seed: 11, numRuns: runs(40) },
    );
  });

  test('never drops what is held, and says when that breaks the cap', async () => {
    const source = await storeOf([{ geometry: KNOT, objects: [named('knot')] }], { pieceTriangles: 2000 });
    const model = await openStore(source);
    const cache = new PieceCache(model, { limit: arena().extentBytes + 100_000, onLoad: () => {} });
    const all = Array.from({ length: model.pieceCount }, (_, i) => i);
    cache.acquire(all);
    for (const piece of all) expect(cache.mesh(piece).triangleCount).toBeGreaterThan(0);
    expect(cache.stats.overflows).toBeGreaterThan(least(0));
    cache.release(all);
    expect(() => cache.release(all)).toThrow(/released twice/);
    await cache.dispose();
  });
});

describe('a shape too large for memory', () => {
  const corners = cornersOf(KNOT);
  const stream = (numbers: Float32Array | Float64Array) => streamOf(numbers, 77);

  full.each(every([100, 1500, 1e6], 2))(
    'with %i triangles at a time is the same triangles',
    async (triangles) => {
      const spill = memorySpill(triangles);
      const model = await openStore(
        await storeOf([{ geometry: stream(corners), objects: [named('knot')] }], {
          spill,
          pieceTriangles: 400,
        }),
      );
      expect(spill.closed).toBe(triangles < corners.length / 9 ? 1 : 0);
      expect(model.isClosed(0)).toBe(true);
      expect(piecesOf(model, 0)).toEqual(triangleTexts(KNOT.positions, KNOT.indices));
    },
  );

  full.each([
    ['the same', () => 0],
    ['with the same centre', (t: number, k: number) => [t, -t, 0][Math.floor(k / 3)]],
    ['in two places', (t: number) => (t % 5 === 0 ? 7 : 0)],
    ['on one line, most of them at its end', (t: number) => (t % 9 === 0 ? t : 0)],
  ])('never takes more at a time than it may, where triangles are %s', async (_, shift) => {
    const [triangles, most] = [20_000, 600];
    const numbers = new Float32Array(9 * triangles);
    for (let i = 0; i < numbers.length; i++) {
      const [t, k] = [Math.floor(i / 9), i % 9];
      numbers[i] = [0, 0, 0, 1, 0, 0, 0, 1, 0][k] + (k % 3 === 0 ? shift(t, k) : 0);
    }
    const sizes: number[] = [];
    const crowd = stream(numbers);
    const found = await survey(crowd, 'crowd');
    const options = { label: 'crowd', about: [0, 0, 0] as const, chunkTriangles: most };
    for await (const mesh of chunksOf(crowd, found, memorySpill(most), options)) {
      sizes.push(mesh.triangleCount);
      mesh.dispose();
    }
    expect(sizes.reduce((sum, size) => sum + size)).toBe(triangles);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1.25 * most);
  });

  full('keeps float64 coordinates far away as a mesh would', async () => {
    const far = Float64Array.from(corners, (x, i) => x + [4e6, 5e6, 100][i % 3]);
    const model = await openStore(
      await storeOf([{ geometry: stream(far), objects: [named('knot')] }], { spill: memorySpill(500) }),
    );
    const mesh = Mesh.from({ positions: far });
    expect(piecesOf(model, 0)).toEqual(
      triangleTexts(
        Float64Array.from(mesh.positions, (p, k) => p + mesh.origin[k % 3]),
        mesh.indices,
      ),
    );
  });

  test('is refused if it is another one the second time', async () => {
    let asked = 0;
    const geometry = {
      triangleCount: 2,
      async *batches() {
        yield corners.subarray(0, 9 * (2 - asked++));
      },
    };
    const odd = storeOf([{ geometry, objects: [named('odd')] }], { spill: memorySpill(500) });
    await expect(odd).rejects.toMatchObject({ code: 'bad-input' });
  });

  test('refuses NaN, names the triangle, and leaves nothing behind', async () => {
    const bad = corners.slice();
    bad[9 * 1234 + 4] = Number.NaN;
    const spill = memorySpill(500);
    const broken = storeOf([{ geometry: stream(bad), objects: [named('big/knot')] }], { spill });
    await expect(broken).rejects.toThrow(/big\/knot.*triangle 1234.*y = NaN/s);
    expect(spill.closed).toBe(0); // not opened yet
  });
});

describe('kernels of pages', () => {
  test('have the same checksum as their twin (seed 12)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 400 }), (bytes) => {
        const whole = bytes.slice(0, bytes.length - (bytes.length % 16));
        const at = arena().alloc(whole.length);
        arena().u8().set(whole, at);
        expect(piecesKernels.kernels().pageChecksum(at, whole.length) >>> 0).toBe(pageChecksum(whole));
        arena().free(at);
      }),
      { seed: 12 },
    );
  });
});
