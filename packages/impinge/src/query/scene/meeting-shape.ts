/** What of a scene or an engine meets a shape. */
import { NearestFirst } from '../../scene/nearest-first.js';
import type { Scene, SlotObject } from '../../scene/scene.js';
import type { QueryEngine } from '../pair/engine.js';
import { findTriangles } from '../shape/find-triangles.js';
import { readPlace } from '../shape/mesh-place.js';
import type { WorldShape } from '../shape/shape-input.js';
import type { Place, Target } from '../target.js';
import { eachPart, type PosedMesh } from './placed-target.js';
import { gapToShape } from './primitive-pairs.js';
import { boxOfShape, gapFromShape } from './shape-bounds.js';

/** What of an object of a scene, or of a piece of an engine, meets a shape. */
export type ObjectTriangles<T extends Target> = Place<T> & { readonly triangles: Uint32Array };

/** Whether any triangle of a scene does. */
export function meetsScene(walk: NearestFirst, shape: WorldShape): boolean {
  let meets = false;
  walk.visit(gapFromShape(shape), 0, (object) => {
    meets = trianglesOfObject(object, shape, true).length > 0;
    return meets ? -1 : 0;
  });
  return meets;
}

/** The objects of a scene of which triangles do, in order, with all of them, or with `any` one. */
export function objectsMeeting(scene: Scene, shape: WorldShape, any: boolean): ObjectTriangles<Scene>[] {
  const found: { object: SlotObject; triangles: Uint32Array }[] = [];
  new NearestFirst(scene).visit(gapFromShape(shape), 0, (object) => {
    const triangles = trianglesOfObject(object, shape, any);
    if (triangles.length > 0) found.push({ object, triangles });
    return 0;
  });
  return found.sort((p, q) => p.object.slot - q.object.slot);
}

/** The pieces of an engine of which triangles do, in order, with all of them, or `any` one. */
export async function partsMeeting(
  engine: QueryEngine,
  shape: WorldShape,
  any: boolean,
): Promise<ObjectTriangles<QueryEngine>[]> {
  const found: ObjectTriangles<QueryEngine>[] = [];
  const bound = gapFromShape(shape);
  const limit = () => 0;
  await eachPart(engine, { near: boxOfShape(shape), distance: limit, bound, limit }, (part) => {
    const triangles = trianglesOf(part, shape, any);
    if (triangles.length > 0) found.push({ object: part.object, piece: part.piece, triangles });
    return any && found.length > 0;
  });
  return found.sort((p, q) => p.object - q.object || p.piece - q.piece);
}

/** The one triangle of a primitive is 0. */
function trianglesOfObject(object: SlotObject, shape: WorldShape, any: boolean): Uint32Array {
  if (!object.primitive) return trianglesOf(object, shape, any);
  return gapToShape(object, shape).distance === 0 ? Uint32Array.of(0) : new Uint32Array(0);
}

function trianglesOf(posed: PosedMesh, shape: WorldShape, any: boolean): Uint32Array {
  const met = findTriangles(shape, posed.mesh, readPlace(posed.pose), any);
  return met instanceof Uint32Array ? met : Uint32Array.from(met);
}
