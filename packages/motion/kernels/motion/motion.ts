/**
 * Whether a body in rigid motion keeps its distance from an obstacle at every time from 0 to 1.
 *
 * Idea: the trees are walked together over space and time. An entry is a pair of boxes and an interval of time. If the
 * boxes, placed at its middle, stay farther apart than the distance to keep while the body's moves within half of the
 * interval, they are apart throughout. If not, the larger box is opened, and the interval is halved where the way
 * within it is large beside the boxes. Two leaves are settled four triangles by four, then triangle by triangle along
 * the line that was found last, which serves most neighbours in space and time, else along that between the closest
 * points; and halved in time until they are, or until the way within is below the accuracy. Surfaces that slide past
 * each other move far, but hardly along their normals, so all of these look at motion by direction.
 * A point at r from the axis u moves, at the time t from the middle, which turns by θ, by
 *   t v + sin θ u × r + (1 − cos θ) u × (u × r).
 * With c the centre of a box, R its half diagonal, ω the rate, h half of the interval, φ = ω h ≤ π / 2, that is
 * t (v + ω u × c) but for at most
 *   (φ − sin φ) |u × c| + sin φ R + (1 − cos φ) (|u × c| + R);
 * so boxes are moved straight (obb.ts of impinge), and kept apart by that much more. Along a unit vector n, a
 * corner comes back by at most
 *   |n · (v + ω u × r)| h + (φ − sin φ) |n · (u × r)| + (1 − cos φ) max(0, −n · (u × (u × r))),
 * for 1 − cos is never negative.
 * The way of a box in any direction is that of src/motion-reach.ts, its arm |u × c| + R.
 * Layout of an entry: the two slots, then the interval as its number and, in the low five bits, how often it was
 * halved; 16 bytes, as expandPending of impinge moves them. Each step removes one and adds at most eight.
 * Errs: to the side of being near. Times of hits are those of triangles that do meet, or are as near as that, there.
 */
// host: M.* = M_*
// host: MOTION_BYTES
// host: MotionStatus.* = MOTION_FREE MOTION_HIT MOTION_OPEN MOTION_TREELET MOTION_LONG MOTION_FAR
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW, ROW_CENTRE, ROW_REF, TREE_BLOCKS, isLeaf } from '../../../impinge/kernels/layout';
import {
  Q_A_TO_B, Q_BOUND, Q_B_TO_A, Q_DOUBT_COUNT, Q_PAIRS_FOUND, Q_POSE, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B,
  askForTreelet,
} from '../../../impinge/kernels/context';
import {
  BOTH_WAYS, boundBoxes4, boxSize, emptyLanes, forgetOne, halfDiagonal, halfDiagonals4, prepareOne,
} from '../../../impinge/kernels/obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, forgetPose, leafCandidates } from '../../../impinge/kernels/leaf';
import { ENTRY, boundOf, slotPair } from '../../../impinge/kernels/near';
import { BOUNDS, DIRECTION, ONE, scratch } from '../../../impinge/kernels/scratch';
import { YES, gapX, gapY, gapZ, triangleDistanceSq, triangleTriangle } from '../../../impinge/kernels/triangles';
import { collide, within } from '../../../impinge/kernels/pairs';
import { placeTrees } from './place';

export const MOTION_FREE: i32 = 0;
export const MOTION_HIT: i32 = 1;
/** Nearer than the distance and the accuracy: a hit or not. */
export const MOTION_OPEN: i32 = 2;
export const MOTION_TREELET: i32 = 3;
/** It takes too long, or too much room. */
export const MOTION_LONG: i32 = 4;
/** It reaches too far for float32. */
export const MOTION_FAR: i32 = 5;

