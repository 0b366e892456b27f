/**
 * Where a contact is in the world: a box around it, and a point of it.
 *
 * Idea: a segment in which two triangles pass through each other is known by its ends; other contact lies within what the
 * boxes of the two triangles have in common, and that is good enough: of faces along the axes it is exact.
 */
import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import type { Vec3 } from '../../math/pose.js';
import type { PlacedPair } from './placed-pair.js';
import { Meeting, MeetingReader, type MeetingTriangles, type SurfaceContact } from './surface-contact.js';

export interface ContactExtent {
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  readonly point: Vec3;
}

/** Measures a contact of at least one pair. The point is one in which triangles meet, the nearest to the box's centre. */
export function measureExtent(pair: PlacedPair, contact: MeetingTriangles | SurfaceContact): ContactExtent {
  const { pairCount, pairs } = contact;
  const described = 'segments' in contact && contact.meeting.some((how) => how !== 0) ? contact : undefined;
  const reader = new MeetingReader(pair, pairs);
  const places = new Float64Array(6 * pairCount);
  const world = new Float64Array(18);
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < pairCount; i++) {
    const how = described?.meeting[i];
    if (how === 0) {
      // beside a longer contact, points do not count
      places.fill(Number.NaN, 6 * i, 6 * i + 6);
      continue;
    }
    if (described && !(how! & (Meeting.coplanar | Meeting.degenerate))) {
      pair.writeWorld(described.segments, 6 * i, world, 0);
      pair.writeWorld(described.segments, 6 * i + 3, world, 3);
      for (let k = 0; k < 3; k++) {
        places[6 * i + k] = Math.min(world[k], world[3 + k]);
        places[6 * i + 3 + k] = Math.max(world[k], world[3 + k]);
      }
    } else {
      const corners = reader.read(i);
      for (let c = 0; c < 18; c += 3) pair.writeWorld(corners, c, world, c);
      writeCommonBox(world, places, 6 * i);
    }
    for (let k = 0; k < 3; k++) {
      if (places[6 * i + k] < box[k]) box[k] = places[6 * i + k];
      if (places[6 * i + 3 + k] > box[3 + k]) box[3 + k] = places[6 * i + 3 + k];
    }
  }
  const nearest = nearestPlace(places, box);
  return {
    box: { min: [box[0], box[1], box[2]], max: [box[3], box[4], box[5]] },
    point: pointOf(pair, reader.read(nearest)),
  };
}

/** What the boxes of two triangles have in common: lower corner, upper corner. */
function writeCommonBox(c: Float64Array, out: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    out[o + k] = Math.max(Math.min(c[k], c[3 + k], c[6 + k]), Math.min(c[9 + k], c[12 + k], c[15 + k]));
    out[o + 3 + k] = Math.min(Math.max(c[k], c[3 + k], c[6 + k]), Math.max(c[9 + k], c[12 + k], c[15 + k]));
  }
}

function nearestPlace(places: Float64Array, box: Float64Array): number {
  let nearest = 0;
  let leastSq = Infinity;
  for (let at = 0; at < places.length; at += 6) {
    let distanceSq = 0;
    for (let k = 0; k < 3; k++)
      distanceSq += (places[at + k] + places[at + 3 + k] - box[k] - box[3 + k]) ** 2;
    if (!(distanceSq < leastSq)) continue;
    leastSq = distanceSq;
    nearest = at / 6;
  }
  return nearest;
}

/** The middle of what two triangles share. */
function pointOf(pair: PlacedPair, corners: Float64Array): Vec3 {
  const shared = new Float64Array(18);
  const count = intersectionTriangleTriangle(corners, 0, corners, 9, shared, 0);
  const middle = new Float64Array(3);
  for (let c = 0; c < 3 * count; c++) middle[c % 3] += shared[c] / count;
  pair.writeWorld(middle, 0, middle, 0);
  return [middle[0], middle[1], middle[2]];
}
