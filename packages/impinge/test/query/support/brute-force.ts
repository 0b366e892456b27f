/**
 * The slow answers: every pair of triangles, with the exact predicate and the reference distance, on the numbers the
 * queries decide about (a as stored, b posed into a's numbers in float64).
 */
import { expect } from 'vitest';
import { distanceSqTriangleTriangle } from '../../../src/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import { IDENTITY, type RigidPose } from '../../../src/math/pose.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import {
  distanceRounding,
  type PoseOptions,
  type QueryStats,
  readPlacement,
  storedPose,
} from '../../../src/query/pair/context.js';
import { distance } from '../../../src/query/pair/distance.js';
import type { CollideResult, DistanceResult, WithinResult } from '../../../src/query/pair/results.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import { posedCorners } from '../../hierarchy/fixtures.js';

/** The reference distance may be off by this much of the scene's extent; so may a query's. */
const DISTANCE_ERROR = 2e-13;

export class Truth {
  readonly cornersA: Float64Array;
  readonly cornersB: Float64Array;
  /** b's stored positions into a's. */
  readonly pose: RigidPose;
  /** Meeting pairs, flat and sorted. */
  readonly pairs: number[] = [];
  /** Row by row of a. */
  readonly distances: Float64Array;
  readonly nearest: number;
  readonly doubt: number;
  /** Some distances to ask about: below, at and above the nearest, and one that many pairs are within. */
  readonly reaches: readonly number[];
  readonly #sorted: Float64Array;
  readonly #countB: number;

  constructor(a: Mesh, b: Mesh, options: PoseOptions) {
    this.pose = storedPose(a, b, readPlacement(options).bToA);
    const p = (this.cornersA = posedCorners(a, IDENTITY as RigidPose));
    const q = (this.cornersB = posedCorners(b, this.pose));
    this.#countB = b.triangleCount;
    this.distances = new Float64Array(a.triangleCount * b.triangleCount);
    let nearest = Infinity;
    for (let i = 0, at = 0; i < a.triangleCount; i++) {
      for (let j = 0; j < b.triangleCount; j++, at++) {
        if (intersectsTriangleTriangle(p, 9 * i, q, 9 * j)) this.pairs.push(i, j);
        else this.distances[at] = Math.sqrt(distanceSqTriangleTriangle(p, 9 * i, q, 9 * j));
        nearest = Math.min(nearest, this.distances[at]);
      }
    }
    this.nearest = nearest;
    this.doubt = DISTANCE_ERROR * extentOf(p, q) + 2 * distanceRounding(a, b, readPlacement(options).bToA);
    this.#sorted = Float64Array.from(this.distances).sort();
    const some = this.#sorted[Math.floor((this.#sorted.length - 1) / 20)];
    this.reaches = [...new Set([0, nearest, nearest * (1 + 1e-9), 0.5 * nearest, some])];
  }

