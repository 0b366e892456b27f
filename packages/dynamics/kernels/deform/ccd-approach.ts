/**
 * How far can two elements move before they may come within a distance of each other?
 * Twin: src/geometry/ccd/fast-approach.ts, which describes the method; the same steps in the same order. The lanes are
 * the two ends of the step, as in ccd.ts.
 * Errs: towards contact.
 */
import { closestOnPatch } from './ccd-closest';
import { A, ANSWER, B, DOUBT, HIT, MISS, PROJECTION_BOUND, SIZE_A, SIZE_B, SIZE_W, UNDERFLOW, W } from './ccd-patch';

const CLOSE: f64 = 1e-10;
const MOST_STEPS_TO_TOUCH: i32 = 16;
const MOST_STEPS_TO_DISTANCE: i32 = 200;
const TRIALS: i32 = 2;
const RELAX: f64 = 4;

/** With a distance: HIT and the answer, or MISS. Without: MISS, or DOUBT and a time no later than a contact. */
export function approach(patch: usize, square: bool, from: f64, to: f64, distance: f64): i32 {
  const extent = load<f64>(patch, SIZE_W) + load<f64>(patch, SIZE_A) + load<f64>(patch, SIZE_B);
  const error = PROJECTION_BOUND * extent + UNDERFLOW;
  const touching = !(distance > 0);
  const enough = touching ? 8 * error : distance + CLOSE * extent;
  const aim = touching ? 4 * error : distance + 0.5 * CLOSE * extent;
  const least = distance + 2 * error;
  let stepsLeft = touching ? MOST_STEPS_TO_TOUCH : MOST_STEPS_TO_DISTANCE;
  const out = patch + ANSWER;
  let t = from;
  let longest: f64 = 1;
  let gap = closestOnPatch(patch, square, t);
  while (gap > enough && stepsLeft-- > 0) {
    const nx = load<f64>(out, 24), ny = load<f64>(out, 32), nz = load<f64>(out, 40);
    const w = along(patch + W, nx, ny, nz);
    const a = along(patch + A, nx, ny, nz);
    const b = along(patch + B, nx, ny, nz);
    // the safe step
    let safe = clearUntil(w, t, to, least, aim);
    safe = earlier(safe, clearUntil(f64x2.add(w, a), t, to, least, aim));
    safe = earlier(safe, clearUntil(f64x2.add(w, b), t, to, least, aim));
    if (square) safe = earlier(safe, clearUntil(f64x2.add(f64x2.add(w, a), b), t, to, least, aim));
    if (safe >= to) return MISS;
    // longer steps: first to the estimated arrival of the closest point
    const speed = fall(w) + load<f64>(out, 8) * fall(a) + load<f64>(out, 16) * fall(b);
    let goal = earlier(to, t + longest);
    if (speed > 0) goal = earlier(goal, t + (gap - aim) / speed);
    let arrived = false;
    for (let trial = 0; trial < TRIALS && goal > safe && !arrived; trial++) {
      const there = closestOnPatch(patch, square, goal);
      if (there > least && clearBetween(patch, square, t, goal, w, a, b, least)) {
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
    gap = closestOnPatch(patch, square, t);
  }
  store<f64>(out, t);
  if (touching) return DOUBT;
  store<f64>(out, -load<f64>(out, 24), 24);
  store<f64>(out, -load<f64>(out, 32), 32);
  store<f64>(out, -load<f64>(out, 40), 40);
  return HIT;
}

/** A vector of the patch along a direction, at T0 and T1. */
// @ts-ignore: decorator
@inline function along(at: usize, nx: f64, ny: f64, nz: f64): v128 {
  const x = f64x2.mul(f64x2.splat(nx), v128.load(at));
  const y = f64x2.mul(f64x2.splat(ny), v128.load(at, 16));
  const z = f64x2.mul(f64x2.splat(nz), v128.load(at, 32));
  return f64x2.add(f64x2.add(x, y), z);
}

// @ts-ignore: decorator
@inline function earlier(x: f64, y: f64): f64 { return x < y ? x : y; }

/** The decrease from T0 to T1. */
// @ts-ignore: decorator
@inline function fall(x: v128): f64 { return f64x2.extract_lane(x, 0) - f64x2.extract_lane(x, 1); }

/**
 * The time until which a quantity with values x at T0 and T1 stays above `aim`: t itself if it is not above `least`
 * there, `to` if it still is at that time.
 */
// @ts-ignore: decorator
@inline function clearUntil(x: v128, t: f64, to: f64, least: f64, aim: f64): f64 {
  const x0 = f64x2.extract_lane(x, 0), x1 = f64x2.extract_lane(x, 1);
  if (!((1 - t) * x0 + t * x1 > least)) return t;
  if ((1 - to) * x0 + to * x1 > least) return to;
  const until = (x0 - aim) / (x0 - x1);
  return until > t ? until : t;
}

/**
 * Whether all corners stay above `least` from t to u along a direction that turns linearly from the one of w, a and b
 * to that of the answer.
 */
// @ts-ignore: decorator
@inline function clearBetween(patch: usize, square: bool, t: f64, u: f64, w: v128, a: v128, b: v128, least: f64): bool {
  const out = patch + ANSWER;
  const mx = load<f64>(out, 24), my = load<f64>(out, 32), mz = load<f64>(out, 40);
  const wm = along(patch + W, mx, my, mz);
  const am = along(patch + A, mx, my, mz);
  const bm = along(patch + B, mx, my, mz);
  // along n at t; half along n at u and half along m at t; along m at u
  return allAbove(0.5 * (atTime(w, u) + atTime(wm, t)), 0.5 * (atTime(a, u) + atTime(am, t)), 0.5 * (atTime(b, u) + atTime(bm, t)), square, least)
    && allAbove(atTime(w, t), atTime(a, t), atTime(b, t), square, least)
    && allAbove(atTime(wm, u), atTime(am, u), atTime(bm, u), square, least);
}

// @ts-ignore: decorator
@inline function atTime(x: v128, t: f64): f64 {
  return (1 - t) * f64x2.extract_lane(x, 0) + t * f64x2.extract_lane(x, 1);
}

// @ts-ignore: decorator
@inline function allAbove(w: f64, a: f64, b: f64, square: bool, least: f64): bool {
  return w > least && w + a > least && w + b > least && (!square || w + a + b > least);
}
