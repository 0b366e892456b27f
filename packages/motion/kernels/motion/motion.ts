/**
 * Whether a body in rigid motion keeps its distance from an obstacle at every time from 0 to 1.
 *
 * Idea: the trees are walked together over space and time. An entry is a pair of boxes and an interval of time. If the
 * boxes, placed at its middle, are farther apart than the distance to keep and all that the body's box can move within
 * half of the interval, they are apart throughout. If not, the larger box is opened, and the interval is halved where
 * the way within it is large beside the boxes. Two leaves are settled triangle by triangle, along the line between
 * the closest points, in which triangles that slide past each other hardly move; and halved in time until they are, or
 * until the way within is below the accuracy.
 * The way of a box is that of src/motion-reach.ts, its arm that of its centre and its half diagonal. Along a unit
 * vector n, a corner at r from the axis u moves within the time h by at most
 *   |n · v| h + sin φ |(n × u) · r| + (1 − cos φ) |n⊥ · r|          (φ = rate · h ≤ π / 2, n⊥ = n across the axis).
 * Layout of an entry: the two slots, then the interval as its number and, in the low five bits, how often it was
 * halved; 16 bytes, as expandPending of impinge moves them. Each step removes one and adds at most eight.
 * Errs: to the side of being near. Times of hits are those of triangles that do meet, or are as near as that, there.
 */
// host: M.* = M_*
// host: MOTION_BYTES
// host: MotionStatus.* = MOTION_FREE MOTION_HIT MOTION_OPEN MOTION_TREELET MOTION_GIVEN_UP
import { BLOCK_BYTES, EMPTY, PENDING_BIT, ROW, ROW_CENTRE, ROW_HALF, ROW_REF, TREE_BLOCKS, isLeaf } from '../../../impinge/kernels/layout';
import {
  Q_BOUND, Q_DOUBT_COUNT, Q_PAIRS_FOUND, Q_POSE, Q_STACK, Q_STACK_TOP, Q_STARTED, Q_TREE_A, Q_TREE_B,
  askForTreelet,
} from '../../../impinge/kernels/context';
import { boxSize, forgetOne } from '../../../impinge/kernels/obb';
import { exactTriangleA, exactTriangleB, forgetLeaves, forgetPose, leafCandidates } from '../../../impinge/kernels/leaf';
import { ENTRY, boundOf, nearLanes, slotPair, squareUp } from '../../../impinge/kernels/near';
import { YES, gapX, gapY, gapZ, triangleDistanceSq, triangleTriangle } from '../../../impinge/kernels/triangles';
import { collide, within } from '../../../impinge/kernels/pairs';
import { placeTrees } from './place';

export const MOTION_FREE: i32 = 0;
export const MOTION_HIT: i32 = 1;
/** Nearer than the distance and the accuracy: a hit or not. */
export const MOTION_OPEN: i32 = 2;
export const MOTION_TREELET: i32 = 3;
/** It takes too long, too much room, or reaches too far. */
export const MOTION_GIVEN_UP: i32 = 4;

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
/** Of every length of interval, for the first and the second half of a longer one: which is kept, and its placing. */
const M_KEPT: usize = 480;
/** Of every length: what is below. */
const M_LENGTHS: usize = 9984;
export const MOTION_BYTES: usize = 10848;

/** No interval. */
const NOTHING: u32 = 0xffffffff;
/** How often an interval may be halved. */
const FINEST: u32 = 26;
/** Intervals are halved where the way within them is more than this share of the larger box's half diagonal. */
const LONG: f64 = 0.06;
/** Times at which a hit is looked for first. */
const LOOKS: u32 = 3;
const KEPT_BYTES: usize = 176;
/** Of a query: its pose, and that of the boxes both ways. */
const PLACING_BYTES: usize = 160;
const LENGTH_BYTES: usize = 32;
const ROUNDED_UP: f64 = 1.000000000001;

