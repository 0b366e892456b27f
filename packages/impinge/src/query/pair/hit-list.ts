/** Hits in the making: what is known of two objects, gathered from pairs of their parts. */
import type { Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { SceneObject, SlotObject } from '../../scene/scene.js';
import type { Target } from '../target.js';
import { UNLIMITED } from './collide.js';
import { type Placement, storedPose } from './context.js';
import { distancePlaced, witnessOf } from './distance.js';
import type { HitsRequest } from './pair-request.js';
import { isStretched, type StretchedPlacement } from './placement.js';
import type { DistanceResult, Hit, HitsResult } from './results.js';
import { addStats, noStats, type StatsSum } from './stats.js';
import { distanceStretched, withinStretched } from './stretched.js';
import { reachOf, withinPlaced } from './within.js';

export type HitQuestion = Pick<HitsRequest, 'distance' | 'mode'>;
/** An object of a scene, or its number elsewhere. */
type AnyObject = SceneObject | number;

export class OpenHit {
  count = 0;
  lower = Infinity;
  upper = Infinity;
  pointA: Vec3 | undefined;
  pointB: Vec3 | undefined;

  /** Adds what is known of two parts. */
  add({ count, bounds: [lower, upper], pointA, pointB }: Omit<Hit, 'objectA' | 'objectB'>): void {
    this.count += count;
    this.lower = Math.min(this.lower, lower);
    if (upper >= this.upper) return;
    this.upper = upper;
    this.pointA = pointA;
    this.pointB = pointB;
  }

  /** It is none after all. */
  forget(): void {
    this.pointA = undefined;
  }

  /** Looks at two parts that are meshes. */
  addMeshes(
    a: Mesh,
    b: Mesh,
    placed: Placement | StretchedPlacement,
    { distance, mode }: HitQuestion,
    stats: StatsSum,
  ): void {
    if (mode === 'any' && this.upper === 0) return;
    if (isStretched(placed)) {
      const met = withinStretched(a, b, placed, mode === 'any' ? 1 : UNLIMITED, distance);
      addStats(stats, met.stats);
      this.count += met.count;
      if (met.count > 0) this.#addExact(distanceStretched(a, b, placed, this.upper));
      return;
    }
    if (mode === 'any' && distance > 0) {
      this.#near(a, b, placed, reachOf(a, b, placed.bToA, distance), stats);
      return;
    }
    const met = withinPlaced(a, b, placed.bToA, mode === 'any' ? 1 : UNLIMITED, distance);
    addStats(stats, met.stats);
    if (met.count === 0) return;
    this.count += met.count;
    if (this.upper === 0) return;
    const pair = [met.pairs[0], met.pairs[1]] as const;
    const pose = storedPose(a, b, placed.bToA);
    const first = witnessOf(a, b, pose, pair, placed.aToWorld);
    this.#addExact({ ...first, ...(distance === 0 && { distance: 0 }) }); // triangles that were found to meet do meet
    if (this.upper > 0) this.#near(a, b, placed, this.upper, stats);
  }

  /** Adds where two parts are nearest, if that is no farther than `reach`. */
  #near(a: Mesh, b: Mesh, placed: Placement, reach: number, stats: StatsSum): void {
    const found = distancePlaced(a, b, placed, Math.min(reach, this.upper));
    addStats(stats, found.stats);
    this.#addExact(found);
  }

  #addExact({ distance, pointA, pointB }: Pick<DistanceResult, 'distance' | 'pointA' | 'pointB'>): void {
    if (pointA && pointB) this.add({ count: 0, bounds: [distance, distance], pointA, pointB });
  }
}

/** Hits by pairs of objects. */
export class HitList {
  readonly stats = noStats();
  readonly #hits = new Map<AnyObject, Map<AnyObject, OpenHit>>();

  of(objectA: AnyObject, objectB: AnyObject): OpenHit {
    let ofA = this.#hits.get(objectA);
    if (!ofA) this.#hits.set(objectA, (ofA = new Map()));
    let hit = ofA.get(objectB);
    if (!hit) ofA.set(objectB, (hit = new OpenHit()));
    return hit;
  }

  /** All that came near; `error` is how far the parts may be from the surfaces meant, added to the bounds. */
  result(mode: HitsRequest['mode'], error: number): HitsResult {
    const hits: Hit<Target, Target>[] = [];
    for (const [objectA, ofA] of this.#hits) {
      for (const [objectB, { count, lower, upper, pointA, pointB }] of ofA) {
        if (!pointA || !pointB) continue;
        const bounds = [Math.max(0, lower - error), upper + error] as const;
        hits.push({ objectA, objectB, count: mode === 'any' ? 1 : count, bounds, pointA, pointB });
      }
    }
    hits.sort((p, q) => order(p.objectA) - order(q.objectA) || order(p.objectB) - order(q.objectB));
    const complete = mode === 'all' || hits.length === 0;
    return { count: hits.length, hits: hits as Hit[], complete, error, stats: this.stats };
  }
}

function order(object: AnyObject): number {
  return typeof object === 'number' ? object : (object as SlotObject).slot;
}
