/** One object where it is moved to, held against a check of a model in which it is there. */
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { type Arrays, cylinder, moved, torus } from '../../../impinge/test/query/solid/solids.js';
import { type CheckOptions, check, ObjectCheck, openStore, type StoredModel } from '../../src/index.js';
import { named, storeOf } from '../store/fixtures.js';
import { poseOf } from './support.js';

const SEED = 14;

interface TestObject {
  readonly arrays: Arrays;
  readonly type: string;
  readonly pose: Float64Array;
}

async function modelOf(things: readonly TestObject[]): Promise<StoredModel> {
  const shapes = things.map(({ arrays: { positions, indices }, type, pose }, i) => ({
    geometry: { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) },
    objects: [{ ...named(`${i}`, pose), type }],
  }));
  return openStore(await storeOf(shapes, { pieceTriangles: 64 }));
}

/** What a check finds of one object, by the other. */
async function checked(model: StoredModel, object: number, options: CheckOptions) {
  const found = new Map<number, unknown>();
  for await (const { id: _, a, b, ...measure } of check(model, options)) {
    const numbers = [a, b].map(({ id }) => Number(id));
    if (!numbers.includes(object)) continue;
    found.set(numbers[0] === object ? numbers[1] : numbers[0], measure);
  }
  return found;
}

const SHAPES: readonly (readonly [string, Arrays])[] = [
  ['pipe', cylinder(0.4, 3, 12)],
  ['ring', torus(1, 0.3, 12, 8)],
  ['block', cylinder(1, 1, 4)],
  ['pebble', moved(cylinder(0.1, 0.2, 5), 0, 0, 0)],
];

// on a grid, so that faces meet and copies coincide
const place = fc
  .tuple(fc.integer({ min: 0, max: 5 }), ...[0, 1, 2].map(() => fc.integer({ min: -4, max: 4 })))
  .map(([turn, ...at]) =>
    poseOf(
      [0, 0, 1],
      (turn * Math.PI) / 4,
      at.map((x) => x / 2),
    ),
  );
const things = fc.array(fc.tuple(fc.nat(SHAPES.length - 1), place), { minLength: 2, maxLength: 7 });

const RULES = [
  { name: 'pipes', a: { type: 'pipe' }, clearance: 0.4, tolerance: 0.05 },
  { name: 'rings', a: { type: 'ring' }, b: { type: 'block' }, kinds: ['hard', 'touch'] as const },
  { name: 'rest', tolerance: 0.3 },
] as const;

const ASKS: readonly (readonly [string, CheckOptions])[] = [
  ['everything', {}],
  [
    'a tolerance, a clearance and touches',
    { tolerance: 0.2, clearance: 0.25, kinds: ['hard', 'inside', 'duplicate', 'clearance', 'touch'] },
  ],
  ['rules', { rules: RULES, allowEmptyRules: true }],
];

describe(`a moved object (seed ${SEED})`, () => {
  test.each(ASKS)('has the clashes of a check with it there: %s', async (_, options) => {
    const { allowEmptyRules: __, ...asked } = options;
    let found = 0;
    await fc.assert(
      fc.asyncProperty(things, fc.nat(6), place, async (recipe, which, pose) => {
        const list = recipe.map(([shape, at]) => ({
          type: SHAPES[shape][0],
          arrays: SHAPES[shape][1],
          pose: at,
        }));
        const object = which % list.length;
        const model = await modelOf(list);
        const there = await modelOf(list.map((thing, i) => (i === object ? { ...thing, pose } : thing)));
        await using moving = await ObjectCheck.open(model, asked);
        for (const [given, stands] of [
          [pose, there],
          [undefined, model],
        ] as const) {
          const clashes = await moving.clashesOf(object, given && { pose: given });
          found += clashes.length;
          const own = new Map(clashes.map(({ other, ...measure }) => [other, measure]));
          expect(own).toEqual(await checked(stands, object, options));
        }
      }),
      { seed: SEED, numRuns: runs(40) },
    );
    expect(found).toBeGreaterThan(0);
  });
});

describe('questions', async () => {
  const cube = cylinder(1, 1, 4);
  const at = (x: number) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);
  const model = await modelOf([0, 3, 6].map((x) => ({ arrays: cube, type: 'block', pose: at(x) })));
  const moving = await ObjectCheck.open(model);
  afterAll(() => moving.dispose());

  test('of a clearance besides, and of some of the others', async () => {
    expect(await moving.clashesOf(1)).toEqual([]);
    const near = await moving.clashesOf(1, { clearance: 2 });
    expect(near.map(({ other, kind }) => [other, kind])).toEqual([
      [0, 'clearance'],
      [2, 'clearance'],
    ]);
    expect(await moving.clashesOf(1, { clearance: 2, among: [2] })).toHaveLength(1);
    const pose = { translation: [0.25, 0, 0] as const };
    expect(await moving.clashesOf(1, { pose })).toMatchObject([{ other: 0, kind: 'hard' }]);
    // it was only asked about
    expect(await moving.clashesOf(1)).toEqual([]);
  });

  test('that make no sense are refused', async () => {
    await expect(moving.clashesOf(1, { clearance: -1 })).rejects.toThrow('clearance must be at least 0');
    await expect(moving.clashesOf(9)).rejects.toThrow(/object/);
    await expect(ObjectCheck.open(model, { tolerance: -1 })).rejects.toThrow(/tolerance/);
    expect(await moving.clashesOf(1)).toEqual([]);
  });
});
