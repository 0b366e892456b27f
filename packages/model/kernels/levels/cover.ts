/**
 * An upper bound of the distance of one mesh from another, triangle by triangle (see cover-triangle.ts), with what the
 * triangles of the finest mesh carry.
 *
 * Idea: only the largest bound of a group counts. A triangle whose bound is the largest so far is looked at again where
 * the finer mesh is known, that the finest one was simplified from: the originals that stand on it stand on triangles
 * of the finer mesh as well, which carry less. In the other direction, its distance from the finer mesh is bounded.
 * Both bounds hold, so the lesser does.
 */
import { assign, assigned, beginAssigned, dropAssigned, endAssigned, keepAssigned, ROUND_UP } from './assigned';
import { nearestDistance, nearestTriangle } from './boxes';
import { beginHalvings, careful, cover, setCareful } from './cover-triangle';
import {
  ALIVE, G_ALIVE, G_BLUR, G_COARSE, G_COARSE_BOXES, G_COARSE_IN, G_COARSE_MESH, G_COARSE_NEAR, G_DEATH, G_FINE, G_FINER, G_FINER_BOXES, G_FINER_COUNT, G_FINER_IN, G_FINER_LIST, G_FINER_MESH,
  G_FINER_NEAR, G_FINER_OF, G_FINER_OUT, G_FINER_STARTS, G_FINER_TRIANGLES, G_FINE_BOXES, G_FINE_COUNT, G_FINE_IN, G_FINE_LIST, G_FINE_MESH, G_FINE_NEAR, G_FINE_OUT, G_HEAD, G_LIST, G_NEXT,
  G_PARENT, G_POSITIONS, G_TRIANGLES, NONE,
} from './layout';
import { ask, itsBoxes, itsCorners, itsCount, itsList, itsPositions, mesh, word } from './plane';
import { beginWalks, endWalks } from './whole';

/**
 * Bounds the distance of the finest mesh from the present one, with what its triangles carry; no better than `floor`.
 * With `last`, writes for each present triangle a bound of the distance of the originals assigned to it, and pairs for
 * the level above. Returns the largest bound.
 */
export function coverFinest(group: usize, floor: f64, last: bool): f64 {
  const fine: usize = load<u32>(group, G_FINE), coarse: usize = load<u32>(group, G_COARSE), death: usize = load<u32>(group, G_DEATH);
  const carried: usize = load<u32>(group, G_FINE_OUT);
  const triangles = load<u32>(group, G_TRIANGLES), hasFiner = load<u32>(group, G_FINER_TRIANGLES) != 0;
  askCurrent(group);
  beginWalks(group);
  beginAssigned(group, last);
  beginHalvings();
  let largest: f64 = 0;
  setCareful(floor);
  // a sample of all triangles first: then most others are known to be nearer, and need no better bound
  for (let first: u32 = 0; first <= SOME; first += SOME) {
    for (let t: u32 = 0; t < triangles; t += first ? 1 : SOME) {
      if (first && t % SOME == 0) continue;
      const own = <f64>load<f32>(carried + 4 * <usize>t);
      dropAssigned(0);
      if (word(death, t) == ALIVE && isUntouched(fine, coarse, t)) {
        assign(t, own);
        keepAssigned(t, 0);
        largest = max(largest, own);
        continue;
      }
      const start = word(death, t) == ALIVE ? t : startFor(group, t);
      if (start == NONE) return Infinity;
      const before = careful;
      let d = cover(fine, t, start, own, 0, true);
      let from: u32 = 0;
      if (hasFiner && d > max(largest, floor)) {
        const end = assigned;
        setCareful(before);
        const better = coverFiner(group, t, start, d);
        if (better < d) { d = better; from = end; } else dropAssigned(end);
      }
      keepAssigned(t, from);
      largest = max(largest, d);
      setCareful(max(before, d));
    }
  }
  endAssigned(group);
  endWalks(group);
  return largest;
}

/**
 * Bounds the distance of the originals that stand on triangle t of the finest mesh, by the triangles of the finer one
 * that they stand on; Infinity if that is not below `limit`.
 */
function coverFiner(group: usize, t: u32, start: u32, limit: f64): f64 {
  const finer: usize = load<u32>(group, G_FINER), carried: usize = load<u32>(group, G_FINER_OUT), standing: usize = load<u32>(group, G_FINER_OF);
  const starts: usize = load<u32>(group, G_FINER_STARTS);
  const end = word(starts, t + 1);
  let largest: f64 = 0;
  for (let i = word(starts, t); i < end; i++) {
    const f = word(standing, i);
    const d = cover(finer, f, start, <f64>load<f32>(carried + 4 * <usize>f), 0, true);
    if (d >= limit) return Infinity;
    largest = max(largest, d);
  }
  return largest;
}

/**
 * Bounds the distance of the present mesh from the finest one, with what its triangles carry; no better than `floor`.
 * Writes for each present triangle a bound of its distance from the originals, and returns the largest of these.
 */
