/** Objects to measure clashes of: meshes split into parts at random, placed anywhere. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { type Arrays, box, moved } from '../../../impinge/test/query/solid/solids.js';
import { CLASH_KINDS } from '../../src/check/clash-kinds.js';
import type { PlacedParts } from '../../src/check/measure-pair.js';
import { writePlacedBox } from '../../src/store/placed-box.js';

export const ALL_KINDS = 2 ** CLASH_KINDS.length - 1;
/** To report every clash. */
export const ask = { clearance: 0, tolerance: 0, kinds: ALL_KINDS };

export const identity = (): RigidPose => Float64Array.from(IDENTITY);

/** A turn about an axis, then a shift. */
export function poseOf(
  axis: readonly number[],
  angle: number,
  shift: readonly number[] = [0, 0, 0],
): RigidPose {
  const length = Math.hypot(...axis);
  const [x, y, z] = axis.map((u) => u / length);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return Float64Array.of(
    c + x * x * d,
    x * y * d - z * s,
    x * z * d + y * s,
    y * x * d + z * s,
    c + y * y * d,
    y * z * d - x * s,
    z * x * d - y * s,
    z * y * d + x * s,
    c + z * z * d,
    ...shift,
  );
}

/** A box from corner to corner. */
export function block(min: readonly number[], max: readonly number[]): Arrays {
  const size = max.map((x, k) => x - min[k]);
  const middle = max.map((x, k) => 0.5 * (x + min[k]));
  return moved(box(size[0], size[1], size[2]), middle[0], middle[1], middle[2]);
}

/** The triangles of a mesh as one object; `split` says for each triangle which part it goes to. */
export function placed(
  arrays: Arrays,
  pose: RigidPose = identity(),
  split: (triangle: number) => number = () => 0,
): PlacedParts {
  const whole = Mesh.from(arrays);
  const groups = new Map<number, number[]>();
  for (let t = 0; t < whole.triangleCount; t++) {
    const part = split(t);
    if (!groups.has(part)) groups.set(part, []);
    groups.get(part)!.push(arrays.indices[3 * t], arrays.indices[3 * t + 1], arrays.indices[3 * t + 2]);
  }
  const meshes = [...groups.values()].map((indices) => Mesh.from({ positions: arrays.positions, indices }));
  const { parts, ...object } = placedMesh(whole, pose);
  return { ...object, parts: { ...parts, meshes } };
}

export function placedMesh(mesh: Mesh, pose: RigidPose = identity()): PlacedParts {
  const box = new Float64Array(6);
  writePlacedBox(mesh, pose, box, 0);
  return {
    parts: { meshes: [mesh], closed: isClosed(mesh) },
    pose,
    box,
    triangleCount: mesh.triangleCount,
    rounding: 0,
    curveError: 0,
  };
}
