/** Originals in plain arrays, for comparison with answers. */
import { LevelsTarget } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { Mesh, within } from 'impinge';
import { readBinaryPly } from './binary-ply.mjs';

/** Both sides of a job (a, b: PLY files; storeA, storeB; size) as arrays, meshes and stores with levels. */
export async function openSides(job) {
  const arrays = [readBinaryPly(job.a), readBinaryPly(job.b)];
  const targets = [];
  for (const store of [job.storeA, job.storeB]) targets.push(new LevelsTarget(await openStoreFile(store)));
  // coordinates of the models' size are rounded by about `tiny`
  return { arrays, meshes: arrays.map((mesh) => Mesh.from(mesh)), targets, tiny: 1e-9 * job.size };
}

/** Nine numbers. */
export function cornersOf({ positions, indices }, triangle) {
  const corners = new Float64Array(9);
  for (let i = 0; i < 9; i++) corners[i] = positions[3 * indices[3 * triangle + Math.floor(i / 3)] + (i % 3)];
  return corners;
}

export function posed(points, { rotation: r, translation: t }) {
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      out[i + k] = r[3 * k] * points[i] + r[3 * k + 1] * points[i + 1] + r[3 * k + 2] * points[i + 2] + t[k];
    }
  }
  return out;
}

/** Up to `most` numbers below a count, evenly spaced. */
export function sample(count, most) {
  const taken = Math.min(count, most);
  return Array.from({ length: taken }, (_, i) => Math.floor(((i + 0.5) * count) / taken));
}

/** Corners of the i-th patch of an answer in its own frame, and the bound on the distance of its originals. */
export async function patchOf(targets, found, i) {
  const target = targets[i % 2];
  const [object, piece] = [found.objects[i], found.pieces[i]];
  const [first, count] = [found.patches.firsts[i], found.patches.counts[i]];
  const { corners } = await target.trianglesOf({ object, piece, first, count });
  return { corners, ...target.errorsOf(object, piece) };
}

/** The original triangles within a distance of a patch. */
export function trianglesNear(mesh, { corners }, near) {
  const patch = Mesh.from({ positions: corners });
  const { pairs } = within(mesh, patch, { distance: near });
  patch.dispose();
  return new Set(pairs.filter((_, i) => i % 2 === 0));
}

/** Some triangles of a mesh as a mesh. */
export function submesh(originals, triangles) {
  if (triangles.size === 0) return undefined;
  const positions = new Float64Array(9 * triangles.size);
  [...triangles].forEach((t, i) => {
    positions.set(cornersOf(originals, t), 9 * i);
  });
  return Mesh.from({ positions });
}
