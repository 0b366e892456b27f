/** The least of answers about parts: how far, or when, with the deepest first where several begin at once. */
import type { BoxBound } from '../../scene/nearest-first.js';
import { type TargetPart, type TargetParts, whenVisited } from '../target.js';

/** What answers are compared by. */
interface Ranked {
  readonly distance?: number | undefined;
  readonly time?: number | undefined;
  readonly depth?: number | undefined;
}

type Placed<One> = Omit<One, 'object' | 'piece'> & TargetPart['place'];

/**
 * The least of what `measure` says of each part (nothing where that is above the limit), and where it is; of equal
 * answers that of the earlier part.
 */
export function leastOf<One extends Ranked>(
  target: TargetParts,
  bound: BoxBound,
  atMost: number,
  measure: (part: TargetPart, limit: number) => One | undefined,
): Placed<One> | undefined | Promise<Placed<One> | undefined> {
  let best: { readonly slot: number; readonly found: Placed<One> } | undefined;
  const visited = target.eachPart(bound, atMost, (part, limit) => {
    const found = measure(part, limit);
    if (found && (!best || isBefore(found, best.found, part.slot - best.slot)))
      best = { slot: part.slot, found: { ...found, ...part.place } as Placed<One> };
    return best ? Math.min(limit, keyOf(best.found)) : limit;
  });
  return whenVisited(visited, () => best?.found);
}

function keyOf({ distance, time }: Ranked): number {
  return distance ?? time ?? Infinity;
}

function isBefore(p: Ranked, q: Ranked, later: number): boolean {
  return (keyOf(p) - keyOf(q) || (q.depth ?? 0) - (p.depth ?? 0) || later) < 0;
}
