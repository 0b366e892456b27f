/** Solids, motions and shapes of meshes that their poses scale, shear or mirror, against meshes with that baked in. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../test/budget.js';
import { shapeDistance, signedDistance, sweepShape } from '../../../src/index.js';
import { poseAt } from '../../../src/math/motion.js';
import { rigidly } from '../../../src/mesh/baked.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { timeOfImpact } from '../../../src/query/motion/time-of-impact.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { within } from '../../../src/query/pair/within.js';
import { contacts } from '../../../src/query/solid/contacts.js';
import { contains } from '../../../src/query/solid/containment.js';
import { penetration } from '../../../src/query/solid/penetration.js';

const SEED = 3702;
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [
  (c & 1) - 0.5,
  ((c >> 1) & 1) - 0.5,
  (c >> 2) - 0.5,
]);
const FACES = [
  0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
];
const cube = Mesh.from({ positions: CORNERS, indices: FACES, name: 'cube' });

/** A mesh with a pose baked in by the test's own sums, facing outwards. */
function moved(mesh: Mesh, m: readonly number[]): Mesh {
  const p = mesh.positions;
  const positions = new Float64Array(p.length);
  for (let i = 0; i < p.length; i++) {
    const v = i - (i % 3);
    const k = i % 3;
    positions[i] = m[k] * p[v] + m[4 + k] * p[v + 1] + m[8 + k] * p[v + 2] + m[12 + k];
  }
  const det =
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[4] * (m[1] * m[10] - m[2] * m[9]) +
    m[8] * (m[1] * m[6] - m[2] * m[5]);
  const indices = Array.from(mesh.indices);
  for (let i = 0; det < 0 && i < indices.length; i += 3)
    [indices[i + 1], indices[i + 2]] = [indices[i + 2], indices[i + 1]];
  return Mesh.from({ positions, indices });
}

const size = fc.double({ min: 0.3, max: 2.5, noNaN: true });
/** Not so small that products underflow. */
const small = fc.double({ min: -0.4, max: 0.4, noNaN: true }).map((x) => Math.round(x * 1e6) / 1e6);
const sign = fc.constantFrom(1, 1, -1);
/** Scales, shears by the other entries, mirrors. */
const matrix = fc
  .tuple(size, size, size, sign, fc.constantFrom(0, 1), fc.array(small, { minLength: 9, maxLength: 9 }))
  .map(([x, y, z, mirror, sheared, e]) => {
    const s = (i: number) => sheared * e[i];
    return [mirror * x, s(0), s(1), 0, s(2), y, s(3), 0, s(4), s(5), z, 0, e[6] + 0.6, e[7], e[8], 1];
  });

const check = (ask: (a: readonly number[], b: readonly number[]) => void) =>
  fc.assert(
    fc.property(matrix, matrix, (a, b) => ask(a, b)),
    { seed: SEED, numRuns: runs(60) },
  );

describe(`meshes scaled, sheared and mirrored by their poses, seed ${SEED}`, () => {
  test('lie in each other, overlap and meet as those with that baked in', () => {
    let crossing = 0;
    check((poseA, poseB) => {
      const [a, b] = [moved(cube, poseA), moved(cube, poseB)];
      const poses = { poseA, poseB };
      const expected = contains(a, b).relation;
      expect(contains(cube, cube, poses).relation).toBe(expected);
      const [depth, own] = [penetration(a, b).depth, penetration(cube, cube, poses).depth];
      expect(Math.abs(own - depth)).toBeLessThan(1e-4 + 1e-3 * depth);
      const [regions, ours] = [contacts(a, b).regions, contacts(cube, cube, poses).regions];
      // elsewhere surfaces may touch or not, by float32, which both are rounded to in their own way
      if (expected === 'crossing') expect(ours.length).toBeGreaterThan(0);
      const deepest = (of: typeof ours) => Math.max(0, ...of.map((region) => region.depth));
      if (expected === 'crossing') expect(Math.abs(deepest(ours) - deepest(regions))).toBeLessThan(1e-3);
      if (expected === 'crossing') crossing++;
      expect(distance(cube, cube, poses).distance).toBeCloseTo(distance(a, b).distance, 5);
      const near = { ...poses, distance: 0.25 };
      if (Math.abs(distance(a, b).distance - 0.25) > 1e-5)
        expect(within(cube, cube, near).count > 0).toBe(within(a, b, { distance: 0.25 }).count > 0);
    });
    expect(crossing).toBeGreaterThan(runs(60) / 4);
  });

  test('come into contact as they do', () => {
    let met = 0;
    check((start, other) => {
      const by = (way: number) => start.map((x, i) => (i === 12 ? x + way : x));
      const from = by(6);
      const to = by(-6);
      const motion = { motionB: { from: at(6), to: at(-6) } };
      const [a, b] = [moved(cube, other), moved(cube, start)];
      const expected = timeOfImpact(a, b, motion);
      const found = timeOfImpact(cube, cube, { motionA: { from: other }, motionB: { from, to } });
      if (expected.time === Infinity && found.time === Infinity) return;
      met++;
      expect(Math.abs(found.time - expected.time)).toBeLessThan(1e-5);
      // never late: just before it nothing meets
      const before = { ...at(6 - 12 * Math.max(0, found.time - 1e-6)) };
      if (found.time > 1e-6) expect(collide(a, b, { poseB: before, mode: 'any' }).colliding).toBe(false);
    });
    expect(met).toBeGreaterThan(0);
  });

  test('are as far from shapes and points, and are met as soon', () => {
    const shape = { from: [-3, 0.1, 0.2], to: [-3, 0.9, 0.2], radius: 0.25 };
    check((pose) => {
      const there = moved(cube, pose);
      const [far, expected] = [shapeDistance(cube, shape, { pose }), shapeDistance(there, shape)];
      expect(far!.distance).toBeCloseTo(expected!.distance, 5);
      const [hit, theirs] = [
        sweepShape(cube, shape, [6, 0, 0], { pose }),
        sweepShape(there, shape, [6, 0, 0]),
      ];
      expect(hit?.time ?? 2).toBeCloseTo(theirs?.time ?? 2, 5);
      for (const point of [
        [0.6, 0, 0],
        [2, 1, 0],
      ])
        expect(signedDistance(cube, point, { pose })).toBeCloseTo(signedDistance(there, point), 5);
    });
  });

  test('of open meshes, points know their sides', () => {
    const open = Mesh.from({ positions: CORNERS, indices: FACES.slice(0, -6) });
    check((pose) => {
      const there = moved(open, pose);
      const point = [pose[12] + 0.05, pose[13], pose[14]];
      expect(signedDistance(open, point, { pose })).toBeCloseTo(signedDistance(there, point), 5);
    });
  });
});

