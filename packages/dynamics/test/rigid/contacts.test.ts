/** Contacts of two shapes: held to all pairs of features, and the few that are kept to all of them. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/solids.mjs';
import { runs } from '../../../../test/budget.js';
import { ContactSet, CONTACT_NUMBERS as STRIDE } from '../../src/rigid/contact-set.js';
import { ContactShape } from '../../src/rigid/contact-shape.js';
import { GAP, NORMAL, POINT_A, POINT_B } from '../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { PatchContacts } from '../../src/rigid/exact/patch-contacts.js';
import { ContactFeatures } from './twin/contact-features.js';
import { reduceContacts } from './twin/contact-reduction.js';
import { ExactContacts } from './twin/exact-contacts.js';

type Vec = [number, number, number];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: ArrayLike<number>, b: ArrayLike<number>): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Vec): Vec => a.map((x) => x / Math.hypot(...a)) as Vec;

function shapeOf(
  name: string,
  mesh: { positions: ArrayLike<number>; indices: ArrayLike<number> },
): ContactShape {
  const positions = Float64Array.from(mesh.positions, Math.fround);
  return new ContactShape({ name, positions, indices: Uint32Array.from(mesh.indices) }, [0.02, -0.01, 0.03]);
}

const SHAPES = {
  box: shapeOf('box', box(0.5, 0.3, 0.4)),
  ring: shapeOf('ring', torus(0.3, 0.1, 7, 5)),
  ball: shapeOf('ball', icosphere(1, 0.25)),
};
const PAIRS = [
  ['box', 'box'],
  ['box', 'ring'],
  ['ring', 'ring'],
  ['ball', 'ring'],
] as const;

function randomPose(random: SeededRandom): Float64Array {
  const q = [0, 1, 2, 3].map(() => 2 * random.next() - 1);
  const [x, y, z, w] = q.map((c) => c / Math.hypot(...q));
  const shift = [0, 1, 2].map(() => 1.2 * (random.next() - 0.5));
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    ...[2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    ...[2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ...shift,
  );
}

const posed = (p: Float64Array, x: ArrayLike<number>): Vec =>
  [0, 3, 6].map((k, i) => p[k] * x[0] + p[k + 1] * x[1] + p[k + 2] * x[2] + p[9 + i]) as Vec;

/** Poses of b at which the surfaces are apart, but not by much. */
function nearPoses(
  a: ContactShape,
  b: ContactShape,
  count: number,
  seed: number,
  farthest: number,
): Float64Array[] {
  const random = new SeededRandom(seed);
  const poses: Float64Array[] = [];
  while (poses.length < count) {
    const pose = randomPose(random);
    const d = distanceAt(a, b, pose);
    if (d > 0.002 && d < farthest) poses.push(pose);
  }
  return poses;
}

function distanceAt(a: ContactShape, b: ContactShape, pose: Float64Array): number {
  const centre = posed(
    pose,
    b.centre.map((c) => -c),
  );
  const translation = centre.map((x, k) => x + a.centre[k]);
  return distance(a.mesh, b.mesh, { pose: { rotation: pose.subarray(0, 9), translation } }).distance;
}

interface Corner {
  readonly at: Vec;
  readonly spokes: Vec[];
}
interface Edge {
  readonly ends: [Vec, Vec];
  readonly inward: Vec[];
}

/** Features of a shape, posed, straight from its triangles. */
function featuresOf({ mesh, centre }: ContactShape, pose?: Float64Array) {
  const at = (v: number): Vec => {
    const own = minus(mesh.positions.subarray(3 * v, 3 * v + 3), centre);
    return pose ? posed(pose, own) : own;
  };
  const faces = Array.from({ length: mesh.indices.length / 3 }, (_, t) =>
    [0, 1, 2].map((i) => at(mesh.indices[3 * t + i])),
  );
  const corners = new Map<string, Corner>();
  const edges = new Map<string, Edge>();
  for (const face of faces) {
    const normal = unit(cross(minus(face[1], face[0]), minus(face[2], face[0])));
    face.forEach((p, i) => {
      const q = face[(i + 1) % 3];
      for (const [from, to] of [
        [p, q],
        [q, p],
      ]) {
        const corner = corners.get(from.join()) ?? { at: from, spokes: [] };
        corner.spokes.push(unit(minus(to, from)));
        corners.set(from.join(), corner);
      }
      const key = [p.join(), q.join()].sort().join(' ');
      const edge = edges.get(key) ?? { ends: [p, q], inward: [] };
      edge.inward.push(unit(cross(normal, minus(q, p))));
      edges.set(key, edge);
    });
  }
  return { faces, corners: [...corners.values()], edges: [...edges.values()] };
}

/**
 * Closest points of features that are a least distance of two solids beyond doubt: vertex over face, edge across edge.
 */
