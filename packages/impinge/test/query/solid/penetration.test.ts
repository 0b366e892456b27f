/** Ways out: exact for convex polytopes against all candidate planes, verified for the rest. */
import { describe, expect, it } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, least, runs } from '../../../../../test/budget.js';
import { separateHulls } from '../../../src/geometry/hull/separate-hulls.js';
import { posePoint, toRigidPose } from '../../../src/math/pose.js';
import { orient3dAt } from '../../../src/math/predicates.js';
import { isConvex } from '../../../src/mesh/convex.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { contains } from '../../../src/query/solid/containment.js';
import { penetration } from '../../../src/query/solid/penetration.js';
import {
  type Arrays,
  ball,
  box,
  cube,
  cylinder,
  gridBox,
  mesh,
  moved,
  sphere,
  torus,
  united,
} from './solids.js';

const at = (x: number, y = 0, z = 0) => ({ pose: { translation: [x, y, z] } });
type Vector = [number, number, number];

/** The convex hull of a few points in general position, from all triples. */
function bruteForceHull(points: number[]): Arrays {
  const p = Float64Array.from(points, Math.fround);
  const indices: number[] = [];
  const count = p.length / 3;
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      for (let k = j + 1; k < count; k++) {
        const sides = Array.from({ length: count }, (_, l) =>
          orient3dAt(p, 3 * i, p, 3 * j, p, 3 * k, p, 3 * l),
        );
        if (!sides.includes(1)) indices.push(i, j, k);
        else if (!sides.includes(-1)) indices.push(i, k, j);
      }
    }
  }
  return { positions: p, indices };
}

function randomPolytope(random: () => number, count: number): Arrays {
  const points: number[] = [];
  const stretch = [0.5 + random(), 0.5 + random(), 0.5 + random()];
  for (let i = 0; i < 3 * count; i++) points.push(stretch[i % 3] * (random() - 0.5));
  return bruteForceHull(points);
}

const cross = (u: Vector, v: Vector): Vector => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];

/** Every facet of the Minkowski difference is parallel to a face of one or to an edge of each. */
function bruteForceDepth(a: Arrays, b: Arrays): number {
  const point = (m: Arrays, i: number): Vector => [
    m.positions[3 * i],
    m.positions[3 * i + 1],
    m.positions[3 * i + 2],
  ];
  const edges = (m: Arrays): Vector[] =>
    Array.from({ length: m.indices.length }, (_, h) => {
      const p = point(m, m.indices[h]);
      const q = point(m, m.indices[h % 3 === 2 ? h - 2 : h + 1]);
      return [q[0] - p[0], q[1] - p[1], q[2] - p[2]] as Vector;
    });
  const [edgesA, edgesB] = [edges(a), edges(b)];
  const normals: Vector[] = [];
  for (const list of [edgesA, edgesB])
    for (let t = 0; t < list.length; t += 3) normals.push(cross(list[t], list[t + 1]));
  for (const u of edgesA) for (const v of edgesB) normals.push(cross(u, v));
  const along = (m: Arrays, n: Vector) =>
    Array.from({ length: m.positions.length / 3 }, (_, i) => {
      const p = point(m, i);
      return p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
    });
  let best = Infinity;
  for (const normal of normals) {
    const length = Math.hypot(...normal);
    if (length < 1e-12) continue;
    for (const sign of [1, -1]) {
      const n = normal.map((x) => (sign * x) / length) as Vector;
      best = Math.min(best, Math.max(...along(a, n)) - Math.min(...along(b, n)));
    }
  }
  return best;
}

function posed(m: Arrays, pose: Parameters<typeof toRigidPose>[0]): Arrays {
  const positions = new Float64Array(m.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    posePoint(toRigidPose(pose), m.positions[i], m.positions[i + 1], m.positions[i + 2], positions, i);
  }
  return { positions, indices: m.indices };
}

