/**
 * Which hulls of two dual hierarchies come near each other, at contact levels as coarse as allowed.
 *
 * A pair of nodes is near if boxes around the originals below are no farther apart than the reach, as boxes-apart.ts
 * measures them. A pair that is not near has no original points within the reach. A near one is divided as long as the
 * volume its levels leave out, over the area of a contact, exceeds the allowed value there, the node that leaves out
 * more first; otherwise it is an answer if its hulls are no farther apart than the reach plus the distance by which the
 * hulls below may be outside of them. Hulls are compared for answers only: coarse ones have moved along the surface, so
 * above the answers boxes decide nearly as well, in a tenth of the time. The measure never increases from a pair to
 * those below it, so a statement about a pair holds for all pairs below.
 * With a budget, the pair with the largest measure is divided first, until the budgeted number of pairs has been
 * visited, answers included. For a pair that should be divided further, only boxes bound the distance of its originals,
 * which holds for the pairs below it, too; if it is fine enough, hulls do. So more budget is never worse. Nobody knows
 * before how long hulls take, so with a clock there are answers before everything is divided, and what is divided after
 * that is answered at once.
 * Between queries: if no point of either body has travelled farther in the frame of the other than t, gaps along three
 * axes have changed by t each, so bounds of boxes by at most √3 t. Therefore many pairs need not be compared again, and
 * answers are those of a walk from the roots.
 */
import { boxesApart, forgetAxes, slack } from './boxes-apart';
import { N_APART, N_AREA, N_BALL, N_CHILDREN, N_HULL, N_STRIDE, N_VOLUME, nodeAt } from './dual';
import {
  beginFront, E_A, E_APART, E_B, E_CHILDREN, E_CORNERS, E_COUNT, E_TRAVEL, entryAt, keyOf, merge, split, W_DUAL_A, W_DUAL_B,
  W_USED,
} from './front';
import { hullDistance } from './hull-distance';
import { P_CORNERS, P_FAR, P_HULL_A, P_HULL_B, P_LOWER, P_POSE, P_ROUNDING, P_STRIDE_A, P_STRIDE_B } from './hull';
import { add, answerAt, leastAt, measureAt, nodesAt, pop, push, takeOut, W_WORK_COUNT, workAt } from './work-list';

// host: W.* = W_*
// host: Combined.* = MIN MAX PRODUCT
// host: W_BYTES CONTACT_BYTES BY_SIZE BY_SPEED BY_VIEW NEEDS_ENTRIES NEEDS_CONTACTS SPENT UNBOUNDED
const W_CONTACTS: usize = 24;
const W_CONTACT_CAPACITY: usize = 28;
const W_CONTACT_COUNT: usize = 32;
const W_TESTS: usize = 36;
const W_BUDGET: usize = 40;
const W_TERMS: usize = 48;
const W_COMBINED: usize = 52;
const W_REACH: usize = 56;
const W_TRAVEL: usize = 64;
const W_MEASURE: usize = 72;
/**
 * The allowed value: by size; by velocity, a factor, the velocity at a's origin, the spin; by view, a factor, the
 * camera.
 */
const W_SIZE: usize = 80;
const W_SPEED: usize = 88;
const W_VIEW: usize = 144;
/** Current factor by which the allowed value may be exceeded. */
const W_LIMIT: usize = 176;
/** Deviation of the pose from rigid, as a length: see boxes-apart.ts. */
const W_SKEW: usize = 184;
/** How many pairs have answers (UNBOUNDED: all); how many are to have them; the first free place of an answer. */
const W_ANSWERED: usize = 600;
const W_TO_ANSWER: usize = 604;
const W_FREE_ANSWER: usize = 608;
const W_PAIR: usize = 320;
/** The rotation of the pose as float32. */
const W_ROTATION: usize = 560;
const W_BYTES: usize = 616;

const BY_SIZE: u32 = 1;
const BY_SPEED: u32 = 2;
const BY_VIEW: u32 = 4;
const MIN: u32 = 0;
const MAX: u32 = 1;
const PRODUCT: u32 = 2;

/**
 * Answers: the nodes, bounds of the distance of their hulls, normal, points, the measure, the least distance of
 * originals.
 */
const CONTACT_BYTES: usize = 112;
const UNBOUNDED: u32 = 0xffffffff;
/** No answer. */
const NONE: u32 = 0xffffffff;
/** More than √3. */
const ROOT_OF_3: f64 = 1.7321;

const DONE: i32 = 0;
const NEEDS_ENTRIES: i32 = 1;
const NEEDS_CONTACTS: i32 = 2;
const SPENT: i32 = 3;

