/**
 * Contacts of two convex shapes, from the direction n between their closest points: one plane is between them, so
 * features that are near each other are near that plane.
 *
 * If D is the distance, points that are d and e below the planes of support along n are at least D + d + e apart along
 * n. A contact with the normal m counts if its gap g is at most s − h u · m, u being the velocity of b: with the cosine
 * c of the angle between m and n, that is D + d + e ≤ c g ≤ s + A c² + T c √(1 − c²), where A and T are the parts of
 * the way −h u along n and across. By 2 c² = 1 + cos 2φ and 2 c √(1 − c²) = sin 2φ, that is at most s + (A + h |u|) /
 * 2. So only features that are no deeper together are compared, by the rules for all triangles
 * (../contacts/features.ts).
 */
import { beginFeatures, BESIDE, edgeEdge, OWNS_EDGE, placeOfA, placeOfB, reachFor, vertexOfAOver, vertexOfBOver } from '../contacts/features';
import {
  P_POSE, P_SHAPE_A, P_SHAPE_B, S_CORNERS, S_EDGE_ENDS, S_EDGE_OF, S_FLATNESS, S_HULL, S_HULL_STRIDE, S_HULL_TRIANGLES, S_OWNED,
} from '../contacts/layout';
import { roundingOf } from '../contacts/near-leaves';
import { CHANGE, paceAt, paceX, paceY, paceZ, spin } from '../contacts/pace';
import { regionSize, regionX, regionY, regionZ } from '../contacts/region';
import { SIDE_BYTES, sides } from '../contacts/scratch';
import { apart, awayX, awayY, awayZ } from './nearest';

/** More than the distance of corners from facets that count as one plane, relative to `S_FLATNESS` of both. */
const FLATNESS: f64 = 3;

// near features of a shape: 512 heights; lists of 1024, 512 and 1536 features: a number, then of each how deep it lies
// and its own number
const HEIGHTS: usize = 0;
const TRIANGLES: usize = 4096;
const VERTICES: usize = 20_496;
const EDGES: usize = 28_704;
const FEATURE_BYTES: usize = 16;

/**
 * Enters contacts within `least`, plus the distance that b approaches in h seconds, at most within a reach; the nearest
 * points must have been found. Returns the distance within which all were found.
 */
export function enterConvex(pair: usize, reach: f64, least: f64, h: f64): f64 {
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  beginFeatures(pair);
  paceAt(regionX, regionY, regionZ);
  const speed = sqrt(paceX * paceX + paceY * paceY + paceZ * paceZ);
  const still = min(reach, least + h * (spin * regionSize + CHANGE * speed));
  const allowed = min(reach, still + 0.5 * h * (speed - (awayX * paceX + awayY * paceY + awayZ * paceZ)));
  if (apart <= allowed) {
    const need = min(reach, still + h * speed);
    // what is a little beside a face counts as over it
    const deep = allowed - apart + BESIDE * need + FLATNESS * (load<f64>(a, S_FLATNESS) + load<f64>(b, S_FLATNESS)) + roundingOf(pair);
    reachFor(need, still, h * paceX, h * paceY, h * paceZ);
    const p = pair + P_POSE;
    gather(a, sides, awayX, awayY, awayZ, deep);
    gather(
      b, sides + SIDE_BYTES,
      -(load<f64>(p) * awayX + load<f64>(p, 24) * awayY + load<f64>(p, 48) * awayZ),
      -(load<f64>(p, 8) * awayX + load<f64>(p, 32) * awayY + load<f64>(p, 56) * awayZ),
      -(load<f64>(p, 16) * awayX + load<f64>(p, 40) * awayY + load<f64>(p, 64) * awayZ),
      deep,
    );
    compare(sides, sides + SIDE_BYTES, deep);
  }
  return min(reach, max(still, apart));
}

// @ts-ignore: decorator
@inline function countOf(list: usize): u32 { return load<u32>(list); }
// @ts-ignore: decorator
@inline function featureAt(list: usize, i: u32): usize { return list + 16 + FEATURE_BYTES * <usize>i; }
// @ts-ignore: decorator
@inline function depthOf(feature: usize): f64 { return load<f64>(feature); }
// @ts-ignore: decorator
@inline function numberOf(feature: usize): u32 { return load<u32>(feature, 8); }