function leastDistances(a: ReturnType<typeof featuresOf>, b: ReturnType<typeof featuresOf>, reach: number) {
  const found: { a: Vec; b: Vec }[] = [];
  const over = (
    corners: readonly Corner[],
    faces: readonly Vec[][],
    enter: (vertex: Vec, foot: Vec) => void,
  ) => {
    for (const { at, spokes } of corners) {
      for (const face of faces) {
        const normal = unit(cross(minus(face[1], face[0]), minus(face[2], face[0])));
        const height = dot(normal, minus(at, face[0]));
        const inside = face.every(
          (p, i) => dot(cross(normal, minus(face[(i + 1) % 3], p)), minus(at, p)) > 1e-9,
        );
        if (height <= 0 || height > reach || !inside || spokes.some((spoke) => dot(spoke, normal) < 1e-9))
          continue;
        enter(
          at,
          minus(
            at,
            normal.map((x) => x * height),
          ),
        );
      }
    }
  };
  over(b.corners, a.faces, (vertex, foot) => found.push({ a: foot, b: vertex }));
  over(a.corners, b.faces, (vertex, foot) => found.push({ a: vertex, b: foot }));
  for (const e of a.edges) {
    for (const f of b.edges) {
      const [u, v, w] = [
        minus(e.ends[1], e.ends[0]),
        minus(f.ends[1], f.ends[0]),
        minus(f.ends[0], e.ends[0]),
      ];
      const across = cross(u, v);
      const sq = dot(across, across);
      if (sq < 1e-8 * dot(u, u) * dot(v, v)) continue;
      const [s, t] = [dot(cross(w, v), across) / sq, dot(cross(w, u), across) / sq];
      if (Math.min(s, t) < 1e-9 || Math.max(s, t) > 1 - 1e-9) continue;
      const [p, q] = [
        e.ends[0].map((x, k) => x + s * u[k]) as Vec,
        f.ends[0].map((x, k) => x + t * v[k]) as Vec,
      ];
      const way = minus(q, p);
      if (Math.hypot(...way) > reach) continue;
      if (e.inward.some((m) => dot(m, unit(way)) > -1e-6) || f.inward.some((m) => dot(m, unit(way)) < 1e-6))
        continue;
      found.push({ a: p, b: q });
    }
  }
  return found;
}

const memory = new OwnedMemory();
const twin = new ExactContacts();
const REACH = 0.08;
/** Two triangles that are flat but for rounding have one plane. */
const FLAT = 2e-7;

/** Contacts as text, in an order of their own: features, and where they are. */
function told({ count, data, ids }: ContactSet): string[] {
  return Array.from({ length: count }, (_, i) => {
    const numbers = data.subarray(STRIDE * i, STRIDE * i + STRIDE);
    return `${ids[i]} ${Array.from(numbers, (x) => (x === 0 ? 0 : x).toFixed(9)).join(' ')}`;
  }).sort();
}

