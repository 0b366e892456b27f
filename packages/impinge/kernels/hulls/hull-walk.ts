/**
 * Which hulls of two dual hierarchies come near each other, at levels as coarse as allowed.
 *
 * A pair of nodes is near if its hulls are no farther apart than the reach and what the hulls below may be outside of them, and
 * boxes around the originals below no farther than the reach: coarse hulls move along the surface, boxes stay.
 * A pair that is not near has no original points within the reach. A near one is divided as long as the volume its levels left
 * out, over the area of a contact, exceeds what is allowed there, the one that leaves out more first; else it is an answer.
 * The measure never rises from a pair to those below it: what holds for a pair holds for all it stands for.
 * With a budget the pair with the largest measure is divided first, until so many pairs of hulls were compared, answers
 * included; and what is known of how far apart a pair's originals are holds for those below it. So more budget is never worse.
 * Between questions: bounds of the distance are good for as long as b has not travelled farther than they have room; so most
 * pairs are not compared again, and answers are those of a walk from the roots.
 */
import { N_APART, N_AREA, N_BALL, N_BOX, N_BOX_OUT, N_CHILDREN, N_HULL, N_STRIDE, N_VOLUME, nodeAt } from './dual';
import {
  beginFront, E_A, E_B, E_CHILDREN, E_CORNERS, E_COUNT, E_LOWER, E_TRAVEL, E_UPPER, entryAt, merge, split,
  W_DUAL_A, W_DUAL_B, W_USED,
} from './front';
import { hullDistance, hullsApart } from './hull-distance';
import {
  P_CORNERS, P_FAR, P_HULL_A, P_HULL_B, P_LOWER, P_NORMAL, P_POSE, P_STRIDE_A, P_STRIDE_B, P_UPPER,
} from './hull';

const W_WORK: usize = 20;
const W_CONTACTS: usize = 24;
const W_CONTACT_CAPACITY: usize = 28;
const W_CONTACT_COUNT: usize = 32;
const W_TESTS: usize = 36;
const W_BUDGET: usize = 40;
const W_WORK_COUNT: usize = 44;
const W_TERMS: usize = 48;
const W_COMBINED: usize = 52;
const W_REACH: usize = 56;
const W_TRAVEL: usize = 64;
const W_MEASURE: usize = 72;
/** What is allowed: by size; by velocity, a factor, the velocity at a's origin, the spin; by view, a factor, the camera. */
const W_SIZE: usize = 80;
const W_SPEED: usize = 88;
const W_VIEW: usize = 144;
/** How much more than allowed may be left out, for now. */
const W_LIMIT: usize = 176;
const W_PAIR: usize = 320;

const BY_SIZE: u32 = 1;
const BY_SPEED: u32 = 2;
const BY_VIEW: u32 = 4;
const SMALLEST: u32 = 0;
const LARGEST: u32 = 1;

/** Answers: the nodes, bounds of the distance of their hulls, normal, points, the measure, the least distance of originals. */
const CONTACT_BYTES: usize = 112;
const ENTRY_CORNERS: usize = 20;
const BOX_STRIDE: u32 = 8;
/** Entry, measure, its two nodes as one number, how far apart its originals are at least. */
const WORK_BYTES: usize = 32;
const UNBOUNDED: u32 = 0xffffffff;

const DONE: i32 = 0;
const NEEDS_ENTRIES: i32 = 1;
const NEEDS_CONTACTS: i32 = 2;
const SPENT: i32 = 3;

/** Begins a question at the roots. */
export function beginHulls(walk: usize): void {
  if (load<u32>(walk, W_USED) == 0) beginFront(walk);
  store<u32>(walk, 0, W_WORK_COUNT);
  store<u32>(walk, 0, W_TESTS);
  store<u32>(walk, 0, W_CONTACT_COUNT);
  store<f64>(walk, 0, W_MEASURE);
  if (isNear(walk, 0)) push(walk, 0, measureOf(walk, 0, Infinity), leastOf(walk, 0, -Infinity));
}

/**
 * Divides pairs until no more is left out than the limit says, or until what comes next, answers included, would be more than
 * the budget; goes on when called again.
 */