function append(list: usize, depth: f64, number: u32): void {
  const count = countOf(list);
  const at = featureAt(list, count);
  store<f64>(at, depth);
  store<u32>(at, number, 8);
  store<u32>(list, count + 1);
}

/** Lists the features of a shape that are no deeper than `deep` below its farthest point along a direction. */
function gather(shape: usize, side: usize, x: f64, y: f64, z: f64, deep: f64): void {
  const hull: usize = load<u32>(shape, S_HULL), stride = load<u32>(shape, S_HULL_STRIDE);
  const row = <usize>stride << 2;
  let most: f64 = -Infinity;
  for (let i: usize = 0; i < row; i += 4) {
    const along = x * <f64>load<f32>(hull + i) + y * <f64>load<f32>(hull + row + i) + z * <f64>load<f32>(hull + 2 * row + i);
    store<f64>(side + 2 * i, along, HEIGHTS);
    most = max(most, along);
  }
  const least = most - deep;
  store<u32>(side, 0, TRIANGLES);
  store<u32>(side, 0, VERTICES);
  store<u32>(side, 0, EDGES);
  const corners: usize = load<u32>(shape, S_CORNERS), owned: usize = load<u32>(shape, S_OWNED);
  const edgeOf: usize = load<u32>(shape, S_EDGE_OF), ends: usize = load<u32>(shape, S_EDGE_ENDS);
  const count = load<u32>(shape, S_HULL_TRIANGLES);
  for (let t: u32 = 0; t < count; t++) {
    const at = corners + 12 * <usize>t;
    const p = heightOf(side, load<u32>(at)), q = heightOf(side, load<u32>(at, 4)), r = heightOf(side, load<u32>(at, 8));
    const top = max(p, max(q, r));
    if (top < least) continue;
    append(side + TRIANGLES, most - top, t);
    const owns: u32 = load<u8>(owned + <usize>t);
    if ((owns & 1) != 0 && p >= least) append(side + VERTICES, most - p, load<u32>(at));
    if ((owns & 2) != 0 && q >= least) append(side + VERTICES, most - q, load<u32>(at, 4));
    if ((owns & 4) != 0 && r >= least) append(side + VERTICES, most - r, load<u32>(at, 8));
    for (let i: u32 = 0; i < 3; i++) {
      if ((owns & (OWNS_EDGE << i)) == 0) continue;
      const e = load<u32>(edgeOf + 12 * <usize>t + 4 * <usize>i);
      const upper = max(heightOf(side, load<u32>(ends + 8 * <usize>e)), heightOf(side, load<u32>(ends + 8 * <usize>e, 4)));
      if (upper >= least) append(side + EDGES, most - upper, e);
    }
  }
}

// @ts-ignore: decorator
@inline function heightOf(side: usize, v: u32): f64 { return load<f64>(side + 8 * <usize>v, HEIGHTS); }

/** Enters the contacts of listed features that may be near each other. */
function compare(ofA: usize, ofB: usize, deep: f64): void {
  for (let i: u32 = 0; i < countOf(ofB + VERTICES); i++) {
    const vertex = featureAt(ofB + VERTICES, i);
    placeOfB(numberOf(vertex));
    for (let j: u32 = 0; j < countOf(ofA + TRIANGLES); j++) {
      const triangle = featureAt(ofA + TRIANGLES, j);
      if (depthOf(vertex) + depthOf(triangle) <= deep) vertexOfBOver(numberOf(triangle), numberOf(vertex));
    }
  }
  for (let i: u32 = 0; i < countOf(ofA + VERTICES); i++) {
    const vertex = featureAt(ofA + VERTICES, i);
    placeOfA(numberOf(vertex));
    for (let j: u32 = 0; j < countOf(ofB + TRIANGLES); j++) {
      const triangle = featureAt(ofB + TRIANGLES, j);
      if (depthOf(vertex) + depthOf(triangle) <= deep) vertexOfAOver(numberOf(triangle), numberOf(vertex));
    }
  }
  for (let i: u32 = 0; i < countOf(ofA + EDGES); i++) {
    const edge = featureAt(ofA + EDGES, i);
    for (let j: u32 = 0; j < countOf(ofB + EDGES); j++) {
      const other = featureAt(ofB + EDGES, j);
      if (depthOf(edge) + depthOf(other) <= deep) edgeEdge(numberOf(edge), numberOf(other));
    }
  }
}
