/**
 * The roots of many volumes at once: what contactAtRoot (ccd-root.ts) does as far as its first bracket, two roots to a
 * vector, all of them step by step, so that none has to wait for a division of its own. The same bits.
 *
 * Layout: ROOTS: a column for each root, in rows of 2 PATCH_COUNT float64: c0 … c3, sign, error, t, slope, the part of
 * the step; then u32: where the root goes.
 */
import { SPLIT_AT, THIRD, nearestExtremum } from './ccd-contact';
import { ERROR, FIRST_ROOT, NOT_FOUND, NO_ROOT, PATCH_BYTES, SECOND_ROOT, VOLUME } from './ccd-patch';
import { NARROWEST_MARGIN, ROOT_STEPS, VALUE_SHARE, WIDEST_BRACKET, certainSign } from './ccd-root';
import { PATCH_COUNT, POLYGON, ROOTS, scratch } from './scratch';

const ROW: usize = 16 * PATCH_COUNT;
const SIGNS: usize = 4 * ROW;
const ERRORS: usize = 5 * ROW;
const TIMES: usize = 6 * ROW;
const SLOPES: usize = 7 * ROW;
const FROMS: usize = 8 * ROW;
const TOS: usize = 9 * ROW;
const OWNERS: usize = 10 * ROW;

// the end of the columns of the current call, and of their owners
let column: usize = 0, owner: usize = 0;

/** Writes for each patch the roots of its volume, if they are found. */
export function findRoots(patches: usize, patchesEnd: usize): void {
  const columns = scratch + ROOTS, owners = columns + OWNERS;
  column = columns;
  owner = owners;
  for (let patch = patches; patch < patchesEnd; patch += PATCH_BYTES) {
    const c0 = load<f64>(patch, VOLUME), c3 = load<f64>(patch, VOLUME + 24);
    const e1 = THIRD * load<f64>(patch, VOLUME + 8), e2 = THIRD * load<f64>(patch, VOLUME + 16);
    store<f64>(patch, NOT_FOUND, FIRST_ROOT);
    store<f64>(patch, NO_ROOT, SECOND_ROOT);
    if (!add(patch, patch + FIRST_ROOT, 0, 1, c0, e1, e2, c3)) divide(patch, c0, e1, e2, c3);
  }
  // an odd one is computed with what is beside it
  for (let step = 0; step < ROOT_STEPS; step++) {
    for (let at = columns; at < column; at += 16) improve(at);
  }
  for (let at = columns; at < column; at += 16) bracket(at, owners + ((at - columns) >> 1), at + 8 < column);
}

/** The first split of isolate (ccd-contact.ts), if the ends have the same sign, and each half at most one root. */
// @ts-ignore: decorator
@inline function divide(patch: usize, e0: f64, e1: f64, e2: f64, e3: f64): void {
  const error = load<f64>(patch, ERROR);
  const s0 = certainSign(e0, error);
  if (s0 * certainSign(e3, error) <= 0) return;
  const extremum = nearestExtremum(e0, e1, e2, e3, <f64>s0);
  const at = extremum > 0 && extremum < 1 ? extremum : SPLIT_AT;
  const back = 1 - at;
  const e01 = back * e0 + at * e1, e12 = back * e1 + at * e2, e23 = back * e2 + at * e3;
  const e012 = back * e01 + at * e12, e123 = back * e12 + at * e23;
  const middle = back * e012 + at * e123;
  // isolate finds no root where all coefficients have one sign
  const sign = certainSign(middle, error);
  if (sign == s0) {
    const all = certainSign(e01, error) == s0 && certainSign(e012, error) == s0 && certainSign(e123, error) == s0 && certainSign(e23, error) == s0;
    if (all) store<f64>(patch, NO_ROOT, FIRST_ROOT);
    return;
  }
  if (sign == 0) return;
  const before = column, ownerBefore = owner;
  store<f64>(patch, NOT_FOUND, SECOND_ROOT);
  if (add(patch, patch + FIRST_ROOT, 0, at, e0, e01, e012, middle) && add(patch, patch + SECOND_ROOT, at, 1, middle, e123, e23, e3)) return;
  column = before;
  owner = ownerBefore;
}

/** Adds a column for a part of the step, where the volume has coefficients e0 … e3; returns 1 if it has one root. */
// @ts-ignore: decorator
@inline function add(patch: usize, root: usize, from: f64, to: f64, e0: f64, e1: f64, e2: f64, e3: f64): u32 {
  const error = load<f64>(patch, ERROR);
  const p0 = <u32>(e0 > error), p1 = <u32>(e1 > error), p2 = <u32>(e2 > error), p3 = <u32>(e3 > error);
  const n0 = <u32>(e0 < -error), n1 = <u32>(e1 < -error), n2 = <u32>(e2 < -error), n3 = <u32>(e3 < -error);
  // the zero of the control polygon, computed as in ccd-contact.ts; chosen by places, since choices are branches
  const same1 = (p0 & p1) | (n0 & n1), same2 = same1 & ((p0 & p2) | (n0 & n2));
  const side = scratch + POLYGON + 8 * <usize>(same1 + same2);
  store<f64>(scratch, e0, POLYGON), store<f64>(scratch, e1, POLYGON + 8), store<f64>(scratch, e2, POLYGON + 16), store<f64>(scratch, e3, POLYGON + 24);
  store<f64>(scratch, THIRD * e0, POLYGON + 32), store<f64>(scratch, e1, POLYGON + 40), store<f64>(scratch, e2, POLYGON + 48);
  const share = load<f64>(side, 32) / (load<f64>(side) - load<f64>(side, 8));
  store<f64>(scratch, share, POLYGON + 56);
  store<f64>(scratch, THIRD * (1 + share), POLYGON + 64);
  store<f64>(scratch, THIRD * (2 + share), POLYGON + 72);
  store<f64>(column, load<f64>(patch, VOLUME));
  store<f64>(column, load<f64>(patch, VOLUME + 8), ROW);
  store<f64>(column, load<f64>(patch, VOLUME + 16), 2 * ROW);
  store<f64>(column, load<f64>(patch, VOLUME + 24), 3 * ROW);
  store<f64>(column, <f64>(<i32>p0 - <i32>n0), SIGNS);
  store<f64>(column, VALUE_SHARE * error, ERRORS);
  store<f64>(column, from + (to - from) * load<f64>(side, 56), TIMES);
  store<f64>(column, from, FROMS);
  store<f64>(column, to, TOS);
  store<u32>(owner, <u32>root);
  const one = (p0 & n3 & (p1 | n2)) | (n0 & p3 & (n1 | p2));
  column += <usize>one << 3;
  owner += <usize>one << 2;
  return one;
}

