/** The least of answers about objects: how far, or when, with the deepest first where several begin at once. */
import { type BoxBound, NearestFirst } from '../../scene/nearest-first.js';
import type { Scene, SlotObject } from '../../scene/scene.js';
import type { QueryEngine } from '../pair/engine.js';
import { eachPart, type PosedMesh } from './placed-target.js';

/** An answer, and what it is compared by. */
type Keyed<One> = One & { readonly key: number; readonly depth?: number };

/** Asks about one mesh; nothing where the key would be above the limit. */
type Measure<One, Of = PosedMesh> = (posed: Of, limit: number) => Keyed<One> | undefined;

/** Of the objects of a scene; of equal answers that of the earlier object. */
export function leastOfScene<One>(
  scene: Scene,
  bound: BoxBound,
  atMost: number,
  measure: Measure<One, SlotObject>,
): (One & { readonly object: SlotObject }) | undefined {
  let best: (Keyed<One> & { readonly object: SlotObject }) | undefined;
  new NearestFirst(scene).visit(bound, atMost, (object, limit) => {
    const found = measure(object, limit);
    if (found && (!best || isBefore(found, best, object.slot - best.object.slot)))
      best = { ...found, object };
    return Math.min(limit, best?.key ?? limit);
  });
  return withoutKey(best);
}

/** Of the parts of an engine; `distance` is how far from the box `near` parts are to be looked for under a limit. */
export async function leastOfEngine<One>(
  engine: QueryEngine,
  near: Float64Array,
  bound: BoxBound,
  atMost: number,
  measure: Measure<One>,
  distance: (limit: number) => number,
): Promise<(One & { readonly object: number; readonly piece: number }) | undefined> {
  let best: (Keyed<One> & { readonly object: number; readonly piece: number }) | undefined;
  const limit = () => best?.key ?? atMost;
  await eachPart(engine, { near, distance: () => distance(limit()), bound, limit }, (part) => {
    const { object, piece } = part;
    const found = measure(part, limit());
    const later = best ? object - best.object || piece - best.piece : 0;
    if (found && (!best || isBefore(found, best, later))) best = { ...found, object, piece };
    return false;
  });
  return withoutKey(best);
}

function isBefore(p: Keyed<object>, q: Keyed<object>, later: number): boolean {
  return (p.key - q.key || (q.depth ?? 0) - (p.depth ?? 0) || later) < 0;
}

function withoutKey<One>(best: Keyed<One> | undefined): One | undefined {
  if (!best) return undefined;
  const { key: _, ...found } = best;
  return found as One;
}
