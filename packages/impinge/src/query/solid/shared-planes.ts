/**
 * Planes in which many triangles of both objects lie.
 *
 * Problem: n triangles of one face and m of another that lies on it meet in up to n · m pairs, and all of them say the
 * same. Idea: where surfaces meet in more pairs than `LISTED_PAIRS`, the triangles in such planes are found by their
 * normals and distances, and pairs within one plane are never listed; what they tell is asked of the faces as a whole
 * (see below, and plane-extent.ts). Only that there are pairs in a plane at all is then known, not how many. Errs:
 * without a pose, triangles belong to a plane exactly. Else those within the slack of it do. What is missed by the hash
 * of planes, or comes after the first `MOST_PLANES`, is listed like everything else.
 */
import { projectionAxis } from '../../geometry/intersect/degenerate.js';
import { ALL_ON, sidesOfPlane } from '../../geometry/intersect/plane-sides.js';
import { posePoint } from '../../math/pose.js';
import { Mesh } from '../../mesh/mesh.js';
import { collide } from '../pair/collide.js';
import { distanceTo } from './locate.js';
import { asPose, type PlacedPair } from './placed-pair.js';
import { normalOf } from './placed-solid.js';

/** With no more meeting pairs than this, all are listed. */
export const LISTED_PAIRS = 2 ** 16;

/** A plane with room for fewer pairs is not worth a mesh of its own. */
export const PLANE_PAIRS = 2 ** 12;
const MOST_PLANES = 256;
const SLOTS = 2 ** 16;
/** Of unit normals, and of the coordinates: cells of the hash. */
const CELL = 1e-5;
/** Relative to the coordinates: farther off a plane, no exact test is needed. */
const CLEARLY_OFF = 1e-9;

const SIDES = [0, 1] as const;

/** Part and triangle, alternating. */
export type Members = Uint32Array;

export class SharedPlanes {
  readonly count: number;
  readonly #pair: PlacedPair;
  readonly #members: readonly (readonly Members[])[];
  readonly #normals: readonly Float64Array[];
  /** By side and part: the plane of each triangle, plus 1. */
  readonly #planeOf: readonly (readonly (Uint16Array | undefined)[])[];
  readonly #meshes = new Map<number, Mesh>();

  /** By side and plane. */
  constructor(
    pair: PlacedPair,
    members: readonly (readonly Members[])[],
    normals: readonly Float64Array[],
    planeOf: readonly (readonly (Uint16Array | undefined)[])[],
  ) {
    this.count = normals.length;
    this.#pair = pair;
    this.#members = members;
    this.#normals = normals;
    this.#planeOf = planeOf;
  }