export function refineHulls(walk: usize): i32 {
  const budget = load<u32>(walk, W_BUDGET);
  const limit = load<f64>(walk, W_LIMIT);
  while (load<u32>(walk, W_WORK_COUNT) > 0) {
    const first = workAt(walk, 0);
    const entry = load<u32>(first), measure = load<f64>(first, 8), least = load<f64>(first, 24);
    if (measure <= limit) break;
    const e = entryAt(walk, entry);
    const a = nodeAt(load<u32>(walk, W_DUAL_A), load<u32>(e, E_A));
    const b = nodeAt(load<u32>(walk, W_DUAL_B), load<u32>(e, E_B));
    const splitA = dividesA(a, b);
    const count = load<u32>(splitA ? a : b, N_CHILDREN);
    // hulls and boxes are compared, for now and for the answer
    const spent = <u64>load<u32>(walk, W_TESTS) + 2 * load<u32>(walk, W_WORK_COUNT) + 4 * count;
    if (budget != UNBOUNDED && spent > budget) return SPENT;
    if (load<u32>(e, E_COUNT) == 0 && !split(walk, entry, splitA)) return NEEDS_ENTRIES;
    pop(walk);
    const children = load<u32>(e, E_CHILDREN);
    for (let i: u32 = 0; i < count; i++) {
      const child = children + i;
      if (!isNear(walk, child)) continue;
      push(walk, child, measureOf(walk, child, measure), budget == UNBOUNDED ? -Infinity : leastOf(walk, child, least));
    }
  }
  return DONE;
}

/** Makes answers of the pairs that are left; goes on when called again. */
export function reportHulls(walk: usize): i32 {
  for (let left = load<u32>(walk, W_WORK_COUNT); left > 0; left--) {
    const at = workAt(walk, left - 1);
    if (!report(walk, load<u32>(at), load<f64>(at, 8), load<f64>(at, 24))) return NEEDS_CONTACTS;
    store<u32>(walk, left - 1, W_WORK_COUNT);
  }
  return DONE;
}

/** How far apart the originals of an entry are at least. */
function leastOf(walk: usize, entry: u32, least: f64): f64 {
  const e = entryAt(walk, entry);
  return max(least, load<f64>(e, E_LOWER) - load<f64>(walk, W_TRAVEL) + load<f64>(e, E_TRAVEL));
}

/** Of two nodes, at least one with children: whether a is to be divided. */
function dividesA(a: usize, b: usize): bool {
  if (load<u32>(b, N_CHILDREN) == 0) return true;
  return load<u32>(a, N_CHILDREN) != 0 && load<f64>(a, N_VOLUME) >= load<f64>(b, N_VOLUME);
}

/** Whether the hulls of an entry are near; compares them if that is not known any more. What is far loses its children. */
function isNear(walk: usize, entry: u32): bool {
  const e = entryAt(walk, entry);
  const a = nodeAt(load<u32>(walk, W_DUAL_A), load<u32>(e, E_A));
  const b = nodeAt(load<u32>(walk, W_DUAL_B), load<u32>(e, E_B));
  const reach = load<f64>(walk, W_REACH);
  const since = load<f64>(walk, W_TRAVEL) - load<f64>(e, E_TRAVEL);
  if (load<f64>(e, E_UPPER) + since <= reach) return true;
  if (load<f64>(e, E_LOWER) - since <= reach) {
    compare(walk, e, a, b, reach);
    if (load<f64>(e, E_LOWER) <= reach) return true;
  }
  merge(walk, entry);
  return false;
}

/** Finds how far apart the originals of an entry are at least, as far as that matters for the reach. */
function compare(walk: usize, e: usize, a: usize, b: usize, reach: f64): void {
  const out = load<f64>(a, N_APART) + load<f64>(b, N_APART);
  const between = ballsApart(walk, a, b) - out;
  store<f64>(e, load<f64>(walk, W_TRAVEL), E_TRAVEL);
  store<f64>(e, between, E_LOWER);
  store<f64>(e, Infinity, E_UPPER);
  if (between > reach) return;
  const pair = open(walk, e, a, b, reach + out);
  hullsApart(pair);
  close(walk, e, pair, out);
  if (load<f64>(e, E_LOWER) <= reach) compareBoxes(walk, e, a, b, reach);
}

