/**
 * What the rules of the paper on clustered hierarchies of progressive meshes would get wrong, each on
 * an input small enough to see why.
 */
import { Random } from '@impinge/scenes/random';
import { distance, Mesh, within } from 'impinge';
import { expect, test } from 'vitest';
import { FAST, full } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { frontOf } from '../../src/store/front.js';
import { FAMILIES } from '../levels/families.js';
import { sampledDistance } from '../levels/sampling.js';
import { errorOf, errorsOf, frontAt, levelsOf } from '../levels/stored.js';

const TRIANGLE = Mesh.from({
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  indices: Uint32Array.of(0, 1, 2),
});
const torus = FAMILIES['torus'](FAST ? 8 : 12, new Random(1));
const ring = Mesh.from(torus);
const levels = await levelsOf(torus, 128);
const { model } = levels;
const largest = Math.max(...levels.pieces.map((_, piece) => errorOf(model, piece)));

async function asked<T>(of: Mesh, ask: (target: LevelsTarget) => Promise<T>): Promise<T> {
  const target = new LevelsTarget(await buildLevels(of, { pieceTriangles: 128 }));
  try {
    return await ask(target);
  } finally {
    await target.dispose();
  }
}

test('a gap between half the distance and the distance is not missed', async () => {
  for (const mesh of [TRIANGLE, ring]) {
    await asked(mesh, async (target) => {
      for (const gap of [0.51, 0.75, 0.99]) {
        const above = mesh.box.max[2] - mesh.box.min[2] + gap; // over itself
        const error = 0.01;
        const found = await within(target, mesh, {
          pose: { translation: [0, 0, above] },
          distance: 1,
          error,
        });
        expect(found.count).toBeGreaterThan(0);
      }
    });
  }
});

test('boxes alone do not make an answer: corners of enlarged boxes reach too far', async () => {
  await asked(TRIANGLE, async (target) => {
    // beyond a corner, each side enlarged by 1 would still touch; the distance is the root of three times as much
    for (const far of [0.7, 0.9]) {
      const pose = { translation: [-1 - far, -far, far] };
      const exact = distance(TRIANGLE, TRIANGLE, { pose }).distance;
      expect(exact).toBeGreaterThan(1.1);
      expect((await within(target, TRIANGLE, { pose, distance: 1, error: 0.1 })).within).toBe(false);
      expect((await within(target, TRIANGLE, { pose, distance: exact, error: 0.1 })).within).toBe(true);
    }
  });
});

test('what is finest is exact, so that any error can be kept', async () => {
  const exact = model.directory.shapeExactPieces[0];
  for (let piece = 0; piece < exact; piece++) expect(errorOf(model, piece)).toBe(0);
  const least = Math.min(...levels.pieces.map((_, piece) => errorOf(model, piece) || Infinity));
  expect([...frontOf(model, 0, least / 2)]).toEqual(Array.from({ length: exact }, (_, i) => i));
  await asked(ring, async (target) => {
    const pose = { translation: [0, 0.1, 1] };
    const apart = distance(ring, ring, { pose }).distance;
    const { bounds } = await distance(target, ring, { pose, error: 1e-12 });
    expect(bounds[0]).toBeLessThanOrEqual(apart);
    expect(bounds[1]).toBeGreaterThanOrEqual(apart);
    expect(bounds[1] - bounds[0]).toBeLessThan(1e-11);
  });
});

full('levels between the finest and the coarsest are used', () => {
  const fronts = errorsOf(model).map((error) => frontAt(levels, error).indices.length / 3);
  const sizes = new Set(fronts);
  expect(sizes.size).toBeGreaterThan(5);
  const [all, least] = [Math.max(...sizes), Math.min(...sizes)];
  // some of each octave in between
  for (let size = all / 2; size > 2 * least; size /= 2) {
    expect([...sizes].some((own) => own <= size && own > size / 2.5)).toBe(true);
  }
});

test('a level is enlarged by its own error, not by that of boxes, and what is reported is near enough', async () => {
  await asked(ring, async (target) => {
    const errors = levels.pieces.map((_, piece) => errorOf(model, piece)).sort((p, q) => p - q);
    const error = 8 * errors[errors.length >> 1]; // levels whose boxes are farther off than that
    const random = new Random(4);
    let [near, far] = [0, 0];
    for (let run = 0; run < 30; run++) {
      const pose = { translation: [0, 1, 2].map(() => 6 * random.next() - 3) };
      const exact = distance(ring, ring, { pose }).distance;
      const found = await within(target, ring, { pose, distance: error, error });
      if (exact <= error) near++;
      if (exact > 2 * error) far++;
      expect(found.within || exact > error).toBe(true);
      expect(found.within && exact > 2 * error).toBe(false);
    }
    expect(near).toBeGreaterThan(1);
    expect(far).toBeGreaterThan(3);
  });
});

full('pieces of a front fit together although each was chosen by its own error', () => {
  // every edge of a closed surface still has two triangles
  for (const error of errorsOf(model).filter((_, i) => i % 3 === 0)) {
    const { positions, indices } = frontAt(levels, error);
    const edges = new Map<string, number>();
    const place = (v: number) => positions.slice(3 * v, 3 * v + 3).join();
    for (let t = 0; t < indices.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const ends = [place(indices[t + k]), place(indices[t + ((k + 1) % 3)])].sort().join(' ');
        edges.set(ends, (edges.get(ends) ?? 0) + 1);
      }
    }
    expect([...edges.values()].filter((count) => count % 2 !== 0)).toEqual([]);
  }
});

test('borders between pieces do not stay to the top', () => {
  const exact = model.directory.shapeExactPieces[0];
  expect(exact).toBeGreaterThan(3);
  // a border of one piece alone has more edges than this
  expect(frontAt(levels, Infinity).indices.length / 3).toBeLessThan(64);
});

test('errors are bounds, not estimates', () => {
  const random = new Random(5);
  for (const share of [0.05, 0.3, 1]) {
    const front = frontAt(levels, share * largest);
    const out = sampledDistance(torus, front, random, 2);
    const inward = sampledDistance(front, torus, random, 2);
    expect(out + inward).toBeLessThanOrEqual(share * largest);
    expect(out + inward).toBeGreaterThan(0); // as it would not be if nothing had been left out
  }
});
