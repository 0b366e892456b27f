/** Contact in planes that hold many triangles of both: the same answers as from the list of all pairs. */
import fc from 'fast-check';
import { IDENTITY, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { contactBox, contactPoint } from 'impinge/internal/query/solid/contact-extent.js';
import type { Hinge } from 'impinge/internal/query/solid/contact-hinges.js';
import { contacts } from 'impinge/internal/query/solid/contacts.js';
import { contains } from 'impinge/internal/query/solid/containment.js';
import { PlacedPair } from 'impinge/internal/query/solid/placed-pair.js';
import { SolidRelation } from 'impinge/internal/query/solid/solid-relation.js';
import { findMeetingTriangles, type MeetingTriangles } from 'impinge/internal/query/solid/surface-contact.js';
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST, full, runs } from '../../../../test/budget.js';
import { type Arrays, cellSurface, gridBox, mesh, moved } from '../../../impinge/test/query/solid/solids.js';
import { measurePair } from '../../src/check/measure-pair.js';
import { splitMesh } from '../../src/store/split.js';
import { ask, placedMesh } from '../check/support.js';

/** What can be asked of a contact. */
function answers(pair: PlacedPair, triangles: MeetingTriangles) {
  const relation = new SolidRelation(pair, triangles);
  const rays = ({ raysA, raysB }: Hinge) =>
    [raysA, raysB].map((list) => list.map(({ part, triangle }) => `${part} ${triangle}`).sort());
  return {
    crossing: relation.crossing,
    space: relation.space(),
    sharesSpace: relation.crossing || relation.sharesSpace(),
    hinges: relation.hinges.map(rays).sort(),
    box: triangles.total > 0 ? contactBox(pair, relation.contact) : undefined,
  };
}

function compare(pair: PlacedPair): { planes: number; listed: number; all: number } {
  const all = findMeetingTriangles(pair);
  const some = findMeetingTriangles(pair, 0, 1);
  try {
    const expected = answers(pair, all);
    const found = answers(pair, some);
    expect(found).toEqual(expected);
    if (expected.box) {
      const at = contactPoint(pair, some, expected.box);
      const point = mesh({ positions: [...at, ...at, ...at], indices: [0, 1, 2] });
      for (const { parts } of [pair.a, pair.b]) {
        const gaps = parts.meshes.map((part) => distance(part, point).distance);
        expect(Math.min(...gaps)).toBeLessThan(1e-6);
      }
    }
    return { planes: some.planes?.count ?? 0, listed: some.count, all: all.count };
  } finally {
    some.planes?.dispose();
  }
}

const here = IDENTITY as RigidPose;

function cells(random: () => number, count: number): Arrays {
  const list = Array.from({ length: count }, () => [0, 1, 2].map(() => Math.floor(3 * random())));
  return cellSurface([...new Map(list.map((cell) => [String(cell), cell])).values()]);
}

test('random cells of a grid, fast-check, seed 91', () => {
  let planes = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 30 }), fc.constantFrom(1, 3, 9), (seed, count) => {
      const random = seededRandom(seed);
      const shift = random() < 0.5 ? 0 : 0.5;
      const [a, b] = [mesh(cells(random, 6)), mesh(moved(cells(random, count), shift, 0, 2 * shift))];
      const found = compare(PlacedPair.ofMeshes(a, b, here));
      if (found.listed < found.all) planes += found.planes;
      a.dispose();
      b.dispose();
    }),
    { seed: 91, numRuns: runs(30) },
  );
  expect(planes).toBeGreaterThan(3);
});

full('objects in pieces', () => {
  const [a, b] = [gridBox([0, 0, 0], [8, 8, 2]), gridBox([2, 3, 2], [8, 8, 2], 0.75)].map((arrays) =>
    mesh(arrays),
  );
  const placed = [a, b].map((whole) => {
    const meshes = [...splitMesh(whole, 64)];
    return { ...placedMesh(whole), parts: { meshes, closed: true }, triangleCount: whole.triangleCount };
  });
  expect(placed[0].parts.meshes.length).toBeGreaterThan(1);
  const pieces = compare(new PlacedPair(placed[0], placed[1]));
  const whole = compare(PlacedPair.ofMeshes(a, b, here));
  expect({ ...pieces, listed: 0 }).toEqual({ ...whole, listed: 0 });
  expect(whole.listed).toBeLessThan(whole.all / 2);
});