/** Begins a query at the roots. */
export function beginHulls(walk: usize): void {
  forgetAxes();
  if (load<u32>(walk, W_USED) == 0) beginFront(walk);
  store<u32>(walk, 0, W_WORK_COUNT);
  store<u32>(walk, 0, W_TESTS);
  store<u32>(walk, 0, W_CONTACT_COUNT);
  store<u32>(walk, 0, W_ANSWERED);
  store<u32>(walk, NONE, W_FREE_ANSWER);
  const apart = boxesOf(walk, 0);
  if (apart <= load<f64>(walk, W_REACH)) add(walk, 0, measureOf(walk, 0, Infinity), keyOf(walk, 0), apart);
}

/**
 * Divides pairs until none exceeds the limit, or until the next division, answers included, would exceed the budget;
 * continues when called again.
 */
export function refineHulls(walk: usize): i32 {
  forgetAxes();
  return load<u32>(walk, W_BUDGET) == UNBOUNDED ? refineAll(walk) : refineFirst(walk);
}

/** Divides pairs in the order of the list. */
function refineAll(walk: usize): i32 {
  const limit = load<f64>(walk, W_LIMIT), reach = load<f64>(walk, W_REACH);
  for (let i: u32 = 0; i < load<u32>(walk, W_WORK_COUNT); ) {
    const item = workAt(walk, i);
    const measure = measureAt(item), least = leastAt(item);
    if (measure <= limit) {
      i++;
      continue;
    }
    const entry = load<u32>(item);
    const e = entryAt(walk, entry);
    if (load<u32>(e, E_COUNT) == 0 && !split(walk, entry, dividesA(nodeOfA(walk, e), nodeOfB(walk, e)))) return NEEDS_ENTRIES;
    takeOut(walk, i);
    const children = load<u32>(e, E_CHILDREN);
    for (let end = children + load<u32>(e, E_COUNT), child = children; child < end; child++) {
      const apart = max(boxesOf(walk, child), least);
      if (apart <= reach) add(walk, child, measureOf(walk, child, measure), 0, apart);
      else merge(walk, child);
    }
  }
  return DONE;
}

/** Divides the pair with the largest measure first; once there are answers, answers those it is divided into. */
function refineFirst(walk: usize): i32 {
  const budget: u64 = load<u32>(walk, W_BUDGET);
  const limit = load<f64>(walk, W_LIMIT), reach = load<f64>(walk, W_REACH);
  const answered = load<u32>(walk, W_ANSWERED) != 0;
  while (load<u32>(walk, W_WORK_COUNT) > 0) {
    const first = workAt(walk, 0);
    const entry = load<u32>(first), measure = measureAt(first), least = leastAt(first), answer = answerAt(first);
    if (measure <= limit) break;
    const e = entryAt(walk, entry);
    const a = nodeOfA(walk, e), b = nodeOfB(walk, e);
    const splitA = dividesA(a, b);
    const count = load<u32>(splitA ? a : b, N_CHILDREN);
    // boxes are compared now, hulls for the answer
    const toAnswer = answered ? 0 : load<u32>(walk, W_WORK_COUNT);
    if (<u64>load<u32>(walk, W_TESTS) + toAnswer + 2 * count > budget) return SPENT;
    if (answered && load<u32>(walk, W_CONTACT_COUNT) + count > load<u32>(walk, W_CONTACT_CAPACITY)) return NEEDS_CONTACTS;
    if (load<u32>(e, E_COUNT) == 0 && !split(walk, entry, splitA)) return NEEDS_ENTRIES;
    pop(walk);
    if (answered) release(walk, answer);
    const children = load<u32>(e, E_CHILDREN);
    for (let child = children; child < children + count; child++) {
      const apart = max(boxesOf(walk, child), least);
      const part = measureOf(walk, child, measure);
      if (apart > reach) merge(walk, child);
      else if (!answered) push(walk, child, part, keyOf(walk, child), apart);
      else {
        const found = answerTo(walk, child, part, apart);
        if (found != NONE) push(walk, child, part, keyOf(walk, child), apart, found);
      }
    }
  }
  return DONE;
}

/**
 * Answers the remaining pairs, and leaves those that are near in the list, with their answers; continues when called
 * again. Everything else is known not to be near.
 */
export function answerHulls(walk: usize): i32 {
  if (load<u32>(walk, W_ANSWERED) == 0) {
    store<u32>(walk, load<u32>(walk, W_WORK_COUNT), W_TO_ANSWER);
    store<u32>(walk, 0, W_WORK_COUNT);
  }
  // the answered ones move up and become a heap
  const count = load<u32>(walk, W_TO_ANSWER);
  for (let i = load<u32>(walk, W_ANSWERED); i < count; i++) {
    if (load<u32>(walk, W_CONTACT_COUNT) == load<u32>(walk, W_CONTACT_CAPACITY)) {
      store<u32>(walk, i, W_ANSWERED);
      return NEEDS_CONTACTS;
    }
    const item = workAt(walk, i);
    const entry = load<u32>(item), measure = measureAt(item), least = leastAt(item);
    const found = answerTo(walk, entry, measure, least);
    if (found != NONE) push(walk, entry, measure, keyOf(walk, entry), least, found);
  }
  store<u32>(walk, UNBOUNDED, W_ANSWERED);
  return DONE;
}