// @ts-ignore: decorator
@inline function twice(x: v128): v128 { return f64x2.add(x, x); }

/** A step of Halley's. */
// @ts-ignore: decorator
@inline function improve(at: usize): void {
  const c0 = v128.load(at), c1 = v128.load(at, ROW), c2 = v128.load(at, 2 * ROW), c3 = v128.load(at, 3 * ROW);
  const t = v128.load(at, TIMES);
  const three = f64x2.splat(3);
  const d0 = f64x2.sub(c1, f64x2.mul(three, c0)), d1 = f64x2.sub(c2, c1), d2 = f64x2.sub(f64x2.mul(three, c3), c2);
  const h0 = f64x2.add(f64x2.sub(c2, twice(c1)), f64x2.mul(three, c0)), h1 = f64x2.add(f64x2.sub(f64x2.mul(three, c3), twice(c2)), c1);
  const s = f64x2.sub(f64x2.splat(1), t);
  const ss = f64x2.mul(s, s), st = f64x2.mul(s, t), tt = f64x2.mul(t, t);
  const value = f64x2.add(f64x2.mul(ss, f64x2.add(f64x2.mul(s, c0), f64x2.mul(t, c1))), f64x2.mul(tt, f64x2.add(f64x2.mul(s, c2), f64x2.mul(t, c3))));
  const slope = f64x2.add(f64x2.add(f64x2.mul(ss, d0), f64x2.mul(twice(st), d1)), f64x2.mul(tt, d2));
  const bend = twice(f64x2.add(f64x2.mul(s, h0), f64x2.mul(t, h1)));
  const next = f64x2.sub(t, f64x2.div(f64x2.mul(twice(value), slope), f64x2.sub(f64x2.mul(twice(slope), slope), f64x2.mul(value, bend))));
  const inside = v128.and(f64x2.gt(next, v128.load(at, FROMS)), f64x2.lt(next, v128.load(at, TOS)));
  v128.store(at, v128.bitselect(next, t, inside), TIMES);
  v128.store(at, slope, SLOPES);
}

// @ts-ignore: decorator
@inline function valueAt(c0: v128, c1: v128, c2: v128, c3: v128, t: v128): v128 {
  const s = f64x2.sub(f64x2.splat(1), t);
  return f64x2.add(
    f64x2.mul(f64x2.mul(s, s), f64x2.add(f64x2.mul(s, c0), f64x2.mul(t, c1))),
    f64x2.mul(f64x2.mul(t, t), f64x2.add(f64x2.mul(s, c2), f64x2.mul(t, c3))));
}

/** Writes two roots, found if signs around them are certain and close; `both`: or only one. */
// @ts-ignore: decorator
@inline function bracket(at: usize, owners: usize, both: bool): void {
  const c0 = v128.load(at), c1 = v128.load(at, ROW), c2 = v128.load(at, 2 * ROW), c3 = v128.load(at, 3 * ROW);
  const t = v128.load(at, TIMES), sign = v128.load(at, SIGNS), error = v128.load(at, ERRORS);
  const margin = f64x2.add(twice(f64x2.div(error, f64x2.abs(v128.load(at, SLOPES)))), f64x2.splat(NARROWEST_MARGIN));
  const early = f64x2.sub(t, margin), late = f64x2.add(t, margin);
  const isNarrow = v128.and(v128.and(f64x2.gt(early, v128.load(at, FROMS)), f64x2.lt(late, v128.load(at, TOS))), f64x2.le(f64x2.sub(late, early), f64x2.splat(WIDEST_BRACKET)));
  const isCertain = v128.and(
    f64x2.gt(f64x2.mul(sign, valueAt(c0, c1, c2, c3, early)), error),
    f64x2.lt(f64x2.mul(sign, valueAt(c0, c1, c2, c3, late)), f64x2.neg(error)));
  const found = v128.and(sign, v128.and(isNarrow, isCertain));
  const first = <usize>load<u32>(owners);
  v128.store(first, i64x2.shuffle(found, early, 0, 2));
  v128.store(first, i64x2.shuffle(t, late, 0, 2), 16);
  if (!both) return;
  const second = <usize>load<u32>(owners, 4);
  v128.store(second, i64x2.shuffle(found, early, 1, 3));
  v128.store(second, i64x2.shuffle(t, late, 1, 3), 16);
}
