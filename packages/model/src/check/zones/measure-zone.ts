/**
 * What an object has in the zone of another: an `obstruction`.
 *
 * Whether that is so is decided by `measurePair`, of each solid of the zone and the other object, as any clash is: the
 * tolerance permits shallow ones, and touching is none. The distance is how far one gets from the owner, in the
 * direction of the zone, until something of the other is in the way: the least over all of its surface in the zone.
 *
 * Errs: that distance by rounding in float64.
 */
import { IDENTITY, invertPose, posePoint, type RigidPose, type Vec3 } from 'impinge/internal/math/pose.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { locatePoint } from 'impinge/internal/query/solid/locate.js';
import type { PlacedParts } from 'impinge/internal/query/solid/placed-pair.js';
import { objectRounding } from '../../store/rounding.js';
import { type ClashMeasure, clashOf } from '../clash.js';
import { kindBit } from '../clash-kinds.js';
import { type MeasureStats, measurePair } from '../measure-pair.js';
import { joinedMeasure } from '../out-of-core-batches.js';
import { boxParts, type OwnBox } from './box-zone.js';
import { sweptParts } from './swept-zone.js';
import type { ZoneSizes } from './zone.js';
import { clippedTo, type ZonePart } from './zone-part.js';

/** An object that has a zone. */
export interface ZoneOwner {
  readonly placed: PlacedParts;
  /** Undefined where no part of the zone is made of it. */
  readonly own: OwnBox | undefined;
  /** How its leaves move, if it is a door. */
  readonly operation: string;
}

const OVERLAPS = kindBit('hard') | kindBit('inside') | kindBit('duplicate');
/** What is left of a zone beyond the other object, as a share of that object's size. */
const MARGIN = 0.01;

/** The solids of a zone, as far as they reach a box in the world. */
export function zoneParts(
  { placed, own, operation }: ZoneOwner,
  zone: ZoneSizes,
  near: Float64Array,
): ZonePart[] {
  const { above, below, from } = zone;
  return [
    ...(above > 0 ? sweptParts(placed, from, above, 1, near) : []),
    ...(below > 0 ? sweptParts(placed, from, below, -1, near) : []),
    ...(own ? boxParts(own, zone, operation).filter((part) => !apart(boxOf(part), near)) : []),
  ];
}

/** Undefined where there is none. */
export function measureZone(
  owner: ZoneOwner,
  other: PlacedParts,
  { zone, tolerance }: { readonly zone: ZoneSizes; readonly tolerance: number },
  stats: MeasureStats,
): ClashMeasure | undefined {
  const size = Math.hypot(...[0, 1, 2].map((k) => other.box[3 + k] - other.box[k]));
  const margin = 2 * tolerance + MARGIN * size;
  const near = other.box.map((x, k) => (k < 3 ? x - margin : x + margin));
  let found: ClashMeasure | undefined;
  for (const part of zoneParts(owner, zone, near)) {
    const mesh = Mesh.from({ positions: part.positions, indices: part.indices, name: 'zone' });
    try {
      const solid = placedPart(part, mesh, owner.placed.rounding);
      const ask = { clearance: 0, tolerance, kinds: OVERLAPS };
      const overlap = measurePair(solid, other, ask, undefined, stats);
      if (overlap) found = joinedMeasure(found, obstruction(overlap, part, other));
    } finally {
      mesh.dispose();
    }
  }
  return found;
}

function placedPart(part: ZonePart, mesh: Mesh, rounding: number): PlacedParts {
  const box = boxOf(part);
  const own = objectRounding({}, { box, isExact: false }, mesh.origin, { pose: undefined }, undefined);
  return {
    parts: { meshes: [mesh], closed: true },
    pose: IDENTITY as RigidPose,
    box,
    triangleCount: mesh.triangleCount,
    rounding: rounding + own,
    curveError: part.curveError,
  };
}

/** With the free length in the direction of the zone, and where that ends. */
function obstruction(overlap: ClashMeasure, part: ZonePart, other: PlacedParts): ClashMeasure {
  const around = boxOf(part);
  let distance = Infinity;
  let point: Vec3 = overlap.point;
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const triangle of trianglesIn(other, around)) {
    for (const cell of part.cells) {
      const polygon = clippedTo(cell, triangle);
      for (let i = 0; i < polygon.length; i += 3) {
        const length = lengthAt(cell.length, polygon, i);
        widen(box, polygon, i);
        if (length >= distance) continue;
        distance = length;
        point = [polygon[i], polygon[i + 1], polygon[i + 2]];
      }
    }
  }
  // where the zone begins inside the other object, its surface is not what is met first
  for (const { length, base } of part.cells) {
    const begin = lengthAt(length, base);
    if (begin >= distance || !isInside(other, base)) continue;
    distance = begin;
    point = [base[0], base[1], base[2]];
    widen(box, base, 0);
  }
  const { depth, depthBound, trianglePairs } = overlap;
  if (distance === Infinity) return clashOf('obstruction', overlap);
  distance = Math.max(0, distance);
  const at = { min: [box[0], box[1], box[2]], max: [box[3], box[4], box[5]] } as const;
  return clashOf('obstruction', { distance, depth, depthBound, point, box: at, trianglePairs });
}

function lengthAt([x, y, z, constant]: readonly number[], points: ArrayLike<number>, at = 0): number {
  return x * points[at] + y * points[at + 1] + z * points[at + 2] + constant;
}

function isInside({ parts, pose }: PlacedParts, point: readonly number[]): boolean {
  if (!parts.closed) return false;
  const { origin } = parts.meshes[0];
  const own = new Float64Array(3);
  posePoint(invertPose(pose), point[0], point[1], point[2], own, 0);
  return (
    locatePoint(
      parts,
      own.map((x, k) => x - origin[k]),
    ) === 'inside'
  );
}

/** Those in the world whose boxes reach a box; each in the same array. */
function* trianglesIn({ parts, pose }: PlacedParts, box: Float64Array): Generator<Float64Array> {
  const triangle = new Float64Array(9);
  const own = new Float64Array(6);
  for (const { positions, indices, origin } of parts.meshes) {
    for (let t = 0; t < indices.length; t += 3) {
      own.fill(Infinity, 0, 3).fill(-Infinity, 3);
      for (let corner = 0; corner < 3; corner++) {
        const v = 3 * indices[t + corner];
        const [x, y, z] = [0, 1, 2].map((k) => positions[v + k] + origin[k]);
        for (let k = 0; k < 3; k++)
          triangle[3 * corner + k] =
            pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
        widen(own, triangle, 3 * corner);
      }
      if (!apart(own, box)) yield triangle;
    }
  }
}

function boxOf({ positions }: ZonePart): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < positions.length; i += 3) widen(box, positions, i);
  return box;
}

function widen(box: Float64Array, points: ArrayLike<number>, at: number): void {
  for (let k = 0; k < 3; k++) {
    box[k] = Math.min(box[k], points[at + k]);
    box[3 + k] = Math.max(box[3 + k], points[at + k]);
  }
}

function apart(a: Float64Array, b: Float64Array): boolean {
  return [0, 1, 2].some((k) => a[k] > b[3 + k] || b[k] > a[3 + k]);
}
