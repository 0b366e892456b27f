/**
 * How deep two objects overlap: how deep the surface of either lies in the other (depth.ts); or the radius of the
 * largest ball in the space that both fill, their core, where that is more than twice as much. It is where surfaces all
 * but coincide: of a wall that is there twice, one a millimetre beside the other, no surface lies deeper than that
 * millimetre, but half the wall's thickness is shared. Both are properties of the solids, and so is what counts. Only
 * closed objects have a core.
 *
 * Idea: the middles of balls of radius d in both are the points at least d deep in both. Where there are any, they have
 * a border, and its points are d deep in one object, a say, and at least that in the other. Where a face of a is what
 * is closest, such a point lies on that face, moved inwards by d. So if no point of a moved face of either object is d
 * deep in that and deeper in the other, no larger ball fits (kernels/solid/deepest-offset.ts searches them). Else the
 * point that was found is the middle of such a ball: larger ones are looked for until none is a hundredth larger.
 * Whether anything is deeper than what is permitted is decided, so that more permission never finds more: cells that
 * promise no more than that are not divided, and a core that counts beside surfaces measured without it counts whatever
 * is permitted. Errs: the depth is attained; nothing exceeds the bound but a core whose border is nowhere below a face:
 * it lies between edges and corners that stick into the space, no farther apart than twice its radius.
 */
import { posePoint, type RigidPose, type Vec3 } from '../../math/pose.js';
import { type Depth, DepthSearch, deepenBySeeds, measureDepth } from './depth.js';
import { signedDepth } from './locate.js';
import type { Parts } from './point-query.js';

export interface Overlap {
  /** Attained; at most `bound`, which nothing exceeds. */
  readonly depth: number;
  readonly bound: number;
  /**
   * Whether a budget ended the search before it was known within the accuracy whether the depth exceeds what is
   * permitted.
   */
  readonly cutShort: boolean;
  /** The deepest point, in the frame of a; of no meaning where the depth is 0. */
  readonly point: Vec3;
}

/** A core counts where it is more than so many times as deep as any surface. */
const CORE_TIMES = 2;
/** A bound that exceeds the depth by no more than this share of it ends a search. */
const ACCURACY = 0.01;
/** By this share cores must be deeper than what is permitted: twice what `findDeepInBoth` may be off. */
const CLEARLY = 2e-4;
/** Closest-point queries for whether open surfaces are deeper than what is permitted. */
const OPEN_BUDGET = 64_000;
/** How often a deeper core is looked for. */
const ROUNDS = 24;
/** Cores that are not so many times deeper than rounding are not looked for. */
const LEAST_ROUNDINGS = 1e5;
/** Steps towards the middle of a core end below this share of its depth. */
const FINEST_STEP = 1e-3;

/**
 * Whether the boxes of both, each in its own frame, tell that a and b overlap no deeper than `permitted`. It takes a
 * tenth of finding the triangles that meet. Proof in kernels/solid/shared-width.ts: what lies in an open object, its
 * own box has to show; what lies in a closed one, either does.
 */
export function isNarrow(a: Parts, b: Parts, bToA: RigidPose, permitted: number): boolean {
  const search = new DepthSearch(a, b, bToA);
  try {
    if (a.closed && b.closed) return search.sharedWidth(permitted) <= permitted;
    const within = (side: 0 | 1) => search.sharedWidth(permitted, side) <= permitted;
    return (a.closed || within(0)) && (b.closed || within(1));
  } finally {
    search.release();
  }
}

/**
 * How deep a and b overlap; `bToA` takes b's frame to a's. Depths up to `permitted` are not told apart. Where an object
 * is open, only surfaces count: of both, or of `side` alone (0: a, 1: b). `isWide`: they are known not to be narrow.
 */
export function measureOverlap(
  a: Parts,
  b: Parts,
  bToA: RigidPose,
  permitted: number,
  side?: 0 | 1,
  isWide = false,
): Overlap {
  const solid = a.closed && b.closed;
  const search = new DepthSearch(a, b, bToA, { atLeast: solid ? permitted : 0, accuracy: ACCURACY });
  try {
    if (solid && !isWide) {
      const width = search.sharedWidth(permitted);
      if (width <= permitted)
        return { depth: 0, bound: Math.max(0, width), cutShort: false, point: [0, 0, 0] };
    }
    if (!solid) return surfaceDepth(search, a, b, permitted, side);
    if (permitted > 0) search.permitted = permitted;
    const surface = surfaceDepth(search, a, b, permitted);
    if (permitted === 0 || surface.bound > permitted) return withCore(search, a, b, surface);
    return withLargeCore(search, a, b, bToA, surface, permitted);
  } finally {
    search.release();
  }
}

/**
 * How deep surfaces lie: an interval that holds what is permitted only where the search is cut short. In open objects
 * depth is what sampled points tell, and a search that may ignore what is permitted samples others: so that more
 * permission never finds more, they are measured as if nothing were, and anew only where that leaves the question open.
 */
