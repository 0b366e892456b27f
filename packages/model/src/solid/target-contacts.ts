/**
 * Where two models meet, as regions one can work with, at an error: what hangs together, how near, which way to push b
 * out of a there, and how far.
 *
 * What is certified. Let P be the originals of a within max(out, in) of a region's patches of a, out and in being the
 * errors of the piece that each patch is of; Q the same of b.
 *
 * Depth. For a unit vector n it is how far Q has to move along n until a plane across n parts it from P: the largest
 * n·p less the smallest n·q. Every p is within max(out, in) of a point of a patch, so n·p is at most the largest of n·x
 * over the patch's corners x, and max(out, in) more. Every corner x has an original within in, which belongs to P, so
 * the largest n·p is at least n·x − in. Likewise for Q with signs turned. So the depth along n lies in the interval
 * given, whichever n was chosen.
 *
 * Regions. A pair's place is where the boxes of its patches, each grown by d + max(e, out, in), overlap: d is the
 * distance and e the error asked for. Originals p, q at most d apart are stood for by a pair with p within out of its
 * patch of a, and q within out of its patch of b, so p and q lie in its place. Pairs of the same objects whose places
 * overlap are one region. A set of such p that hangs together is covered by places, which are closed and finitely many:
 * were they of two regions, the set would fall into two closed parts without a common point, which it does not. So it
 * lies in one region.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { separateHulls } from 'impinge/internal/geometry/hull/separate-hulls.js';
import { composePoses, type Vec3 } from 'impinge/internal/math/pose.js';
import { askPair } from 'impinge/internal/query/pair/near-pairs.js';
import type { ContactsRequest } from 'impinge/internal/query/pair/pair-request.js';
import type { WithinResult } from 'impinge/internal/query/pair/results.js';
import { asWithin, pairsWithin } from 'impinge/internal/query/pair/within.js';
import { unit } from 'impinge/internal/query/solid/contact-shape.js';
import type {
  TargetContactRegion,
  TargetContactsResult,
} from 'impinge/internal/query/solid/target-contacts.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { joinBoxes } from './joined-boxes.js';
import { PatchIndex } from './patch-index.js';
import { pieceSide } from './piece-target.js';

/** With more pairs than these, regions would take more memory than anyone expects: some 300 bytes each. */
const MOST_PAIRS = 2 ** 17;
/** Corners kept of a patch: the ends along the axes. */
const ENDS = 6;
/** Surfaces face no way if what is left of their areas is less than this share. */
const NO_FACING = 0.05;
/** Points of a side from which the normal of a region is chosen. */
const HULL_POINTS = 256;

/**
 * Finds the regions where a and b meet: meshes, or targets with pieces. More than 131 072 pairs are refused
 * ('out-of-memory').
 */
export async function targetContacts(request: ContactsRequest): Promise<TargetContactsResult> {
  const [a, b] = [pieceSide('contacts', request.a), pieceSide('contacts', request.b)];
  const { distance, aToWorld, bToA } = request;
  const found: WithinResult<PartsTarget> = asWithin(
    await askPair('pairs', { ...request, limit: MOST_PAIRS, patch: 0 }, pairsWithin),
  );
  const { complete, error } = found;
  if (!complete) {
    const many = `contacts: there are more than ${MOST_PAIRS} pairs; permit a larger error`;
    throw new ImpingeError('out-of-memory', many);
  }
  const sides = [
    new PatchIndex(found, 0, a, aToWorld),
    new PatchIndex(found, 1, b, composePoses(aToWorld, bToA)),
  ] as const;
  const ends = [await endsOf(sides[0]), await endsOf(sides[1])] as const;
  const places = placesOf(found, sides, ends, distance + error);
  const regions = regionsOf(found, places);
  const normals = regions.map((pairs) => directionsOf(pairs, sides, ends));
  const depths = await depthsOf(found, regions, normals, sides);
  return {
    regions: regions.map((pairs, i) => describe(found, pairs, places, distance, depths[i])),
    found,
    error,
  };
}