/** Leaves the numbers of the answers in the list, the last nodes first, and frees what is below. */
export function reportHulls(walk: usize): void {
  const count = load<u32>(walk, W_WORK_COUNT);
  let most: f64 = 0;
  store<u32>(walk, 0, W_WORK_COUNT);
  for (let i: u32 = 0; i < count; i++) {
    const item = workAt(walk, i);
    const answer = answerAt(item);
    most = max(most, measureAt(item));
    merge(walk, load<u32>(item));
    push(walk, answer, 0, nodesAt(item), 0);
  }
  store<f64>(walk, most, W_MEASURE);
  store<u32>(walk, count, W_CONTACT_COUNT);
  for (let left = count; left > 0; left--) {
    const first = load<u32>(workAt(walk, 0));
    pop(walk);
    store<u32>(workAt(walk, left - 1), first);
  }
}

function nodeOfA(walk: usize, e: usize): usize { return nodeAt(load<u32>(walk, W_DUAL_A), load<u32>(e, E_A)); }
function nodeOfB(walk: usize, e: usize): usize { return nodeAt(load<u32>(walk, W_DUAL_B), load<u32>(e, E_B)); }

/**
 * Whether a is to be divided, of two nodes at least one of which has children. If both only enclose, the larger one is.
 */
function dividesA(a: usize, b: usize): bool {
  if (load<u32>(b, N_CHILDREN) == 0) return true;
  if (load<u32>(a, N_CHILDREN) == 0) return false;
  const one = load<f64>(a, N_VOLUME), other = load<f64>(b, N_VOLUME);
  return one == Infinity && other == Infinity ? load<f32>(a, N_BALL + 12) >= load<f32>(b, N_BALL + 12) : one >= other;
}

/** A lower bound of the distance of an entry's boxes; compares them unless the last result proves that they are far. */
function boxesOf(walk: usize, entry: u32): f64 {
  const e = entryAt(walk, entry);
  const reach = load<f64>(walk, W_REACH), travel = load<f64>(walk, W_TRAVEL);
  // counted even if known, so that a budget does not depend on previous queries
  store<u32>(walk, load<u32>(walk, W_TESTS) + 1, W_TESTS);
  const known = load<f64>(e, E_APART) - ROOT_OF_3 * (travel - load<f64>(e, E_TRAVEL));
  if (known > reach) return known;
  const pair = walk + W_PAIR;
  const apart = boxesApart(
    load<u32>(walk, W_DUAL_A), nodeOfA(walk, e), load<u32>(walk, W_DUAL_B), nodeOfB(walk, e),
    pair + P_POSE, walk + W_ROTATION, load<f64>(walk, W_SKEW), load<f64>(pair, P_ROUNDING), reach,
  );
  // less the possible rounding until the next time
  store<f64>(e, apart - 2 * slack, E_APART);
  store<f64>(e, travel, E_TRAVEL);
  return apart;
}

/** Copies the number of corners, and four pairs of vertices. */
function copyCorners(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  store<u32>(to, load<u32>(from, 16), 16);
}

/** The measure of an entry, and at most its parent's. */
function measureOf(walk: usize, entry: u32, most: f64): f64 {
  const e = entryAt(walk, entry);
  return min(ratioOf(walk, nodeOfA(walk, e), nodeOfB(walk, e)), most);
}

/** The volume that the levels of two nodes leave out, relative to the allowed value; 0 if neither has children. */
function ratioOf(walk: usize, a: usize, b: usize): f64 {
  if (load<u32>(a, N_CHILDREN) == 0 && load<u32>(b, N_CHILDREN) == 0) return 0;
  const volume = max(load<f64>(a, N_VOLUME), load<f64>(b, N_VOLUME));
  if (volume == 0) return 0;
  const area = min(load<f64>(a, N_AREA), load<f64>(b, N_AREA));
  return volume / (area * allowed(walk, a));
}

/** The same of two nodes by their numbers, for the last query. */
export function measureOfNodes(walk: usize, a: u32, b: u32): f64 {
  return ratioOf(walk, nodeAt(load<u32>(walk, W_DUAL_A), a), nodeAt(load<u32>(walk, W_DUAL_B), b));
}