// the interval at whose middle b is placed, and what follows from its length
let placed: u32 = NOTHING;
let middle: f64 = 0;
let half: f64 = 0;
let chord: f64 = 0;
let sine: f64 = 0;
let bend: f64 = 0;

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
    writeLengths(motion);
    if (lookForHit(query, motion)) return MOTION_HIT;
    if (!place(query, motion, 0)) return MOTION_GIVEN_UP;
    for (let lane: usize = 0; lane < 16; lane += 4) {
      if (load<u32>(blocksA + lane, ROW_REF) != EMPTY) top = pushLanes(query, motion, top, blocksA + lane, blocksB, true, 0);
    }
  }
  let status = MOTION_FREE;
  while (top > stack) {
    const slotA: usize = load<u32>(top - ENTRY);
    const slotB: usize = load<u32>(top - ENTRY, 4);
    const interval = load<u32>(top - ENTRY, 8);
    if (++steps > most || top > full) { status = MOTION_GIVEN_UP; break; }
    const refA = load<u32>(slotA, ROW_REF);
    const refB = load<u32>(slotB, ROW_REF);
    const arm = armOf(motion, slotB);
    const sizeA = boxSize(slotA), sizeB = boxSize(slotB);
    setLength(motion, interval);
    const way = wayWithin(motion, arm);
    const isFinest = way <= load<f64>(motion, M_ACCURACY) || (interval & 31) >= FINEST;
    const isLong = !isFinest && way > LONG * sqrt(<f64>(sizeA > sizeB ? sizeA : sizeB));
    if (isLeaf(refA) && isLeaf(refB)) {
      top -= ENTRY;
      if (!isLong) {
        if (!place(query, motion, interval)) { status = MOTION_GIVEN_UP; break; }
        if (areSettled(query, motion, refA, refB, way)) continue;
        if (load<f64>(motion, M_HIT) < Infinity) { status = MOTION_HIT; break; }
        if (isFinest) { status = MOTION_OPEN; break; }
      }
      if (!place(query, motion, laterHalf(interval))) { status = MOTION_GIVEN_UP; break; }
      top = pushPair(query, motion, top, slotA, slotB, blocksB, arm);
      if (!place(query, motion, earlierHalf(interval))) { status = MOTION_GIVEN_UP; break; }
      top = pushPair(query, motion, top, slotA, slotB, blocksB, arm);
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
      if (!place(query, motion, later)) { status = MOTION_GIVEN_UP; break; }
      top = pushLanes(query, motion, top, slot, block, !openA, later);
      if (!place(query, motion, earlier)) { status = MOTION_GIVEN_UP; break; }
      top = pushLanes(query, motion, top, slot, block, !openA, earlier);
    } else {
      if (!place(query, motion, interval)) { status = MOTION_GIVEN_UP; break; }
      top = pushLanes(query, motion, top, slot, block, !openA, interval);
    }
  }
  store<u32>(query, <u32>(top - stack), Q_STACK_TOP);
  store<u32>(motion, steps, M_STEPS);
  return status;
}

