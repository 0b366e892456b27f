/** What one object of a scene meets, or comes too close to: only what is near it is asked about. */
import { assertScene, type Scene, type SceneObject, type SlotObject } from '../../scene/scene.js';
import { withinEach } from '../pair/many-pairs.js';
import { swapPairs } from '../pair/pair-list.js';
import {
  asResult,
  bySlots,
  type CollideAllOptions,
  type CollideAllResult,
  type ObjectPair,
  readAsked,
} from './collide-all.js';

/**
 * Finds the objects of a scene that `object` meets, or comes within `distance` of: of each pair that `collideAll` would
 * find with it, the object is `a`; ordered by `b` as the scene orders its objects.
 */
export function collideOne(
  scene: Scene,
  object: SceneObject,
  options: CollideAllOptions = {},
): CollideAllResult {
  const { limit, distance, filter } = readAsked('collideOne', options);
  assertScene(scene);
  const own = scene.slotOf(object);
  const others = scene.near(object, distance) as SlotObject[];
  const things: SlotObject[] = [object as SlotObject];
  const asked: number[] = [];
  const pairs: ObjectPair[] = [];
  let candidates = 0;
  for (const other of others) {
    if (filter && !filter(object, other)) continue;
    candidates++;
    const primitive = object.primitive ?? other.primitive;
    if (primitive) {
      const found = primitive.within(object as SlotObject, other, distance, limit);
      if (found) pairs.push({ a: object, b: other, ...found });
      continue;
    }
    // of two objects the one in the earlier slot is the first, as in collideAll: exact answers are about its numbers
    asked.push(...(other.slot < own ? [things.length, 0] : [0, things.length]));
    things.push(other);
  }
  const special = pairs.length;
  const stats = withinEach(things, Uint32Array.from(asked), { limit, distance }, (i, j, found) => {
    const { count, complete } = found;
    pairs.push({
      a: object,
      b: things[i + j],
      count,
      pairs: i === 0 ? found.pairs : swapPairs(found.pairs),
      complete,
    });
  });
  if (special > 0) pairs.sort(bySlots);
  return { ...asResult(pairs), stats: { ...stats, candidates } };
}