// A motion: float64 numbers in the frame of a's stored numbers, but for the last ones of the body
/** At time 0: the rotation; the axis times it; the axis times that. */
export const M_START: usize = 0;
export const M_TURNING: usize = 72;
export const M_BENDING: usize = 144;
/** Of the centre of b's tree at time 0: where it is, its arm, the axis times that. */
export const M_POSITION: usize = 216;
export const M_ARM: usize = 240;
export const M_ACROSS: usize = 264;
export const M_VELOCITY: usize = 288;
export const M_AXIS: usize = 312;
export const M_ANGLE: usize = 336;
/** Speed along the axis, and across it. */
export const M_ALONG: usize = 344;
export const M_ASIDE: usize = 352;
/** In b's frame: the centre of its tree, its arm, the axis. */
export const M_CENTRE: usize = 360;
export const M_OWN_ARM: usize = 384;
export const M_OWN_AXIS: usize = 408;
/** What is at most `clearance` apart is a hit; what is more than `keep` apart is free. */
export const M_CLEARANCE: usize = 432;
export const M_KEEP: usize = 440;
export const M_ACCURACY: usize = 448;
/** The time of a hit; Infinity where none was found. */
export const M_HIT: usize = 456;
/** Pairs looked at so far, and at most. */
export const M_STEPS: usize = 464;
export const M_MOST_STEPS: usize = 468;
/** Bytes of the stack. */
export const M_ROOM: usize = 472;
/** Lengths of intervals of which it is known what follows. */
const M_KNOWN: usize = 476;
/** Half of the way of a leaf of b, float32. */
const M_SWAY: usize = 480;
/** Of every length of interval, for the first and the second half of a longer one: which is kept, and its placing. */
const M_KEPT: usize = 496;
/** Of every length: what is below. */
const M_LENGTHS: usize = 10000;
export const MOTION_BYTES: usize = 11080;

/** No interval. */
const NOTHING: u32 = 0xffffffff;
/** How often an interval may be halved. */
const FINEST: u32 = 26;
/**
 * Intervals are halved where the way within them is more than this share of the larger box's half diagonal: soon, which
 * is best where surfaces are far apart for most of the time; later in searches that turn out to be of surfaces that
 * slide past each other everywhere, as of threads, of which the way says little.
 */
const LONG: f64 = 0.1;
const LONG_SLIDING: f64 = 0.4;
/** Pairs after which a search is one of those: more than ten times what others take. */
const MANY_STEPS: u32 = 16384;
/** Pairs after which a hit is looked for, which takes as long as many of them, and how many times. */
const LOOK_AFTER: u32 = 48;
const LOOKS: u32 = 3;
const KEPT_BYTES: usize = 176;
/** Of a query: its pose, and that of the boxes both ways. */
const PLACING_BYTES: usize = 160;
const LENGTH_BYTES: usize = 40;
const ROUNDED_UP: f64 = 1.000000000001;
/** More than float32 takes from ways, as a share of their terms, and from squares and sums of what is compared. */
const ROUNDING: f32 = 4e-6;
const LARGER: f32 = 1.00001;

// the interval at whose middle b is placed, and what follows from its length
let placed: u32 = NOTHING;
let middle: f64 = 0;
let half: f64 = 0;
let chord: f64 = 0;
let sine: f64 = 0;
let bend: f64 = 0;
let lag: f64 = 0;
// the velocity in the frame of b as placed
let ownVx: f64 = 0;
let ownVy: f64 = 0;
let ownVz: f64 = 0;
// a point of the axis
let axisX: f64 = 0;
let axisY: f64 = 0;
let axisZ: f64 = 0;