function surfaceDepth(search: DepthSearch, a: Parts, b: Parts, permitted: number, side?: 0 | 1): Depth {
  const shallow = permitted > 0 ? permitted + 2 * search.resolution : 0;
  let found = search.run({ side });
  if (permitted > 0 && !(a.closed && b.closed) && found.depth <= permitted && found.bound > shallow) {
    search.permitted = permitted;
    search.budget = OPEN_BUDGET;
    found = search.run({ side });
  }
  if (found.cutShort) found = deepenBySeeds(found, a, b, search, side);
  if (found.bound > shallow) return found;
  return { ...found, depth: Math.min(found.depth, permitted), bound: Math.min(found.bound, permitted) };
}

/** Of surfaces no deeper than what is permitted: a core that is, if it counts beside them. */
function withLargeCore(
  search: DepthSearch,
  a: Parts,
  b: Parts,
  bToA: RigidPose,
  surface: Depth,
  permitted: number,
): Overlap {
  const limit = coreLimit(search, permitted);
  const found = limit <= permitted ? 'none' : search.findDeepInBoth((1 + CLEARLY) * permitted);
  if (found === 'none') return { ...surface, bound: Math.max(surface.bound, Math.min(limit, permitted)) };
  if (found === 'open') return { ...surface, bound: Math.max(surface.bound, limit), cutShort: true };
  // there is one: now it matters how deep surfaces lie
  const exact = measureDepth(a, b, bToA, { accuracy: ACCURACY });
  const overlap = withCore(search, a, b, exact, found);
  return overlap.bound > exact.bound ? overlap : surface;
}

/** No core is deeper. What is found to be no deeper than `enough` need not be known better. */
function coreLimit(search: DepthSearch, enough: number): number {
  return Math.min(search.thinnest, search.sharedWidth(2 * enough) / 2);
}

/** With the core, as far as that counts beside the surfaces; `start` is in it. */
function withCore(search: DepthSearch, a: Parts, b: Parts, surface: Depth, start?: Float64Array): Overlap {
  const least = Math.max(CORE_TIMES * surface.bound, LEAST_ROUNDINGS * search.rounding);
  let limit = coreLimit(search, least);
  const core = new Climb(a, b, search.inverse);
  if (start) core.from(start, limit);
  for (let round = 0; round < ROUNDS; round++) {
    const more = (1 + ACCURACY) * core.depth;
    if (limit <= Math.max(least, more)) return deeper(surface, core, limit, a);
    // a little more than the deepest, in turn with half way to what is known to be too much
    const depth = round % 2 === 0 ? Math.max(least, more) : Math.max(least, Math.sqrt(more * limit));
    const found = search.findDeepInBoth(depth);
    if (found === 'open') break;
    if (found === 'none') limit = depth;
    else core.from(found, limit);
  }
  return { ...deeper(surface, core, limit, a), cutShort: true };
}

/** The overlap, where no core is deeper than `bound`. */
function deeper(surface: Depth, core: Climb, bound: number, { meshes }: Parts): Overlap {
  const enough = CORE_TIMES * surface.bound;
  if (!(core.depth > enough)) return bound > enough ? { ...surface, bound } : surface;
  const [x, y, z] = meshes[0].origin;
  const [px, py, pz] = core.point;
  return { depth: core.depth, bound, cutShort: surface.cutShort, point: [px + x, py + y, pz + z] };
}

/** Along the axes and between them. */
const WAYS = Array.from({ length: 27 }, (_, i) => [
  (i % 3) - 1,
  (Math.floor(i / 3) % 3) - 1,
  Math.floor(i / 9) - 1,
])
  .filter((way) => way.some((x) => x !== 0))
  .map((way) => way.map((x) => x / Math.hypot(...way)))
  .sort((p, q) => Math.max(...q.map(Math.abs)) - Math.max(...p.map(Math.abs)));

/** Looks for the largest ball in both of two closed objects, in the numbers stored in a's meshes. */
class Climb {
  depth = 0;
  point = new Float64Array(3);
  readonly #a: Parts;
  readonly #b: Parts;
  readonly #toB: RigidPose;
  readonly #inB = new Float64Array(3);

  constructor(a: Parts, b: Parts, toB: RigidPose) {
    this.#a = a;
    this.#b = b;
    this.#toB = toB;
  }

  /** Goes where it is deeper, in ever smaller steps. No point is deeper than `limit`. */
  from(start: Float64Array, limit: number): void {
    const at = start.slice();
    const next = new Float64Array(3);
    let depth = this.#depthAt(at);
    for (let step = limit / 2; step > FINEST_STEP * depth; ) {
      let moved = false;
      for (let way = 0; way < WAYS.length && !moved; way++) {
        for (let k = 0; k < 3; k++) next[k] = at[k] + step * WAYS[way][k];
        const there = this.#depthAt(next);
        if (there <= depth) continue;
        depth = there;
        at.set(next);
        moved = true;
      }
      if (!moved) step /= 2;
    }
    if (depth > this.depth) {
      this.depth = depth;
      this.point = at;
    }
  }

  /** How deep a point lies in the object it is less deep in, negative outside one of them. */
  #depthAt(point: Float64Array): number {
    const inA = signedDepth(this.#a, point);
    if (inA <= 0) return inA;
    posePoint(this.#toB, point[0], point[1], point[2], this.#inB, 0);
    return Math.min(inA, signedDepth(this.#b, this.#inB));
  }
}