/** Of every patch the corners that are farthest along the axes: least and most of x, of y, of z. */
async function endsOf(side: PatchIndex): Promise<Float64Array> {
  const ends = new Float64Array(3 * ENDS * side.count);
  await side.each((patch, corners) => {
    for (let end = 0; end < ENDS; end++) {
      const sign = end % 2 === 0 ? -1 : 1;
      let most = end >> 1;
      for (let i = most; i < corners.length; i += 3) if (sign * (corners[i] - corners[most]) > 0) most = i;
      const from = most - (end >> 1);
      ends.set(corners.subarray(from, from + 3), 3 * (ENDS * patch + end));
    }
  });
  return ends;
}

/** The place of every pair: six numbers each. */
function placesOf(
  found: WithinResult<PartsTarget>,
  sides: readonly [PatchIndex, PatchIndex],
  ends: readonly [Float64Array, Float64Array],
  reach: number,
): Float64Array {
  const places = new Float64Array(6 * found.count);
  for (let i = 0; i < places.length; i += 6) places.fill(-Infinity, i, i + 3).fill(Infinity, i + 3, i + 6);
  sides.forEach((side, s) => {
    for (let patch = 0; patch < side.count; patch++) {
      const { out, in: inner } = side.errorsOf(patch);
      const grow = reach + Math.max(out, inner) + side.rounding;
      for (let i = side.first[patch]; i < side.first[patch + 1]; i++) {
        const at = 6 * side.pairs[i];
        for (let k = 0; k < 3; k++) {
          const low = 3 * (ENDS * patch + 2 * k) + k;
          places[at + k] = Math.max(places[at + k], ends[s][low] - grow);
          places[at + 3 + k] = Math.min(places[at + 3 + k], ends[s][low + 3] + grow);
        }
      }
    }
  });
  return places;
}

/** The pairs of each region, in the order of their first ones. */
function regionsOf({ count, objects }: WithinResult<PartsTarget>, places: Float64Array): Uint32Array[] {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const compare = (p: number, q: number) =>
    objects[2 * p] - objects[2 * q] || objects[2 * p + 1] - objects[2 * q + 1];
  order.sort((p, q) => compare(p, q) || p - q);
  const regions: number[][] = [];
  for (let from = 0, to = 0; from < count; from = to) {
    while (to < count && compare(order[from], order[to]) === 0) to++;
    const own = order.subarray(from, to);
    const boxes = new Float64Array(6 * own.length);
    own.forEach((pair, i) => {
      boxes.set(places.subarray(6 * pair, 6 * pair + 6), 6 * i);
    });
    const ofSet = new Map<number, number[]>();
    joinBoxes(boxes).forEach((set, i) => {
      const region = ofSet.get(set);
      if (region) region.push(own[i]);
      else ofSet.set(set, [own[i]]);
    });
    for (const region of ofSet.values()) regions.push(region);
  }
  return regions.sort((p, q) => p[0] - q[0]).map((pairs) => Uint32Array.from(pairs));
}

/**
 * Ways to push b's part out of a's: of unit length, at least one. Where surfaces face a way together, a's along it and
 * b's against it, none goes against that: what crosses in a ring could as well be pushed through.
 */
function directionsOf(
  pairs: Uint32Array,
  sides: readonly [PatchIndex, PatchIndex],
  ends: readonly [Float64Array, Float64Array],
): Vec3[] {
  const facing: [number, number, number] = [0, 0, 0];
  let area = 0;
  const [a, b] = sides.map((side, s) => {
    const patches = [...new Set(Array.from(pairs, (pair) => side.patchOf[pair]))];
    const step = Math.ceil((ENDS * patches.length) / HULL_POINTS);
    const points: number[] = [];
    for (let i = 0; i < ENDS * patches.length; i += step) {
      const at = 3 * (ENDS * patches[Math.floor(i / ENDS)] + (i % ENDS));
      points.push(ends[s][at], ends[s][at + 1], ends[s][at + 2]);
    }
    for (const patch of patches) {
      const own = side.facing.subarray(3 * patch, 3 * patch + 3);
      for (let k = 0; k < 3; k++) facing[k] += s === 0 ? own[k] : -own[k];
      area += Math.hypot(...own);
    }
    return Float64Array.from(points);
  });
  const [from, to] = [middleOf(a), middleOf(b)];
  const between = unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const apart = separateHulls(a, b)?.direction;
  const directions = [...(apart ? [apart] : []), between].filter((direction) =>
    direction.some((x) => x !== 0),
  );
  if (!(Math.hypot(...facing) > NO_FACING * area)) return directions.length > 0 ? directions : [[0, 0, 1]];
  const isAlong = ([x, y, z]: Vec3) => x * facing[0] + y * facing[1] + z * facing[2] > 0;
  return [...directions.filter(isAlong), unit(facing)];
}

