/** Boxes of posed meshes in float64: around every vertex, where it comes to lie. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';

/** Minimum and maximum of nothing. */
export function emptyBox(): Float64Array {
  return new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
}

/** Writes minimum and maximum of the posed vertices to out[o .. o + 6). */
export function writePlacedBox(
  mesh: Mesh,
  pose: Readonly<RigidPose> | undefined,
  out: Float64Array,
  o: number,
): void {
  const p = pose ?? IDENTITY;
  if (isAxisTurn(p)) writeTurnedBox(mesh, p, out, o);
  else writePosedBox(mesh, p, out, o);
}

/** Whether the rotation maps axes to axes: then the rotated box of the mesh is the box of the rotated mesh. */
function isAxisTurn(p: Readonly<RigidPose>): boolean {
  for (let i = 0; i < 9; i++) if (p[i] !== 0 && p[i] !== 1 && p[i] !== -1) return false;
  return true;
}

function writeTurnedBox(mesh: Mesh, p: Readonly<RigidPose>, out: Float64Array, o: number): void {
  const { min, max } = mesh.box;
  for (let row = 0; row < 3; row++) {
    let lo = p[9 + row];
    let hi = lo;
    for (let k = 0; k < 3; k++) {
      const s = p[3 * row + k];
      if (s > 0) {
        lo += min[k];
        hi += max[k];
      } else if (s < 0) {
        lo -= max[k];
        hi -= min[k];
      }
    }
    out[o + row] = lo;
    out[o + 3 + row] = hi;
  }
}

function writePosedBox(mesh: Mesh, p: Readonly<RigidPose>, out: Float64Array, o: number): void {
  const positions = mesh.storedPositions;
  const [ox, oy, oz] = mesh.origin;
  for (let row = 0; row < 3; row++) {
    const a = p[3 * row];
    const b = p[3 * row + 1];
    const c = p[3 * row + 2];
    let lo = Infinity;
    let hi = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
      const x = a * (positions[i] + ox) + b * (positions[i + 1] + oy) + c * (positions[i + 2] + oz);
      if (x < lo) lo = x;
      if (x > hi) hi = x;
    }
    out[o + row] = lo + p[9 + row];
    out[o + 3 + row] = hi + p[9 + row];
  }
}
