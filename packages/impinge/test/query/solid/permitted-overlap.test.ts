/**
 * Overlaps against what is permitted: whether anything is deeper is decided, and a larger permission never finds what a
 * smaller one excludes. Solids of all kinds, and surfaces that run alongside each other all over, as those of organs
 * do.
 */
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { every, full, runs } from '../../../../../test/budget.js';
import { IDENTITY, invertPose, posePoint, type RigidPose } from '../../../src/math/pose.js';
import { measureOverlap, type Overlap } from '../../../src/query/solid/overlap.js';
import type { Parts } from '../../../src/query/solid/point-query.js';
import { slowDistance, slowLocation, trianglesOf, whole } from '../support/parts.js';
import { type Arrays, box, cellSurface, cylinder, mesh, moved, sphere, torus, united } from './solids.js';

type Random = () => number;
const solid = (arrays: Arrays): Parts => whole(mesh(arrays));

/** A ball whose corners are off its radius by up to a share of it. */
function bumpy(radius: number, frequency: number, share: number, random: Random): Arrays {
  const { positions, indices } = sphere(radius, frequency);
  const off = Array.from({ length: positions.length / 3 }, () => 1 + share * (2 * random() - 1));
  return { positions: Array.from(positions, (x, i) => x * off[Math.floor(i / 3)]), indices };
}

/** A thick shell. */
const shell = (inner: number, outer: number, frequency: number): Arrays =>
  united(sphere(outer, frequency), sphere(inner, frequency));

/** The deepest of some points of a surface. */
function sampledDepth(surface: Parts, other: Parts, toOther: RigidPose, random: Random): number {
  const [own, others] = [trianglesOf(surface), trianglesOf(other)];
  const p = new Float64Array(3);
  let depth = 0;
  for (let i = 0; i < 60; i++) {
    const t = 9 * Math.floor((own.length / 9) * random());
    const u = random();
    const v = (1 - u) * random();
    const at = [0, 1, 2].map(
      (k) => own[t + k] + u * (own[t + 3 + k] - own[t + k]) + v * (own[t + 6 + k] - own[t + k]),
    );
    posePoint(toOther, at[0], at[1], at[2], p, 0);
    const distance = slowDistance(others, p, depth);
    if (distance > depth && slowLocation(others, p) === 'inside') depth = distance;
  }
  return depth;
}

const isOpen = ({ depth, bound }: Overlap) => !(bound <= 1.0101 * depth);
const holds = ({ depth, bound }: Overlap, permitted: number) => depth <= permitted && bound > permitted;

/** What is found at each permission is decided, in keeping with what is found at none, and monotone. */
function expectDecided(a: Parts, b: Parts, bToA: RigidPose, permissions: readonly number[]): Overlap {
  const plain = measureOverlap(a, b, bToA, 0);
  expect(plain.cutShort).toBe(false);
  const ascending = [...permissions].sort((p, q) => p - q);
  const reported = ascending.map((permitted) => {
    const found = measureOverlap(a, b, bToA, permitted);
    expect(found.cutShort).toBe(false);
    expect(holds(found, permitted)).toBe(false);
    if (permitted < plain.depth) expect(found.depth).toBeGreaterThan(permitted);
    if (permitted >= plain.bound) expect(found.bound).toBeLessThanOrEqual(permitted);
    expect(found.depth).toBeLessThanOrEqual(plain.bound);
    expect(found.bound).toBeGreaterThanOrEqual(Math.min(plain.depth, permitted) * (1 - 1e-9));
    if (found.bound > permitted) expect(isOpen(found)).toBe(false);
    return found.bound > permitted;
  });
  expect(reported).toEqual([...reported].sort((p, q) => Number(q) - Number(p)));
  return plain;
}

describe('surfaces that run alongside each other all over', () => {
  const HERE = IDENTITY as RigidPose;

  full.each(every([0, 1, 2, 3], 4))('a bumpy ball in its mould, seed %i', (seed) => {
    const random = seededRandom(500 + seed);
    const share = [0.01, 0.002][seed % 2];
    const [a, b] = [solid(bumpy(1, 18, share, random)), solid(shell(1, 1.3, 18))];
    const times = [0.9, 1.2, 3, 10, 40, 200];
    const { depth } = expectDecided(
      a,
      b,
      HERE,
      times.map((t) => t * share),
    );
    // corners are off by so much, facets are below the radius by two thousandths
    expect(depth).toBeLessThan(share + 0.002);
    expect(depth).toBeGreaterThan(0.5 * share);
  });

  full('two bumpy balls, one a little beside the other, overlap by a radius', () => {
    const random = seededRandom(520);
    const [a, b] = [solid(bumpy(1, 18, 0.004, random)), solid(moved(bumpy(1, 18, 0.004, random), 0.003))];
    const { depth } = expectDecided(a, b, HERE, [0.002, 0.01, 0.3, 0.9, 1.01]);
    expect(depth).toBeGreaterThan(0.97);
  });
});

describe('solids of all kinds, anyhow', () => {
  const kinds: readonly ((random: Random) => Arrays)[] = [
    (random) => box(0.3 + random(), 0.3 + random(), 0.3 + random()),
    (random) => sphere(0.2 + 0.5 * random(), 5),
    (random) => torus(0.6, 0.1 + 0.2 * random(), 24, 12),
    (random) => cylinder(0.1 + 0.4 * random(), 0.5 + random(), 14),
    (random) => bumpy(0.6, 6, 0.05, random),
    (random) => shell(0.5, 0.55 + 0.2 * random(), 5),
    () =>
      moved(
        cellSurface([
          [0, 0, 0],
          [1, 0, 0],
          [1, 1, 0],
        ]),
        -0.7,
        -0.7,
        -0.5,
      ),
  ];

  test.each(Array.from({ length: runs(30) }, (_, seed) => seed))('seed %i', (seed) => {
    const random = seededRandom(600 + seed);
    const draw = () => solid(kinds[Math.floor(kinds.length * random())](random));
    const a = draw();
    // of every third pair both are the same, or all but
    const b = seed % 3 === 0 ? a : draw();
    const apart = seed % 3 === 0 ? 0.02 * random() : 0.9 * random();
    const bToA = Float64Array.from(IDENTITY);
    if (seed % 3 > 0) bToA.set(randomRotation(random));
    for (let k = 0; k < 3; k++) bToA[9 + k] = apart * (random() - 0.5);
    const plain = measureOverlap(a, b, bToA, 0);
    const scale = plain.bound > 0 ? plain.bound : 0.1;
    const permissions = Array.from({ length: 6 }, () => scale * 10 ** (2 * random() - 1));
    // as much as it is, and a little less and more
    permissions.push(plain.bound, ...[0.98, 0.9999, 1.0001, 1.02].map((t) => t * scale));
    expectDecided(a, b, bToA, permissions);
    expect(sampledDepth(a, b, invertPose(bToA), random)).toBeLessThanOrEqual(plain.bound * (1 + 1e-9));
    expect(sampledDepth(b, a, bToA, random)).toBeLessThanOrEqual(plain.bound * (1 + 1e-9));
  });
});
