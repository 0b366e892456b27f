/** Contacts of two shapes: held to all pairs of features, and the few that are kept to all of them. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { box, icosphere, torus } from '../../../../lab/scenes/solids.mjs';
import { runs } from '../../../../test/budget.js';
import { ContactSet, CONTACT_NUMBERS as STRIDE } from '../../src/rigid/contact-set.js';
import type { ContactShape } from '../../src/rigid/contact-shape.js';
import { GAP, NORMAL, POINT_A, POINT_B } from '../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { PatchContacts } from '../../src/rigid/exact/patch-contacts.js';
import { cross, dot, minus, type Vec } from '../vectors.js';
import { nearPoses, shapeOf } from './engines/posed-shapes.js';

const unit = (a: Vec): Vec => a.map((x) => x / Math.hypot(...a)) as Vec;

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
  ['ball', 'box'],
] as const;

const posed = (p: Float64Array, x: ArrayLike<number>): Vec =>
  [0, 3, 6].map((k, i) => p[k] * x[0] + p[k + 1] * x[1] + p[k + 2] * x[2] + p[9 + i]) as Vec;

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

type Features = ReturnType<typeof featuresOf>;

/** A vertex less than this share of the reach beside a face is over it. */
const BESIDE = 0.021;

/** How far a point is inside of the side of a face that it is farthest outside of. */
function leastInside(face: readonly Vec[], point: Vec): number {
  const normal = unit(cross(minus(face[1], face[0]), minus(face[2], face[0])));
  const inside = face.map((p, i) => dot(unit(cross(normal, minus(face[(i + 1) % 3], p))), minus(point, p)));
  return Math.min(...inside);
}

/** Closest points of one solid to corners of another that are least distances beyond doubt. */
function underCorners({ faces, edges, corners }: Features, above: readonly Corner[], reach: number) {
  const found: { at: Vec; foot: Vec }[] = [];
  for (const { at, spokes } of above) {
    const enter = (foot: Vec, isLeast: (way: Vec) => boolean) => {
      const way = minus(at, foot);
      const length = Math.hypot(...way);
      if (length > reach || !isLeast(unit(way)) || spokes.some((s) => dot(s, unit(way)) < 1e-3)) return;
      found.push({ at, foot });
    };
    const isBeside = (...ends: Vec[]) =>
      faces
        .filter((face) => ends.every((end) => face.some((p) => p.join() === end.join())))
        .every((face) => leastInside(face, at) < -BESIDE * reach);
    for (const face of faces) {
      const normal = unit(cross(minus(face[1], face[0]), minus(face[2], face[0])));
      const height = dot(normal, minus(at, face[0]));
      if (height <= 0 || leastInside(face, at) < 1e-9) continue;
      enter(
        minus(
          at,
          normal.map((x) => x * height),
        ),
        () => true,
      );
    }
    for (const { ends, inward } of edges) {
      const u = minus(ends[1], ends[0]);
      const share = dot(minus(at, ends[0]), u) / dot(u, u);
      if (share < 1e-9 || share > 1 - 1e-9) continue;
      const foot = ends[0].map((x, k) => x + share * u[k]) as Vec;
      enter(foot, (way) => isBeside(...ends) && inward.every((m) => dot(m, way) < -1e-6));
    }
    for (const corner of corners)
      enter(corner.at, (way) => isBeside(corner.at) && corner.spokes.every((s) => dot(s, way) < -1e-6));
  }
  return found;
}

