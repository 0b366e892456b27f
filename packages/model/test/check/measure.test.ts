/** `measure` of two meshes, held against a check of a store that has nothing else. */
import fc from 'fast-check';
import { type Mesh, type Pose, useHierarchy } from 'impinge';
import { describe, expect, test } from 'vitest';
import { full, least, runs } from '../../../../test/budget.js';
import {
  type Arrays,
  box,
  cellSurface,
  cylinder,
  gridBox,
  mesh,
  moved,
  sphere,
  torus,
} from '../../../impinge/test/query/solid/solids.js';
import {
  type CheckOptions,
  CLASH_KINDS,
  type ClashMeasure,
  check,
  type MeasureOptions,
  measure,
  openStore,
  type StoredModel,
} from '../../src/index.js';
import { PieceCache } from '../../src/store/piece-cache.js';
import { named, storeOf } from '../store/fixtures.js';
import { poseOf } from './support.js';

const SEED = 32;

/** Without every fifth triangle. */
const open = ({ positions, indices }: Arrays): Arrays => ({
  positions,
  indices: Array.from(indices).filter((_, i) => Math.floor(i / 3) % 5 !== 0),
});

const SOLIDS: readonly Arrays[] = [
  box(1, 1, 1),
  box(2, 0.5, 1),
  gridBox([-1, -1, -0.5], [2, 2, 1]),
  cellSurface([
    [0, 0, 0],
    [1, 1, 0],
    [1, 0, 0],
  ]),
  sphere(0.75, 3),
  torus(1, 0.25, 12, 8),
  cylinder(0.25, 3, 7),
];
const SHAPES = [...SOLIDS, ...SOLIDS.map(open)];

const quarter = fc.integer({ min: -6, max: 6 }).map((n) => n / 4);
const anywhere = fc.double({ min: -1.5, max: 1.5, noNaN: true });
const shift = fc.oneof(fc.tuple(quarter, quarter, quarter), fc.tuple(anywhere, anywhere, anywhere));
/** Mostly on a lattice on which faces coincide; some as matrices that are rotations only nearly. */
const pose: fc.Arbitrary<Pose | undefined> = fc.oneof(
  fc.constant(undefined),
  fc
    .record({
      shift,
      axis: fc.constantFrom([0, 0, 1], [0.2, 1, 0], [1, 2, 0.5]),
      angle: fc.constantFrom(0, 0, 0, Math.PI / 2, Math.PI / 4, 2.1),
      blur: fc.constantFrom(0, 0, 1e-9),
    })
    .map((at) => poseOf(at.axis, at.angle, at.shift).map((x, i) => (i < 9 ? x * (1 + at.blur) : x))),
);
/** Far from zero, coordinates are stored about an origin. */
const object = fc.record({ shape: fc.nat(SHAPES.length - 1), at: fc.constantFrom(0, 0, 1e6 + 0.1), pose });
const length = fc.constantFrom(0, 0, 1e-9, 0.1, 0.25, 0.6);
const asked = fc.record({
  clearance: length,
  tolerance: length,
  kinds: fc.oneof(fc.constant(CLASH_KINDS), fc.subarray([...CLASH_KINDS], { minLength: 1 })),
});

interface Placed {
  readonly mesh: Mesh;
  readonly pose: Pose | undefined;
}

function storeOfBoth(objects: readonly Placed[], pieceTriangles: number): Promise<StoredModel> {
  const shapes = objects.map(({ mesh: geometry, pose: at }, i) => ({
    geometry,
    objects: [{ ...named(`${i}`), pose: at }],
  }));
  return storeOf(shapes, { pieceTriangles }).then((source) => openStore(source));
}

async function checked(model: StoredModel, options: CheckOptions): Promise<ClashMeasure | undefined> {
  const found: ClashMeasure[] = [];
  for await (const { id: _, a: _a, b: _b, rule: _rule, ...rest } of check(model, options)) found.push(rest);
  return found[0];
}

/** In either order of the two, and with b in the frame of a where a has no pose. */
function measured(a: Placed, b: Placed, options: CheckOptions): ClashMeasure | undefined {
  const by = (poseA: Pose | undefined, poseB: Pose | undefined): MeasureOptions => ({
    ...(options as MeasureOptions),
    ...(poseA && { poseA }),
    ...(poseB && { poseB }),
  });
  const found = measure(a.mesh, b.mesh, by(a.pose, b.pose));
  expect(measure(b.mesh, a.mesh, by(b.pose, a.pose))).toStrictEqual(found);
  if (!a.pose && b.pose) expect(measure(a.mesh, b.mesh, { ...options, pose: b.pose })).toStrictEqual(found);
  return found;
}