/** The allowed value near a node of a by its number, in the last query. */
export function allowedNear(walk: usize, a: u32): f64 { return allowed(walk, nodeAt(load<u32>(walk, W_DUAL_A), a)); }

/** The allowed value near a node of a. */
function allowed(walk: usize, a: usize): f64 {
  const terms = load<u32>(walk, W_TERMS), combined = load<u32>(walk, W_COMBINED);
  let all: f64 = combined == MIN ? Infinity : combined == MAX ? 0 : 1;
  if (terms & BY_SIZE) all = combine(combined, all, load<f64>(walk, W_SIZE));
  const x: f64 = load<f32>(a, N_BALL), y: f64 = load<f32>(a, N_BALL + 4), z: f64 = load<f32>(a, N_BALL + 8);
  if (terms & BY_SPEED) {
    const at = walk + W_SPEED;
    const wx = load<f64>(at, 32), wy = load<f64>(at, 40), wz = load<f64>(at, 48);
    const vx = load<f64>(at, 8) + wy * z - wz * y;
    const vy = load<f64>(at, 16) + wz * x - wx * z;
    const vz = load<f64>(at, 24) + wx * y - wy * x;
    all = combine(combined, all, load<f64>(at) * Math.sqrt(vx * vx + vy * vy + vz * vz));
  }
  if (terms & BY_VIEW) {
    const at = walk + W_VIEW;
    const dx = x - load<f64>(at, 8), dy = y - load<f64>(at, 16), dz = z - load<f64>(at, 24);
    all = combine(combined, all, load<f64>(at) * Math.sqrt(dx * dx + dy * dy + dz * dz));
  }
  return all;
}

function combine(how: u32, one: f64, other: f64): f64 {
  return how == MIN ? min(one, other) : how == MAX ? max(one, other) : one * other;
}

/** The place of a new answer for an undivided entry; NONE if it is not near, which frees what is below. */
function answerTo(walk: usize, entry: u32, measure: f64, least: f64): u32 {
  const reach = load<f64>(walk, W_REACH);
  if (least > reach) return dropped(walk, entry); // the reach has become smaller since
  const e = entryAt(walk, entry);
  const a = nodeOfA(walk, e), b = nodeOfB(walk, e);
  const out = load<f64>(a, N_APART) + load<f64>(b, N_APART);
  const pair = walk + W_PAIR;
  store<u32>(pair, load<u32>(walk, W_DUAL_A) + load<u32>(a, N_HULL), P_HULL_A);
  store<u32>(pair, load<u32>(walk, W_DUAL_B) + load<u32>(b, N_HULL), P_HULL_B);
  store<u32>(pair, load<u32>(a, N_STRIDE), P_STRIDE_A);
  store<u32>(pair, load<u32>(b, N_STRIDE), P_STRIDE_B);
  const isFine = measure <= load<f64>(walk, W_LIMIT);
  store<f64>(pair, isFine ? reach + out : Infinity, P_FAR);
  copyCorners(pair + P_CORNERS, e + E_CORNERS);
  hullDistance(pair);
  copyCorners(e + E_CORNERS, pair + P_CORNERS);
  store<u32>(walk, load<u32>(walk, W_TESTS) + 1, W_TESTS);
  const lower = isFine ? load<f64>(pair, P_LOWER) - out : least;
  if (lower > reach) return dropped(walk, entry);
  const answer = allot(walk);
  const contact = contactAt(walk, answer);
  store<u32>(contact, load<u32>(e, E_A));
  store<u32>(contact, load<u32>(e, E_B), 4);
  // bounds, normal and points lie side by side in the question, too
  for (let at: usize = 0; at < 88; at += 8) store<f64>(contact + 8 + at, load<f64>(pair + P_LOWER + at));
  store<f64>(contact, measure, 96);
  store<f64>(contact, max(least, lower), 104);
  return answer;
}

function dropped(walk: usize, entry: u32): u32 {
  merge(walk, entry);
  return NONE;
}

function contactAt(walk: usize, answer: u32): usize { return load<u32>(walk, W_CONTACTS) + <usize>answer * CONTACT_BYTES; }

/** A place for an answer: one that became free, or the next. */
function allot(walk: usize): u32 {
  const first = load<u32>(walk, W_FREE_ANSWER);
  if (first != NONE) {
    store<u32>(walk, load<u32>(contactAt(walk, first)), W_FREE_ANSWER);
    return first;
  }
  const count = load<u32>(walk, W_CONTACT_COUNT);
  store<u32>(walk, count + 1, W_CONTACT_COUNT);
  return count;
}

function release(walk: usize, answer: u32): void {
  store<u32>(contactAt(walk, answer), load<u32>(walk, W_FREE_ANSWER));
  store<u32>(walk, answer, W_FREE_ANSWER);
}