export function coverCurrent(group: usize, floor: f64): f64 {
  const carried: usize = load<u32>(group, G_FINE_IN), out: usize = load<u32>(group, G_COARSE_IN), fine: usize = load<u32>(group, G_FINE);
  const hasFiner = load<u32>(group, G_FINER_TRIANGLES) != 0;
  askFinest(group);
  beginWalks(group);
  beginHalvings();
  let largest: f64 = 0;
  setCareful(floor);
  const list: usize = load<u32>(group, G_LIST), corners: usize = load<u32>(group, G_COARSE), count = load<u32>(group, G_ALIVE);
  for (let first: u32 = 0; first <= SOME; first += SOME) {
    for (let i: u32 = 0; i < count; i += first ? 1 : SOME) {
      if (first && i % SOME == 0) continue;
      const t = word(list, i);
      const before = careful;
      let own = isUntouched(fine, corners, t) ? <f64>load<f32>(carried + 4 * <usize>t) : cover(corners, t, t, 0, carried, false);
      if (hasFiner && own > max(largest, floor)) {
        setCareful(before);
        own = min(own, fromFiner(group, corners, t));
        askFinest(group);
      }
      store<f32>(out + 4 * <usize>t, <f32>(own * ROUND_UP));
      largest = max(largest, own);
      setCareful(max(before, own));
    }
  }
  endWalks(group);
  return largest;
}

/** Bounds the distance of present triangle t from the originals by the finer mesh, which is then the target mesh. */
function fromFiner(group: usize, corners: usize, t: u32): f64 {
  ask(group + G_FINER_MESH, load<u32>(group, G_POSITIONS), load<u32>(group, G_FINER), load<u32>(group, G_FINER_NEAR), load<u32>(group, G_FINER_LIST), load<u32>(group, G_FINER_BOXES), load<u32>(group, G_FINER_COUNT), load<f64>(group, G_BLUR));
  const starts: usize = load<u32>(group, G_FINER_STARTS);
  const i = word(starts, t);
  const start = i < word(starts, t + 1) ? word(load<u32>(group, G_FINER_OF), i) : nearestTo(word(corners, 3 * t));
  return start == NONE ? Infinity : cover(corners, t, start, 0, load<u32>(group, G_FINER_IN), false);
}

// @ts-ignore: decorator
@inline function askCurrent(group: usize): void {
  ask(group + G_COARSE_MESH, load<u32>(group, G_POSITIONS), load<u32>(group, G_COARSE), load<u32>(group, G_COARSE_NEAR), load<u32>(group, G_LIST), load<u32>(group, G_COARSE_BOXES), load<u32>(group, G_ALIVE), load<f64>(group, G_BLUR));
}
// @ts-ignore: decorator
@inline function askFinest(group: usize): void {
  ask(group + G_FINE_MESH, load<u32>(group, G_POSITIONS), load<u32>(group, G_FINE), load<u32>(group, G_FINE_NEAR), load<u32>(group, G_FINE_LIST), load<u32>(group, G_FINE_BOXES), load<u32>(group, G_FINE_COUNT), load<f64>(group, G_BLUR));
}

/** Whether no corner of a triangle has moved. */
// @ts-ignore: decorator
@inline function isUntouched(fine: usize, coarse: usize, t: u32): bool {
  return word(fine, 3 * t) == word(coarse, 3 * t) && word(fine, 3 * t + 1) == word(coarse, 3 * t + 1) && word(fine, 3 * t + 2) == word(coarse, 3 * t + 2);
}

/** One triangle in this many belongs to the sample. */
const SOME: u32 = 29;

/**
 * A present triangle near one that has vanished: among those around the vertex that its first corner was collapsed
 * into, the one that shares the most vertices with its collapsed corners.
 */
function startFor(group: usize, t: u32): u32 {
  const fine: usize = load<u32>(group, G_FINE), parent: usize = load<u32>(group, G_PARENT);
  const head: usize = load<u32>(group, G_HEAD), next: usize = load<u32>(group, G_NEXT), death: usize = load<u32>(group, G_DEATH);
  const a = standsFor(parent, word(fine, 3 * t)), b = standsFor(parent, word(fine, 3 * t + 1)), c = standsFor(parent, word(fine, 3 * t + 2));
  let best: u32 = NONE, most: u32 = 0;
  for (let corner = word(head, a); corner != NONE; corner = word(next, corner)) {
    const other = corner / 3;
    if (word(death, other) != ALIVE) continue;
    let shared: u32 = 1;
    for (let k: u32 = 0; k < 3; k++) {
      const v = word(itsCorners, 3 * other + k);
      if (v != a && (v == b || v == c)) shared++;
    }
    if (shared > most) { most = shared; best = other; }
  }
  if (best != NONE) return best;
  // no triangle is left there
  return nearestTo(word(fine, 3 * t));
}

/** The triangle of the target mesh nearest to a vertex. */
function nearestTo(v: u32): u32 {
  const at = itsPositions + 12 * <usize>v;
  nearestDistance(mesh, itsList, itsCount, itsBoxes, <f64>load<f32>(at), <f64>load<f32>(at, 4), <f64>load<f32>(at, 8), Infinity);
  return nearestTriangle;
}

/** The present vertex that v was collapsed into; parents on the way become that. */
function standsFor(parent: usize, v: u32): u32 {
  let top = word(parent, v);
  for (let up = word(parent, top); up != top; up = word(parent, top)) top = up;
  for (let up = word(parent, v); up != top; up = word(parent, v)) { store<u32>(parent + 4 * <usize>v, top); v = up; }
  return top;
}

