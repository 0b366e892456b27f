/**
 * The queries about the end of the step alone: which triangles meet there, and which are close.
 *
 * Triangles with a common vertex are left out. Decisions are exact for the float64 positions; distances err towards
 * reporting: a pair may be farther apart than the query's distance by 1e-13 of its extent.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { type BruteCounts, elementsOf, facesOf, forEachPair } from './brute-force.js';
import { Ctx } from './layout.generated.js';
import type { TrianglePairList } from './primitive-culling.js';
import { mayMeet, type SurfaceTable } from './surface-table.js';
import type { CandidatePairs, DeformStats, TrianglePairs } from './types.js';

/**
 * Pairs of triangles of the table. Layout: a pair is one number, first · triangles + second, which is exact below 2⁵³:
 * more triangles than 9 · 10⁷ do not fit into the arena.
 */
export class PairList {
  #count = 0;
  #keys = new Float64Array(256);
  #triangles = 1;

  get count(): number {
    return this.#count;
  }

  begin(table: SurfaceTable): void {
    this.#count = 0;
    this.#triangles = table.triangleCount;
  }

  /** Adds a pair in either order. */
  push(i: number, j: number): void {
    if (this.#count === this.#keys.length) {
      const grown = new Float64Array(2 * this.#count);
      grown.set(this.#keys);
      this.#keys = grown;
    }
    this.#keys[this.#count++] = Math.min(i, j) * this.#triangles + Math.max(i, j);
  }

  sort(): void {
    this.#keys.subarray(0, this.#count).sort();
  }

  /** The pairs in the numbers of their surfaces. */
  answer(table: SurfaceTable, stats: DeformStats): TrianglePairs {
    const count = this.#count;
    const surfaces = new Uint32Array(2 * count);
    const triangles = new Uint32Array(2 * count);
    const write = (at: number, triangle: number) => {
      const s = table.surfaceOfTriangle(triangle);
      surfaces[at] = table.surfaces[s].id;
      triangles[at] = triangle - table.triangleBase[s];
    };
    for (let k = 0; k < count; k++) {
      const first = Math.floor(this.#keys[k] / this.#triangles);
      write(2 * k, first);
      write(2 * k + 1, this.#keys[k] - first * this.#triangles);
    }
    return { count, surfaces, triangles, complete: true, error: 0, stats: { ...stats, events: count } };
  }
}

/** Adds those pairs of the lists that are at most `distance` apart. */
export function findClose(
  table: SurfaceTable,
  distance: number,
  lists: readonly TrianglePairList[],
  found: PairList,
): void {
  const isClose = closenessAt(table, distance);
  const triangleOf = table.word(Ctx.triangleOf) >>> 2;
  for (const { pairs, count } of lists) {
    for (let k = pairs >>> 2; k < (pairs >>> 2) + 2 * count; k += 2) {
      const words = arena().u32();
      const i = words[triangleOf + words[k]];
      const j = words[triangleOf + words[k + 1]];
      if (isClose(i, j)) found.push(i, j);
    }
  }
}

/** Adds those of the candidates that count and are at most `distance` apart. */
export function findCloseAmong(
  table: SurfaceTable,
  distance: number,
  { count, surfaces, triangles }: CandidatePairs,
  found: PairList,
): Pick<DeformStats, 'candidates' | 'testedPairs'> {
  const places = new Map(table.surfaces.map((surface, s) => [surface.id, s]));
  const flags = table.surfaces.map((_, s) => arena().u32()[(table.word(Ctx.surfaceFlags) >>> 2) + s]);
  const isClose = closenessAt(table, distance);
  let testedPairs = 0;
  for (let k = 0; k < 2 * count; k += 2) {
    const s = places.get(surfaces[k]);
    const t = places.get(surfaces[k + 1]);
    if (s === undefined || t === undefined)
      throw new ImpingeError('bad-input', `candidate ${k / 2} names surfaces that do not exist`);
    if (!mayMeet(flags[s], flags[t], s === t)) continue;
    const i = table.triangleBase[s] + triangles[k];
    const j = table.triangleBase[t] + triangles[k + 1];
    if (s === t && haveCommonVertex(table, i, j)) continue;
    testedPairs++;
    if (isClose(i, j)) found.push(i, j);
  }
  return { candidates: count, testedPairs };
}

/** Adds all pairs at most `distance` apart at the end of the step; at 0, meeting ones. */
export function findCloseBrute(table: SurfaceTable, distance: number, found: PairList): BruteCounts {
  const faces = elementsOf(table, 3, facesOf(table), [Ctx.end]);
  const counts: BruteCounts = { elementPairs: 0, testedPairs: 0, exactPairs: 0 };
  const isClose = closenessAt(table, distance);
  forEachPair(table, faces, faces, distance, counts, (i, j) => {
    if (isClose(i, j)) found.push(i, j);
  });
  return counts;
}

function haveCommonVertex(table: SurfaceTable, i: number, j: number): boolean {
  const corners = new Uint32Array(6);
  table.corners(i, corners, 0);
  table.corners(j, corners, 3);
  return corners.some((v, k) => k < 3 && corners.indexOf(v, 3) >= 3);
}

/** The decision for two triangles of the table. */
function closenessAt(table: SurfaceTable, distance: number): (i: number, j: number) => boolean {
  const a = new Float64Array(9);
  const b = new Float64Array(9);
  return (i, j) => {
    const extent = gatherTriangle(table, i, a) + gatherTriangle(table, j, b);
    if (boxesApart(a, b, distance + 2e-13 * extent)) return false;
    if (distance === 0) return intersectsTriangleTriangle(a, 0, b, 0);
    return Math.sqrt(distanceSqTriangleTriangle(a, 0, b, 0)) <= distance + 1e-13 * extent;
  };
}

const CORNERS = new Uint32Array(3);

/** Writes the corners at the end of the step; returns the longest side of their box. */
function gatherTriangle(table: SurfaceTable, triangle: number, out: Float64Array): number {
  const numbers = arena().f64();
  table.corners(triangle, CORNERS, 0);
  const end = table.word(Ctx.end) >>> 3;
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    for (let c = 0; c < 3; c++) {
      const x = numbers[end + 3 * CORNERS[k] + c];
      out[3 * k + c] = x;
      extent = Math.max(extent, Math.abs(x - out[c]));
    }
  }
  return extent;
}

/** Whether boxes of triangles are farther apart than `distance` along an axis. */
function boxesApart(a: Float64Array, b: Float64Array, distance: number): boolean {
  for (let c = 0; c < 3; c++) {
    const lowA = Math.min(a[c], a[c + 3], a[c + 6]);
    const lowB = Math.min(b[c], b[c + 3], b[c + 6]);
    if (lowA - Math.max(b[c], b[c + 3], b[c + 6]) > distance) return true;
    if (lowB - Math.max(a[c], a[c + 3], a[c + 6]) > distance) return true;
  }
  return false;
}
