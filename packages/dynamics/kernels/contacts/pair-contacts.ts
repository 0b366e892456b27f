/**
 * Updates the contacts of a batch of pairs, each with the least work that suffices: the previous contacts if the two
 * have not moved too far; otherwise from the listed near leaves, if these are still complete; otherwise by a walk over
 * the trees.
 *
 * Turning bodies move fast in some places and slowly in others. So for each pair of near leaves, contacts are searched
 * as far as these leaves move relative to each other at their present speeds, and no farther than requested. Leaves
 * without features that count only have contacts with leaves that have some.
 * Invariant: all contacts within P_REACH, the least of the distances searched, were found.
 */
import {
  CONTACT_BYTES, CONTACT_LEAF, CONTACT_ORDER, CORNER, ENTRY_BYTES, I_ASKED, I_BEYOND, I_BODY_A, I_BODY_B, I_FOLLOW, I_PAIR, ITEM_BYTES, KEPT, L_CENTRE, L_OWNERS, L_RADIUS, NEEDS_ROOM, PACE_BYTES, POSE_BYTES, P_APART, P_AT_LEAST,
  P_CONTACTS, P_CONTACT_ROOM, P_FOUND, P_FOUND_POSE, P_HEAVY, P_KEPT, P_LIST, P_LIST_COUNT, P_LIST_LEAST, P_LIST_POSE, P_LIST_REACH, P_POSE, P_REACH, P_ROUND,
  P_SHAPE_A, P_SHAPE_B, P_STATUS, RENEWED, S_FLATNESS, S_RADIUS, TOO_FAR,
} from './layout';
import { enterConvex } from '../convex/contacts';
import { apart as hullsApart, areConvex, findNearest } from '../convex/nearest';
import { downOf, midX, midY, midZ, openEntries, placeEntry, placeLeaf } from './entries';
import { beginFeatures, enterLeaves, halfwayReach, nearestSq, reachFor } from './features';
import { firstLeaf, gapAtLeast, nearTriangles, ownersOf, takeTurn } from './leaves';
import { MOTION_A, MOTION_B, leafA, leafB, leftApart, nextLeaves, openWalk, walkAll, walkFrom } from './moving-leaves';
import { FAR, HEAVY, listNear, roundingOf } from './near-leaves';
import { CHANGE, paceAt, paceX, paceY, paceZ, spin, takePace, writeMotion } from './pace';
import { movedBetween, writeRelative } from './poses';
import { boxGap, fastestInRegion, movedInRegion, openRegion } from './region';
import { keepAll, reduceContacts } from './reduction';
import { MARK_BYTES, marks, motions } from './scratch';

/** Factor of the flatness of both: how much nearer surfaces may be than the features that count (see flatnessOf). */
const FLATNESS: f64 = 3;
/** Additional distance listed, as a factor of the requested one, so that the list stays valid for some time. */
const LISTED: f64 = 2;
/** In the lowest bit of a mark: a leaf of b. */
const OF_B: u32 = 1;
/** A pair is no longer heavy where fewer leaves are near than that takes, by this factor. */
const LIGHTER: u32 = 8;

/**
 * Updates items for the poses of bodies (twelve float64 each), for h seconds at their speeds (six); no contact within
 * `least` is missed. Statuses are in the pairs. Returns the number of failures.
 */
export function updateContacts(items: usize, from: u32, to: u32, poses: usize, paces: usize, least: f64, h: f64): u32 {
  let failed: u32 = 0;
  for (let i = from; i < to; i++) {
    const item = items + ITEM_BYTES * <usize>i;
    const pair: usize = load<u32>(item, I_PAIR);
    const a: usize = load<u32>(item, I_BODY_A), b: usize = load<u32>(item, I_BODY_B);
    writeRelative(poses + POSE_BYTES * a, poses + POSE_BYTES * b, pair + P_POSE);
    takePace(poses + POSE_BYTES * a, pair + P_POSE, paces + PACE_BYTES * a, paces + PACE_BYTES * b);
    const round = load<f64>(pair, P_ROUND);
    const status = update(pair, load<f64>(item, I_ASKED) + round, load<f64>(item, I_BEYOND), least + round, h, load<u32>(item, I_FOLLOW) != 0);
    store<i32>(pair, status, P_STATUS);
    if (status >= NEEDS_ROOM) failed++;
  }
  return failed;
}