/** Looks at all of the motion, or goes on where a part of a tree was missing. */
export function checkMotion(query: usize, motion: usize): i32 {
  const treeA: usize = load<u32>(query, Q_TREE_A);
  const treeB: usize = load<u32>(query, Q_TREE_B);
  const blocksA = treeA + load<u32>(treeA, TREE_BLOCKS);
  const blocksB = treeB + load<u32>(treeB, TREE_BLOCKS);
  const stack: usize = load<u32>(query, Q_STACK);
  const full = stack + load<u32>(motion, M_ROOM) - 8 * ENTRY;
  const most = load<u32>(motion, M_MOST_STEPS);
  let steps = load<u32>(motion, M_STEPS);
  let top = stack + load<u32>(query, Q_STACK_TOP);
  placed = NOTHING;
  forgetLeaves();
  if (!load<u32>(query, Q_STARTED)) {
    store<u32>(query, 1, Q_STARTED);
    store<u32>(motion, 0, M_KNOWN);
    setLine(0, 0, 0);
    if (!place(query, motion, 0)) return MOTION_FAR;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushLanes(query, motion, top, blocksA + lane, blocksB, true, 0);
    }
  }
  let status = MOTION_FREE;
  while (top > stack) {
    const slotA: usize = load<u32>(top - ENTRY);
    const slotB: usize = load<u32>(top - ENTRY, 4);
    const interval = load<u32>(top - ENTRY, 8);
    if (++steps > most || top > full) { status = MOTION_LONG; break; }
    if (steps == LOOK_AFTER && lookForHit(query, motion)) { status = MOTION_HIT; break; }
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    const arm = armOf(motion, slotB);
    const sizeA = boxSize(slotA), sizeB = boxSize(slotB);
    setLength(motion, interval);
    const way = wayWithin(motion, arm);
    const isFinest = way <= load<f64>(motion, M_ACCURACY) || (interval & 31) >= FINEST;
    const isLong = !isFinest && way > (steps < MANY_STEPS ? LONG : LONG_SLIDING) * sqrt(<f64>(sizeA > sizeB ? sizeA : sizeB));
    if (isLeaf(refA) && isLeaf(refB)) {
      top -= ENTRY;
      if (!isLong) {
        if (!place(query, motion, interval)) { status = MOTION_FAR; break; }
        if (areSettled(query, motion, slotA, slotB, way)) continue;
        if (load<f64>(motion, M_HIT) < Infinity) { status = MOTION_HIT; break; }
        if (isFinest) { status = MOTION_OPEN; break; }
      }
      store<u64>(top, slotPair(slotA, slotB, true));
      store<u32>(top, laterHalf(interval), 8);
      store<u64>(top, slotPair(slotA, slotB, true), ENTRY);
      store<u32>(top, earlierHalf(interval), ENTRY + 8);
      top += 2 * ENTRY;
      continue;
    }
    const openA = isLeaf(refB) || (!isLeaf(refA) && sizeA >= sizeB);
    const ref = openA ? refA : refB;
    if (ref & PENDING_BIT) { askForTreelet(query, openA, openA ? slotA : slotB); status = MOTION_TREELET; break; }
    top -= ENTRY;
    const block = (openA ? blocksA : blocksB) + BLOCK_BYTES * <usize>ref;
    const slot = openA ? slotB : slotA;
    if (isLong) {
      const later = laterHalf(interval), earlier = earlierHalf(interval);
      if (!place(query, motion, later)) { status = MOTION_FAR; break; }
      top = pushLanes(query, motion, top, slot, block, !openA, later);
      if (!place(query, motion, earlier)) { status = MOTION_FAR; break; }
      top = pushLanes(query, motion, top, slot, block, !openA, earlier);
    } else {
      if (!place(query, motion, interval)) { status = MOTION_FAR; break; }
      top = pushLanes(query, motion, top, slot, block, !openA, interval);
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  store<u32>(motion, steps, M_STEPS);
  return status;
}

/** Looks for a hit at a few times: the middle of the whole, and of its halves. Has a stack behind the motion. */
function lookForHit(query: usize, motion: usize): bool {
  const stack = load<u32>(query, Q_STACK);
  store<u32>(query, <u32>(motion + MOTION_BYTES), Q_STACK);
  let found = false;
  for (let look: u32 = 0; look < LOOKS && !found; look++) {
    if (!place(query, motion, look == 0 ? 0 : ((look - 1) << 5) | 1)) continue;
    store<u32>(query, 0, Q_STARTED);
    store<u32>(query, 0, Q_STACK_TOP);
    if (load<f64>(query, Q_BOUND) > 0) within(query);
    else collide(query);
    found = load<u32>(query, Q_PAIRS_FOUND) > 0;
    if (found) store<f64>(motion, middle, M_HIT);
    store<u32>(query, 0, Q_DOUBT_COUNT);
  }
  placed = NOTHING;
  store<u32>(query, 1, Q_STARTED);
  store<u32>(query, stack, Q_STACK);
  return found;
}

// @ts-ignore: decorator
@inline function earlierHalf(interval: u32): u32 { return ((interval >> 5) << 6) | ((interval & 31) + 1); }
// @ts-ignore: decorator
@inline function laterHalf(interval: u32): u32 { return ((((interval >> 5) << 1) | 1) << 5) | ((interval & 31) + 1); }
// @ts-ignore: decorator
@inline function lengthOf(interval: u32): f64 { return 1 / <f64>(1 << (interval & 31)); }
// @ts-ignore: decorator
@inline function startOf(interval: u32): f64 { return <f64>(interval >> 5) * lengthOf(interval); }

/** The sine of an angle from 0 to π; 1 − cos is left in `versine`. */
let versine: f64 = 0;
function sineOf(angle: f64): f64 {
  // of a sixteenth by Taylor's series, which is exact to all digits below 0.2; then doubled four times
  const x = angle / 16, q = x * x;
  let s = x * (1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72))));
  let v = q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56 * (1 - q / 90))));
  for (let k = 0; k < 4; k++) {
    const twice = 2 * s * (1 - v);
    v = 2 * s * s;
    s = twice;
  }
  versine = v;
  return s;
}

