/**
 * What was found between the objects of a scene when it was last asked, so that pairs of which neither has moved or
 * changed since are not asked again.
 *
 * Idea: an object's pose is another array after every move, and its mesh counts its changes, so two comparisons tell
 * whether it is as it was. Lists of near pairs are in order: one pass over the old one and the new one finds what they
 * have in common. Where one triangle of each is asked for, those that met are looked at first, wherever the objects are
 * now: most that met still do. Invariant: nothing of the scene is kept but numbers and poses; answers are copies,
 * whatever callers do to theirs. Who asks once pays nothing: answers are kept from the second question on.
 */
import { NOTHING_KNOWN } from '../../kernel/layout.generated.js';
import type { Scene, SlotObject } from '../../scene/scene.js';
import type { QueryStats } from '../pair/context.js';
import { type PairsFound as Found, withinEach } from '../pair/many-pairs.js';

interface Ask {
  readonly limit: number;
  readonly distance: number;
}

interface Kept extends Ask {
  /** By slot: id, pose and revision of the mesh. */
  readonly ids: Float64Array;
  readonly poses: readonly (ArrayLike<number> | undefined)[];
  readonly revisions: Float64Array;
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
  const { asked, met } = same ? takeKept(same, objects, pairs, found) : { asked: pairs, met: undefined };
  let next = 0; // both lists are in order
  const take = (i: number, j: number, result: Found) => {
    while (pairs[next] !== i || pairs[next + 1] !== j) next += 2;
    found[next / 2] = result;
  };
  const stats = withinEach(objects, asked, ask, take, ask.limit === 1 ? met : undefined);
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

const SAME = 1;
const MOVED = 2;
const OTHER = 3;

/**
 * Fills in what is known already; returns the other pairs, and of each a pair of triangles that met, or NOTHING_KNOWN
 * twice.
 */
function takeKept(
  kept: Kept,
  objects: readonly (SlotObject | undefined)[],
  pairs: Uint32Array,
  found: (Found | undefined)[],
): { readonly asked: Uint32Array; readonly met: Uint32Array } {
  const { near, ids, poses, revisions } = kept;
  // objects lie all over memory: they are looked at in their order, not in that of the pairs
  const slots = new Uint32Array(objects.length);
  const state = new Uint8Array(objects.length);
  for (const i of pairs) state[i] = OTHER;
  for (let i = 0; i < state.length; i++) {
    if (state[i] === 0) continue;
    const { slot, id, pose, mesh } = objects[i]!;
    mesh.assertLive();
    slots[i] = slot;
    if (ids[slot] !== id) continue;
    state[i] = poses[slot] === pose && revisions[slot] === mesh.revision ? SAME : MOVED;
  }
  const asked = new Uint32Array(pairs.length);
  const met = new Uint32Array(pairs.length).fill(NOTHING_KNOWN);
  let count = 0;
  let at = 0;
  for (let k = 0; k < pairs.length; k += 2) {
    const i = pairs[k];
    const j = pairs[k + 1];
    const a = slots[i];
    const b = slots[j];
    while (at < near.length && (near[at] < a || (near[at] === a && near[at + 1] < b))) at += 2;
    const known = near[at] === a && near[at + 1] === b;
    if (known && state[i] === SAME && state[j] === SAME) {
      found[k / 2] = kept.found[at / 2];
      continue;
    }
    const last = known && state[i] < OTHER && state[j] < OTHER ? kept.found[at / 2] : undefined;
    asked[count] = i;
    asked[count + 1] = j;
    if (last) {
      met[count] = last.pairs[0];
      met[count + 1] = last.pairs[1];
    }
    count += 2;
  }
  return { asked: asked.subarray(0, count), met: met.subarray(0, count) };
}

function keep(
  objects: readonly (SlotObject | undefined)[],
  pairs: Uint32Array,
  found: readonly (Found | undefined)[],
  { limit, distance }: Ask,
): Kept {
  const slotCount = 1 + objects.reduce((most, object) => Math.max(most, object?.slot ?? 0), 0);
  const slots = new Uint32Array(objects.length);
  const ids = new Float64Array(slotCount).fill(-1);
  const poses: ArrayLike<number>[] = new Array(slotCount);
  const revisions = new Float64Array(slotCount);
  for (let i = 0; i < objects.length; i++) {
    const object = objects[i];
    if (!object || object.primitive) continue;
    const { slot } = object;
    slots[i] = slot;
    ids[slot] = object.id;
    poses[slot] = object.pose;
    revisions[slot] = object.mesh.revision;
  }
  return { limit, distance, ids, poses, revisions, near: pairs.map((i) => slots[i]), found };
}
