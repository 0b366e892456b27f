/** What of a target's parts meets a shape. */
import type { Scene } from '../../scene/scene.js';
import { findTriangles } from '../shape/find-triangles.js';
import { readPlace } from '../shape/mesh-place.js';
import type { WorldShape } from '../shape/shape-input.js';
import { type PartsTarget, type Place, type TargetPart, type TargetParts, whenVisited } from '../target.js';
import { gapFromShape } from './shape-bounds.js';

/** What of an object of a scene, or of a piece of an object, meets a shape. */
export type ObjectTriangles<T extends Scene | PartsTarget> = Place<T> & { readonly triangles: Uint32Array };

type Met = TargetPart['place'] & { readonly triangles: Uint32Array };

/** The parts of which triangles do, in order: with all of them, with any `one` of each, or only the `first` found. */
export function partsMeeting(
  target: TargetParts,
  shape: WorldShape,
  wanted: 'all' | 'one' | 'first',
): Met[] | Promise<Met[]> {
  const found: { readonly slot: number; readonly met: Met }[] = [];
  const visited = target.eachPart(gapFromShape(shape), 0, (part) => {
    const triangles = trianglesOf(part, shape, wanted !== 'all');
    if (triangles.length === 0) return 0;
    found.push({ slot: part.slot, met: { ...part.place, triangles } });
    return wanted === 'first' ? -1 : 0;
  });
  return whenVisited(visited, () => found.sort((p, q) => p.slot - q.slot).map(({ met }) => met));
}

/** The one triangle of a primitive is 0. */
function trianglesOf(part: TargetPart, shape: WorldShape, any: boolean): Uint32Array {
  const { primitive, pose } = part;
  if (primitive) return Uint32Array.from(primitive.gap(pose, shape).distance === 0 ? [0] : []);
  const met = findTriangles(shape, part.mesh, readPlace(pose), any);
  return met instanceof Uint32Array ? met : Uint32Array.from(met);
}
