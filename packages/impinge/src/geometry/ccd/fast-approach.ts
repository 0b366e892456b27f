/**
 * How far can two elements move before they may come within a distance of each other?
 *
 * At any time the direction from the origin to the closest point of the difference patch separates the two. Along a
 * fixed direction the patch's corners move linearly, so it is known until when they stay beyond the distance. That
 * is a safe step; it ends early where the patch turns. So a longer one is tried, to where the closest point seems to
 * reach the distance, with a direction that turns linearly from the one here to the one there: along it a corner
 * moves as a quadratic, whose three Bernstein coefficients must be beyond the distance.
 * Motion apart, parallel motion and motion in a common plane take a step or two; the rest converges like Newton's.
 *
 * Twin: kernels/deform/ccd-approach.ts, the same steps in the same order.
 * Errs: towards contact. Every time passed over is free of contact, by more than the rounding errors.
 */
import { closestOnPatch } from './closest-on-patch.js';
import { AT_T1, type DifferencePatch, PROJECTION_BOUND, sizeOver, UNDERFLOW } from './difference-patch.js';
import { DOUBT, HIT, MISS, type Verdict } from './verdict.js';

/** Factor of the extent: elements this close to the distance are within it. */
const CLOSE = 1e-10;
/** Steps before giving up: to exact arithmetic where there is one, otherwise to a contact. */
const MOST_STEPS_TO_TOUCH = 16;
const MOST_STEPS_TO_DISTANCE = 200;
/** Longer steps tried before a safe one is taken. */
const TRIALS = 2;
/** Growth and shrink factor of the longest step tried. */
const RELAX = 4;

/**
 * Whether the elements come within `distance` of each other in [from, to]. With a distance: HIT or MISS, and `out`
 * receives [t, u, v, nx, ny, nz]. Without: MISS, or DOUBT and out[0] is a time until which they do not.
 */
export function approach(
  p: Float64Array,
  patch: DifferencePatch,
  from: number,
  to: number,
  distance: number,
  out: Float64Array,
): Verdict {
  const { square, wFrom, wTo, aFrom, aTo, bFrom, bTo } = patch;
  const extent = sizeOver(p, wFrom, wTo) + sizeOver(p, aFrom, aTo) + sizeOver(p, bFrom, bTo);
  const error = PROJECTION_BOUND * extent + UNDERFLOW;
  const touching = !(distance > 0);
  const enough = touching ? 8 * error : distance + CLOSE * extent;
  const aim = touching ? 4 * error : distance + 0.5 * CLOSE * extent;
  const least = distance + 2 * error;
  let stepsLeft = touching ? MOST_STEPS_TO_TOUCH : MOST_STEPS_TO_DISTANCE;
  let t = from;
  let longest = 1;
  let gap = closestOnPatch(p, patch, t, out);
  while (gap > enough && stepsLeft-- > 0) {
    const nx = out[3];
    const ny = out[4];
    const nz = out[5];
    const w0 = along(p, wFrom, wTo, nx, ny, nz);
    const a0 = along(p, aFrom, aTo, nx, ny, nz);
    const b0 = along(p, bFrom, bTo, nx, ny, nz);
    const w1 = along(p, AT_T1 + wFrom, AT_T1 + wTo, nx, ny, nz);
    const a1 = along(p, AT_T1 + aFrom, AT_T1 + aTo, nx, ny, nz);
    const b1 = along(p, AT_T1 + bFrom, AT_T1 + bTo, nx, ny, nz);
    // the safe step
    let safe = clearUntil(w0, w1, t, to, least, aim);
    safe = Math.min(safe, clearUntil(w0 + a0, w1 + a1, t, to, least, aim));
    safe = Math.min(safe, clearUntil(w0 + b0, w1 + b1, t, to, least, aim));
    if (square) safe = Math.min(safe, clearUntil(w0 + a0 + b0, w1 + a1 + b1, t, to, least, aim));
    if (safe >= to) return MISS;
    // longer ones: first to where the closest point seems to arrive
    const speed = w0 - w1 + out[1] * (a0 - a1) + out[2] * (b0 - b1);
    let goal = Math.min(to, t + longest);
    if (speed > 0) goal = Math.min(goal, t + (gap - aim) / speed);
    let arrived = false;
    for (let trial = 0; trial < TRIALS && goal > safe && !arrived; trial++) {
      const there = closestOnPatch(p, patch, goal, out);
      if (there > least && clearBetween(p, patch, t, goal, nx, ny, nz, out, least)) {
        if (goal >= to) return MISS;
        longest = RELAX * (goal - t);
        t = goal;
        gap = there;
        arrived = true;
      } else if (there < aim) {
        goal = t + ((goal - t) * (gap - aim)) / (gap - there); // too far: where the chord arrives
      } else {
        longest = (goal - t) / RELAX; // the direction turns too much
        goal = t + longest;
      }
    }
    if (arrived) continue;
    if (!(safe > t)) break;
    t = safe;
    gap = closestOnPatch(p, patch, t, out);
  }
  out[0] = t;
  if (touching) return DOUBT;
  out[3] = -out[3];
  out[4] = -out[4];
  out[5] = -out[5];
  return HIT;
}

/** The difference of two points along a direction. */
function along(p: Float64Array, from: number, to: number, nx: number, ny: number, nz: number): number {
  return nx * (p[to] - p[from]) + ny * (p[to + 1] - p[from + 1]) + nz * (p[to + 2] - p[from + 2]);
}

/**
 * The time until which a value moving from x0 at T0 to x1 at T1 stays above `aim`: t itself if it is not above `least`
 * there, `to` if it still is at that time.
 */
function clearUntil(x0: number, x1: number, t: number, to: number, least: number, aim: number): number {
  if (!((1 - t) * x0 + t * x1 > least)) return t;
  if ((1 - to) * x0 + to * x1 > least) return to;
  return Math.max(t, (x0 - aim) / (x0 - x1));
}

/** Whether all corners stay above `least` from t to u along a direction that turns linearly from n to out[3 .. 6). */
function clearBetween(
  p: Float64Array,
  { square, wFrom, wTo, aFrom, aTo, bFrom, bTo }: DifferencePatch,
  t: number,
  u: number,
  nx: number,
  ny: number,
  nz: number,
  out: Float64Array,
  least: number,
): boolean {
  const mx = out[3];
  const my = out[4];
  const mz = out[5];
  const middle = (from: number, to: number) =>
    0.5 * (alongAt(p, from, to, nx, ny, nz, u) + alongAt(p, from, to, mx, my, mz, t));
  const before = (from: number, to: number) => alongAt(p, from, to, nx, ny, nz, t);
  const after = (from: number, to: number) => alongAt(p, from, to, mx, my, mz, u);
  return (
    allAbove(middle(wFrom, wTo), middle(aFrom, aTo), middle(bFrom, bTo), square, least) &&
    allAbove(before(wFrom, wTo), before(aFrom, aTo), before(bFrom, bTo), square, least) &&
    allAbove(after(wFrom, wTo), after(aFrom, aTo), after(bFrom, bTo), square, least)
  );
}

function allAbove(w: number, a: number, b: number, square: boolean, least: number): boolean {
  return w > least && w + a > least && w + b > least && (!square || w + a + b > least);
}

/** The difference of two points along a direction at time t. */
function alongAt(
  p: Float64Array,
  from: number,
  to: number,
  nx: number,
  ny: number,
  nz: number,
  t: number,
): number {
  return (1 - t) * along(p, from, to, nx, ny, nz) + t * along(p, AT_T1 + from, AT_T1 + to, nx, ny, nz);
}