  members(plane: number, side: 0 | 1): Members {
    return this.#members[side][plane];
  }
  /** In the common frame. */
  normal(plane: number): Float64Array {
    return this.#normals[plane];
  }
  /** The plane of a triangle, or −1. */
  planeOf(side: 0 | 1, part: number, triangle: number): number {
    return (this.#planeOf[side][part]?.[triangle] ?? 0) - 1;
  }

  /** Whether a point of the common frame is within `near` of a face of one side. */
  isOnFace(plane: number, side: 0 | 1, point: Float64Array, near: number): boolean {
    const stored = point.slice();
    if (side === 1) posePoint(this.#pair.inverse, point[0], point[1], point[2], stored, 0);
    return distanceTo({ meshes: [this.#mesh(plane, side)], closed: false }, stored) <= near;
  }

  /** Whether a triangle meets the other side in its plane. */
  meets(side: 0 | 1, part: number, triangle: number): boolean {
    const plane = this.planeOf(side, part, triangle);
    if (plane < 0) return false;
    const own = this.soup(side, Uint32Array.of(part, triangle));
    const other = this.#mesh(plane, side === 0 ? 1 : 0);
    const [a, b] = side === 0 ? [own, other] : [other, own];
    const { colliding } = collide(a, b, { pose: asPose(this.#pair.bToA), mode: 'any' });
    own.dispose();
    return colliding;
  }

  /** Pairs that meet among triangles of a and of b, as many as `limit`: part and triangle of each, four numbers. */
  meeting(membersA: Members, membersB: Members, limit: number): { pairs: Uint32Array; complete: boolean } {
    const [a, b] = [this.soup(0, membersA), this.soup(1, membersB)];
    try {
      const found = collide(a, b, { pose: asPose(this.#pair.bToA), limit });
      const pairs = new Uint32Array(4 * found.count);
      for (let i = 0; i < found.count; i++) {
        pairs.set(membersA.subarray(2 * found.pairs[2 * i], 2 * found.pairs[2 * i] + 2), 4 * i);
        pairs.set(membersB.subarray(2 * found.pairs[2 * i + 1], 2 * found.pairs[2 * i + 1] + 2), 4 * i + 2);
      }
      return { pairs, complete: found.complete };
    } finally {
      a.dispose();
      b.dispose();
    }
  }

  /** Triangles of a side as a mesh of their own, whose triangles share no vertex. */
  soup(side: 0 | 1, members: Members): Mesh {
    const { meshes } = (side === 0 ? this.#pair.a : this.#pair.b).parts;
    const triangleCount = members.length / 2;
    const shape = { vertexCount: 3 * triangleCount, triangleCount, origin: meshes[0].origin, name: '' };
    return Mesh.layOut(shape, (positions, indices) => {
      let at = 0;
      for (let i = 0; i < members.length; i += 2) {
        const from = meshes[members[i]];
        const corners = from.storedIndices;
        const source = from.storedPositions;
        for (let h = 3 * members[i + 1]; h < 3 * members[i + 1] + 3; h++) {
          for (let k = 0; k < 3; k++) positions[at++] = source[3 * corners[h] + k];
        }
      }
      for (let i = 0; i < indices.length; i++) indices[i] = i;
    });
  }

  #mesh(plane: number, side: 0 | 1): Mesh {
    const key = 2 * plane + side;
    let mesh = this.#meshes.get(key);
    if (!mesh) this.#meshes.set(key, (mesh = this.soup(side, this.#members[side][plane])));
    return mesh;
  }

  dispose(): void {
    for (const mesh of this.#meshes.values()) mesh.dispose();
    this.#meshes.clear();
  }
}

/** The planes that have room for `least` pairs or more; undefined where there are none. */
export function findSharedPlanes(pair: PlacedPair, least: number): SharedPlanes | undefined {
  const reach = reachOf(pair);
  const planes = choosePlanes(pair, reach, least);
  if (planes.length === 0) return undefined;
  const far = pair.slack > 0 ? pair.slack : CLEARLY_OFF * reach;
  const members: number[][][] = SIDES.map(() => planes.map(() => []));
  const planeOf: (Uint16Array | undefined)[][] = [[], []];
  const corners = new Float64Array(18);
  eachTriangle(pair, corners, (side, part, triangle, count) => {
    const plane = planes.findIndex((it) => {
      for (let c = 0; c < 9; c += 3) if (!(Math.abs(heightOver(it, corners, c)) <= far)) return false;
      if (projectionAxis(corners, 0) < 0) return false;
      if (pair.slack > 0) return true;
      corners.set(it.corners, 9);
      return sidesOfPlane(corners, 9, corners, 0) === ALL_ON;
    });
    if (plane < 0) return;
    members[side][plane].push(part, triangle);
    (planeOf[side][part] ??= new Uint16Array(count))[triangle] = plane + 1;
  });
  const typed = members.map((side) => side.map((list) => Uint32Array.from(list)));
  return new SharedPlanes(
    pair,
    typed,
    planes.map(({ normal }) => normal),
    planeOf,
  );
}

interface Plane {
  readonly corners: Float64Array;
  /** Unit. */
  readonly normal: Float64Array;
}

function heightOver({ corners, normal }: Plane, c: Float64Array, at: number): number {
  return (
    normal[0] * (c[at] - corners[0]) +
    normal[1] * (c[at + 1] - corners[1]) +
    normal[2] * (c[at + 2] - corners[2])
  );
}

/** The planes with most possible pairs, each by its largest triangle. */
function choosePlanes(pair: PlacedPair, reach: number, least: number): Plane[] {
  const counts = SIDES.map(() => new Uint32Array(SLOTS));
  const largest = new Float64Array(SLOTS);
  const corners = new Float64Array(18);
  const representatives = new Map<number, Float64Array>();
  const eachSlot = (visit: (side: 0 | 1, slot: number, area: number) => void) =>
    eachTriangle(pair, corners, (side) => {
      const n = normalOf(corners, 0, corners, 3, corners, 6);
      const area = Math.hypot(n[0], n[1], n[2]);
      if (area > 0) visit(side, slotOf(n, area, corners, reach), area);
    });
  eachSlot((side, slot) => counts[side][slot]++);
  const pairsIn = (slot: number) => counts[0][slot] * counts[1][slot];
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot)
    .filter((slot) => pairsIn(slot) >= least)
    .sort((s, t) => pairsIn(t) - pairsIn(s) || s - t)
    .slice(0, MOST_PLANES);
  const chosen = new Set(slots);
  eachSlot((_, slot, area) => {
    if (!chosen.has(slot) || !(area > largest[slot])) return;
    largest[slot] = area;
    representatives.set(slot, corners.slice(0, 9));
  });
  return slots.map((slot) => {
    const own = representatives.get(slot)!;
    return { corners: own, normal: normalOf(own, 0, own, 3, own, 6).map((x) => x / largest[slot]) };
  });
}

/** The same for triangles of one plane, unless rounding puts them into different cells. */
function slotOf(n: Float64Array, length: number, p: Float64Array, reach: number): number {
  const widest = Math.max(Math.abs(n[0]), Math.abs(n[1]), Math.abs(n[2]));
  const scale = ((n.find((x) => Math.abs(x) > 0.5 * widest) ?? 0) > 0 ? 1 : -1) / length;
  let hash = 0;
  let offset = 0;
  for (let k = 0; k < 3; k++) {
    hash = Math.imul(hash ^ Math.round((scale * n[k]) / CELL), 0x9e3779b1);
    hash ^= hash >>> 15;
    offset += scale * n[k] * p[k];
  }
  hash = Math.imul(hash ^ Math.round(offset / (CELL * reach)), 0x85ebca6b);
  return (hash ^ (hash >>> 16)) & (SLOTS - 1);
}

/**
 * Calls `visit` for every triangle of parts that may meet, its corners in the common frame being in corners[0 .. 9).
 */
function eachTriangle(
  { a, b, pose, partPairs }: PlacedPair,
  corners: Float64Array,
  visit: (side: 0 | 1, part: number, triangle: number, count: number) => void,
): void {
  for (const side of SIDES) {
    for (const part of new Set(partPairs.filter((_, i) => i % 2 === side))) {
      const {
        storedPositions: positions,
        storedIndices: indices,
        triangleCount,
      } = (side === 0 ? a : b).parts.meshes[part];
      for (let t = 0; t < triangleCount; t++) {
        for (let k = 0; k < 3; k++) {
          const v = 3 * indices[3 * t + k];
          if (side === 1) posePoint(pose, positions[v], positions[v + 1], positions[v + 2], corners, 3 * k);
          else for (let axis = 0; axis < 3; axis++) corners[3 * k + axis] = positions[v + axis];
        }
        visit(side, part, t, triangleCount);
      }
    }
  }
}

/** The largest coordinate of the common frame. */
function reachOf(pair: PlacedPair): number {
  let reach = 0;
  const corners = new Float64Array(9);
  eachTriangle(pair, corners, () => {
    for (let k = 0; k < 9; k++) reach = Math.max(reach, Math.abs(corners[k]));
  });
  return reach || 1;
}