/** Finds contacts within a reach at the pose in a pair: a few that hold all others, or all. */
export function findContacts(pair: usize, within: f64, all: u32): i32 {
  const reach = within + load<f64>(pair, P_ROUND);
  if (areConvex(pair) && findNearest(pair, reach)) return renewConvex(pair, reach, reach, 0, all != 0);
  if (load<u32>(pair, P_HEAVY) != 0) return renewByWalk(pair, reach, reach, 0, all != 0, false);
  const moved = movedSinceListed(pair);
  if (!(load<f64>(pair, P_LIST_REACH) >= reach + moved)) {
    const status = listNear(pair, reach, LISTED * reach);
    if (status != KEPT) return status;
  }
  return renew(pair, reach, reach, 0, all != 0);
}

// @ts-ignore: decorator
@inline function radiusOfB(pair: usize): f64 { return load<f64>(<usize>load<u32>(pair, P_SHAPE_B), S_RADIUS); }

// @ts-ignore: decorator
@inline function movedSinceListed(pair: usize): f64 { return movedBetween(pair + P_POSE, pair + P_LIST_POSE, radiusOfB(pair)); }

function update(pair: usize, asked: f64, beyond: f64, least: f64, h: f64, follow: bool): i32 {
  const farthest = asked + beyond;
  const allMoved = movedSinceListed(pair);
  if (!openRegion(pair, farthest)) return nothingWithin(pair, max(boxGap, load<f64>(pair, P_LIST_LEAST) - allMoved));
  const here = min(asked, least + h * fastestInRegion());
  const known = load<f64>(pair, P_REACH);
  if (known > 0) {
    const allSince = movedBetween(pair + P_POSE, pair + P_FOUND_POSE, radiusOfB(pair));
    const since = min(allSince, movedInRegion(pair, pair + P_FOUND_POSE));
    if (known >= here + since) {
      store<f64>(pair, leftOf(load<f64>(pair, P_AT_LEAST), allSince, since, farthest), P_APART);
      return KEPT;
    }
  }
  const reach = here + beyond;
  if (areConvex(pair) && findNearest(pair, reach)) return renewConvex(pair, reach, least + beyond, h, false);
  if (load<u32>(pair, P_HEAVY) != 0) return renewByWalk(pair, reach, least + beyond, h, false, follow);
  const moved = min(allMoved, movedInRegion(pair, pair + P_LIST_POSE));
  let apart = leftOf(load<f64>(pair, P_LIST_LEAST), allMoved, moved, farthest);
  if (!(load<f64>(pair, P_LIST_REACH) >= reach + moved)) {
    const status = listNear(pair, reach, LISTED * reach);
    if (status != KEPT) return status;
    apart = load<f64>(pair, P_LIST_LEAST);
  }
  return apart > reach ? nothingWithin(pair, apart) : renew(pair, reach, least + beyond, h, false);
}

/**
 * A lower bound of a distance after a motion: less `moved` for all points; or less `movedHere` up to `farthest`, where
 * only points in the region can be.
 */
// @ts-ignore: decorator
@inline function leftOf(distance: f64, moved: f64, movedHere: f64, farthest: f64): f64 {
  return max(distance - moved, min(distance - movedHere, farthest));
}

/** Records that nothing is near within a distance. */
function nothingWithin(pair: usize, apart: f64): i32 {
  store<u32>(pair, 0, P_FOUND);
  store<u32>(pair, 0, P_KEPT);
  store<f64>(pair, apart, P_REACH);
  store<f64>(pair, apart, P_AT_LEAST);
  store<f64>(pair, apart, P_APART);
  memory.copy(pair + P_FOUND_POSE, pair + P_POSE, POSE_BYTES);
  return RENEWED;
}

/**
 * The distance within which all leaves are listed at the present pose: that of the list, less the motion of points
 * since.
 */
function stillComplete(pair: usize, moved: f64): f64 {
  const listed = load<f64>(pair, P_LIST_REACH);
  if (listed >= FAR) return listed;
  return openRegion(pair, listed) ? listed - min(moved, movedInRegion(pair, pair + P_LIST_POSE)) : listed;
}

/**
 * Finds contacts from the list, which must be valid for the reach: those within `least`, plus the distance that leaves
 * move in h seconds. Afterwards the list belongs to the present pose, with updated distances of leaves.
 */