/** Finds what follows from lengths of intervals, up to one that was halved so often. */
function writeLengths(motion: usize, most: u32): void {
  let level = load<u32>(motion, M_KNOWN);
  for (; level <= most; level++) {
    const length: f64 = 0.5 / <f64>(1 << level);
    const angle = load<f64>(motion, M_ANGLE) * length;
    const at = motion + M_LENGTHS + LENGTH_BYTES * <usize>level;
    store<f64>(at, length);
    store<f64>(at, 2 * sineOf(0.5 * angle), 8);
    store<f64>(at, sineOf(angle), 16);
    store<f64>(at, versine, 24);
    // no less than angle − sine
    store<f64>(at, angle * angle * angle / 6, 32);
    store<u32>(motion + M_KEPT + KEPT_BYTES * <usize>(2 * level), NOTHING);
    store<u32>(motion + M_KEPT + KEPT_BYTES * <usize>(2 * level + 1), NOTHING);
  }
  store<u32>(motion, level, M_KNOWN);
}

/** Sets what follows from the length of an interval. */
// @ts-ignore: decorator
@inline function setLength(motion: usize, interval: u32): void {
  if ((interval & 31) >= load<u32>(motion, M_KNOWN)) writeLengths(motion, interval & 31);
  const at = motion + M_LENGTHS + LENGTH_BYTES * <usize>(interval & 31);
  half = load<f64>(at);
  chord = load<f64>(at, 8);
  sine = load<f64>(at, 16);
  bend = load<f64>(at, 24);
  lag = load<f64>(at, 32);
}

/** No point with such an arm moves farther within half of the interval. */
// @ts-ignore: decorator
@inline function wayWithin(motion: usize, arm: f64): f64 {
  const along = load<f64>(motion, M_ALONG) * half, aside = load<f64>(motion, M_ASIDE) * half + chord * arm;
  return sqrt(along * along + aside * aside) * ROUNDED_UP;
}

