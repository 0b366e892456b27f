/**
 * A separate process that compares contact regions and ways out at a permitted error with the originals, pose by pose.
 *
 *   node lab/bench/levels/verify-contact.mjs JOB        JSON: a, b (PLY files), storeA, storeB, poses, size,
 *                                                 distance, errors, exactDepths: whether small enough for these
 *
 * Regions. Of the pairs of triangles that exact queries find within the distance, a sample: their nearest points
 * must lie in the box of a region whose distance allows for the pair. Intersection curves of the originals are
 * connected, so each must lie in the box of one region. Originals of some regions, searched again, must come as near as
 * the region says, and its depth along the normal must lie in the interval. Ways out. Moved by the upper bound the
 * originals must be disjoint as solids; moved by less than the lower one, in some directions, they must not. The least
 * depth lies between the two, and between the bounds of exact queries, which are equal for convex solids. Prints the
 * number of comparisons and the errors.
 */
import { collide, contacts, contains, distance, Mesh, penetration, within } from 'impinge';
import { distanceSqPointTriangle, distanceSqTriangleTriangle } from 'impinge/geometry';
import { randomRotation, seededRandom } from '../../scenes/index.mjs';
import { readPoses } from '../protocol.mjs';
import { cornersOf, openSides, patchOf, posed, sample, submesh, trianglesNear } from './originals.mjs';

const PAIRS = 1000;
/** Number of regions of an answer whose originals are searched. */
const REGIONS = 4;
/** Number of patch corners of a region whose nearest originals are searched: those farthest along the normal. */
const CORNERS = 12;
const DIRECTIONS = 8;

const job = JSON.parse(process.argv[2]);
const { arrays, meshes, targets, tiny } = await openSides(job);
const random = seededRandom(13);

const failures = [];
const compared = { pairs: 0, curves: 0, regions: 0, depths: 0, waysOut: 0, shortWays: 0, exactDepths: 0 };
for (const [i, { rotation, translation }] of readPoses(job.poses).entries()) {
  const pose = { rotation, translation };
  const near = nearPointsOf(within(...meshes, { pose, distance: job.distance }), pose);
  const curves = curvesOf(collide(...meshes, { pose }), pose);
  const exact = job.exactDepths ? penetration(...meshes, { pose }) : undefined;
  for (const error of job.errors) {
    const wrong = (what) => failures.push(`pose ${i}, error ${error}: ${what}`);
    const found = await contacts(...targets, { pose, distance: job.distance, error });
    comparePlaces(found, near, curves, wrong);
    for (const r of sample(found.regions.length, REGIONS)) await compareRegion(found, r, pose, wrong);
    compareWayOut(await penetration(...targets, { pose, error }), exact, pose, wrong);
  }
}
console.log(JSON.stringify({ compared, failures }));

/** The nearest points of a sample of pairs, six numbers each in a's frame, and their distances. */
function nearPointsOf({ count, pairs }, pose) {
  return sample(count, PAIRS).map((p) => {
    const a = cornersOf(arrays[0], pairs[2 * p]);
    const b = posed(cornersOf(arrays[1], pairs[2 * p + 1]), pose);
    const witness = new Float64Array(8);
    const apart = Math.sqrt(distanceSqTriangleTriangle(a, 0, b, 0, witness));
    return { points: witness.subarray(0, 6), apart };
  });
}

/** The curves in which intersecting triangles cross. */
function curvesOf({ count, pairs }, pose) {
  if (count === 0) return [];
  const parts = [0, 1].map((side) => submesh(arrays[side], new Set(pairs.filter((_, i) => i % 2 === side))));
  const { regions } = contacts(...parts, { pose });
  for (const part of parts) part.dispose();
  return regions.flatMap((region) => region.curves);
}

function comparePlaces({ regions }, near, curves, wrong) {
  for (const { points, apart } of near) {
    compared.pairs++;
    const isIn = (region) => region.bounds[0] <= apart + tiny && holds(region.box, points);
    if (!regions.some(isIn)) wrong(`no region has originals ${apart} apart at ${points.subarray(0, 3)}`);
  }
  for (const { points } of curves) {
    compared.curves++;
    if (!regions.some(({ box }) => holds(box, points)))
      wrong(`no region has the curve at ${points.subarray(0, 3)}`);
  }
}

function holds({ min, max }, points) {
  return points.every((x, i) => x >= min[i % 3] - tiny && x <= max[i % 3] + tiny);
}