function renew(pair: usize, reach: f64, least: f64, h: f64, all: bool): i32 {
  const list: usize = load<u32>(pair, P_LIST);
  const end = list + ENTRY_BYTES * <usize>load<u32>(pair, P_LIST_COUNT);
  const rounding = roundingOf(pair);
  const moved = movedSinceListed(pair) + rounding;
  const farthest = reach + moved;
  beginFeatures(pair);
  openEntries(pair, rounding);
  takeTurn(pair);
  known = reach;
  const complete = stillComplete(pair, moved);
  let leastListed = complete;
  for (let at = list; at < end; at += ENTRY_BYTES) {
    let apart = <f64>load<f32>(at, 8);
    if (apart > farthest) apart -= moved;
    else {
      const b: usize = load<u32>(at, 4);
      apart = enterPlaced(load<u32>(at), b, placeEntry(b, apart), reach, least, h, rounding);
    }
    leastListed = min(leastListed, apart);
    store<f32>(at, downOf(apart), 8);
  }
  memory.copy(pair + P_LIST_POSE, pair + P_POSE, POSE_BYTES);
  store<f64>(pair, complete, P_LIST_REACH);
  store<f64>(pair, leastListed, P_LIST_LEAST);
  return settle(pair, reach, least, known, apartBy(pair, known), all);
}

/**
 * The same for many near leaves, by a walk over the trees; or, to `follow` contacts that slide, by walks from the
 * leaves of those that were kept last, after which nothing is known of others. A leaf within a box about another middle
 * moves otherwise than this by at most the spin times the radius, and its own points as much again; its speed differs
 * by that, too.
 */
function renewByWalk(pair: usize, reach: f64, least: f64, h: f64, all: bool, follow: bool): i32 {
  const motionA = motions + MOTION_A, motionB = motions + MOTION_B;
  memory.fill(motionA, 0, POSE_BYTES);
  if (h > 0) writeMotion(pair + P_POSE, h, motionB);
  else memory.fill(motionB, 0, POSE_BYTES);
  if (!openWalk(pair, motionA, motionB, least, 0, h > 0 ? (2 + CHANGE) * h * spin : 0, h > 0 ? CHANGE : 0)) return TOO_FAR;
  const rounding = roundingOf(pair);
  openEntries(pair, rounding);
  takeTurn(pair);
  known = reach;
  const marked: u32 = follow ? mark(pair) : 0;
  beginFeatures(pair);
  if (marked > 0) {
    for (let i: u32 = 0; i < marked; i++) {
      const at = load<u32>(marks + 4 * <usize>i);
      walkFrom(at & ~OF_B, (at & OF_B) == 0);
      while (nextLeaves()) {
        // leaves of a that meet one of b that is marked, too, are entered with that
        if ((at & OF_B) != 0 || !isMarked(<u32>leafB | OF_B, marked)) enterWalked(reach, least, h, rounding);
      }
    }
    const status = settle(pair, reach, least, 0, 0, false);
    // their leaves are forgotten with them
    if (status == NEEDS_ROOM) store<u32>(pair, 0, P_KEPT);
    return status;
  }
  walkAll();
  let count: u32 = 0;
  for (; nextLeaves(); count++) enterWalked(reach, least, h, rounding);
  known = min(known, max<f64>(0, leftApart() - rounding));
  if (count < HEAVY / LIGHTER) {
    store<u32>(pair, 0, P_HEAVY);
    store<f64>(pair, 0, P_LIST_REACH);
  }
  return settle(pair, reach, least, known, apartBy(pair, known), all);
}

/** Writes the leaves of the contacts that a pair keeps; returns their number, 0 if there are too many. */
function mark(pair: usize): u32 {
  const contacts: usize = load<u32>(pair, P_CONTACTS);
  const leavesA = firstLeaf(load<u32>(pair, P_SHAPE_A)), leavesB = firstLeaf(load<u32>(pair, P_SHAPE_B));
  let count: u32 = 0;
  for (let k: u32 = 0; k < load<u32>(pair, P_KEPT); k++) {
    const contact = contacts + CONTACT_BYTES * <usize>load<u32>(contacts + CONTACT_BYTES * <usize>k, CONTACT_ORDER);
    const from = load<u32>(contact, CONTACT_LEAF);
    const leaf = load<f64>(contact, CORNER) < 0 ? <u32>leavesA + from : (<u32>leavesB + from) | OF_B;
    if (isMarked(leaf, count)) continue;
    if (4 * <usize>count == MARK_BYTES) return 0;
    store<u32>(marks + 4 * <usize>count, leaf);
    count++;
  }
  return count;
}