  distanceOf(i: number, j: number): number {
    return this.distances[i * this.#countB + j];
  }

  /** Whether a pair at distance d must be reported as within `reach`, and whether it may be. */
  must(d: number, reach: number): boolean {
    return d === 0 || d <= reach - this.doubt;
  }
  may(d: number, reach: number): boolean {
    return d === 0 || d <= reach + this.doubt;
  }

  /** The pairs, without repetition, are all that are within `reach`, as far as rounding lets anyone say. */
  expectWithin(reach: number, pairs: ArrayLike<number>): void {
    const wrong: unknown[] = [];
    let sure = 0;
    for (let i = 0; i < pairs.length; i += 2) {
      const d = this.distanceOf(pairs[i], pairs[i + 1]);
      if (!this.may(d, reach)) wrong.push([pairs[i], pairs[i + 1], d]);
      if (this.must(d, reach)) sure++;
    }
    expect({ reach, wrong, sure }).toEqual({ reach, wrong: [], sure: this.#countWithin(reach) });
  }

  /** How many pairs must be reported as within `reach`. */
  #countWithin(reach: number): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.must(this.#sorted[middle], reach)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function extentOf(...corners: Float64Array[]): number {
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let min = Infinity;
    let max = -Infinity;
    for (const c of corners) {
      for (let i = k; i < c.length; i += 3) {
        min = Math.min(min, c[i]);
        max = Math.max(max, c[i]);
      }
    }
    extent = Math.max(extent, max - min);
  }
  return extent;
}

export function expectPlausible(stats: QueryStats): void {
  const plausible =
    Object.values(stats).every((count) => Number.isInteger(count) && count >= 0) &&
    stats.exactTests <= stats.triangleTests &&
    stats.adaptiveTests <= stats.exactTests &&
    // a tree of one leaf has no volumes to compare with itself
    stats.volumeTests + stats.triangleTests > 0;
  if (!plausible) expect.fail(`implausible: ${JSON.stringify(stats)}`);
}

/** The same pairs in the same order. Comparing thousands of numbers is left to `toEqual` only where they differ. */
export function expectPairs(pairs: ArrayLike<number>, truth: ArrayLike<number>): void {
  let same = pairs.length === truth.length;
  for (let i = 0; same && i < truth.length; i++) same = pairs[i] === truth[i];
  if (!same) expect(Array.from(pairs)).toEqual(Array.from(truth));
}

/** Pairs as they should be listed: by triangle of a, then of b. */
export function expectSorted(pairs: Uint32Array): void {
  for (let i = 2; i < pairs.length; i += 2) {
    if (pairs[i - 2] > pairs[i] || (pairs[i - 2] === pairs[i] && pairs[i - 1] >= pairs[i + 1])) {
      expect.fail(`pairs ${i / 2 - 1} and ${i / 2} are out of order`);
    }
  }
}

const nameOf = (pairs: ArrayLike<number>, at: number) => pairs[at] * 2 ** 26 + pairs[at + 1];

function expectPartOf(result: CollideResult | WithinResult, limit: number, all: ArrayLike<number>): void {
  const known = new Set<number>();
  for (let i = 0; i < all.length; i += 2) known.add(nameOf(all, i));
  const count = Math.min(limit, known.size);
  expect({ count: result.count, length: result.pairs.length }).toEqual({ count, length: 2 * count });
  expectSorted(result.pairs);
  for (let i = 0; i < result.pairs.length; i += 2) {
    if (!known.has(nameOf(result.pairs, i)))
      expect.fail(`${result.pairs[i]}, ${result.pairs[i + 1]} is no such pair`);
  }
  if (result.count < known.size) expect(result.complete).toBe(false);
  if (known.size < limit) expect(result.complete).toBe(true);
  expectPlausible(result.stats);
}

export function expectCollide(a: Mesh, b: Mesh, options: PoseOptions, truth: Truth): void {
  const all = collide(a, b, options);
  expectPairs(all.pairs, truth.pairs);
  expect(all).toMatchObject({
    colliding: truth.pairs.length > 0,
    count: truth.pairs.length / 2,
    complete: true,
  });
  expectPlausible(all.stats);
  const any = collide(a, b, { ...options, mode: 'any' });
  expect(any.colliding).toBe(all.colliding);
  expectPartOf(any, 1, truth.pairs);
  for (const limit of [1, 7, truth.pairs.length / 2, truth.pairs.length / 2 + 1]) {
    if (limit > 0) expectPartOf(collide(a, b, { ...options, limit }), limit, truth.pairs);
  }
}

export function expectDistance(a: Mesh, b: Mesh, options: PoseOptions, truth: Truth): void {
  const result = distance(a, b, options);
  expect(Math.abs(result.distance - truth.nearest)).toBeLessThanOrEqual(truth.doubt);
  expect(result.distance === 0).toBe(truth.pairs.length > 0);
  expectPlausible(result.stats);
  expect(
    Math.abs(truth.distanceOf(result.triangleA, result.triangleB) - result.distance),
  ).toBeLessThanOrEqual(truth.doubt);
  expectWitness(a, options, truth, result);
  if (truth.nearest > 0) {
    expect(distance(a, b, { ...options, atMost: truth.nearest + 2 * truth.doubt }).triangleA).not.toBe(-1);
    if (truth.nearest > 4 * truth.doubt) {
      const beyond = distance(a, b, {
        ...options,
        atMost: Math.max(0, truth.nearest * (1 - 1e-9) - 2 * truth.doubt),
      });
      const nothing = {
        pointA: undefined,
        pointB: undefined,
        triangleA: -1,
        triangleB: -1,
        featureA: -1,
        featureB: -1,
      };
      expect(beyond).toMatchObject({ distance: Infinity, ...nothing });
    }
  } else expect(distance(a, b, { ...options, atMost: 0 }).distance).toBe(0);
}

/** The witness points lie on their triangles, on the features named, and are `distance` apart. */
function expectWitness(a: Mesh, options: PoseOptions, truth: Truth, result: DistanceResult): void {
  const { aToWorld } = readPlacement(options);
  const toWorld = (p: ArrayLike<number>, at: number) => {
    const [x, y, z] = [0, 1, 2].map((k) => p[at + k] + a.origin[k]);
    return [0, 1, 2].map(
      (k) => aToWorld[3 * k] * x + aToWorld[3 * k + 1] * y + aToWorld[3 * k + 2] * z + aToWorld[9 + k],
    );
  };
  const largest = Math.max(...result.pointA!.map(Math.abs), ...result.pointB!.map(Math.abs));
  // witness points are rounded where they are; poses need not be quite rigid
  const slack = 20 * truth.doubt + 1e-15 * largest + 2e-5 * (isRigid(aToWorld) ? 0 : 1) * result.distance;
  const gap = Math.hypot(...[0, 1, 2].map((k) => result.pointA![k] - result.pointB![k]));
  expect(Math.abs(gap - result.distance)).toBeLessThanOrEqual(slack);
  const sides = [
    { corners: truth.cornersA, triangle: result.triangleA, point: result.pointA!, feature: result.featureA },
    { corners: truth.cornersB, triangle: result.triangleB, point: result.pointB!, feature: result.featureB },
  ];
  for (const { corners, triangle, point, feature } of sides) {
    const world = [0, 3, 6].flatMap((k) => toWorld(corners, 9 * triangle + k));
    expect(offFeature(world, feature, point)).toBeLessThanOrEqual(slack);
  }
}

function isRigid(pose: RigidPose): boolean {
  return [0, 1, 2].every((k) => Math.abs(Math.hypot(pose[k], pose[3 + k], pose[6 + k]) - 1) < 1e-15);
}

/** How far a point is from corner, edge or face `feature` of a triangle. */
export function offFeature(triangle: number[], feature: number, point: ArrayLike<number>): number {
  const corner = (i: number) => triangle.slice(3 * (i % 3), 3 * (i % 3) + 3);
  const of =
    feature < 3
      ? [corner(feature), corner(feature), corner(feature)]
      : feature < 6
        ? [corner(feature - 3), corner(feature - 2), corner(feature - 2)]
        : [corner(0), corner(1), corner(2)];
  const p = Array.from(point);
  return Math.sqrt(
    distanceSqTriangleTriangle(Float64Array.from(of.flat()), 0, Float64Array.of(...p, ...p, ...p), 0),
  );
}

export function expectWithin(a: Mesh, b: Mesh, options: PoseOptions, truth: Truth): void {
  for (const reach of truth.reaches) {
    const all = within(a, b, { ...options, distance: reach });
    expect(all.complete).toBe(true);
    expectSorted(all.pairs);
    expectPlausible(all.stats);
    truth.expectWithin(reach, all.pairs);
    if (reach === 0) expectPairs(all.pairs, truth.pairs);
    const any = within(a, b, { ...options, distance: reach, mode: 'any' });
    expect(any.within).toBe(all.within);
    expect(any.count).toBe(all.within ? 1 : 0);
    if (any.within) expect(truth.may(truth.distanceOf(any.pairs[0], any.pairs[1]), reach)).toBe(true);
    const some = within(a, b, { ...options, distance: reach, limit: 5 });
    expectPartOf(some, 5, all.pairs);
  }
}

/** Meeting pairs of one mesh without neighbours, by number or place. */
export function selfPairs(mesh: Mesh): number[] {
  const corners = posedCorners(mesh, IDENTITY as RigidPose);
  const { indices } = mesh;
  const pairs: number[] = [];
  for (let i = 0; i < mesh.triangleCount; i++) {
    for (let j = i + 1; j < mesh.triangleCount; j++) {
      if (shareCorner(corners, indices, i, j)) continue;
      if (intersectsTriangleTriangle(corners, 9 * i, corners, 9 * j)) pairs.push(i, j);
    }
  }
  return pairs;
}

function shareCorner(corners: Float64Array, indices: Uint32Array, i: number, j: number): boolean {
  for (let k = 0; k < 3; k++) {
    for (let l = 0; l < 3; l++) {
      if (indices[3 * i + k] === indices[3 * j + l]) return true;
      const [p, q] = [9 * i + 3 * k, 9 * j + 3 * l];
      if (corners[p] === corners[q] && corners[p + 1] === corners[q + 1] && corners[p + 2] === corners[q + 2])
        return true;
    }
  }
  return false;
}

export function expectSelf(mesh: Mesh, truth = selfPairs(mesh)): void {
  const all = selfIntersect(mesh);
  expectPairs(all.pairs, truth);
  expect(all).toMatchObject({ colliding: truth.length > 0, count: truth.length / 2, complete: true });
  expectPartOf(selfIntersect(mesh, { mode: 'any' }), 1, truth);
  expectPartOf(selfIntersect(mesh, { limit: 3 }), 3, truth);
}

/** Everything two meshes can be asked, against one truth. */
export function expectAllQueries(
  a: Mesh,
  b: Mesh,
  options: PoseOptions,
  truth = new Truth(a, b, options),
): Truth {
  expectCollide(a, b, options, truth);
  expectDistance(a, b, options, truth);
  expectWithin(a, b, options, truth);
  return truth;
}
