/**
 * The first triangle that a moving shape touches, by a walk down a box tree, the earliest box first.
 *
 * Idea: the distance between two convex sets, one of which moves in a straight line, is a convex function of time. So
 * Newton's steps approach the time at which it is 0 from before and never pass it: each goes as far as the plane
 * between the closest points allows. Boxes, enlarged by the box of the shape, are tested against the path of a point.
 * Layout: the stack holds (reference, time as float32, rounded down), as in nearest.ts. S_RADIUS is 0 for convex
 * shapes.
 * Errs: early, never late. A triangle counts as touched if it is within `near`, which exceeds the error of distances;
 * one that is touched at the start, and that a plane separates from the shape throughout the motion, is skipped.
 */
import { EMPTY, isLeaf, leafCount, leafStart } from '../layout';
import { BOXES_BLOCKS, BOXES_CORNERS, BOXES_ORDER, BOXES_ROOT, BOX_BLOCK_BYTES, BOX_MAX, BOX_MIN, BOX_REF } from '../rays/layout';
import { leavesTriangle, planeTime } from './convex';
import { gapOf, setCore, setWay, wayX, wayY, wayZ } from './core';
import { CONVEX, S_BEST, S_BOX, S_GAP, S_KIND, S_MOTION, S_RADIUS, S_TREE, S_TRIANGLE } from './layout';
import { loadTriangle } from './meet';
import { STACK, TRIANGLE, scratch } from './scratch';

// host: STEPS NEAR ALONG
/** Maximum number of Newton steps; if they do not suffice, the time reached counts, which is early. */
const STEPS: i32 = 48;
/** Tolerance as a share of the largest coordinate. */
const NEAR: f64 = 4e-13;
/**
 * Distances, in units of that tolerance, at which the vector between two sets is still precise, and at which a search
 * begins.
 */
const KNOWN: f64 = 1e5;
const BEFORE: f64 = 4e6;
/** A motion along a surface, to within rounding, does not enter it: share of the motion's length. */
const ALONG: f64 = 1e-12;

let near: f64 = 0, speed: f64 = 0, slack: f64 = 0;
let mx: f64 = 0, my: f64 = 0, mz: f64 = 0;

/** Writes the first triangle touched up to the time S_BEST, that time, and the gap; EMPTY if there is none. */
export function sweepShape(query: usize): void {
  setCore(query);
  const boxes = <usize>load<u32>(query, S_TREE);
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS), order = boxes + load<u32>(boxes, BOXES_ORDER);
  const corners = boxes + load<u32>(boxes, BOXES_CORNERS);
  mx = load<f64>(query, S_MOTION); my = load<f64>(query, S_MOTION + 8); mz = load<f64>(query, S_MOTION + 16);
  speed = sqrt(mx * mx + my * my + mz * mz);
  let most: f64 = 0;
  for (let k: usize = 0; k < 6; k++) most = max(most, max(<f64>abs(load<f32>(boxes + 4 * k, BOXES_ROOT)), abs(load<f64>(query + 8 * k, S_BOX))));
  near = NEAR * (most + speed);
  slack = 2 * near;
  const stack = scratch + STACK;
  let best = load<f64>(query, S_BEST);
  store<u32>(query, EMPTY, S_TRIANGLE);
  let top = stack;
  let ref: u32 = 0;
  while (true) {
    if (isLeaf(ref)) {
      const start = leafStart(ref), row: usize = 4 * <usize>leafCount(ref);
      const first = corners + 36 * <usize>start;
      for (let lane: usize = 0; lane < row; lane += 4) {
        const time = touches(query, first + lane, row, best);
        if (!(time <= best)) continue;
        const triangle = load<u32>(order + 4 * <usize>start + lane);
        if (time == best && triangle > load<u32>(query, S_TRIANGLE)) continue;
        best = time;
        store<u32>(query, triangle, S_TRIANGLE);
        store<f64>(query, wayX, S_GAP);
        store<f64>(query, wayY, S_GAP + 8);
        store<f64>(query, wayZ, S_GAP + 16);
      }
    } else {
      const block = blocks + BOX_BLOCK_BYTES * <usize>ref;
      const under = top;
      for (let lane: usize = 0; lane < 16; lane += 4) {
        const child = load<u32>(block + lane, BOX_REF);
        if (child == EMPTY) continue;
        enters = 0;
        leaves = best;
        for (let k: usize = 0; k < 3; k++) between(query, 8 * k, <f64>load<f32>(block + lane + 16 * k, BOX_MIN), <f64>load<f32>(block + lane + 16 * k, BOX_MAX));
        if (!(enters <= leaves)) continue;
        const key = <f32>(enters * 0.9999998);
        let at = top;
        while (at > under && load<f32>(at - 4) < key) {
          store<u64>(at, load<u64>(at - 8));
          at -= 8;
        }
        store<u32>(at, child);
        store<f32>(at, key, 4);
        top += 8;
      }
    }
    do {
      if (top == stack) {
        store<f64>(query, best, S_BEST);
        return;
      }
      top -= 8;
    } while (<f64>load<f32>(top, 4) > best);
    ref = load<u32>(top);
  }
}