function middleOf(points: Float64Array): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < points.length; i++) sum[i % 3] += (3 * points[i]) / points.length;
  return sum;
}

interface NormalDepth {
  readonly normal: Vec3;
  readonly depth: readonly [number, number];
}

/** Of each region's directions the one along which its depth is least, as far as is known. */
async function depthsOf(
  { count }: WithinResult<PartsTarget>,
  regions: readonly Uint32Array[],
  directions: readonly (readonly Vec3[])[],
  sides: readonly [PatchIndex, PatchIndex],
): Promise<NormalDepth[]> {
  const regionOf = new Uint32Array(count);
  regions.forEach((pairs, region) => {
    for (const pair of pairs) regionOf[pair] = region;
  });
  // of each region and direction: how far a's part reaches along it and b's against it, at most and at least
  const reaches = directions.map((own) => own.map(() => sides.map(() => [-Infinity, -Infinity])));
  for (const [s, side] of sides.entries()) {
    const sign = s === 0 ? 1 : -1;
    await side.each((patch, corners) => {
      const { out, in: inner } = side.errorsOf(patch);
      const own = side.pairs.subarray(side.first[patch], side.first[patch + 1]);
      for (const region of new Set(own.map((pair) => regionOf[pair]))) {
        directions[region].forEach(([x, y, z], d) => {
          let most = -Infinity;
          for (let i = 0; i < corners.length; i += 3) {
            const along = sign * (x * corners[i] + y * corners[i + 1] + z * corners[i + 2]);
            if (along > most) most = along;
          }
          const reach = reaches[region][d][s];
          reach[0] = Math.max(reach[0], most - inner);
          reach[1] = Math.max(reach[1], most + Math.max(out, inner));
        });
      }
    });
  }
  const rounding = 4 * (sides[0].rounding + sides[1].rounding);
  return directions.map((own, region) => {
    const depths = own.map((normal, d): NormalDepth => {
      const [a, b] = reaches[region][d];
      return { normal, depth: [Math.max(0, a[0] + b[0] - rounding), Math.max(0, a[1] + b[1] + rounding)] };
    });
    return depths.reduce((best, other) => (other.depth[1] < best.depth[1] ? other : best));
  });
}

function describe(
  { objects, patches }: WithinResult<PartsTarget>,
  pairs: Uint32Array,
  places: Float64Array,
  distance: number,
  depth: NormalDepth,
): TargetContactRegion {
  const bounds: [number, number] = [Infinity, Infinity];
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let nearest = pairs[0];
  for (const pair of pairs) {
    const [lower, upper] = patches ? patches.bounds.subarray(2 * pair, 2 * pair + 2) : [0, distance];
    bounds[0] = Math.min(bounds[0], lower);
    if (upper < bounds[1]) {
      bounds[1] = upper;
      nearest = pair;
    }
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], places[6 * pair + k]);
      max[k] = Math.max(max[k], places[6 * pair + 3 + k]);
    }
  }
  const middle = (k: number) => 0.5 * (places[6 * nearest + k] + places[6 * nearest + 3 + k]);
  return {
    objectA: objects[2 * pairs[0]],
    objectB: objects[2 * pairs[0] + 1],
    pairs,
    bounds,
    box: { min, max },
    point: [middle(0), middle(1), middle(2)],
    ...depth,
  };
}