/** Whether a leaf is among the first so many. */
function isMarked(leaf: u32, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (load<u32>(marks + 4 * <usize>i) == leaf) return true;
  return false;
}

/** Enters the contacts of the pair of leaves that a walk has found. */
// @ts-ignore: decorator
@inline function enterWalked(reach: f64, least: f64, h: f64, rounding: f64): void {
  placeLeaf(leafB);
  enterPlaced(leafA, leafB, 0, reach, least, h, rounding);
}

/** The distance within which everything was found so far. */
let known: f64 = 0;

/**
 * Enters the contacts of two leaves, that of b placed, that are at least so far apart; returns what is known of that.
 */
function enterPlaced(a: usize, b: usize, apart: f64, reach: f64, least: f64, h: f64, rounding: f64): f64 {
  paceAt(midX, midY, midZ);
  const speed = sqrt(paceX * paceX + paceY * paceY + paceZ * paceZ);
  const still = min(reach, least + h * (spin * load<f64>(b, L_RADIUS) + CHANGE * speed));
  const need = min(reach, still + h * speed);
  known = min(known, max(still, apart));
  if (apart > need || (load<u32>(a, L_OWNERS) | load<u32>(b, L_OWNERS)) == 0) return apart;
  const dx = midX - load<f64>(a, L_CENTRE), dy = midY - load<f64>(a, L_CENTRE + 8), dz = midZ - load<f64>(a, L_CENTRE + 16);
  const wayX = h * paceX, wayY = h * paceY, wayZ = h * paceZ;
  reachFor(need, still, wayX, wayY, wayZ);
  const sizes = load<f64>(a, L_RADIUS) + load<f64>(b, L_RADIUS), within = halfwayReach + sizes + rounding;
  const hx = dx + 0.5 * wayX, hy = dy + 0.5 * wayY, hz = dz + 0.5 * wayZ;
  if (hx * hx + hy * hy + hz * hz > within * within) return max(apart, sqrt(dx * dx + dy * dy + dz * dz) - sizes - rounding);
  const mask = nearTriangles(a, b, dx, dy, dz, halfwayReach + rounding, false, still + rounding, wayX, wayY, wayZ) & ownersOf(a, b);
  if (mask) {
    enterLeaves(a, b, mask);
  }
  return max(apart, gapAtLeast - rounding);
}

/** A lower bound of the distance of the surfaces, where all features within `known` were entered. */
function apartBy(pair: usize, known: f64): f64 {
  const a: usize = load<u32>(pair, P_SHAPE_A), b: usize = load<u32>(pair, P_SHAPE_B);
  return max<f64>(0, min(known, sqrt(nearestSq)) - FLATNESS * (load<f64>(a, S_FLATNESS) + load<f64>(b, S_FLATNESS)));
}

/** The same for convex shapes whose nearest points have been found. */
function renewConvex(pair: usize, reach: f64, least: f64, h: f64, all: bool): i32 {
  if (hullsApart > reach) return nothingWithin(pair, hullsApart);
  const known = enterConvex(pair, reach, least, h);
  return settle(pair, reach, least, known, hullsApart, all);
}

/** Reduces the contacts that were entered: all within `known`; no two points are nearer than `apart`. */
function settle(pair: usize, reach: f64, least: f64, known: f64, apart: f64, all: bool): i32 {
  memory.copy(pair + P_FOUND_POSE, pair + P_POSE, POSE_BYTES);
  if (load<u32>(pair, P_FOUND) > load<u32>(pair, P_CONTACT_ROOM)) return NEEDS_ROOM;
  if (all) keepAll(pair);
  else reduceContacts(pair, reach - load<f64>(pair, P_ROUND), least - load<f64>(pair, P_ROUND));
  store<f64>(pair, known, P_REACH);
  store<f64>(pair, apart, P_AT_LEAST);
  store<f64>(pair, apart, P_APART);
  return RENEWED;
}