/** Looks for a hit at a few times, which takes little beside the search: the middle of the whole, and of its halves. */
function lookForHit(query: usize, motion: usize): bool {
  for (let look: u32 = 0; look < LOOKS; look++) {
    if (!place(query, motion, look == 0 ? 0 : ((look - 1) << 5) | 1)) continue;
    store<u32>(query, 0, Q_STARTED);
    store<u32>(query, 0, Q_STACK_TOP);
    if (load<f64>(query, Q_BOUND) > 0) within(query);
    else collide(query);
    if (load<u32>(query, Q_PAIRS_FOUND) > 0) {
      store<f64>(motion, middle, M_HIT);
      return true;
    }
    store<u32>(query, 0, Q_DOUBT_COUNT);
  }
  store<u32>(query, 1, Q_STARTED);
  store<u32>(query, 0, Q_STACK_TOP);
  return false;
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

/** Finds what follows from the lengths of all intervals. */
function writeLengths(motion: usize): void {
  let length: f64 = 0.5;
  for (let level: usize = 0; level <= FINEST; level++) {
    const angle = load<f64>(motion, M_ANGLE) * length;
    const at = motion + M_LENGTHS + LENGTH_BYTES * level;
    store<f64>(at, length);
    store<f64>(at, 2 * sineOf(0.5 * angle), 8);
    store<f64>(at, sineOf(angle), 16);
    store<f64>(at, versine, 24);
    length *= 0.5;
    store<u32>(motion + M_KEPT + KEPT_BYTES * (2 * level), NOTHING);
    store<u32>(motion + M_KEPT + KEPT_BYTES * (2 * level + 1), NOTHING);
  }
}

/** Sets what follows from the length of an interval. */
// @ts-ignore: decorator
@inline function setLength(motion: usize, interval: u32): void {
  const at = motion + M_LENGTHS + LENGTH_BYTES * <usize>(interval & 31);
  half = load<f64>(at);
  chord = load<f64>(at, 8);
  sine = load<f64>(at, 16);
  bend = load<f64>(at, 24);
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
  return true;
}

// @ts-ignore: decorator
@inline function copy(from: usize, to: usize): void {
  for (let k: usize = 0; k < PLACING_BYTES; k += 16) v128.store(to + k, v128.load(from + k));
}

/** Pushes the lanes of `block` that may come near the box at `slot` within the interval placed, the nearest on top. */
function pushLanes(query: usize, motion: usize, top: usize, slot: usize, block: usize, slotIsA: bool, interval: u32): usize {
  const keep = load<f64>(motion, M_KEEP);
  let limit: f32 = slotIsA ? 0 : squareUp(keep + wayWithin(motion, armOf(motion, slot)));
  let mask = nearLanes(query, slot, block, slotIsA, slotIsA ? Infinity : limit);
  const first = top;
  while (mask) {
    const lane = <usize>ctz(mask);
    mask &= mask - 1;
    const bound = boundOf(lane);
    if (slotIsA) {
      limit = squareUp(keep + wayWithin(motion, armOf(motion, block + 4 * lane)));
      if (bound > limit) continue;
    }
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

/** Pushes two leaves if their boxes may come near within the interval placed. */
function pushPair(query: usize, motion: usize, top: usize, slotA: usize, slotB: usize, blocksB: usize, arm: f64): usize {
  const lane = ((slotB - blocksB) % BLOCK_BYTES) >> 2;
  const limit = squareUp(load<f64>(motion, M_KEEP) + wayWithin(motion, arm));
  const near = nearLanes(query, slotA, slotB - 4 * lane, true, limit);
  if (!(near & (1 << <i32>lane))) return top;
  store<u64>(top, slotPair(slotA, slotB, true));
  store<u32>(top, placed, 8);
  return top + ENTRY;
}

/** Whether all triangles of two leaves keep their distance within the interval placed. Notes a hit at its middle. */
function areSettled(query: usize, motion: usize, refA: u32, refB: u32, way: f64): bool {
  const keep = load<f64>(motion, M_KEEP), clearance = load<f64>(motion, M_CLEARANCE);
  let mask = leafCandidates(query, refA, refB, <f32>(keep + way) * 1.000001, 0);
  let settled = true;
  while (mask) {
    const bit = ctz(mask);
    mask &= mask - 1;
    const i = bit >> 2, j = bit & 3;
    const a = exactTriangleA(query, i), b = exactTriangleB(query, j);
    const meet = triangleTriangle(a, b);
    if (meet != YES) {
      const distance = sqrt(triangleDistanceSq(a, b));
      setLine();
      // measured at the corners: triangles that may cross have no width
      const room = distance > 0 ? widthAlong(a, b) - keep : 0;
      if (room > way || (room > 0 && wayAlong(query, motion, b) < room)) continue;
      if (!(clearance > 0 && distance <= clearance)) { settled = false; continue; }
    }
    store<f64>(motion, middle, M_HIT);
    return false;
  }
  return settled;
}

// the unit vector along the line of the closest points of the last two triangles
let lineX: f64 = 0;
let lineY: f64 = 0;
let lineZ: f64 = 0;

/** The gap has any length: where that is no number, neither is the line, and nothing is wider than it. */
// @ts-ignore: decorator
@inline function setLine(): void {
  const inverse = 1 / sqrt(gapX * gapX + gapY * gapY + gapZ * gapZ);
  lineX = gapX * inverse;
  lineY = gapY * inverse;
  lineZ = gapZ * inverse;
}

/** How wide the gap between two triangles is along the line. */
function widthAlong(a: usize, b: usize): f64 {
  const nx = lineX, ny = lineY, nz = lineZ;
  const x = load<f64>(a), y = load<f64>(a, 8), z = load<f64>(a, 16);
  let lowA: f64 = 0, highA: f64 = 0;
  for (let k: usize = 24; k < 72; k += 24) {
    const d = nx * (load<f64>(a + k) - x) + ny * (load<f64>(a + k, 8) - y) + nz * (load<f64>(a + k, 16) - z);
    if (d < lowA) lowA = d;
    if (d > highA) highA = d;
  }
  let lowB: f64 = Infinity, highB: f64 = -Infinity;
  for (let k: usize = 0; k < 72; k += 24) {
    const d = nx * (load<f64>(b + k) - x) + ny * (load<f64>(b + k, 8) - y) + nz * (load<f64>(b + k, 16) - z);
    if (d < lowB) lowB = d;
    if (d > highB) highB = d;
  }
  const after = lowB - highA, before = lowA - highB;
  return after > before ? after : before;
}

/** The most that a corner of b's triangle moves along the line within half of the interval. */
function wayAlong(query: usize, motion: usize, b: usize): f64 {
  const nx = lineX, ny = lineY, nz = lineZ;
  const vx = load<f64>(motion, M_VELOCITY), vy = load<f64>(motion, M_VELOCITY + 8), vz = load<f64>(motion, M_VELOCITY + 16);
  let way = abs(nx * vx + ny * vy + nz * vz) * half;
  if (sine > 0) {
    const ux = load<f64>(motion, M_AXIS), uy = load<f64>(motion, M_AXIS + 8), uz = load<f64>(motion, M_AXIS + 16);
    // the axis now passes where the centre of the tree is, less its arm
    const pose = query + Q_POSE;
    const cx = load<f64>(motion, M_CENTRE), cy = load<f64>(motion, M_CENTRE + 8), cz = load<f64>(motion, M_CENTRE + 16);
    const wx = load<f64>(motion, M_OWN_ARM), wy = load<f64>(motion, M_OWN_ARM + 8), wz = load<f64>(motion, M_OWN_ARM + 16);
    const px = load<f64>(pose) * (cx - wx) + load<f64>(pose, 8) * (cy - wy) + load<f64>(pose, 16) * (cz - wz) + load<f64>(pose, 72);
    const py = load<f64>(pose, 24) * (cx - wx) + load<f64>(pose, 32) * (cy - wy) + load<f64>(pose, 40) * (cz - wz) + load<f64>(pose, 80);
    const pz = load<f64>(pose, 48) * (cx - wx) + load<f64>(pose, 56) * (cy - wy) + load<f64>(pose, 64) * (cz - wz) + load<f64>(pose, 88);
    const along = nx * ux + ny * uy + nz * uz;
    let swing: f64 = 0, rise: f64 = 0;
    for (let k: usize = 0; k < 72; k += 24) {
      const x = load<f64>(b + k) - px, y = load<f64>(b + k, 8) - py, z = load<f64>(b + k, 16) - pz;
      const s = abs((ny * uz - nz * uy) * x + (nz * ux - nx * uz) * y + (nx * uy - ny * ux) * z);
      const r = abs(along * (ux * x + uy * y + uz * z) - (nx * x + ny * y + nz * z));
      if (s > swing) swing = s;
      if (r > rise) rise = r;
    }
    way += sine * swing + bend * rise;
  }
  return way * ROUNDED_UP;
}
