/**
 * What was found between the objects of a scene when it was last asked, so that pairs of which neither has moved or changed since are
 * not asked again.
 *
 * Idea: an object's pose is another array after every move, and its mesh counts its changes, so two comparisons tell whether it is as it
 * was. Lists of near pairs are in order: one pass over the old one and the new one finds what they have in common.
 * Invariant: nothing of the scene is kept but numbers and poses; answers are copies, whatever callers do to theirs.
 * Who asks once pays nothing: answers are kept from the second question on.
 */
import type { Scene, SlotObject } from '../../scene/scene.js';
import type { QueryStats } from '../pair/context.js';
import { withinEach } from '../pair/many-pairs.js';

/** Which triangles of two objects meet. */
export interface Found {
  readonly count: number;
  readonly pairs: Uint32Array;
  readonly complete: boolean;
}

interface Ask {
  readonly limit: number;
  readonly distance: number;
}

interface Kept extends Ask {
  /** By slot: id, pose and revision of the mesh. */
  readonly ids: readonly number[];
  readonly poses: readonly (ArrayLike<number> | undefined)[];
  readonly revisions: readonly number[];
  /** Two slots for each pair, and what was found. */
  readonly near: Uint32Array;
  readonly found: readonly (Found | undefined)[];
}

/** Where more triangles meet than this, the answer is not kept. */
const MOST_KEPT = 1 << 22;

/** `undefined`: asked once. */
const answers = new WeakMap<Scene, Kept | undefined>();

/** As `withinEach`, of pairs of objects that are meshes. */
export function withinEachKept(
  scene: Scene,
  objects: readonly (SlotObject | undefined)[],
  pairs: Uint32Array,
  ask: Ask,
  visit: (a: SlotObject, b: SlotObject, found: Found) => void,
): QueryStats {
  const asksAgain = answers.has(scene);
  const last = answers.get(scene);
  const same = last?.limit === ask.limit && last.distance === ask.distance ? last : undefined;
  const found: (Found | undefined)[] = new Array(pairs.length / 2);
  const asked = same ? takeKept(same, objects, pairs, found) : pairs;
  let next = 0; // both lists are in order
  const stats = withinEach(objects, asked, ask, (i, j, result) => {
    while (pairs[next] !== i || pairs[next + 1] !== j) next += 2;
    found[next / 2] = result;
  });
  let total = 0;
  for (let k = 0; k < found.length; k++) {
    const one = found[k];
    if (!one) continue;
    total += one.count;
    visit(objects[pairs[2 * k]]!, objects[pairs[2 * k + 1]]!, asksAgain ? copyOf(one) : one);
  }
  answers.set(scene, asksAgain && total <= MOST_KEPT ? keep(objects, pairs, found, ask) : undefined);
  return stats;
}

function copyOf({ count, pairs, complete }: Found): Found {
  return { count, pairs: pairs.slice(), complete };
}

/** Fills in what is known already; returns the other pairs. */
function takeKept(
  kept: Kept,
  objects: readonly (SlotObject | undefined)[],
  pairs: Uint32Array,
  found: (Found | undefined)[],
): Uint32Array {
  const { near, ids, poses, revisions } = kept;
  const isSame = new Uint8Array(objects.length);
  for (const i of pairs) {
    if (isSame[i]) continue;
    const { slot, id, pose, mesh } = objects[i]!;
    mesh.assertLive();
    isSame[i] = ids[slot] === id && poses[slot] === pose && revisions[slot] === mesh.revision ? 1 : 2;
  }
  const others = new Uint32Array(pairs.length);
  let count = 0;
  let at = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    const [i, j] = [pairs[k], pairs[k + 1]];
    const [a, b] = [objects[i]!.slot, objects[j]!.slot];
    while (at < near.length && (near[at] < a || (near[at] === a && near[at + 1] < b))) at += 2;
    if (isSame[i] === 1 && isSame[j] === 1 && near[at] === a && near[at + 1] === b) {
      found[k / 2] = kept.found[at / 2];
    } else {
      others[count++] = i;
      others[count++] = j;
    }
  }
  return others.subarray(0, count);
}

function keep(
  objects: readonly (SlotObject | undefined)[],
  pairs: Uint32Array,
  found: readonly (Found | undefined)[],
  { limit, distance }: Ask,
): Kept {
  const near = new Uint32Array(pairs.length);
  const ids: number[] = [];
  const poses: ArrayLike<number>[] = [];
  const revisions: number[] = [];
  for (const object of objects) {
    if (!object || object.primitive) continue;
    ids[object.slot] = object.id;
    poses[object.slot] = object.pose;
    revisions[object.slot] = object.mesh.revision;
  }
  for (let k = 0; k < pairs.length; k++) near[k] = objects[pairs[k]]!.slot;
  return { limit, distance, ids, poses, revisions, near, found };
}