/** The largest distance of a point of the box at `slot` from the axis. */
function armOf(motion: usize, slot: usize): f64 {
  const cx = <f64>load<f32>(slot, ROW_CENTRE), cy = <f64>load<f32>(slot, ROW_CENTRE + ROW), cz = <f64>load<f32>(slot, ROW_CENTRE + 2 * ROW);
  const x = cx + load<f64>(motion, M_OWN_ARM), y = cy + load<f64>(motion, M_OWN_ARM + 8), z = cz + load<f64>(motion, M_OWN_ARM + 16);
  const ux = load<f64>(motion, M_OWN_AXIS), uy = load<f64>(motion, M_OWN_AXIS + 8), uz = load<f64>(motion, M_OWN_AXIS + 16);
  const px = y * uz - z * uy, py = z * ux - x * uz, pz = x * uy - y * ux;
  // boxes hold their triangles but for a share of their coordinates
  const rounding = 1e-5 * (abs(cx) + abs(cy) + abs(cz));
  return sqrt(px * px + py * py + pz * pz) + sqrt(<f64>boxSize(slot)) * 1.00001 + rounding;
}

/** Places b at the middle of an interval; false where that is too far. */
function place(query: usize, motion: usize, interval: u32): bool {
  setLength(motion, interval);
  if (interval == placed) return true;
  placed = interval;
  middle = startOf(interval) + half;
  const kept = motion + M_KEPT + KEPT_BYTES * <usize>(2 * (interval & 31) + ((interval >> 5) & 1));
  const pose = query + Q_POSE;
  if (load<u32>(kept) == interval) {
    forgetPose();
    forgetOne();
    copy(kept + 16, pose);
    placeAxis(query, motion);
    return true;
  }
  const s = sineOf(load<f64>(motion, M_ANGLE) * middle), v = versine;
  for (let k: usize = 0; k < 72; k += 8) {
    store<f64>(pose + k, load<f64>(motion + k, M_START) + (s * load<f64>(motion + k, M_TURNING) + v * load<f64>(motion + k, M_BENDING)));
  }
  const x = load<f64>(motion, M_CENTRE), y = load<f64>(motion, M_CENTRE + 8), z = load<f64>(motion, M_CENTRE + 16);
  for (let k: usize = 0; k < 24; k += 8) {
    const moved = s * load<f64>(motion + k, M_ACROSS) - v * load<f64>(motion + k, M_ARM);
    const at = load<f64>(motion + k, M_POSITION) + (load<f64>(motion + k, M_VELOCITY) * middle + moved);
    const row = pose + 3 * k;
    store<f64>(pose + k, at - (load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z), 72);
  }
  if (!placeTrees(query)) return false;
  store<u32>(kept, interval);
  copy(pose, kept + 16);
  placeAxis(query, motion);
  return true;
}

/** The velocity in the frame of b as placed, and where the axis is: where the centre of its tree is, less its arm. */
function placeAxis(query: usize, motion: usize): void {
  const p = query + Q_POSE;
  const ax = load<f64>(motion, M_CENTRE) - load<f64>(motion, M_OWN_ARM);
  const ay = load<f64>(motion, M_CENTRE + 8) - load<f64>(motion, M_OWN_ARM + 8);
  const az = load<f64>(motion, M_CENTRE + 16) - load<f64>(motion, M_OWN_ARM + 16);
  axisX = load<f64>(p) * ax + load<f64>(p, 8) * ay + load<f64>(p, 16) * az + load<f64>(p, 72);
  axisY = load<f64>(p, 24) * ax + load<f64>(p, 32) * ay + load<f64>(p, 40) * az + load<f64>(p, 80);
  axisZ = load<f64>(p, 48) * ax + load<f64>(p, 56) * ay + load<f64>(p, 64) * az + load<f64>(p, 88);
  const x = load<f64>(motion, M_VELOCITY), y = load<f64>(motion, M_VELOCITY + 8), z = load<f64>(motion, M_VELOCITY + 16);
  ownVx = load<f64>(p) * x + load<f64>(p, 24) * y + load<f64>(p, 48) * z;
  ownVy = load<f64>(p, 8) * x + load<f64>(p, 32) * y + load<f64>(p, 56) * z;
  ownVz = load<f64>(p, 16) * x + load<f64>(p, 40) * y + load<f64>(p, 64) * z;
}

// @ts-ignore: decorator
@inline function copy(from: usize, to: usize): void {
  for (let k: usize = 0; k < PLACING_BYTES; k += 16) v128.store(to + k, v128.load(from + k));
}