test('posed numbers: within rounding, faces touch (seed 5)', () => {
  const random = seededRandom(5);
  const [a, b] = [gridBox([0, 0, 0], [8, 8, 2]), gridBox([2, 3, 2], [8, 8, 2], 0.75)].map((arrays) =>
    mesh(arrays),
  );
  for (let i = 0; i < (FAST ? 1 : 4); i++) {
    const pose = toRigidPose({
      rotation: randomRotation(random),
      translation: [1, 2, 3].map(() => random()),
    });
    const pair = new PlacedPair(placedMesh(a, pose), placedMesh(b, pose));
    const triangles = findMeetingTriangles(pair, 0, 1);
    const relation = new SolidRelation(pair, triangles);
    expect({ crossing: relation.crossing, shares: relation.sharesSpace() }).toEqual({
      crossing: false,
      shares: false,
    });
    triangles.planes?.dispose();
  }
});

/** A cone over a fan of n corners, on the plane x = y. */
function fan(count: number, first: number, apex: number, shift: number): Mesh {
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const turn = (2 * Math.PI * (i + shift)) / count;
    positions.push(Math.cos(turn), Math.cos(turn), Math.sin(turn));
  }
  positions.push(apex, -apex, 0);
  const corner = (i: number) => (first + i) % count;
  const indices: number[] = [];
  const add = (p: number, q: number, r: number) => indices.push(...(apex < 0 ? [p, q, r] : [p, r, q]));
  for (let i = 1; i < count - 1; i++) add(corner(0), corner(i), corner(i + 1));
  for (let i = 0; i < count; i++) add(corner(i + 1), corner(i), count);
  return Mesh.from({ positions: Float32Array.from(positions), indices });
}

describe.skipIf(FAST)('two cones that touch on a fan face', () => {
  const count = 520;
  const [a, b] = [fan(count, 0, -1, 0), fan(count, Math.floor(count / 3), 1, 0.5)];

  test('pairs are not listed one by one', () => {
    const triangles = findMeetingTriangles(PlacedPair.ofMeshes(a, b, here));
    expect(triangles.planes?.count).toBeGreaterThan(0);
    expect(triangles.count).toBeLessThan(20 * count);
    triangles.planes?.dispose();
  });

  test('touch', () => {
    const found = measurePair(placedMesh(a), placedMesh(b), ask)!;
    expect(found.kind).toBe('touch');
    for (let k = 0; k < 3; k++) {
      expect(found.box.min[k]).toBeCloseTo(-1, 4);
      expect(found.box.max[k]).toBeCloseTo(1, 4);
      expect(Math.abs(found.point[k])).toBeLessThan(0.01);
    }
    expect(contains(a, b).relation).toBe('touching');
  });

  test('lie in each other where both are on the same side', () => {
    const inner = fan(count, Math.floor(count / 3), -0.5, 0);
    expect(contains(a, inner).relation).toBe('b-inside-a');
    const found = measurePair(placedMesh(a), placedMesh(inner), ask);
    expect(found?.kind).toBe('inside');
  });

  test('have no list of regions where there would be too many pairs', () => {
    const [c, d] = [fan(1600, 0, -1, 0), fan(1600, 533, 1, 0.5)];
    expect(() => contacts(c, d)).toThrow(expect.objectContaining({ code: 'out-of-memory' }));
  });
});

describe.skipIf(FAST)('two cones that touch in their tips', () => {
  /** Its tip is at zero, its base at the height z. */
  const cone = (count: number, z: number) => {
    const positions = [0, 0, 0, 0, 0, z];
    const indices: number[] = [];
    for (let i = 0; i < count; i++) {
      const turn = (2 * Math.PI * i) / count;
      positions.push(Math.cos(turn), Math.sin(turn), z);
      const [p, q] = [2 + i, 2 + ((i + 1) % count)];
      indices.push(...(z < 0 ? [0, p, q, 1, q, p] : [0, q, p, 1, p, q]));
    }
    return mesh({ positions, indices });
  };

  test('keep a pair for each triangle', () => {
    const [a, b] = [cone(300, -1), cone(300, 1)];
    const pair = PlacedPair.ofMeshes(a, b, here);
    const triangles = findMeetingTriangles(pair);
    expect(triangles.total).toBe(300 * 300);
    expect(triangles.count).toBeLessThan(1200);
    for (const side of [0, 1]) {
      const met = new Set(triangles.pairs.filter((_, i) => i % 4 === 2 * side + 1));
      expect(met.size).toBe(300);
    }
    const found = measurePair(placedMesh(a), placedMesh(b), ask)!;
    expect(found).toMatchObject({ kind: 'touch', trianglePairs: 300 * 300 });
    expect(found.point).toEqual([0, 0, 0]);
    expect(found.box).toMatchObject({ min: [-1, -1, 0], max: [1, 1, 0] });
    expect(contains(a, b).relation).toBe('touching');
  });
});