async function compareRegion({ found, regions }, r, pose, wrong) {
  const { pairs, bounds, normal, depth } = regions[r];
  const nearest = pairs.reduce((best, pair) => (upperOf(found, pair) < upperOf(found, best) ? pair : best));
  const parts = [];
  for (const side of [0, 1]) {
    const patch = await patchOf(targets, found, 2 * nearest + side);
    parts.push(submesh(arrays[side], trianglesNear(meshes[side], patch, patch.in + tiny)));
  }
  const least = parts.every(Boolean) ? distance(...parts, { pose }).distance : Infinity;
  for (const part of parts) part?.dispose();
  compared.regions++;
  if (!(least <= bounds[1] + tiny))
    wrong(`originals of region ${r} come as near as ${least}, not ${bounds[1]}`);
  // b's part extends against the normal, rotated into its own frame
  const turned = turnedBack(normal, pose).map((x) => -x);
  const [a, b] = [await reachOf(found, pairs, 0, normal), await reachOf(found, pairs, 1, turned)];
  for (const stray of [...a.stray, ...b.stray]) wrong(`region ${r} has a corner ${stray} beyond its error`);
  const exact = Math.max(0, a.reach + b.reach - dot(normal, pose.translation, 0));
  compared.depths++;
  if (!(depth[0] <= exact + tiny && exact <= depth[1] + tiny)) {
    wrong(`the depth of region ${r} is ${exact}, not in ${depth[0]} … ${depth[1]}`);
  }
}

function upperOf(found, pair) {
  return found.patches.bounds[2 * pair + 1];
}

/**
 * The extent of the originals of a region's patches along a direction, from a sample: originals nearest to the corners
 * give a lower bound, corners of originals near the patches an upper bound.
 */
async function reachOf(found, pairs, side, along) {
  const patches = new Map();
  for (const pair of pairs) {
    const i = 2 * pair + side;
    const key = `${found.pieces[i]} ${found.patches.firsts[i]} ${found.patches.counts[i]}`;
    if (!patches.has(key)) patches.set(key, await patchOf(targets, found, i));
  }
  const ends = [...patches.values()].map((patch) => ({ patch, ...endOf(patch.corners, along) }));
  const top = (reaches) => ends.sort((p, q) => reaches(q) - reaches(p)).slice(0, CORNERS);
  let reach = -Infinity;
  const stray = [];
  for (const { patch, point } of top(({ patch, end }) => end - patch.in)) {
    const dot0 = Mesh.from({ positions: [...point, ...point, ...point] });
    const { distance: apart, pointA } = distance(meshes[side], dot0);
    dot0.dispose();
    if (!(apart <= patch.in + tiny)) stray.push(apart - patch.in);
    reach = Math.max(reach, dot(along, pointA, 0));
  }
  for (const { patch } of top(({ patch, end }) => end + Math.max(patch.out, patch.in))) {
    const near = Math.max(patch.out, patch.in);
    for (const triangle of trianglesNear(meshes[side], patch, near)) {
      const corners = cornersOf(arrays[side], triangle);
      for (let c = 0; c < 9; c += 3) {
        if (dot(along, corners, c) > reach && isNear(corners.subarray(c, c + 3), patch, near)) {
          reach = dot(along, corners, c);
        }
      }
    }
  }
  return { reach, stray };
}

/** The corner farthest along a direction. */
function endOf(corners, along) {
  let [end, at] = [-Infinity, 0];
  for (let i = 0; i < corners.length; i += 3) {
    if (dot(along, corners, i) <= end) continue;
    end = dot(along, corners, i);
    at = i;
  }
  return { end, point: corners.subarray(at, at + 3) };
}

function isNear(point, { corners }, near) {
  for (let t = 0; t < corners.length; t += 9) {
    if (distanceSqPointTriangle(point, 0, corners, t) <= near * near) return true;
  }
  return false;
}

function compareWayOut({ depth, atLeast, direction }, exact, pose, wrong) {
  const after = (by, way) => ({ ...pose, translation: pose.translation.map((x, k) => x + by * way[k]) });
  const areDisjoint = (at) =>
    !collide(...meshes, { pose: at, mode: 'any' }).colliding &&
    contains(...meshes, { pose: at }).relation === 'disjoint';
  compared.waysOut++;
  if (!areDisjoint(after(depth, direction))) wrong(`moved by ${depth} they are not disjoint`);
  if (exact) {
    compared.exactDepths++;
    const [least, most] = [exact.atLeast, exact.depth];
    if (!(atLeast <= most + tiny && depth >= least - tiny)) {
      wrong(`${atLeast} … ${depth} has nothing in common with ${least} … ${most}`);
    }
  }
  if (atLeast === 0) return;
  for (let i = 0; i < DIRECTIONS; i++) {
    const way = i === 0 ? direction : randomRotation(random).slice(0, 3);
    compared.shortWays++;
    if (areDisjoint(after(0.999 * atLeast, way))) wrong(`moved by less than ${atLeast} they are disjoint`);
  }
}

function dot(v, points, at) {
  return v[0] * points[at] + v[1] * points[at + 1] + v[2] * points[at + 2];
}

/** By the transposed rotation. */
function turnedBack(v, { rotation: r }) {
  return [0, 1, 2].map((k) => r[k] * v[0] + r[3 + k] * v[1] + r[6 + k] * v[2]);
}