const placeOf = ({ shape, pose: own }: { shape: number; pose: Pose | undefined }, at: number): Placed => ({
  mesh: mesh(moved(SHAPES[shape], at, -at / 2)),
  pose: own,
});

describe(`measure, seed ${SEED}`, () => {
  full('equals what a check of the two finds, of the meshes and trees in the store', async () => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(object, object, asked, async (first, second, options) => {
      const at = Math.max(first.at, second.at);
      const both = [placeOf(first, at), placeOf(second, at)];
      const model = await storeOfBoth(both, 8192);
      const cache = new PieceCache(model, { limit: 2 ** 30, onLoad: (_, tree) => useHierarchy(tree) });
      await cache.acquire([0, 1]);
      const [a, b] = both.map(({ pose: own }, i) => ({ mesh: cache.mesh(i), pose: own }));
      const found = measured(a, b, options);
      expect(found).toStrictEqual(await checked(model, options));
      const kind = found ? (found.form ?? found.kind) : 'none';
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      cache.release([0, 1]);
      await cache.dispose();
      await model.dispose();
      for (const one of both) one.mesh.dispose();
    });
    await fc.assert(property, { seed: SEED, numRuns: runs(600) });
    for (const kind of ['protruding', 'piercing', 'inside', 'duplicate', 'clearance', 'touch', 'none'])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThanOrEqual(least(3));
  });

  full('has the same kind and the same bounds, whatever the order of triangles and the pieces', async () => {
    const pieces = fc.constantFrom(64, 8192);
    const property = fc.asyncProperty(object, object, asked, pieces, async (first, second, options, most) => {
      const at = Math.max(first.at, second.at);
      const [a, b] = [placeOf(first, at), placeOf(second, at)];
      const model = await storeOfBoth([a, b], most);
      const found = measured(a, b, options);
      const expected = await checked(model, options);
      await model.dispose();
      for (const one of [a, b]) one.mesh.dispose();
      expect(found?.kind).toBe(expected?.kind);
      if (!found || !expected) return;
      expect(found).toMatchObject({ form: expected.form, trianglePairs: expected.trianglePairs });
      // numbers about an origin are rounded to 1e-10 of a unit at a million
      const off = 1e-12 * Math.max(1, at * 1e3);
      expect(Math.abs(found.distance - expected.distance)).toBeLessThanOrEqual(off);
      expect(found.depth).toBeLessThanOrEqual(expected.depthBound + off);
      expect(expected.depth).toBeLessThanOrEqual(found.depthBound + off);
      // of several closest places each is one
      if (found.kind === 'clearance' || (found.kind === 'touch' && found.trianglePairs === 0)) return;
      for (const end of ['min', 'max'] as const) {
        for (let k = 0; k < 3; k++)
          expect(Math.abs(found.box[end][k] - expected.box[end][k])).toBeLessThanOrEqual(off);
      }
    });
    await fc.assert(property, { seed: SEED, numRuns: runs(300) });
  });

  test('asks for the kinds that a check asks for by default', () => {
    const cube = mesh(box(1, 1, 1));
    expect(measure(cube, cube)).toMatchObject({ kind: 'duplicate' });
    expect(measure(cube, cube, { pose: { translation: [1, 0, 0] } })).toBeUndefined();
    expect(measure(cube, cube, { pose: { translation: [1.1, 0, 0] }, clearance: 0.2 })).toMatchObject({
      kind: 'clearance',
    });
    expect(measure(cube, cube, { pose: { translation: [0.75, 0.1, 0.1] } })).toMatchObject({
      kind: 'hard',
      form: 'protruding',
      depth: 0.25,
      box: { min: [0.25, -0.4, -0.4], max: [0.5, 0.5, 0.5] },
    });
  });

  test.each<[object, string]>([
    [{ clearance: -1 }, 'bad-option'],
    [{ tolerance: Number.NaN }, 'bad-option'],
    [{ kinds: [] }, 'bad-option'],
    [{ kinds: ['soft'] }, 'bad-option'],
    [{ distance: 1 }, 'bad-option'],
    [{ pose: { translation: [1, 0, 0] }, poseA: { translation: [1, 0, 0] } }, 'bad-option'],
    [{ pose: { scale: 2 } }, 'bad-pose'],
    [{ pose: { translation: [1e18, 0, 0] } }, 'bad-pose'],
  ])('refuses %j', (options, code) => {
    const cube = mesh(box(1, 1, 1));
    expect(() => measure(cube, cube, options)).toThrow(expect.objectContaining({ code }));
  });
});
