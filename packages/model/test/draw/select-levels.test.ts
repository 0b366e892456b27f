/** Fronts of random levels: they cover everything once, are what their definition says, and forget what was before. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { Drawing } from '../../src/draw/drawing.js';
import type { LevelSelection } from '../../src/draw/types.js';
import { frontByDefinition } from './brute-force.js';
import {
  CELLS,
  orthographic,
  perspective,
  type RandomLevels,
  randomCamera,
  randomLevels,
} from './random-levels.js';

const seeds = Array.from({ length: runs(8) }, (_, i) => i);
const placed = ({ objects, pieces }: { objects: Uint32Array; pieces: Uint32Array }) =>
  Array.from(objects, (object, i) => `${object}:${pieces[i]}`).sort();

/** How often each cell of each object is stood for. */
function coverage(model: RandomLevels, { objects, pieces }: LevelSelection): number[][] {
  const counts = Array.from(model.directory.objectShape, () => new Array<number>(CELLS).fill(0));
  objects.forEach((object, i) => {
    for (const cell of model.cells[pieces[i]]) counts[object][cell]++;
  });
  return counts;
}

const once = (model: RandomLevels) => Array.from(model.directory.objectShape, () => new Array(CELLS).fill(1));

/** Settings of all kinds, some of which matter at every seed. */
function randomOptions(seed: number) {
  const random = new SeededRandom(seed);
  const near = [50 * random.next(), 50 * random.next()];
  const finerNear = (box: Float64Array) =>
    0.2 + 0.1 * Math.hypot(...near.map((x, k) => Math.max(box[k] - x, 0, x - box[k + 3])));
  const inBox = { box: [near[0], near[1], -50, near[0] + 9, near[1] + 4, 50], error: 0.3 };
  return {
    camera: randomCamera(seed),
    pixelError: [0, 1, 10, 40, Infinity][Math.floor(5 * random.next())],
    collisionError: [Infinity, 0.5, 2, finerNear, inBox][Math.floor(5 * random.next())],
  };
}

describe('a front', () => {
  test.each(seeds)('is what its definition says, and covers every cell once (%i)', (seed) => {
    const model = randomLevels(seed);
    const pieces = model.directory.pieceTriangles.length;
    const drawing = new Drawing(model, { allLoaded: true });
    for (let i = 0; i < 4; i++) {
      const options = randomOptions(8 * seed + i);
      const found = drawing.selectLevels(options);
      const isLoaded = new Uint8Array(pieces).fill(1);
      expect(placed(found)).toEqual(frontByDefinition(model, { ...options, budget: Infinity, isLoaded }));
      expect(coverage(model, found)).toEqual(once(model));
      expect(found).toMatchObject({ pixelError: options.pixelError, complete: true });
      expect(found.fetch).toHaveLength(0);
    }
  });

  test.each(seeds)('does not depend on the fronts before it (%i)', (seed) => {
    const model = randomLevels(seed);
    const random = new SeededRandom(seed);
    const kept = new Drawing(model, { allLoaded: true });
    const camera = randomCamera(seed);
    const { translation } = camera.pose as { translation: number[] };
    for (let i = 0; i < 12; i++) {
      // small steps, large ones, and settings that stay for a while
      const reach = [0, 0.01, 0.5, 20][Math.floor(4 * random.next())];
      for (let k = 0; k < 3; k++) translation[k] += reach * (random.next() - 0.5);
      const { pixelError, collisionError } = randomOptions(seed + Math.floor(i / 6));
      const budget = i % 6 < 3 ? Infinity : 400 * random.next();
      const pose = {
        translation: [...translation],
        rotation: (camera.pose as { rotation: number[] }).rotation,
      };
      const options = { camera: { ...camera, pose }, pixelError, collisionError, budget };
      if (i === 8) kept.move(1, { translation: [3, 3, 3] });
      const fresh = new Drawing(model, { allLoaded: true });
      if (i >= 8) fresh.move(1, { translation: [3, 3, 3] });
      const answer = ({ appeared: _, vanished: __, stats: ___, ...rest }: LevelSelection) => rest;
      expect(answer(kept.selectLevels(options))).toEqual(answer(fresh.selectLevels(options)));
    }
  });

  test.each(seeds)('is as fine as wanted near a box that moves, and kept elsewhere (%i)', (seed) => {
    const model = randomLevels(seed, 2, 12);
    const random = new SeededRandom(seed);
    const kept = new Drawing(model, { allLoaded: true });
    const camera = randomCamera(seed);
    const isLoaded = new Uint8Array(model.directory.pieceTriangles.length).fill(1);
    const at = [50 * random.next(), 50 * random.next(), 0];
    let looked = 0;
    for (let i = 0; i < 8; i++) {
      for (let k = 0; k < 2; k++) at[k] += 6 * (random.next() - 0.5);
      const box = [...at, ...at.map((x) => x + 5)];
      // away and back again, or still, as well
      const collisionError = i % 4 === 3 ? Infinity : { box, error: 0.25 };
      const options = { camera, pixelError: 40, collisionError };
      const found = kept.selectLevels(options);
      expect(placed(found)).toEqual(frontByDefinition(model, { ...options, budget: Infinity, isLoaded }));
      if (i > 0) looked += found.stats.objects;
      const across = kept.selectLevels(options).stats.objects;
      expect(kept.selectLevels(options).stats.objects).toBe(across);
    }
    expect(looked).toBeLessThan(7 * 12);
  });

  test('tells what has changed, and looks at nothing where nothing has', () => {
    const model = randomLevels(3, 4, 8);
    const drawing = new Drawing(model, { allLoaded: true });
    let before: string[] = [];
    let changes = 0;
    for (let i = 0; i < 20; i++) {
      const options = { camera: randomCamera(i), pixelError: 20 };
      const found = drawing.selectLevels(options);
      const vanished = new Set(placed(found.vanished));
      const now = [...before.filter((piece) => !vanished.has(piece)), ...placed(found.appeared)].sort();
      expect(now).toEqual(placed(found));
      const { splits, merges } = found.stats;
      if (i > 0) expect(splits + merges > 0).toBe(found.appeared.pieces.length > 0);
      before = now;
      changes += found.appeared.pieces.length;
      const again = drawing.selectLevels(options);
      expect(again.appeared.pieces).toHaveLength(0);
      expect(again.vanished.pieces).toHaveLength(0);
      expect(again.stats).toMatchObject({ splits: 0, merges: 0 });
      expect(again.stats.objects).toBeLessThan(8);
    }
    expect(changes).toBeGreaterThan(100);
  });
});

