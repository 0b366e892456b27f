/**
 * The plain quadric simplifier of the whole mesh (meshoptimizer), and how few triangles it needs for a given deviation.
 *
 * Its own error is an estimate, so the deviation is measured: the farthest of many samples of either surface from the
 * other one. That is a lower bound of the true distance, so whatever it errs by is in the peer's favour.
 */
import { Mesh } from 'impinge';
import { MeshoptSimplifier } from 'meshoptimizer';
import { distanceTo } from '../../../packages/impinge/dist/query/solid/locate.js';

/** Ratio of successive triangle counts. */
const STEP = 1.05;
const SAMPLES = 500_000;

/**
 * The fewest triangles that stay within `deviation` of the mesh, in either direction. More triangles do not always
 * deviate less, so all counts from `from` upwards are tried.
 */
export async function fewestTriangles(mesh, deviation, from) {
  await MeshoptSimplifier.ready;
  const { positions, indices } = mesh;
  const original = Mesh.from(mesh);
  try {
    for (let target = Math.max(1, from); 3 * target < indices.length; target = Math.ceil(STEP * target)) {
      const [left] = MeshoptSimplifier.simplify(indices, positions, 3, 3 * target, 1);
      if (isWithin({ positions, indices: left }, mesh, original, deviation)) return left.length / 3;
    }
    return indices.length / 3;
  } finally {
    original.dispose();
  }
}

/** The distance of the farthest sample of either surface from the other one: out, and in. */
export function sampledDeviations(coarse, fine) {
  const [coarseMesh, fineMesh] = [Mesh.from(coarse), Mesh.from(fine)];
  try {
    return [farthest(fine, coarseMesh, Infinity), farthest(coarse, fineMesh, Infinity)];
  } finally {
    coarseMesh.dispose();
    fineMesh.dispose();
  }
}

function isWithin(coarse, fine, fineMesh, deviation) {
  if (coarse.indices.length === 0) return false;
  const coarseMesh = Mesh.from(coarse);
  try {
    return (
      farthest(fine, coarseMesh, deviation) <= deviation && farthest(coarse, fineMesh, deviation) <= deviation
    );
  } finally {
    coarseMesh.dispose();
  }
}

/** The largest distance of a sample of the triangles from the other surface, or the first one above `enough`. */
function farthest({ positions, indices }, other, enough) {
  const triangles = indices.length / 3;
  const each = Math.max(2, Math.round(SAMPLES / triangles));
  const parts = { meshes: [other], closed: false };
  const point = new Float64Array(3);
  let most = 0;
  // spread over the surface, so that a far point is met early
  const stride = strideFor(triangles);
  for (let i = 0, t = 0; i < triangles * each; i++, t = (t + stride) % triangles) {
    const [u, v] = sampleOf(Math.floor(i / triangles));
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [0, 1, 2].map((corner) => positions[3 * indices[3 * t + corner] + k]);
      point[k] = a + u * (b - a) + v * (c - a) - other.origin[k];
    }
    most = Math.max(most, distanceTo(parts, point));
    if (most > enough) break;
  }
  return most;
}

/** Samples a triangle: a corner, the middle, then ever finer (the golden ratio's low-discrepancy sequence). */
function sampleOf(i) {
  if (i === 0) return [0, 0];
  if (i === 1) return [1 / 3, 1 / 3];
  const [u, v] = [(0.7548776662466927 * i) % 1, (0.5698402909980532 * i) % 1];
  return u + v > 1 ? [1 - u, 1 - v] : [u, v];
}

/** About the golden section of the count, and coprime to it. */
function strideFor(count) {
  let stride = Math.max(1, Math.floor(0.618 * count));
  while (divisor(stride, count) > 1) stride++;
  return stride;
}

function divisor(a, b) {
  return b === 0 ? a : divisor(b, a % b);
}