/** Closest points of features of two solids that are a least distance beyond doubt. */
function leastDistances(a: Features, b: Features, reach: number) {
  const found = [
    ...underCorners(a, b.corners, reach).map(({ at, foot }) => ({ a: foot, b: at })),
    ...underCorners(b, a.corners, reach).map(({ at, foot }) => ({ a: at, b: foot })),
  ];
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
  const poses = nearPoses(a, b, runs(12), 11, REACH);

  test('every least distance of two features is found, and the least of all is told, seed 11', () => {
    const all = new ContactSet();
    let held = 0;
    for (const { pose, apart } of poses) {
      engine.findAll({ a, b, pose }, REACH, all);
      expect(all.atLeast).toBeLessThanOrEqual(apart + 1e-12);
      expect(all.atLeast).toBeGreaterThan(apart - 1e-5);
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

  test('the same are found wherever the engine last looked, seed 13', () => {
    const [found, expected] = [new ContactSet(), new ContactSet()];
    const random = new SeededRandom(13);
    let count = 0;
    for (const near of poses) {
      const pose = near.pose.slice();
      // a few steps on from each: nearer than the leaves that are kept are good for
      for (let step = 0; step < 4; step++) {
        for (const reach of [0.2 * REACH, REACH]) {
          const fresh = new PairContacts(memory, a, b);
          engine.findAll({ a, b, pose }, reach, found);
          fresh.findAll({ a, b, pose }, reach, expected);
          fresh.dispose();
          expect(told(found)).toEqual(told(expected));
          // beyond the reach, it is as far as somebody happened to look
          expect(Math.min(reach, found.atLeast)).toBeCloseTo(Math.min(reach, expected.atLeast), 10);
          count += found.count;
        }
        for (let k = 9; k < 12; k++) pose[k] += 0.004 * (random.next() - 0.5);
      }
    }
    expect(count).toBeGreaterThan(0);
  });

  test('those of chosen triangles are those of all, part by part, seed 14', () => {
    const patches = new PatchContacts();
    const [all, found] = [new ContactSet(), new ContactSet()];
    const random = new SeededRandom(14);
    const halvesOf = ({ facet }: ContactShape) => {
      const first = Array.from(facet, () => random.next() < 0.5);
      return [true, false].map((side) => [...first.keys()].filter((t) => first[t] === side));
    };
    for (const { pose } of poses) {
      engine.findAll({ a, b, pose }, REACH, all);
      const parts = new Set<string>();
      let nearest = REACH;
      const [halvesA, halvesB] = [halvesOf(a), halvesOf(b)];
      for (const ofA of halvesA) {
        for (const ofB of halvesB) {
          patches.find({ a, b, pose }, REACH, ofA, ofB, found);
          for (const one of told(found)) parts.add(one);
          nearest = Math.min(nearest, found.atLeast);
        }
      }
      expect(parts).toEqual(new Set(told(all)));
      expect(nearest).toBeCloseTo(all.atLeast, 5);
    }
    patches.dispose();
  });

  test('points, normals and gaps belong together, and features have ids of their own', () => {
    const all = new ContactSet();
    for (const { pose } of poses) {
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
    const [all, few, reduced] = [new ContactSet(), new ContactSet(), new ContactSet()];
    const patches = new PatchContacts();
    const random = new SeededRandom(12);
    const signed = () => 2 * random.next() - 1;
    for (const { pose } of poses) {
      engine.findAll({ a, b, pose }, REACH, all);
      engine.contacts({ a, b, pose }, REACH, few);
      patches.reduce(all, REACH, reduced);
      const names = new Set(told(all));
      for (const one of [...told(few), ...told(reduced)]) expect(names.has(one)).toBe(true);
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
        expect(left(reduced)).toBeLessThanOrEqual(left(all) + 0.15 * REACH);
      }
    }
    patches.dispose();
  });
});

test('a corner before a corner is held by it', () => {
  const all = new ContactSet();
  const cube = shapeOf('cube', box(1, 1, 1));
  const engine = new PairContacts(memory, cube, cube);
  engine.findAll(
    { a: cube, b: cube, pose: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 1.01, 1.01, 1.01) },
    0.05,
    all,
  );
  expect(all.count).toBeGreaterThan(0);
  for (let at = 0; at < STRIDE * all.count; at += STRIDE) {
    expect(all.data[at + GAP]).toBeCloseTo(0.01 * Math.sqrt(3), 6);
    for (let k = 0; k < 3; k++) expect(all.data[at + NORMAL + k]).toBeCloseTo(Math.sqrt(1 / 3), 4);
  }
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