describe('convex', () => {
  it('random polytopes equal the brute-force Minkowski difference (seed 31)', () => {
    const random = seededRandom(31);
    let overlapping = 0;
    for (let i = 0; i < runs(60); i++) {
      const [a, b] = [randomPolytope(random, 7), randomPolytope(random, 8)];
      const pose = {
        rotation: randomRotation(random),
        translation: [random() - 0.5, 0.6 * random(), 0.4 * random()],
      };
      const [meshA, meshB] = [mesh(a), mesh(b)];
      expect(isConvex(meshA) && isConvex(meshB)).toBe(true);
      const found = penetration(meshA, meshB, { pose });
      const expected = bruteForceDepth(a, posed(b, pose));
      expect(found.overlapping).toBe(expected >= 0);
      if (!found.overlapping) continue;
      overlapping++;
      expect(found.exact).toBe(true);
      expect(found.depth).toBeCloseTo(expected, 10);
      const move = (share: number) => ({
        rotation: pose.rotation,
        translation: pose.translation.map((t, k) => t + share * found.depth * found.direction[k]),
      });
      expect(contains(meshA, meshB, { pose: move(1 + 1e-9) }).relation).toBe('disjoint');
      expect(contains(meshA, meshB, { pose: move(1 - 1e-6) }).relation).not.toBe('disjoint');
    }
    expect(overlapping).toBeGreaterThan(least(20));
  });

  it('boxes with many coplanar vertices, and swapped sides', () => {
    const a = mesh(gridBox([0, 0, 0], [4, 4, 4]));
    const b = mesh(gridBox([3.25, 1, 1], [3, 2, 2]));
    const found = penetration(a, b);
    expect(found).toMatchObject({ exact: true, depth: 0.75, atLeast: 0.75 });
    expect(found.direction[0]).toBeCloseTo(1, 12);
    const back = penetration(b, a);
    expect(back.depth).toBe(0.75);
    expect(back.direction[0]).toBeCloseTo(-1, 12);
  });

  it('one inside the other has to come out', () => {
    const found = penetration(cube(4), cube(1), at(1, 0.1, 0.2));
    expect(found).toMatchObject({ overlapping: true, exact: true });
    expect(found.depth).toBeCloseTo(1.5, 9);
    expect(found.direction[0]).toBeCloseTo(1, 9);
    expect(penetration(cube(1), cube(4), at(-1, -0.1, -0.2)).depth).toBeCloseTo(1.5, 9);
  });

  it('balls: the depth of the spheres but for tessellation', () => {
    const found = penetration(ball(1, 16), ball(0.8, 16), at(1.2, 0.4, -0.3));
    expect(found.exact).toBe(true);
    expect(found.depth).toBeGreaterThan(1.8 - 1.3 - 0.02);
    expect(found.depth).toBeLessThanOrEqual(1.8 - 1.3 + 1e-6);
  });

  it('in the world, turned and far away', () => {
    const poseA = { rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], translation: [1e6, 0, 0] }; // a quarter turn about z
    const poseB = { translation: [1e6 + 0.9, 0.1, 0] };
    const found = penetration(cube(1), cube(1), { poseA, poseB });
    expect(found.depth).toBeCloseTo(0.1, 8);
    expect(found.direction[0]).toBeCloseTo(1, 9);
  });

  it('apart and touching: nothing to do', () => {
    const nothing = { depth: 0, direction: [0, 0, 0], exact: true };
    expect(penetration(cube(1), cube(1), at(2))).toMatchObject({ overlapping: false, ...nothing });
    expect(penetration(cube(1), cube(1), at(1))).toMatchObject({ overlapping: true, ...nothing });
  });

  it('flat point sets in one plane have no difference to speak of', () => {
    const flat = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    expect(separateHulls(flat, flat)).toBeUndefined();
    const apart = separateHulls(
      Float64Array.from(box(1).positions),
      Float64Array.from(moved(box(1), 3).positions),
    );
    expect(apart!.depth).toBeLessThan(0);
  });
});