/** Pushes the lanes of `block` that may come near the box at `slot` within the interval placed, the nearest on top. */
function pushLanes(query: usize, motion: usize, top: usize, slot: usize, block: usize, slotIsA: bool, interval: u32): usize {
  let mask = comingLanes(query, motion, slot, block, slotIsA);
  const first = top;
  while (mask) {
    const lane = <usize>ctz(mask);
    mask &= mask - 1;
    const bound = boundOf(lane);
    let at = top;
    while (at > first && load<f32>(at - 4) < bound) {
      store<u64>(at, load<u64>(at - ENTRY));
      store<u64>(at, load<u64>(at - ENTRY, 8), 8);
      at -= ENTRY;
    }
    store<u64>(at, slotPair(slot, block + 4 * lane, slotIsA));
    store<u32>(at, interval, 8);
    store<f32>(at, bound, 12);
    top += ENTRY;
  }
  return top;
}

// of a box of b: half of its way, in the frame of b, and how far its points may stray from that
let wayX: f64 = 0;
let wayY: f64 = 0;
let wayZ: f64 = 0;
let stray: f64 = 0;

/** Finds the way within half of the interval placed of the box of b at `slot`, whose half diagonal is given. */
function takeWay(motion: usize, slot: usize, radius: f64): void {
  const cx = <f64>load<f32>(slot, ROW_CENTRE), cy = <f64>load<f32>(slot, ROW_CENTRE + ROW), cz = <f64>load<f32>(slot, ROW_CENTRE + 2 * ROW);
  const x = cx + load<f64>(motion, M_OWN_ARM), y = cy + load<f64>(motion, M_OWN_ARM + 8), z = cz + load<f64>(motion, M_OWN_ARM + 16);
  const ux = load<f64>(motion, M_OWN_AXIS), uy = load<f64>(motion, M_OWN_AXIS + 8), uz = load<f64>(motion, M_OWN_AXIS + 16);
  const px = uy * z - uz * y, py = uz * x - ux * z, pz = ux * y - uy * x;
  const turn = load<f64>(motion, M_ANGLE) * half;
  wayX = ownVx * half + turn * px;
  wayY = ownVy * half + turn * py;
  wayZ = ownVz * half + turn * pz;
  const arm = sqrt(px * px + py * py + pz * pz);
  const coordinates = abs(cx) + abs(cy) + abs(cz);
  // boxes hold their triangles but for a share of their coordinates
  const size = radius + 1e-5 * coordinates;
  const terms = (abs(ownVx) + abs(ownVy) + abs(ownVz)) * half + turn * (coordinates + abs(x) + abs(y) + abs(z));
  stray = (lag + bend) * arm + (sine + bend) * size + <f64>ROUNDING * terms;
}