function at(x: number) {
  return { translation: [x, 0, 0] };
}

describe('baked meshes', () => {
  const turned = (angle: number, s: readonly number[]) => {
    const [c, n] = [Math.cos(angle), Math.sin(angle)];
    return [c * s[0], n * s[0], 0, 0, -n * s[1], c * s[1], 0, 0, 0, 0, s[2], 0, angle, 0, 0, 1];
  };
  test('serve an object that moves and turns, and are a few', () => {
    const mesh = Mesh.from({ positions: CORNERS, indices: FACES });
    const first = rigidly(mesh, turned(0, [2, 3, 4])).mesh;
    for (let i = 0; i < 100; i++) expect(rigidly(mesh, turned(0.1 * i, [2, 3, 4])).mesh).toBe(first);
    expect(rigidly(mesh, turned(0.3, [1, 1, 1])).mesh).toBe(mesh);
    for (let i = 1; i < 4; i++) expect(rigidly(mesh, turned(0, [2, 3, 4 + i])).mesh).not.toBe(first);
    expect(rigidly(mesh, turned(0.5, [2, 3, 4])).mesh).toBe(first);
    for (let i = 1; i < 5; i++) rigidly(mesh, turned(0, [2, 3, 9 + i]));
    expect(rigidly(mesh, turned(0.5, [2, 3, 4])).mesh).not.toBe(first);
  });
  test('follow vertices', () => {
    const mesh = Mesh.from({ positions: CORNERS, indices: FACES });
    const pose = { scale: [2, 2, 3], translation: [2, 0, 0] };
    expect(penetration(cube, mesh, { pose }).overlapping).toBe(false);
    mesh.setPositions(CORNERS.map((x) => 1.5 * x));
    expect(penetration(cube, mesh, { pose }).overlapping).toBe(true);
    expect(penetration(cube, mesh, { pose }).exact).toBe(true); // boxes stay boxes
  });
  test('faces of boxes stay flat, whatever the scale and the turn', () => {
    for (let i = 0; i < 20; i++)
      expect(penetration(cube, cube, { pose: turned(0.1 * i, [1.1, 0.7, 1.3]) }).exact).toBe(true);
  });
  test('of mirrors face outwards', () => {
    const [region] = contacts(cube, cube, {
      pose: { scale: [-1, 2, 0.5], translation: [0.75, 0, 0] },
    }).regions;
    expect(region.normal[0]).toBeCloseTo(1, 9);
    expect(region.depth).toBeCloseTo(0.25, 6);
  });
  test('of motions: stretched alike at both ends, or refused', () => {
    const motionB = { from: { scale: 2, translation: [5, 0, 0] }, to: { scale: 2.5 } };
    expect(() => timeOfImpact(cube, cube, { motionB })).toThrow(/motionB: .* stretched differently/);
    const alike = { from: { scale: [2, 1, 1], translation: [5, 0, 0] }, to: { scale: [2, 1, 1] } };
    expect(poseAt(alike, 0.5)).toMatchObject({ scale: [2, 1, 1], translation: Float64Array.of(2.5, 0, 0) });
    const { time } = timeOfImpact(cube, cube, { motionB: alike });
    expect(time).toBeCloseTo(0.7, 9);
    expect(distance(cube, cube, { poseB: poseAt(alike, time) }).distance).toBeLessThan(1e-6);
    const sheared = [1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1];
    expect(() => poseAt({ from: sheared }, 0.5)).toThrow(/shears/);
  });
});