describe('not convex', () => {
  const verify = (a: Mesh, b: Mesh, pose: { rotation?: ArrayLike<number>; translation: number[] }) => {
    const found = penetration(a, b, { pose });
    const translation = pose.translation.map((t, k) => t + found.depth * found.direction[k]);
    expect(found.exact).toBe(false);
    expect(Math.hypot(...found.direction)).toBeCloseTo(1, 9);
    expect(contains(a, b, { pose: { ...pose, translation } }).relation).toBe('disjoint');
    expect(found.atLeast).toBeLessThanOrEqual(found.depth);
    return found;
  };

  it('finds the short way where the hulls overlap deeply', () => {
    // a U: two walls and a floor; the plate stands between the walls and is sunk into the floor by 0.1
    const channel = mesh(
      united(moved(box(0.2, 2, 2), -1), moved(box(0.2, 2, 2), 1), moved(box(1.8, 2, 0.2), 0, 0, -0.9)),
    );
    const found = verify(channel, cube(0.5, 1, 1), { translation: [0, 0, -0.4] });
    expect(found.depth).toBeCloseTo(0.1, 3);
    expect(found.direction[2]).toBeCloseTo(1, 2);
    expect(found.atLeast).toBeCloseTo(0.1, 3);
  });

  full('tori in random places (seed 44)', () => {
    const random = seededRandom(44);
    const a = mesh(torus(1, 0.4, 24, 12));
    const b = mesh(torus(0.8, 0.3, 20, 10));
    let overlapping = 0;
    for (let i = 0; i < 4; i++) {
      const pose = { rotation: randomRotation(random), translation: [random(), random(), random()] };
      if (contains(a, b, { pose }).relation === 'disjoint') continue;
      overlapping++;
      verify(a, b, pose);
    }
    expect(overlapping).toBeGreaterThan(1);
  });

  it('is no longer than ways out in many directions, each tried from short to long (seed 45)', () => {
    const random = seededRandom(45);
    const ring = () => mesh(torus(1, 0.3, 18, 8));
    // an L of three bars that overlap
    const corner = () => mesh(united(box(2, 0.5, 0.5), moved(box(0.5, 2, 0.51), -0.75, 0.76)));
    let compared = 0;
    for (let i = 0; i < runs(12); i++) {
      const [a, b] = [i % 2 ? ring() : corner(), i % 3 ? ring() : corner()];
      const translation = [0, 1, 2].map(() => 1.6 * (random() - 0.5));
      const pose = { rotation: randomRotation(random), translation };
      const { overlapping, depth, atLeast } = penetration(a, b, { pose });
      if (!overlapping || depth === 0) continue;
      compared++;
      let best = Infinity;
      for (let n = 0; n < 60; n++) {
        const [angle, z] = [2 * Math.PI * random(), 2 * random() - 1];
        const flat = Math.sqrt(1 - z * z);
        const along = [flat * Math.cos(angle), flat * Math.sin(angle), z];
        for (let length = Math.max(atLeast, depth / 32); length < Math.min(best, depth); length *= 1.15) {
          const placed = { ...pose, translation: translation.map((t, k) => t + length * along[k]) };
          if (contains(a, b, { pose: placed }).relation === 'disjoint') best = length;
        }
      }
      expect(depth).toBeLessThanOrEqual(1.25 * best);
    }
    expect(compared).toBeGreaterThan(least(6));
  });

  full('a ball swallowed by a torus, and parts on both sides', () => {
    const found = verify(mesh(torus(1, 0.4, 32, 16)), ball(0.1, 6), { translation: [1, 0, 0] });
    expect(found.depth).toBeLessThan(0.55);
    expect(found.depth).toBeGreaterThan(0.45);
    verify(mesh(united(sphere(1, 6), moved(sphere(1, 6), 2.5))), cube(1), { translation: [1.25, 0, 0] });
  });

  it('open surfaces: until they no longer meet', () => {
    const sheet = Mesh.from({ positions: [-2, -2, 0, 2, -2, 0, 0, 2, 0] });
    const found = penetration(sheet, mesh(cylinder(0.2, 1, 12)), at(0, 0, 0.4));
    expect(found).toMatchObject({ overlapping: true, exact: false });
    expect(found.depth).toBeCloseTo(0.1, 3);
    const pose = { translation: [0, 0, 0.4].map((t, k) => t + found.depth * found.direction[k]) };
    expect(collide(sheet, mesh(cylinder(0.2, 1, 12)), { pose }).colliding).toBe(false);
  });
});

describe('what is flat', () => {
  it('has a way out of its own plane', () => {
    const square = () => mesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
    const [a, b] = [square(), square()];
    const { overlapping, depth, direction } = penetration(a, b);
    expect(overlapping).toBe(true);
    const translation = direction.map((x) => x * depth);
    expect(collide(a, b, { pose: { translation } }).colliding).toBe(false);
  });
});
