/**
 * Decides the pairs that backends leave open, on the same numbers and by the same functions as the library's other
 * queries: the object with the higher id is posed into the stored numbers of the other, in float64.
 *
 * Nothing is allocated per pair: corners are read straight from the arena, and the pose between two objects is kept
 * until the next pair of objects.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { IDENTITY, posePoint, samePoseAt, type Vec3, writeRelativePose } from 'impinge/internal/math/pose.js';
import { shiftPose } from 'impinge/internal/mesh/stored-pose.js';
import { EXTENT_STRIDE, ExtentRow } from './frame.js';
import type { Lookup } from './input-tables.js';

export interface Closest {
  readonly distance: number;
  readonly slotA: number;
  readonly slotB: number;
}

/** Decides pairs of slots. Nothing may be allocated in the arena between `begin` and the last call for it. */
export class ExactStage {
  /** a's corners in [0, 9), b's in [9, 18), and b's stored numbers to a's. */
  readonly #corners = new Float64Array(18);
  readonly #pose = new Float64Array(12);
  #lookup!: Lookup;
  #poses!: Float64Array;
  #floats!: Float32Array;
  #words!: Uint32Array;
  #distance = 0;
  /** The objects that the pose is for. */
  #a = -1;
  #b = -1;
  /** Greatest squared distance of theirs that counts. */
  #boundSq = 0;

  /** For a query: `distance` is the distance that counts, in the world's unit; 0: meeting pairs. */
  begin(lookup: Lookup, poses: Float64Array, distance: number): void {
    this.#lookup = lookup;
    this.#poses = poses;
    this.#floats = arena().f32();
    this.#words = arena().u32();
    this.#distance = distance;
    this.#a = -1;
  }

  /** Writes the pairs that count to out[at ..]; returns where they end. */
  keep(pairs: Uint32Array, out: Uint32Array, at: number): number {
    for (let i = 0; i < pairs.length; i += 2) {
      const slotA = pairs[i];
      const slotB = pairs[i + 1];
      if (!this.#counts(slotA, slotB)) continue;
      out[at++] = slotA;
      out[at++] = slotB;
    }
    return at;
  }

  /** The closest of pairs of different objects, the first of several; undefined if there are none. */
  closest(sorted: Uint32Array): Closest | undefined {
    const corners = this.#corners;
    let best = Infinity;
    let at = -1;
    for (let i = 0; i < sorted.length && best > 0; i += 2) {
      this.#read(sorted[i], sorted[i + 1]);
      const distanceSq = distanceSqTriangleTriangle(corners, 0, corners, 9);
      if (distanceSq < best) {
        best = distanceSq;
        at = i;
      }
    }
    return at < 0 ? undefined : { distance: Math.sqrt(best), slotA: sorted[at], slotB: sorted[at + 1] };
  }

  /** The closest points of two triangles, in the world. */
  witnesses(slotA: number, slotB: number): [Vec3, Vec3] {
    const corners = this.#corners;
    this.#read(slotA, slotB);
    const out = new Float64Array(8);
    distanceSqTriangleTriangle(corners, 0, corners, 9, out);
    const { meshOf, extents } = this.#lookup;
    const origin = EXTENT_STRIDE * meshOf[this.#a] + ExtentRow.origin;
    const pose = this.#poses.subarray(12 * this.#a, 12 * this.#a + 12);
    for (let side = 0; side < 6; side += 3) {
      for (let k = 0; k < 3; k++) out[side + k] += extents[origin + k];
      posePoint(pose, out[side], out[side + 1], out[side + 2], out, side);
    }
    return [
      [out[0], out[1], out[2]],
      [out[3], out[4], out[5]],
    ];
  }

  #counts(slotA: number, slotB: number): boolean {
    const corners = this.#corners;
    this.#read(slotA, slotB);
    if (this.#a === this.#b && this.#areNeighbours(slotA, slotB)) return false;
    return this.#distance === 0
      ? intersectsTriangleTriangle(corners, 0, corners, 9)
      : distanceSqTriangleTriangle(corners, 0, corners, 9) <= this.#boundSq;
  }

  /** Reads the corners of two slots. */
  #read(slotA: number, slotB: number): void {
    const { partShift, partOwner } = this.#lookup;
    const a = partOwner[slotA >>> partShift];
    const b = partOwner[slotB >>> partShift];
    if (a !== this.#a || b !== this.#b) this.#place(a, b);
    const floats = this.#floats;
    const words = this.#words;
    const { geometryAt, meshOf } = this.#lookup;
    const positionsA = geometryAt[2 * meshOf[a]];
    const positionsB = geometryAt[2 * meshOf[b]];
    const s = this.#indicesAt(slotA, a);
    const t = this.#indicesAt(slotB, b);
    const corners = this.#corners;
    for (let k = 0; k < 3; k++) {
      const v = positionsA + 3 * words[s + k];
      corners[3 * k] = floats[v];
      corners[3 * k + 1] = floats[v + 1];
      corners[3 * k + 2] = floats[v + 2];
      const w = positionsB + 3 * words[t + k];
      posePoint(this.#pose, floats[w], floats[w + 1], floats[w + 2], corners, 9 + 3 * k);
    }
  }

  /** Where the vertex numbers of a slot's triangle are in the arena. */
  #indicesAt(slot: number, object: number): number {
    const { partShift, partStarts, geometryAt, meshOf } = this.#lookup;
    return geometryAt[2 * meshOf[object] + 1] + 3 * (slot - partStarts[slot >>> partShift]);
  }

  /** As `relativePose`, `storedPose` and `distanceRounding` do it. */
  #place(a: number, b: number): void {
    this.#a = a;
    this.#b = b;
    const { meshOf, extents } = this.#lookup;
    const pose = this.#pose;
    const s = EXTENT_STRIDE * meshOf[a];
    const t = EXTENT_STRIDE * meshOf[b];
    if (samePoseAt(this.#poses, 12 * a, this.#poses, 12 * b)) pose.set(IDENTITY);
    else writeRelativePose(this.#poses, 12 * a, this.#poses, 12 * b, pose);
    if (extents[s + ExtentRow.originSize] !== 0 || extents[t + ExtentRow.originSize] !== 0) {
      const [ax, ay, az] = [extents[s + 6], extents[s + 7], extents[s + 8]];
      const [bx, by, bz] = [extents[t + 6], extents[t + 7], extents[t + 8]];
      const still = ax === bx && ay === by && az === bz && samePoseAt(pose, 0, IDENTITY as Float64Array, 0);
      if (!still) shiftPose(pose, ax, ay, az, bx, by, bz);
    }
    if (this.#distance === 0) return;
    // doubt is resolved by reporting
    const far = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
    const rounding = 1e-15 * (extents[s + ExtentRow.largest] + extents[t + ExtentRow.largest] + far);
    const bound = this.#distance * (1 + 1e-14) + rounding;
    this.#boundSq = bound * bound;
  }

  /** Whether two triangles of an object share a corner, by its number or by its place. */
  #areNeighbours(slotA: number, slotB: number): boolean {
    const words = this.#words;
    const s = this.#indicesAt(slotA, this.#a);
    const t = this.#indicesAt(slotB, this.#b);
    const corners = this.#corners;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const p = 3 * i;
        const q = 9 + 3 * j;
        if (
          words[s + i] === words[t + j] ||
          (corners[p] === corners[q] &&
            corners[p + 1] === corners[q + 1] &&
            corners[p + 2] === corners[q + 2])
        ) {
          return true;
        }
      }
    }
    return false;
  }
}
