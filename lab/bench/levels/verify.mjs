/**
 * A separate process that compares answers at a permitted error with those of exact queries, pose by pose.
 *
 *   node lab/bench/levels/verify.mjs JOB        JSON: a, b (PLY files), storeA, storeB, poses, distance, errors
 *
 * For a sample of the pairs of triangles that exact queries find, one of the reported patches must represent the pair.
 * For a sample of the reported patches, the originals they represent must come as near as promised. Distances must lie
 * within their bounds. Prints the number of comparisons and the errors.
 */
import { distance, within } from 'impinge';
import { distanceSqPointTriangle, distanceSqTriangleTriangle } from 'impinge/geometry';
import { readPoses } from '../protocol.mjs';
import { cornersOf, openSides, patchOf, posed, sample, submesh, trianglesNear } from './originals.mjs';

const PAIRS = 100;
/** Fewer: each takes a search among the originals of a whole piece. */
const PATCHES = 5;

const job = JSON.parse(process.argv[2]);
const { arrays, meshes, targets, tiny } = await openSides(job);

const failures = [];
const compared = { originals: 0, patches: 0, distances: 0 };
for (const [i, { rotation, translation }] of readPoses(job.poses).entries()) {
  const pose = { rotation, translation };
  const exact = within(...meshes, { pose, distance: job.distance });
  const apart = distance(...meshes, { pose }).distance;
  for (const error of job.errors) {
    const wrong = (what) => failures.push(`pose ${i}, error ${error}: ${what}`);
    const found = await within(...targets, { pose, distance: job.distance, error });
    if (found.count > 0 || exact.count > 0) await comparePairs(exact, found, pose, error, wrong);
    const [lower, upper] = (await distance(...targets, { pose, error })).bounds;
    compared.distances++;
    if (!(lower <= apart + tiny && apart <= upper + tiny)) wrong(`${apart} is not in ${lower} … ${upper}`);
    if (!(upper - lower <= error + tiny)) wrong(`${lower} … ${upper} is wider than the error`);
  }
}
console.log(JSON.stringify({ compared, failures }));

async function comparePairs(exact, found, pose, error, wrong) {
  const patches = [];
  for (let i = 0; i < 2 * found.count; i++) patches.push(await placedPatch(found, i, pose));
  const witness = new Float64Array(8);
  for (const p of sample(exact.count, PAIRS)) {
    const a = cornersOf(arrays[0], exact.pairs[2 * p]);
    const b = posed(cornersOf(arrays[1], exact.pairs[2 * p + 1]), pose);
    const near = Math.sqrt(distanceSqTriangleTriangle(a, 0, b, 0, witness));
    const [pointA, pointB] = [witness.slice(0, 3), witness.slice(3, 6)];
    let stoodFor = false;
    for (let i = 0; i < found.count && !stoodFor; i++) {
      stoodFor =
        found.patches.bounds[2 * i] <= near + tiny &&
        isNear(pointA, patches[2 * i]) &&
        isNear(pointB, patches[2 * i + 1]);
    }
    compared.originals++;
    if (!stoodFor) wrong(`nothing stands for triangles ${exact.pairs[2 * p]} and ${exact.pairs[2 * p + 1]}`);
  }
  for (const i of sample(found.count, PATCHES)) {
    const upper = found.patches.bounds[2 * i + 1];
    if (!(upper <= job.distance + error + tiny)) wrong(`bound ${upper} of patch ${i} is too large`);
    const own = [originalsOf(0, patches[2 * i]), originalsOf(1, patches[2 * i + 1])];
    const least = own.every(Boolean) ? distance(own[0], own[1], { pose }).distance : Infinity;
    for (const mesh of own) mesh?.dispose();
    compared.patches++;
    if (!(least <= upper + tiny)) wrong(`originals of patch ${i} come as near as ${least}, not ${upper}`);
  }
}

/** A patch with its corners also in a's frame, and its box. */
async function placedPatch(found, i, pose) {
  const own = await patchOf(targets, found, i);
  const corners = i % 2 === 0 ? own.corners : posed(own.corners, pose);
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  corners.forEach((x, c) => {
    box[c % 3] = Math.min(box[c % 3], x);
    box[3 + (c % 3)] = Math.max(box[3 + (c % 3)], x);
  });
  return { ...own, own, corners, box };
}

function isNear(point, { corners, box, out }) {
  const reach = out + tiny;
  for (let k = 0; k < 3; k++) if (point[k] < box[k] - reach || point[k] > box[3 + k] + reach) return false;
  for (let t = 0; t < corners.length; t += 9) {
    if (distanceSqPointTriangle(point, 0, corners, t) <= reach * reach) return true;
  }
  return false;
}

/** The originals that a patch may represent, in their own frame. */
function originalsOf(side, { own }) {
  return submesh(arrays[side], trianglesNear(meshes[side], own, own.in + tiny));
}
