/** Which objects of a scene meet, or come too close, and where: the scene finds near pairs, the kernels decide. */
import { readFunction, readKnown, readLength } from '../../base/options.js';
import { assertScene, type Scene, type SceneObject, type SlotObject } from '../../scene/scene.js';
import { readLimit } from '../pair/collide.js';
import type { QueryStats } from '../pair/context.js';
import { withinEachKept } from './kept-answers.js';

export interface CollideAllOptions {
  /** `all` triangle pairs of each object pair (default), or `any` one of them. */
  readonly mode?: 'any' | 'all';
  /** Most triangle pairs per object pair (default Infinity). */
  readonly limit?: number;
  /** Report pairs at most this far apart as well, in the meshes' unit (default 0: meeting pairs). */
  readonly distance?: number;
  /** Leave out pairs of objects for which this is false. */
  readonly filter?: (a: SceneObject, b: SceneObject) => boolean;
}

const NAMES = { mode: true, limit: true, distance: true, filter: true } as const;

export interface ObjectPair {
  readonly a: SceneObject;
  readonly b: SceneObject;
  /** Triangle of a, triangle of b, alternating; sorted. Of a primitive, 0. */
  readonly pairs: Uint32Array;
  readonly count: number;
  readonly complete: boolean;
}

export interface CollideAllResult {
  readonly count: number;
  /** Object pairs that meet, ordered by a, then b, as the scene orders its objects. */
  readonly pairs: readonly ObjectPair[];
  /** False where triangle pairs were left out; no object pair ever is. */
  readonly complete: boolean;
  readonly error: number;
  readonly stats: QueryStats & { readonly candidates: number };
}

/**
 * Finds all pairs of objects in a scene that meet, or come within `distance`. Asked again for the same, it looks only
 * at pairs of which one has moved or changed; `stats` counts these. In mode `any`, it looks at the triangles that met
 * before first.
 */
export function collideAll(scene: Scene, options: CollideAllOptions = {}): CollideAllResult {
  const { limit, distance, filter } = readAsked('collideAll', options);
  assertScene(scene);
  const { objects, near } = scene.nearPairs(distance);
  const kept = filter ? near.filter(keeping(objects, near, filter)) : near;
  const primitiveOf = (i: number) => objects[kept[i & ~1]]!.primitive ?? objects[kept[i | 1]]!.primitive;
  const asked = scene.hasPrimitives ? kept.filter((_, i) => !primitiveOf(i)) : kept;
  const pairs: ObjectPair[] = [];
  const stats = withinEachKept(scene, objects, asked, { limit, distance }, (a, b, found) => {
    pairs.push({ a, b, count: found.count, pairs: found.pairs, complete: found.complete });
  });
  for (let i = 0; scene.hasPrimitives && i < kept.length; i += 2) {
    const [a, b] = [objects[kept[i]]!, objects[kept[i + 1]]!];
    const found = primitiveOf(i)?.within(a, b, distance, limit);
    if (found) pairs.push({ a, b, ...found });
  }
  if (asked.length < kept.length) pairs.sort(bySlots);
  return { ...asResult(pairs), stats: { ...stats, candidates: kept.length / 2 } };
}

/** The order of pairs. */
export function bySlots(p: ObjectPair, q: ObjectPair): number {
  const slot = (object: SceneObject) => (object as SlotObject).slot;
  return slot(p.a) - slot(q.a) || slot(p.b) - slot(q.b);
}

/**
 * Whether a number of a list of pairs belongs to one that the filter lets pass; it is asked once per pair, in order.
 */
function keeping(
  objects: readonly (SceneObject | undefined)[],
  near: Uint32Array,
  filter: (a: SceneObject, b: SceneObject) => boolean,
): (number: number, at: number) => boolean {
  let passes = false;
  return (_, at) => {
    if (at % 2 === 0) passes = filter(objects[near[at]]!, objects[near[at + 1]]!);
    return passes;
  };
}

/** What is asked for, complete and checked. */
export function readAsked(call: string, options: CollideAllOptions) {
  readKnown(call, options, NAMES);
  const limit = readLimit(options);
  const { filter } = options;
  if (filter) readFunction('filter', filter);
  return { limit, distance: readLength('distance', options.distance ?? 0), filter };
}

export function asResult(pairs: readonly ObjectPair[]): Omit<CollideAllResult, 'stats'> {
  return { count: pairs.length, pairs, complete: pairs.every(({ complete }) => complete), error: 0 };
}
