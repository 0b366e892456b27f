/**
 * Searches a few directions for a short move after which an object is free.
 *
 * Along a direction, growing steps find a free place, and bisection its beginning. Moves longer than the best so far
 * are not tried. Every returned move was tested.
 */
import type { Vec3 } from 'impinge';
import type { FreePlace } from './types.js';

export interface Direction {
  /** Unit length. */
  readonly way: Vec3;
  /** Estimated minimum length. */
  readonly start: number;
}

/** The first step as a share of the reach, the growth of steps, and the relative accuracy of the result. */
const FIRST = 1 / 512;
const GROWTH = 1.6;
const EXACT = 1 / 128;
/** A margin for rounding. */
const MORE = 1 + 1e-6;

/** Undefined if `stop` returns true, null if nothing was found within `reach`. */
export async function findFree(
  isFree: (move: Vec3) => Promise<boolean>,
  directions: readonly Direction[],
  reach: number,
  stop: () => Promise<boolean>,
): Promise<FreePlace | null | undefined> {
  if (await isFree([0, 0, 0])) return { move: [0, 0, 0], length: 0 };
  let best: FreePlace | null = null;
  let length = reach;
  const different = unlike(directions).sort((p, q) => p.start - q.start);
  for (const { way, start } of different) {
    const along = (s: number): Vec3 => [s * way[0], s * way[1], s * way[2]];
    let blocked = 0;
    let free = Infinity;
    for (let s = start > 0 ? start * MORE : FIRST * reach; ; s *= GROWTH) {
      if (await stop()) return undefined;
      if (await isFree(along(Math.min(s, length)))) {
        free = Math.min(s, length);
        break;
      }
      if (s >= length) break;
      blocked = s;
    }
    if (free === Infinity || (best && free >= length)) continue;
    while (free - blocked > EXACT * free && blocked < length) {
      const middle = 0.5 * (blocked + free);
      if (await stop()) return undefined;
      if (await isFree(along(middle))) free = middle;
      else blocked = middle;
      if (free - blocked <= EXACT * FIRST * reach) break;
    }
    length = free;
    best = { move: along(free), length: free };
  }
  return best;
}

/** Shortens a move by a second criterion, with few tests. Null: not even the full move is free. */
export async function nearerFree(
  isFree: (move: Vec3) => Promise<boolean>,
  { move, length }: FreePlace,
  stop: () => Promise<boolean>,
): Promise<FreePlace | null | undefined> {
  const at = (share: number): Vec3 => [share * move[0], share * move[1], share * move[2]];
  if (!(await isFree(move))) return null;
  let [blocked, free] = [0, 1];
  // usually nothing shorter is free
  for (let share = 1 - 2 * EXACT; free - blocked > 2 * EXACT; share = 0.5 * (blocked + free)) {
    if (await stop()) return undefined;
    if (await isFree(at(share))) free = share;
    else blocked = share;
  }
  return { move: at(free), length: free * length };
}

/** Removes directions nearly equal to an earlier one. */
function unlike(directions: readonly Direction[]): Direction[] {
  const out: Direction[] = [];
  for (const one of directions) {
    const same = out.some(
      ({ way }) => way[0] * one.way[0] + way[1] * one.way[1] + way[2] * one.way[2] > 0.9999,
    );
    if (!same) out.push(one);
  }
  return out;
}