/** The same by the boxes around the originals, after the hulls have not decided it. */
function compareBoxes(walk: usize, e: usize, a: usize, b: usize, reach: f64): void {
  const pair = walk + W_PAIR;
  const out: f64 = <f64>load<f32>(a, N_BOX_OUT) + load<f32>(b, N_BOX_OUT);
  store<u32>(pair, load<u32>(walk, W_DUAL_A) + load<u32>(a, N_BOX), P_HULL_A);
  store<u32>(pair, load<u32>(walk, W_DUAL_B) + load<u32>(b, N_BOX), P_HULL_B);
  store<u32>(pair, BOX_STRIDE, P_STRIDE_A);
  store<u32>(pair, BOX_STRIDE, P_STRIDE_B);
  store<f64>(pair, reach + out, P_FAR);
  store<u32>(pair, 0, P_CORNERS);
  hullsApart(pair);
  store<f64>(e, max(load<f64>(e, E_LOWER), load<f64>(pair, P_LOWER) - out), E_LOWER);
  store<f64>(e, max(load<f64>(e, E_UPPER), load<f64>(pair, P_UPPER) - out), E_UPPER);
  store<u32>(walk, load<u32>(walk, W_TESTS) + 1, W_TESTS);
}

function open(walk: usize, e: usize, a: usize, b: usize, far: f64): usize {
  const pair = walk + W_PAIR;
  store<u32>(pair, load<u32>(walk, W_DUAL_A) + load<u32>(a, N_HULL), P_HULL_A);
  store<u32>(pair, load<u32>(walk, W_DUAL_B) + load<u32>(b, N_HULL), P_HULL_B);
  store<u32>(pair, load<u32>(a, N_STRIDE), P_STRIDE_A);
  store<u32>(pair, load<u32>(b, N_STRIDE), P_STRIDE_B);
  store<f64>(pair, far, P_FAR);
  memory.copy(pair + P_CORNERS, e + E_CORNERS, ENTRY_CORNERS);
  return pair;
}

/** Takes down what was found about two hulls, which originals stick out of by no more than `out`. */
function close(walk: usize, e: usize, pair: usize, out: f64): void {
  memory.copy(e + E_CORNERS, pair + P_CORNERS, ENTRY_CORNERS);
  store<f64>(e, load<f64>(pair, P_LOWER) - out, E_LOWER);
  store<f64>(e, load<f64>(pair, P_UPPER) - out, E_UPPER);
  store<u32>(walk, load<u32>(walk, W_TESTS) + 1, W_TESTS);
}

/** How far apart the balls around two hulls are at least: their radii have room for rounding. */
function ballsApart(walk: usize, a: usize, b: usize): f64 {
  const p = walk + W_PAIR + P_POSE;
  const lx: f64 = load<f32>(b, N_BALL), ly: f64 = load<f32>(b, N_BALL + 4), lz: f64 = load<f32>(b, N_BALL + 8);
  const x = load<f64>(p) * lx + load<f64>(p, 8) * ly + load<f64>(p, 16) * lz + load<f64>(p, 72) - load<f32>(a, N_BALL);
  const y = load<f64>(p, 24) * lx + load<f64>(p, 32) * ly + load<f64>(p, 40) * lz + load<f64>(p, 80) - load<f32>(a, N_BALL + 4);
  const z = load<f64>(p, 48) * lx + load<f64>(p, 56) * ly + load<f64>(p, 64) * lz + load<f64>(p, 88) - load<f32>(a, N_BALL + 8);
  return Math.sqrt(x * x + y * y + z * z) - load<f32>(a, N_BALL + 12) - load<f32>(b, N_BALL + 12);
}

/** What an entry's levels leave out, over what is allowed, and no more than what it is a part of; 0 if it has no children. */
function measureOf(walk: usize, entry: u32, most: f64): f64 {
  const e = entryAt(walk, entry);
  const a = nodeAt(load<u32>(walk, W_DUAL_A), load<u32>(e, E_A));
  const b = nodeAt(load<u32>(walk, W_DUAL_B), load<u32>(e, E_B));
  if (load<u32>(a, N_CHILDREN) == 0 && load<u32>(b, N_CHILDREN) == 0) return 0;
  const volume = max(load<f64>(a, N_VOLUME), load<f64>(b, N_VOLUME));
  if (volume == 0) return 0;
  const area = min(load<f64>(a, N_AREA), load<f64>(b, N_AREA));
  return min(volume / (area * allowed(walk, a)), most);
}