/** Bit l is set if the box at `slot` and lane l of a block may come near each other within the interval placed. */
function comingLanes(query: usize, motion: usize, slot: usize, block: usize, slotIsA: bool): i32 {
  const one = scratch + ONE;
  prepareOne(slot, query + (slotIsA ? Q_A_TO_B : Q_B_TO_A), one);
  const keep = <f32>load<f64>(motion, M_KEEP);
  let needed: v128, sq: v128;
  if (slotIsA) {
    const cx = v128.load(block, ROW_CENTRE), cy = v128.load(block, ROW_CENTRE + ROW), cz = v128.load(block, ROW_CENTRE + 2 * ROW);
    const x = f32x4.add(cx, splat(motion, M_OWN_ARM)), y = f32x4.add(cy, splat(motion, M_OWN_ARM + 8)), z = f32x4.add(cz, splat(motion, M_OWN_ARM + 16));
    const ux = splat(motion, M_OWN_AXIS), uy = splat(motion, M_OWN_AXIS + 8), uz = splat(motion, M_OWN_AXIS + 16);
    const px = f32x4.sub(f32x4.mul(uy, z), f32x4.mul(uz, y));
    const py = f32x4.sub(f32x4.mul(uz, x), f32x4.mul(ux, z));
    const pz = f32x4.sub(f32x4.mul(ux, y), f32x4.mul(uy, x));
    const turn = f32x4.splat(<f32>(load<f64>(motion, M_ANGLE) * half));
    const ex = f32x4.add(f32x4.splat(<f32>(ownVx * half)), f32x4.mul(turn, px));
    const ey = f32x4.add(f32x4.splat(<f32>(ownVy * half)), f32x4.mul(turn, py));
    const ez = f32x4.add(f32x4.splat(<f32>(ownVz * half)), f32x4.mul(turn, pz));
    sq = boundBoxes4(one, block, ex, ey, ez, BOTH_WAYS);
    const arm = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(px, px), f32x4.mul(py, py)), f32x4.mul(pz, pz)));
    const coordinates = f32x4.add(f32x4.add(f32x4.abs(cx), f32x4.abs(cy)), f32x4.abs(cz));
    const size = f32x4.add(halfDiagonals4(block), f32x4.mul(f32x4.splat(1e-5), coordinates));
    needed = f32x4.add(f32x4.mul(f32x4.splat(<f32>(lag + bend)), arm), f32x4.mul(f32x4.splat(<f32>(sine + bend)), size));
    const terms = f32x4.add(coordinates, f32x4.add(f32x4.add(f32x4.abs(x), f32x4.abs(y)), f32x4.abs(z)));
    const straight = f32x4.splat(<f32>((abs(ownVx) + abs(ownVy) + abs(ownVz)) * half));
    needed = f32x4.add(needed, f32x4.mul(f32x4.splat(ROUNDING), f32x4.add(straight, f32x4.mul(turn, terms))));
  } else {
    takeWay(motion, slot, <f64>halfDiagonal(one));
    const p = query + Q_POSE;
    sq = boundBoxes4(one, block, turned(p), turned(p + 24), turned(p + 48), BOTH_WAYS);
    needed = f32x4.splat(<f32>stray);
  }
  needed = f32x4.mul(f32x4.add(needed, f32x4.splat(keep)), f32x4.splat(LARGER));
  v128.store(scratch + BOUNDS, sq);
  // what is no number, of arms that float32 cannot square, is near
  return i32x4.bitmask(v128.or(f32x4.gt(sq, f32x4.mul(needed, needed)), emptyLanes(block))) ^ 15;
}

// @ts-ignore: decorator
@inline function splat(motion: usize, at: usize): v128 { return f32x4.splat(<f32>load<f64>(motion + at)); }

/** A row of the rotation of b times the way. */
// @ts-ignore: decorator
@inline function turned(row: usize): v128 { return f32x4.splat(<f32>(load<f64>(row) * wayX + load<f64>(row, 8) * wayY + load<f64>(row, 16) * wayZ)); }

/** Whether all triangles of two leaves keep their distance within the interval placed. Notes a hit at its middle. */
function areSettled(query: usize, motion: usize, slotA: usize, slotB: usize, way: f64): bool {
  const keep = load<f64>(motion, M_KEEP), clearance = load<f64>(motion, M_CLEARANCE);
  takeWay(motion, slotB, sqrt(<f64>boxSize(slotB)) * 1.00001);
  const p = query + Q_POSE, sway = motion + M_SWAY, direction = scratch + DIRECTION;
  v128.store(sway, v128.bitselect(turned(p), turned(p + 24), i32x4(-1, 0, 0, 0)));
  store<f32>(sway, f32x4.extract_lane(turned(p + 48), 0), 8);
  store<f32>(direction, <f32>(lineX * 0.999999));
  store<f32>(direction, <f32>(lineY * 0.999999), 4);
  store<f32>(direction, <f32>(lineZ * 0.999999), 8);
  const reach = <f32>(keep + stray) * 1.000001;
  let mask = leafCandidates(query, load<u32>(slotA, ROW_REF), load<u32>(slotB, ROW_REF), reach, direction, sway);
  let settled = true;
  while (mask) {
    const bit = ctz(mask);
    mask &= mask - 1;
    const i = bit >> 2, j = bit & 3;
    const a = exactTriangleA(query, i), b = exactTriangleB(query, j);
    if (staysWide(query, motion, a, b, way, keep)) continue; // along the line that was found last
    const distance = sqrt(triangleDistanceSq(a, b));
    setLine(gapX, gapY, gapZ);
    if (staysWide(query, motion, a, b, way, keep)) continue;
    if (!(clearance > 0 && distance <= clearance) && triangleTriangle(a, b) != YES) {
      settled = false;
      continue;
    }
    store<f64>(motion, middle, M_HIT);
    return false;
  }
  return settled;
}

