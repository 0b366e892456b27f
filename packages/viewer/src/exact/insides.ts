/**
 * What lies inside what, of a moved object and others whose surfaces it does not meet.
 *
 * Idea: surfaces that do not meet have each connected part inside or outside as a whole, so one point of each tells.
 */
import type { StoredModel, StoredTarget } from '@impinge/model';
import type { Mesh, Vec3 } from 'impinge';
import { componentPoints } from './component-points.js';
import { boxOf, posed, unposed } from './poses.js';

export interface MovedObject {
  readonly object: number;
  readonly meshes: readonly Mesh[];
  readonly pose: Float64Array;
}

/** Whether a part of a moved object lies in a closed one, of those that `counts`. */
export async function liesInside(
  stored: StoredTarget,
  model: StoredModel,
  { meshes, pose }: MovedObject,
  counts: (other: number) => boolean,
): Promise<boolean> {
  const points = meshes.flatMap((mesh) => componentPoints(mesh).map((point) => posed(pose, point)));
  for (const other of objectsNear(model, boxOf(meshes, pose))) {
    if (!counts(other) || !model.isClosed(other)) continue;
    const around = model.box(other);
    for (const point of points) {
      if (contains(around, point) && (await stored.isInside(other, point))) return true;
    }
  }
  return false;
}

/** Whether a component of a part of another object lies in a moved one, which must be closed. */
export async function holds(
  stored: StoredTarget,
  model: StoredModel,
  { object, meshes, pose }: MovedObject,
  part: { readonly mesh: Mesh; readonly pose: Float64Array },
): Promise<boolean> {
  const box = boxOf(meshes, pose);
  for (const own of componentPoints(part.mesh)) {
    const point = posed(part.pose, own);
    if (!contains(box, point)) continue;
    const before = posed(model.pose(object), unposed(pose, point));
    if (await stored.isInside(object, before)) return true;
  }
  return false;
}

/** Objects with boxes that come within `apart` of a box on every axis. */
export function objectsNear(
  { directory: { objectBox } }: StoredModel,
  box: Float64Array,
  apart = 0,
): number[] {
  const out: number[] = [];
  for (let at = 0; at < objectBox.length; at += 6) {
    if (
      objectBox[at] <= box[3] + apart &&
      objectBox[at + 1] <= box[4] + apart &&
      objectBox[at + 2] <= box[5] + apart &&
      objectBox[at + 3] >= box[0] - apart &&
      objectBox[at + 4] >= box[1] - apart &&
      objectBox[at + 5] >= box[2] - apart
    ) {
      out.push(at / 6);
    }
  }
  return out;
}

function contains(box: Float64Array, point: Vec3): boolean {
  return [0, 1, 2].every((k) => box[k] <= point[k] && point[k] <= box[3 + k]);
}
