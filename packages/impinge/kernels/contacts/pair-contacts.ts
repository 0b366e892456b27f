/**
 * Contacts of a batch of pairs, each brought up to date by the least work that will do: those of before, if the two have
 * not moved too far; else from the leaves that were near, if these are still all; else by a walk over the trees.
 */
import {
  ENTRY_BYTES, I_ASKED, I_BEYOND, I_BODY_A, I_BODY_B, I_PAIR, ITEM_BYTES, KEPT, NEEDS_ROOM, POSE_BYTES, P_APART, P_AT_LEAST,
  P_CONTACT_ROOM, P_FOUND, P_FOUND_POSE, P_KEPT, P_LIST, P_LIST_COUNT, P_LIST_LEAST, P_LIST_POSE, P_LIST_REACH, P_POSE, P_REACH,
  P_SHAPE_A, P_SHAPE_B, P_STATUS, RENEWED, S_RADIUS,
} from './layout';
import { beginFeatures, enterFeatures, nearestSq } from './features';
import { idA, idB } from '../leaf';
import { listNear, nearTriangles, takePose } from './near-leaves';
import { movedBetween, writeRelative } from './poses';
import { keepAll, reduceContacts } from './reduction';

/** Of the smaller radius: the surface beside an edge that counts as flat sticks out by less. */
const BLUNT: f64 = 4e-6;
/** Of what is asked for: what is listed beyond it, so that the list is good for some time. */
const LISTED: f64 = 2;

/** Brings items up to date with the poses of bodies (twelve float64 each); statuses are in the pairs. Returns how many failed. */
export function updateContacts(items: usize, from: u32, to: u32, poses: usize): u32 {
  let failed: u32 = 0;
  for (let i = from; i < to; i++) {
    const item = items + ITEM_BYTES * <usize>i;
    const pair: usize = load<u32>(item, I_PAIR);
    writeRelative(poses + POSE_BYTES * <usize>load<u32>(item, I_BODY_A), poses + POSE_BYTES * <usize>load<u32>(item, I_BODY_B), pair + P_POSE);
    const status = update(pair, load<f64>(item, I_ASKED), load<f64>(item, I_BEYOND));
    store<i32>(pair, status, P_STATUS);
    if (status >= NEEDS_ROOM) failed++;
  }
  return failed;
}

/** Contacts within a reach at the pose in a pair: few that hold the others, or all. */
export function findContacts(pair: usize, reach: f64, all: u32): i32 {
  const moved = movedSinceListed(pair);
  if (!(load<f64>(pair, P_LIST_REACH) >= reach + moved)) {
    const status = listNear(pair, reach, LISTED * reach);
    if (status != KEPT) return status;
  }
  return renew(pair, reach, all != 0);
}

// @ts-ignore: decorator
@inline function radiusOfB(pair: usize): f64 { return load<f64>(<usize>load<u32>(pair, P_SHAPE_B), S_RADIUS); }

// @ts-ignore: decorator
@inline function movedSinceListed(pair: usize): f64 { return movedBetween(pair + P_POSE, pair + P_LIST_POSE, radiusOfB(pair)); }

function update(pair: usize, asked: f64, beyond: f64): i32 {
  const known = load<f64>(pair, P_REACH);
  if (known > 0) {
    const moved = movedBetween(pair + P_POSE, pair + P_FOUND_POSE, radiusOfB(pair));
    if (known >= asked + moved) {
      store<f64>(pair, load<f64>(pair, P_AT_LEAST) - moved, P_APART);
      return KEPT;
    }
  }
  const reach = asked + beyond;
  let moved = movedSinceListed(pair);
  if (!(load<f64>(pair, P_LIST_REACH) >= reach + moved)) {
    const status = listNear(pair, reach, LISTED * reach);
    if (status != KEPT) return status;
    moved = 0;
  }
  const apart = load<f64>(pair, P_LIST_LEAST) - moved;
  if (apart > reach) {
    // nothing is near, for as long as that lasts
    store<u32>(pair, 0, P_FOUND);
    store<u32>(pair, 0, P_KEPT);
    store<f64>(pair, apart, P_REACH);
    store<f64>(pair, apart, P_AT_LEAST);
    store<f64>(pair, apart, P_APART);
    memory.copy(pair + P_FOUND_POSE, pair + P_POSE, POSE_BYTES);
    return RENEWED;
  }
  const status = renew(pair, reach, false);
  if (status != RENEWED) return status;
  store<f64>(pair, reach, P_REACH);
  memory.copy(pair + P_FOUND_POSE, pair + P_POSE, POSE_BYTES);
  return RENEWED;
}

/** From the list, which has to be good for the reach. */
function renew(pair: usize, reach: f64, all: bool): i32 {
  const moved = movedSinceListed(pair);
  const list: usize = load<u32>(pair, P_LIST);
  const end = list + ENTRY_BYTES * <usize>load<u32>(pair, P_LIST_COUNT);
  beginFeatures(pair, reach);
  const farthest = reach + moved;
  const bound = reach * (1 + 1e-12) + takePose(pair);
  for (let at = list; at < end; at += ENTRY_BYTES) {
    if (<f64>load<f32>(at, 8) > farthest) continue;
    let mask = nearTriangles(at, bound);
    while (mask) {
      const bit = ctz(mask);
      mask &= mask - 1;
      enterFeatures(idA(bit >> 2), idB(bit & 3));
    }
  }
  if (load<u32>(pair, P_FOUND) > load<u32>(pair, P_CONTACT_ROOM)) return NEEDS_ROOM;
  if (all) keepAll(pair);
  else reduceContacts(pair, reach);
  const radius = min(load<f64>(<usize>load<u32>(pair, P_SHAPE_A), S_RADIUS), radiusOfB(pair));
  const least = max<f64>(0, sqrt(nearestSq) - BLUNT * radius);
  store<f64>(pair, least, P_AT_LEAST);
  store<f64>(pair, least, P_APART);
  return RENEWED;
}