// a unit vector, or no numbers: nothing is wide along those
let lineX: f64 = 0;
let lineY: f64 = 0;
let lineZ: f64 = 0;

// @ts-ignore: decorator
@inline function setLine(x: f64, y: f64, z: f64): void {
  const inverse = 1 / sqrt(x * x + y * y + z * z);
  lineX = x * inverse;
  lineY = y * inverse;
  lineZ = z * inverse;
}

/**
 * Whether b's triangle stays beyond a's along the line, from a to b, by more than `keep`: no corner comes back by as
 * much as it is beyond.
 */
function staysWide(query: usize, motion: usize, a: usize, b: usize, way: f64, keep: f64): bool {
  const nx = lineX, ny = lineY, nz = lineZ;
  // from where a's triangle ends along the line
  const x = load<f64>(a), y = load<f64>(a, 8), z = load<f64>(a, 16);
  let end: f64 = 0;
  for (let k: usize = 24; k < 72; k += 24) {
    const d = nx * (load<f64>(a + k) - x) + ny * (load<f64>(a + k, 8) - y) + nz * (load<f64>(a + k, 16) - z);
    if (d > end) end = d;
  }
  end += keep;
  const d0 = nx * (load<f64>(b) - x) + ny * (load<f64>(b, 8) - y) + nz * (load<f64>(b, 16) - z) - end;
  const d1 = nx * (load<f64>(b, 24) - x) + ny * (load<f64>(b, 32) - y) + nz * (load<f64>(b, 40) - z) - end;
  const d2 = nx * (load<f64>(b, 48) - x) + ny * (load<f64>(b, 56) - y) + nz * (load<f64>(b, 64) - z) - end;
  if (!(d0 > 0 && d1 > 0 && d2 > 0)) return false;
  if (d0 > way && d1 > way && d2 > way) return true;
  const vx = load<f64>(motion, M_VELOCITY), vy = load<f64>(motion, M_VELOCITY + 8), vz = load<f64>(motion, M_VELOCITY + 16);
  const straight = nx * vx + ny * vy + nz * vz;
  if (!(sine > 0)) {
    const back = abs(straight) * half * ROUNDED_UP;
    return d0 > back && d1 > back && d2 > back;
  }
  const ux = load<f64>(motion, M_AXIS), uy = load<f64>(motion, M_AXIS + 8), uz = load<f64>(motion, M_AXIS + 16);
  const along = nx * ux + ny * uy + nz * uz;
  const sx = ny * uz - nz * uy, sy = nz * ux - nx * uz, sz = nx * uy - ny * ux;
  const bx = along * ux - nx, by = along * uy - ny, bz = along * uz - nz;
  const rate = load<f64>(motion, M_ANGLE);
  for (let k: usize = 0; k < 72; k += 24) {
    const rx = load<f64>(b + k) - axisX, ry = load<f64>(b + k, 8) - axisY, rz = load<f64>(b + k, 16) - axisZ;
    const swing = sx * rx + sy * ry + sz * rz;
    const rise = bx * rx + by * ry + bz * rz;
    const back = abs(straight + rate * swing) * half + lag * abs(swing) + (rise < 0 ? bend * -rise : 0);
    // where terms cancel, they round by a share of themselves
    if (!((k == 0 ? d0 : k == 24 ? d1 : d2) > back * ROUNDED_UP)) return false;
  }
  return true;
}