/** What is allowed near a node of a. */
function allowed(walk: usize, a: usize): f64 {
  const terms = load<u32>(walk, W_TERMS), combined = load<u32>(walk, W_COMBINED);
  let all: f64 = combined == SMALLEST ? Infinity : combined == LARGEST ? 0 : 1;
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
  return how == SMALLEST ? min(one, other) : how == LARGEST ? max(one, other) : one * other;
}

/** Adds the answer for an entry that is near and goes no further; false if there is no room. */
function report(walk: usize, entry: u32, measure: f64, least: f64): bool {
  const e = entryAt(walk, entry);
  const a = nodeAt(load<u32>(walk, W_DUAL_A), load<u32>(e, E_A));
  const b = nodeAt(load<u32>(walk, W_DUAL_B), load<u32>(e, E_B));
  const count = load<u32>(walk, W_CONTACT_COUNT);
  if (count == load<u32>(walk, W_CONTACT_CAPACITY)) return false;
  merge(walk, entry);
  const reach = load<f64>(walk, W_REACH);
  const out = load<f64>(a, N_APART) + load<f64>(b, N_APART);
  const pair = open(walk, e, a, b, reach + out);
  hullDistance(pair);
  close(walk, e, pair, out);
  store<f64>(e, load<f64>(walk, W_TRAVEL), E_TRAVEL);
  if (load<f64>(e, E_LOWER) > reach) return true;
  const contact: usize = load<u32>(walk, W_CONTACTS) + <usize>count * CONTACT_BYTES;
  store<u32>(contact, load<u32>(e, E_A));
  store<u32>(contact, load<u32>(e, E_B), 4);
  // bounds, normal and points lie side by side in the question, too
  memory.copy(contact + 8, pair + P_LOWER, 16);
  memory.copy(contact + 24, pair + P_NORMAL, 72);
  compareBoxes(walk, e, a, b, reach);
  if (load<f64>(e, E_LOWER) > reach) return true;
  store<f64>(contact, measure, 96);
  store<f64>(contact, leastOf(walk, entry, least), 104);
  if (measure > load<f64>(walk, W_MEASURE)) store<f64>(walk, measure, W_MEASURE);
  store<u32>(walk, count + 1, W_CONTACT_COUNT);
  return true;
}

function workAt(walk: usize, i: u32): usize { return load<u32>(walk, W_WORK) + <usize>i * WORK_BYTES; }

/** A heap: the entry with the largest measure first; of several, the one of the first nodes. */
function push(walk: usize, entry: u32, measure: f64, least: f64): void {
  const e = entryAt(walk, entry);
  const key = (<u64>load<u32>(e, E_A) << 32) | load<u32>(e, E_B);
  let i = load<u32>(walk, W_WORK_COUNT);
  store<u32>(walk, i + 1, W_WORK_COUNT);
  while (i > 0) {
    const above = (i - 1) >> 1;
    const at = workAt(walk, above);
    if (!isBefore(measure, key, at)) break;
    memory.copy(workAt(walk, i), at, WORK_BYTES);
    i = above;
  }
  const at = workAt(walk, i);
  store<u32>(at, entry);
  store<f64>(at, measure, 8);
  store<u64>(at, key, 16);
  store<f64>(at, least, 24);
}

function pop(walk: usize): void {
  const count = load<u32>(walk, W_WORK_COUNT) - 1;
  store<u32>(walk, count, W_WORK_COUNT);
  const last = workAt(walk, count);
  let i: u32 = 0;
  for (let below: u32 = 1; below < count; below = 2 * i + 1) {
    const beside = workAt(walk, below + 1);
    if (below + 1 < count && isBefore(load<f64>(beside, 8), load<u64>(beside, 16), workAt(walk, below))) below++;
    const at = workAt(walk, below);
    if (isBefore(load<f64>(last, 8), load<u64>(last, 16), at)) break;
    memory.copy(workAt(walk, i), at, WORK_BYTES);
    i = below;
  }
  if (count > 0) memory.copy(workAt(walk, i), last, WORK_BYTES);
}

function isBefore(measure: f64, key: u64, other: usize): bool {
  const otherMeasure = load<f64>(other, 8);
  return measure > otherMeasure || (measure == otherMeasure && key < load<u64>(other, 16));
}