let enters: f64 = 0, leaves: f64 = 0;
/** Narrows the times to those at which the shape's box meets an interval from low to high, along an axis. */
// @ts-ignore: decorator
@inline function between(query: usize, axis: usize, low: f64, high: f64): void {
  const from = low - load<f64>(query + axis, S_BOX + 24) - slack, to = high - load<f64>(query + axis, S_BOX) + slack;
  const step = load<f64>(query + axis, S_MOTION);
  // a motion shorter than the slack counts as none
  if (abs(step) < slack * 0.5) {
    if (from - slack > 0 || to + slack < 0) enters = Infinity;
    return;
  }
  const a = from / step, b = to / step;
  enters = max(enters, min(a, b) * (1 - 1e-14));
  leaves = min(leaves, max(a, b) * (1 + 1e-14));
}

/**
 * The time at which the shape touches the triangle whose numbers are rows apart, at most `best`; Infinity if it does
 * not by then.
 */
function touches(query: usize, a: usize, row: usize, best: f64): f64 {
  enters = 0;
  leaves = best;
  for (let k: usize = 0; k < 3; k++) {
    const p = <f64>load<f32>(a + k * row), q = <f64>load<f32>(a + (3 + k) * row), r = <f64>load<f32>(a + (6 + k) * row);
    between(query, 8 * k, min(p, min(q, r)), max(p, max(q, r)));
  }
  if (!(enters <= leaves)) return Infinity;
  const isConvex = load<u32>(query, S_KIND) == CONVEX;
  const radius = load<f64>(query, S_RADIUS);
  loadTriangle(a, row);
  // convex shapes have no radius: the vector is taken from slightly before they touch, where it is still precise
  let time = isConvex ? planeTime(query, scratch + TRIANGLE, BEFORE * near) : max(0, enters);
  if (!(time <= best)) return Infinity;
  let keptX: f64 = 0, keptY: f64 = 0, keptZ: f64 = 0;
  for (let step = 0; step < STEPS; step++) {
    moveTo(a, row, time);
    const gap = gapOf(query, Infinity) - radius;
    const closing = (wayX * mx + wayY * my + wayZ * mz) / sqrt(wayX * wayX + wayY * wayY + wayZ * wayZ);
    if (gap <= near) {
      if (time == 0 && (isConvex ? leavesTriangle(query, scratch + TRIANGLE, 4 * near, ALONG * speed) : closing <= ALONG * speed)) return Infinity;
      if (isConvex && keptX * keptX + keptY * keptY + keptZ * keptZ > 0) setWay(keptX, keptY, keptZ);
      return time;
    }
    if (!(closing > 0)) return Infinity;
    if (gap > KNOWN * near) { keptX = wayX; keptY = wayY; keptZ = wayZ; }
    time += (gap - 0.5 * near) / closing;
    if (!(time <= best)) return Infinity;
  }
  return time;
}

/** Loads the triangle into the work space relative to the shape at a time. */
// @ts-ignore: decorator
@inline function moveTo(a: usize, row: usize, time: f64): void {
  const at = scratch + TRIANGLE;
  for (let k: usize = 0; k < 3; k++) {
    store<f64>(at + 24 * k, <f64>load<f32>(a + 3 * k * row) - time * mx);
    store<f64>(at + 24 * k, <f64>load<f32>(a + (3 * k + 1) * row) - time * my, 8);
    store<f64>(at + 24 * k, <f64>load<f32>(a + (3 * k + 2) * row) - time * mz, 16);
  }
}