describe('a budget', () => {
  test.each(seeds)('is kept where levels allow, by what looks least (%i)', (seed) => {
    const model = randomLevels(seed, 2, 2, false);
    const isLoaded = new Uint8Array(model.directory.pieceTriangles.length).fill(1);
    const drawing = new Drawing(model, { allLoaded: true });
    const options = { ...randomOptions(seed), pixelError: 0, collisionError: Infinity };
    let last = 0;
    const most = drawing.selectLevels(options).triangles;
    const least = drawing.selectLevels({ ...options, pixelError: Infinity }).triangles;
    for (const share of [1, 0.6, 0.2, 0]) {
      const budget = Math.floor(share * most);
      const found = drawing.selectLevels({ ...options, budget });
      expect(placed(found)).toEqual(frontByDefinition(model, { ...options, budget, isLoaded }));
      expect(coverage(model, found)).toEqual(once(model));
      expect(found.triangles).toBeLessThanOrEqual(Math.max(budget, least));
      expect(found.pixelError).toBeGreaterThanOrEqual(last);
      last = found.pixelError;
    }
  });

  test('leaves alone what an error in space needs', () => {
    const model = randomLevels(1);
    const drawing = new Drawing(model, { allLoaded: true });
    const pose = { translation: [25, 25, 100] };
    const camera = { pose, projection: perspective(50, 1), width: 500, height: 500 };
    const strict = drawing.selectLevels({ camera, pixelError: Infinity, collisionError: 0.5 });
    const found = drawing.selectLevels({ camera, pixelError: 0, collisionError: 0.5, budget: 0 });
    expect(found.triangles).toBeGreaterThan(0);
    expect(placed(found)).toEqual(placed(strict));
    expect(found.collisionError).toBeLessThanOrEqual(0.5);
    expect(found.pixelError).toBeGreaterThan(0);
  });
});

