/** Shells around parts: never farther apart than the meshes, and near that where surfaces are parallel. */
import { Random, seedOf } from '@impinge/scenes/random';
import { distance, Mesh } from 'impinge';
import { storedPose } from 'impinge/internal/mesh/stored-pose.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere } from '../../../../lab/scenes/solids.mjs';
import { FAST, full } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { ShellGaps } from '../../src/level-queries/shells.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES } from '../levels/families.js';
import { poseOf } from './originals.js';

const ROUNDS = FAST ? 2 : 12;
const HERE = [0, 0, 0] as const;
const AWAY = [1e5, -2e5, 3e5] as const;

/** The triangles of a sphere whose first corner is above a height. */
function cap(radius: number, height: number, origin: readonly number[] = HERE): Mesh {
  const { positions, indices } = icosphere(8, radius);
  const kept: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    if (positions[3 * indices[t] + 2] >= height * radius) kept.push(...indices.subarray(t, t + 3));
  }
  return Mesh.from({ positions: Float64Array.from(positions, (x, i) => x + origin[i % 3]), indices: kept });
}

describe.each(Object.keys(FAMILIES))('%s', (name) => {
  test('never farther apart than the meshes', () => {
    const random = new Random(seedOf(name.length, name.charCodeAt(1)));
    const [a, b] = [Mesh.from(FAMILIES[name](4, random)), cap(1 + 2 * random.next(), 0.5)];
    for (let round = 0; round < ROUNDS; round++) {
      const pose = poseOf(random, 3);
      const gap = new ShellGaps(storedPose(a, b, pose)).between(a, b);
      expect(gap).toBeLessThanOrEqual(distance(a, b, { pose }).distance);
    }
    a.dispose();
    b.dispose();
  });
});

function octahedron(reach: number): Mesh {
  const positions = [0, 1, 2].flatMap((k) =>
    [reach, -reach].flatMap((x) => [0, 1, 2].map((j) => (j === k ? x : 0))),
  );
  const faces = [0, 1].flatMap((x) => [2, 3].flatMap((y) => [4, 5].flatMap((z) => [x, y, z])));
  return Mesh.from({ positions, indices: faces });
}

describe('spheres in spheres', () => {
  const outer = cap(1.01, 0.3);
  const [inner, moved] = [cap(1, 0.2), cap(1, 0.2, AWAY)];

  test.each([
    ['inner first', inner, outer, HERE, HERE, 1],
    ['outer first', outer, inner, HERE, HERE, 1],
    ['far from zero', outer, moved, AWAY, HERE, 1],
    ['moved sideways', outer, inner, HERE, [0.002, 0.001, 0], 1],
    ['moved up and down', inner, outer, HERE, [0, 0, 0.002], 1],
    ['shrunk by the pose', inner, outer, HERE, HERE, 1 - 4e-6],
    ['stretched by the pose', outer, inner, HERE, HERE, 1 + 4e-6],
  ])('%s', (_, a, b, centre, shift, stretch) => {
    const random = new Random(3);
    for (let round = 0; round < ROUNDS; round++) {
      const angle = 2 * Math.PI * random.next();
      const [c, s] = [Math.cos(angle) * stretch, Math.sin(angle) * stretch];
      const rotation = [c, -s, 0, s, c, 0, 0, 0, stretch];
      // turned about b's centre
      const translation = shift.map((by, k) => {
        const turned =
          rotation[3 * k] * centre[0] + rotation[3 * k + 1] * centre[1] + rotation[3 * k + 2] * centre[2];
        return (2 * random.next() - 1) * by - turned;
      }) as [number, number, number];
      const pose = Float64Array.from([...rotation, ...translation]);
      const gap = new ShellGaps(storedPose(a, b, pose)).between(a, b);
      const exact = distance(a, b, { pose: { rotation, translation } }).distance;
      expect(gap).toBeLessThanOrEqual(exact);
      expect(gap).toBeGreaterThan(0.5 * exact);
    }
  });

  // corners of the cube are nearest to the middles of the octahedron's faces, so shells are exact
  test.each([1 - 4e-6, 1, 1 + 4e-6])('a cube in an octahedron, posed by %f', (stretch) => {
    const [cube, hull] = [Mesh.from(box(1, 1, 1)), octahedron(2)];
    const rotation = [stretch, 0, 0, 0, stretch, 0, 0, 0, stretch];
    const gaps = new ShellGaps(Float64Array.from([...rotation, 0, 0, 0]));
    for (const [a, b] of [
      [cube, hull],
      [hull, cube],
    ]) {
      const exact = distance(a, b, { pose: { rotation } }).distance;
      expect(gaps.between(a, b)).toBeLessThanOrEqual(exact);
      expect(gaps.between(a, b)).toBeGreaterThan(exact - 1e-4);
    }
  });

  test('flat meshes and meshes of one place have none', () => {
    const flat = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], indices: [0, 1, 2, 1, 3, 2] });
    const dot = Mesh.from({ positions: [1, 1, 1, 1, 1, 1, 1, 1, 1], indices: [0, 1, 2] });
    const gaps = new ShellGaps(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 9));
    expect(gaps.between(flat, outer)).toBe(0);
    expect(gaps.between(outer, dot)).toBe(0);
  });

  full('the distance of spheres is found without comparing most of their volumes', async () => {
    const [a, b] = [Mesh.from(icosphere(14, 1)), Mesh.from(icosphere(14, 1.03))];
    const targets = [];
    for (const mesh of [a, b])
      targets.push(new LevelsTarget(await buildLevels(mesh, { pieceTriangles: 2048 })));
    const pose = { rotation: poseOf(new Random(5), 0).slice(0, 9) };
    const exact = distance(a, b, { pose });
    const error = 0.01 * exact.distance;
    const found = await distance(targets[0], targets[1], { pose, error });
    expect(found.bounds[0]).toBeLessThanOrEqual(exact.distance);
    expect(found.bounds[1]).toBeGreaterThanOrEqual(exact.distance);
    expect(found.bounds[1] - found.bounds[0]).toBeLessThanOrEqual(error * (1 + 1e-9));
    expect(found.stats.volumeTests).toBeLessThan(exact.stats.volumeTests / 3);
    for (const target of targets) await target.dispose();
  });
});