describe.each(PAIRS)('%s and %s', (first, second) => {
  const [a, b] = [SHAPES[first], SHAPES[second]];
  const engine = new PairContacts(memory, a, b);
  const poses = nearPoses(a, b, runs(3), 11, REACH);

  test('every least distance of two features is found, and the least of all is told, seed 11', () => {
    const all = new ContactSet();
    let held = 0;
    for (const pose of poses) {
      engine.findAll({ a, b, pose }, REACH, all);
      expect(all.atLeast).toBeLessThanOrEqual(distanceAt(a, b, pose) + 1e-12);
      expect(all.atLeast).toBeGreaterThan(distanceAt(a, b, pose) - 1e-5);
      const at = (i: number, from: number) => all.data.subarray(STRIDE * i + from, STRIDE * i + from + 3);
      for (const { a: p, b: q } of leastDistances(featuresOf(a), featuresOf(b, pose), REACH)) {
        const same = (i: number) =>
          Math.hypot(...minus(at(i, POINT_A), p)) < FLAT &&
          Math.hypot(...minus(posed(pose, at(i, POINT_B)), q)) < FLAT;
        expect(Array.from({ length: all.count }, (_, i) => i).some(same)).toBe(true);
        held++;
      }
    }
    expect(held).toBeGreaterThan(0);
  });

  test('kernels find what their twins do, wherever they last looked, seed 13', () => {
    const [found, expected] = [new ContactSet(), new ContactSet()];
    const random = new SeededRandom(13);
    let kept = 0;
    for (const pose of poses) {
      // a few steps on from each: nearer than the leaves that are kept are good for
      for (let step = 0; step < 4; step++) {
        for (const reach of [0.2 * REACH, REACH]) {
          engine.findAll({ a, b, pose }, reach, found);
          twin.findAll({ a, b, pose }, reach, expected);
          expect(told(found)).toEqual(told(expected));
          expect(found.atLeast).toBeCloseTo(expected.atLeast, 12);
          engine.contacts({ a, b, pose }, reach, found);
          twin.contacts({ a, b, pose }, reach, expected);
          // contacts that are as good as each other are chosen by their order, which is not the same
          expect(Math.abs(found.count - expected.count)).toBeLessThanOrEqual(2 + 0.2 * expected.count);
          kept += found.count;
        }
        for (let k = 9; k < 12; k++) pose[k] += 0.004 * (random.next() - 0.5);
      }
    }
    expect(kept).toBeGreaterThan(0);
  });

  test('those of chosen triangles, and the few of any, are those of the twin, seed 14', () => {
    const patches = new PatchContacts();
    const features = new ContactFeatures();
    const [found, expected] = [new ContactSet(), new ContactSet()];
    const random = new SeededRandom(14);
    const some = (shape: ContactShape) =>
      Array.from(shape.facet, (_, t) => t).filter(() => random.next() < 0.7);
    let count = 0;
    for (const pose of poses) {
      const [ofA, ofB] = [some(a), some(b)];
      patches.find({ a, b, pose }, REACH, ofA, ofB, found);
      expected.clear();
      features.begin(a, b, pose, REACH, true);
      for (const ta of ofA) for (const tb of ofB) features.add(a, b, ta, tb, expected);
      expect(new Set(told(found))).toEqual(new Set(told(expected)));
      expect(found.atLeast).toBeCloseTo(features.nearest, 12);
      count += found.count;
      const [few, fewOfTwin] = [new ContactSet(), new ContactSet()];
      patches.reduce(expected, REACH, few);
      reduceContacts(expected, REACH, fewOfTwin);
      expect(Math.abs(few.count - fewOfTwin.count)).toBeLessThanOrEqual(2);
      const all = new Set(told(expected));
      for (const one of told(few)) expect(all.has(one)).toBe(true);
    }
    expect(count).toBeGreaterThan(0);
    patches.dispose();
  });

  test('points, normals and gaps belong together, and features have ids of their own', () => {
    const all = new ContactSet();
    for (const pose of poses) {
      engine.findAll({ a, b, pose }, REACH, all);
      const seen = new Map<number, number[]>();
      for (let i = 0; i < all.count; i++) {
        const d = all.data.subarray(STRIDE * i, STRIDE * i + STRIDE);
        const way = minus(posed(pose, d.subarray(POINT_B)), d.subarray(POINT_A));
        expect(d[GAP]).toBeGreaterThan(0);
        expect(d[GAP]).toBeLessThanOrEqual(REACH * (1 + 1e-9));
        for (let k = 0; k < 3; k++) expect(way[k]).toBeCloseTo(d[GAP] * d[NORMAL + k], 9);
        const place = Array.from(d.subarray(POINT_A, 6));
        const other = seen.get(all.ids[i]) ?? place;
        for (let k = 0; k < 6; k++) expect(other[k]).toBeCloseTo(place[k], 6);
        seen.set(all.ids[i], place);
      }
    }
  });

  test('what is kept holds what all hold, in any direction, seed 12', () => {
    const [all, few] = [new ContactSet(), new ContactSet()];
    const random = new SeededRandom(12);
    const signed = () => 2 * random.next() - 1;
    for (const pose of poses) {
      engine.findAll({ a, b, pose }, REACH, all);
      engine.contacts({ a, b, pose }, REACH, few);
      expect(few.count).toBeLessThanOrEqual(all.count);
      const size = Math.max(
        ...Array.from({ length: all.count }, (_, i) =>
          Math.hypot(...all.data.subarray(STRIDE * i, STRIDE * i + 3)),
        ),
      );
      for (let sample = 0; sample < runs(20); sample++) {
        const shift = unit([signed(), signed(), signed()]).map((x) => x * 0.5 * REACH) as Vec;
        const turn = unit([signed(), signed(), signed()]).map((x) => (x * 0.5 * REACH) / size) as Vec;
        const left = ({ count, data }: ContactSet) => {
          let least = Infinity;
          for (let i = 0; i < count; i++) {
            const way = cross(turn, data.subarray(STRIDE * i, STRIDE * i + 3)).map((x, k) => x + shift[k]);
            least = Math.min(
              least,
              data[STRIDE * i + GAP] + dot(way, data.subarray(STRIDE * i + NORMAL, STRIDE * i + NORMAL + 3)),
            );
          }
          return least;
        };
        expect(left(few)).toBeLessThanOrEqual(left(all) + 0.15 * REACH);
      }
    }
  });
});

test('a box on a box is held at four corners, or where their edges cross', () => {
  const few = new ContactSet();
  const flat = shapeOf('flat', box(1, 1, 1));
  const engine = new PairContacts(memory, flat, flat);
  for (const [x, z] of [
    [0, 0],
    [0.3, 0],
    [0.3, -0.4],
    [1e-7, -1e-7],
  ]) {
    const pose = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 1.002, z);
    engine.contacts({ a: flat, b: flat, pose }, 0.004, few);
    expect(few.count).toBe(4);
    for (let i = 0; i < 4; i++) {
      expect(few.data[STRIDE * i + NORMAL + 1]).toBeCloseTo(1, 6);
      expect(few.data[STRIDE * i + GAP]).toBeCloseTo(0.002, 6);
    }
    const spread = (k: number) => {
      const values = [0, 1, 2, 3].map((i) => few.data[STRIDE * i + k]);
      return Math.max(...values) - Math.min(...values);
    };
    expect(spread(0)).toBeCloseTo(1 - Math.abs(x), 5);
    expect(spread(2)).toBeCloseTo(1 - Math.abs(z), 5);
  }
});