describe('what is not loaded', () => {
  test.each(seeds)('is stood for by what is, as the definition says (%i)', (seed) => {
    const model = randomLevels(seed);
    const random = new SeededRandom(seed);
    const pieces = model.directory.pieceTriangles.length;
    const share = random.next();
    const isLoaded = Uint8Array.from({ length: pieces }, () => (random.next() < share ? 1 : 0));
    const drawing = new Drawing(model);
    drawing.loaded(Array.from(isLoaded.keys()).filter((piece) => isLoaded[piece] === 1));
    for (let i = 0; i < 3; i++) {
      const options = randomOptions(8 * seed + i);
      const found = drawing.selectLevels(options);
      expect(placed(found)).toEqual(frontByDefinition(model, { ...options, budget: Infinity, isLoaded }));
      for (const counts of coverage(model, found)) expect(Math.max(...counts)).toBeLessThanOrEqual(1);
      for (const piece of found.fetch) expect(isLoaded[piece]).toBe(0);
    }
  });

  test.each(seeds)('comes as it is asked for: coarse at first, then as wanted (%i)', (seed) => {
    const model = randomLevels(seed);
    const { taker } = coarsestOf(model);
    const drawing = new Drawing(model);
    const options = { ...randomOptions(seed), pixelError: 5, budget: seed % 2 === 0 ? Infinity : 600 };
    const wanted = new Drawing(model, { allLoaded: true }).selectLevels(options);
    let found = drawing.selectLevels(options);
    expect(found).toMatchObject({ count: 0, complete: false });
    let isWhole = false;
    let loads = 0;
    for (; !found.complete; found = drawing.selectLevels(options)) {
      const next = found.fetch.subarray(0, 3);
      expect(new Set(found.fetch).size).toBe(found.fetch.length);
      // the coarsest of all come first; from then on everything is covered, whatever comes next
      const hadAll = isWhole;
      isWhole = !taker.some((isTaken, piece) => !isTaken && found.fetch.includes(piece));
      if (hadAll) expect(isWhole).toBe(true);
      if (isWhole) expect(coverage(model, found)).toEqual(once(model));
      else expect(taker[next[0]]).toBe(false);
      drawing.loaded(next);
      loads += next.length;
    }
    expect(placed(found)).toEqual(placed(wanted));
    expect(loads).toBeGreaterThanOrEqual(new Set(wanted.pieces).size);
    expect(found.pixelError).toBe(wanted.pixelError);
  });

  test('can be dropped without a change in the picture where it is not needed', () => {
    const model = randomLevels(5);
    const drawing = new Drawing(model, { allLoaded: true });
    for (let i = 0; i < 5; i++) {
      const options = { camera: randomCamera(i), pixelError: 10 };
      const before = drawing.selectLevels(options);
      const unneeded = drawing.unneeded();
      if (i === 0) expect(unneeded.length).toBeGreaterThan(10);
      drawing.dropped(unneeded);
      expect(drawing.unneeded()).toHaveLength(0);
      const after = drawing.selectLevels(options);
      expect(placed(after)).toEqual(placed(before));
      expect(after.complete).toBe(true);
      drawing.loaded(unneeded);
    }
  });
});

/** Whether something takes a piece away. */
function coarsestOf({ directory }: RandomLevels): { taker: boolean[] } {
  return { taker: Array.from(directory.pieceInto as Uint32Array, (into) => into !== 0xffffffff) };
}

describe('a camera', () => {
  const model = randomLevels(2, 1, 1);
  const { pieceOut, pieceIn } = model.directory;

  test('that is orthographic asks for the same error everywhere', () => {
    const camera = {
      pose: { translation: [6, 6, 50] },
      projection: orthographic(400, 300),
      width: 800,
      height: 600,
    };
    const found = new Drawing(model, { allLoaded: true }).selectLevels({ camera, pixelError: 0.3 });
    const errors = Array.from(found.pieces, (piece) => Math.max(pieceOut[piece], pieceIn[piece]));
    expect(Math.max(...errors)).toBeLessThanOrEqual(0.3);
    expect(Math.max(...errors)).toBeGreaterThan(0);
    expect([...found.visible]).not.toContain(0);
  });

  test('sees nothing behind it', () => {
    const away = {
      pose: { translation: [6, 6, -5] },
      projection: perspective(60, 1),
      width: 100,
      height: 100,
    };
    const found = new Drawing(model, { allLoaded: true }).selectLevels({ camera: away });
    expect(found.triangles).toBe(0);
    expect([...found.visible]).not.toContain(1);
    expect(coverage(model, found)).toEqual(once(model));
  });

  test.each([
    ['no camera', undefined, /options must be an object/],
    ['a pose that scales', { pose: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1] }, /not a rigid motion/],
    ['too few numbers', { projection: [1, 2, 3] }, /sixteen numbers/],
    ['NaN', { projection: [Number.NaN, ...perspective(50, 1).slice(1)] }, /not a finite number/],
    ['a projection to a point', { projection: new Array(16).fill(0) }, /no extent/],
    ['half a pixel', { width: 0.5 }, /width must be an integer/],
  ])('with %s is refused', (_, wrong, message) => {
    const drawing = new Drawing(model);
    const camera = wrong && ({ ...randomCamera(1), ...wrong } as never);
    expect(() => drawing.selectLevels({ camera: camera as never })).toThrow(message);
  });
});
