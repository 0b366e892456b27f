/**
 * The present triangles that parts of a covered triangle were assigned to, each with its distance, until it is known
 * that they count; and for the level above, which triangles of the finest mesh stand on which present ones.
 */
import { G_COARSE_OUT, G_LINKS, G_LINKS_COUNT, G_LINKS_LAST, G_TRIANGLES, LINKS_PER_TRIANGLE, NONE } from './layout';
import { ASSIGNED, ASSIGNED_CAPACITY, scratch } from './scratch';

/** Factor that exceeds the rounding to float32. */
export const ROUND_UP: f64 = 1 + 1e-7;

/** Number of entries; the same triangle can be there several times. */
export let assigned: u32 = 0;

let out: usize = 0;
// pairs: a triangle of the finest mesh, a present one; and per present triangle the last one that was paired with it
let links: usize = 0, lasts: usize = 0;
let linkCount: u32 = 0, linkRoom: u32 = 0;
let isKept: bool = false;

/** `kept`: whether assignments matter at all, because this step is the last. */
export function beginAssigned(group: usize, kept: bool): void {
  const triangles = load<u32>(group, G_TRIANGLES);
  isKept = kept;
  out = load<u32>(group, G_COARSE_OUT);
  links = load<u32>(group, G_LINKS);
  lasts = load<u32>(group, G_LINKS_LAST);
  linkCount = 0;
  linkRoom = LINKS_PER_TRIANGLE * triangles;
  if (!kept) return;
  memory.fill(lasts, 0xff, 4 * <usize>triangles);
  memory.fill(out, 0, 4 * <usize>triangles);
}

export function endAssigned(group: usize): void { store<u32>(group, linkCount, G_LINKS_COUNT); }

/** Forgets all entries from this number on. */
export function dropAssigned(from: u32): void { assigned = from; }

/** Without room for it, what is stored at s rises at once, which holds whether or not it counts; links are lost. */
export function assign(s: u32, d: f64): void {
  if (!isKept) return;
  if (assigned == ASSIGNED_CAPACITY) {
    raise(s, <f32>(d * ROUND_UP));
    linkCount = NONE;
    return;
  }
  const entry = scratch + ASSIGNED + 8 * <usize>assigned;
  store<u32>(entry, s);
  store<f32>(entry, <f32>(d * ROUND_UP), 4);
  assigned++;
}

/** What was assigned from entry `from` on counts for triangle t of the finest mesh. */
export function keepAssigned(t: u32, from: u32): void {
  const end = scratch + ASSIGNED + 8 * <usize>assigned;
  for (let entry = scratch + ASSIGNED + 8 * <usize>from; entry < end; entry += 8) {
    const s = load<u32>(entry);
    raise(s, load<f32>(entry, 4));
    if (linkCount == NONE || load<u32>(lasts + 4 * <usize>s) == t) continue;
    if (linkCount == linkRoom) { linkCount = NONE; continue; }
    store<u32>(lasts + 4 * <usize>s, t);
    store<u32>(links + 8 * <usize>linkCount, t);
    store<u32>(links + 8 * <usize>linkCount, s, 4);
    linkCount++;
  }
}

// @ts-ignore: decorator
@inline function raise(s: u32, d: f32): void {
  const at = out + 4 * <usize>s;
  if (d > load<f32>(at)) store<f32>(at, d);
}
