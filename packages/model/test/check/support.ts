/** Objects to measure clashes of: meshes split into parts at random, placed anywhere. */
import { IDENTITY, posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { Arrays } from '../../../impinge/test/query/solid/solids.js';
import { CLASH_KINDS } from '../../src/check/clash-kinds.js';
import type { PlacedParts } from '../../src/check/measure-pair.js';

export const ALL_KINDS = 2 ** CLASH_KINDS.length - 1;

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
  return {
    parts: { meshes, closed: isClosed(whole) },
    pose,
    box: boxOf(whole, pose),
    triangleCount: whole.triangleCount,
    rounding: 0,
    curveError: 0,
  };
}

export function placedMesh(mesh: Mesh, pose: RigidPose = identity()): PlacedParts {
  return {
    parts: { meshes: [mesh], closed: isClosed(mesh) },
    pose,
    box: boxOf(mesh, pose),
    triangleCount: mesh.triangleCount,
    rounding: 0,
    curveError: 0,
  };
}

function boxOf({ positions, origin }: Mesh, pose: RigidPose): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  const p = [0, 0, 0];
  for (let v = 0; v < positions.length; v += 3) {
    posePoint(
      pose,
      positions[v] + origin[0],
      positions[v + 1] + origin[1],
      positions[v + 2] + origin[2],
      p,
      0,
    );
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], p[k]);
      box[3 + k] = Math.max(box[3 + k], p[k]);
    }
  }
  return box;
}
