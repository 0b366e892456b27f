/**
 * How deep two objects lie in each other: the largest distance to the other's surface over all points of one's surface
 * that are inside the other, from either side. A property of the solids, whatever their triangles; the kernel
 * (kernels/solid/deepest.ts) searches surfaces as a whole, not their vertices. Everybody who asks for a depth asks
 * here: a check for that of two objects, `contacts` for that of parts of their surfaces, with other ideas of when it is
 * good enough.
 *
 * Inside is decided by parity where the other object is closed. Where it is open, its nearest face decides by the way
 * it faces, points nearest to its border count as outside, and the faces of its box count as part of its surface: what
 * is open has no depth beyond them. Errs: `depth` is attained at `point`. Nothing inside a closed object is deeper than
 * `bound`; for open ones that holds as far as the sampled points tell their surroundings.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { kernelSupported } from '../../kernel/kernel.js';
import { mainKernels } from '../../kernel/kernels.generated.js';
import { invertPose, posePoint, type RigidPose, type Vec3 } from '../../math/pose.js';
import { storedPose } from '../pair/context.js';
import { P, PLANE_CAPACITY } from './layout.generated.js';
import { distanceTo, locatePoint } from './locate.js';
import { type Parts, PointQuery } from './point-query.js';

export interface DepthOptions {
  /** Depths up to this need not be told apart: the search ends when nothing can be deeper (default 0). */
  readonly atLeast?: number;
  /**
   * Closest-point queries, each a microsecond or a few, after which the search is cut short (default 250 000; 8000
   * where both objects are open, as bounds may not converge there).
   */
  readonly budget?: number;
  /** A bound that exceeds the depth by no more than this share of it ends the search (default 0.01). */
  readonly accuracy?: number;
  /** Only the surface of one object (0: a, 1: b) is searched for points inside the other. */
  readonly side?: 0 | 1;
  /**
   * Depths below this share of the thinner object's half width need not be told from none (default 1e-9; 1e-6 where
   * both are open).
   */
  readonly least?: number;
}

const CLOSED_DEFAULTS = { atLeast: 0, budget: 250_000, accuracy: 0.01, least: 1e-9 } as const;
const OPEN_DEFAULTS = { ...CLOSED_DEFAULTS, budget: 8000, least: 1e-6 } as const;

export interface Depth {
  readonly depth: number;
  /** Nothing lies deeper; above `depth` by no more than the accuracy, unless the search was cut short. */
  readonly bound: number;
  /** Whether the budget, or the room for cells, ended the search, not its bounds. */
  readonly cutShort: boolean;
  /** The deepest point found, in the frame of a; of no meaning where the depth is 0. */
  readonly point: Vec3;
  /** Whose surface the point lies on: 0 a's, 1 b's. */
  readonly side: 0 | 1;
  /** Closest-point queries made. */
  readonly evaluations: number;
}

export const NO_DEPTH: Depth = {
  depth: 0,
  bound: 0,
  cutShort: false,
  point: [0, 0, 0],
  side: 0,
  evaluations: 0,
};

/** What a search is confined to. */
export interface DepthScope {
  /** Only the surface of one object. */
  readonly side?: 0 | 1 | undefined;
  /** Only triangles with this label, see `setLabels`. */
  readonly label?: number;
  /** Whether all of these are known to lie inside the other object, which must be closed. */
  readonly inside?: boolean;
  /** Deeper points are looked for. Then this is what a search that finds none returns. */
  readonly than?: Depth;
}

/** Points closer than this to the other surface, relative to the coordinates, count as being on it. */
const ON_SURFACE = 1e-13;
/** Times that, depths are not told apart. */
const FINEST = 100;
/** Points are as deep as others where they are less so by this share: faces of both objects may coincide. */
const AS_DEEP = 1e-4;
/** Evaluations for the question whether there is a point at all. */
const BEYOND_BUDGET = 4000;

/**
 * Throws 'unsupported' where WebAssembly SIMD is missing. Solids need it: how deep they lie in each other, and so how
 * they lie where they touch, is searched by a kernel that has no portable twin. Where a point lies needs none.
 */
export function requireKernel(query: string): void {
  if (kernelSupported()) return;
  throw new ImpingeError('unsupported', `${query} needs WebAssembly SIMD: ${mainKernels.refusal}`);
}

/**
 * The depth of a and b; `bToA` takes b's frame to a's. Each has at least one part. Needs the kernels ('unsupported'
 * elsewhere). The same answer whichever treelets of lazy trees exist.
 */
export function measureDepth(a: Parts, b: Parts, bToA: RigidPose, options: DepthOptions = {}): Depth {
  const search = new DepthSearch(a, b, bToA, options);
  let found: Depth;
  try {
    found = search.run({ side: options.side });
  } finally {
    search.release();
  }
  return found.cutShort ? deepenBySeeds(found, a, b, search, options.side) : found;
}

/**
 * What a search that was cut short found, or a corner if it is deeper: what a search finds may only grow with its
 * budget.
 */
export function deepenBySeeds(found: Depth, a: Parts, b: Parts, search: DepthSearch, side?: 0 | 1): Depth {
  const seed = deepestSeed(a, b, search.pose, side);
  if (!seed || seed.depth <= Math.max(found.depth, search.rounding)) return found;
  return { ...found, ...seed, bound: Math.max(found.bound, seed.depth + search.rounding) };
}

/**
 * Whether the surface of one object (0: a, 1: b) has a point in or out of the other, which is closed, by more than a
 * distance.
 */
export function liesBeyond(
  distance: number,
  where: 'inside' | 'outside',
  side: 0 | 1,
  a: Parts,
  b: Parts,
  bToA: RigidPose,
): boolean {
  const search = new DepthSearch(a, b, bToA, { budget: BEYOND_BUDGET, atLeast: distance });
  try {
    return search.exceeds(where, side);
  } finally {
    search.release();
  }
}

/** Several searches over the same two objects. Release it in the end. */
export class DepthSearch {
  /** From the numbers stored in b's meshes to those in a's, and back. */
  readonly pose: RigidPose;
  readonly inverse: RigidPose;
  /** What is smaller may be rounding. */
  readonly rounding: number;
  /** Depths are not told apart by less. */
  readonly resolution: number;
  readonly #query: PointQuery;
  readonly #origin: Vec3;
  readonly #counts: readonly [number, number];
  /** Addresses of the labels of a's and of b's triangles. */
  readonly #labels = [0, 0];

  constructor(a: Parts, b: Parts, bToA: RigidPose, options: DepthOptions = {}) {
    const defaults = a.closed || b.closed ? CLOSED_DEFAULTS : OPEN_DEFAULTS;
    const { atLeast, budget, accuracy, least } = { ...defaults, ...options };
    this.pose = storedPose(a.meshes[0], b.meshes[0], bToA);
    this.#origin = a.meshes[0].origin;
    this.#counts = [a.meshes.length, b.meshes.length];
    const query = new PointQuery(a, b);
    this.#query = query;
    query.setNumbers(P.bToA, this.pose);
    this.inverse = inverseOf(this.pose);
    query.setNumbers(P.aToB, this.inverse);
    this.budget = budget;
    query.setNumber(P.atLeast, atLeast);
    query.setNumber(P.goodEnough, 1 + accuracy);
    query.setNumber(P.enough, Infinity);
    const thinnest = Math.min(writeBoxPlanes(query, 0), writeBoxPlanes(query, 1));
    this.rounding = ON_SURFACE * reachOf(query, this.pose);
    query.setNumber(P.tolerance, this.rounding);
    this.resolution = FINEST * this.rounding;
    query.setNumber(P.resolution, this.resolution);
    const floor = least * thinnest;
    query.setNumber(P.floor, Math.max(atLeast > 0 ? Math.min(floor, atLeast) : floor, this.rounding));
  }

  /** Depths up to this, but for rounding, are not told apart from now on. */
  set permitted(depth: number) {
    this.#query.setNumber(P.atLeast, depth + this.resolution);
  }

  /** Closest-point queries after which a search is cut short. */
  set budget(evaluations: number) {
    this.#query.setWord(P.budget, evaluations);
  }

  /** Gives every triangle of a side, which has one part, a label. */
  setLabels(side: 0 | 1, labels: Uint32Array): void {
    this.#labels[side] = arena().alloc(4 * labels.length);
    arena()
      .u32()
      .set(labels, this.#labels[side] >>> 2);
    this.#query.setMarks(side, 0, this.#labels[side]);
  }
  label(side: 0 | 1, triangle: number, label: number): void {
    arena().u32()[(this.#labels[side] >>> 2) + triangle] = label;
  }

  run({ side: only, label = 0, inside = false, than = NO_DEPTH }: DepthScope = {}): Depth {
    const query = this.#query;
    this.#start(only);
    query.setWord(P.label, label);
    query.setWord(P.whole, inside ? 1 : 0);
    query.setNumber(P.depth, than.depth);
    query.run('deepest');
    const depth = query.number(P.depth);
    const bound = Math.max(query.number(P.bound) + this.rounding, than.bound);
    const evaluations = query.word(P.evaluations);
    const cutShort = query.word(P.cutShort) === 1 || than.cutShort;
    const deeper = depth > than.depth && depth > this.rounding;
    if (!deeper) return { ...than, bound, cutShort, evaluations };
    const side = query.word(P.bestSide) === 0 ? 0 : 1;
    const p = this.#foundPoint();
    const [x, y, z] = this.#origin;
    return { depth, bound, cutShort, point: [p[0] + x, p[1] + y, p[2] + z], side, evaluations };
  }

  /** In the numbers stored in a's meshes. */
  #foundPoint(): Float64Array {
    const query = this.#query;
    const p = Float64Array.of(query.number(P.point), query.number(P.point + 8), query.number(P.point + 16));
    if (query.word(P.bestSide) === 0) posePoint(this.pose, p[0], p[1], p[2], p, 0);
    return p;
  }

  /**
   * A point inside both objects, which are closed, that deep in one and as deep or deeper in the other (but for a ten
   * thousandth), below a face of the former; `none`: there is none; `open`: the budget for either object did not
   * suffice. Ends the other searches.
   */
  findDeepInBoth(depth: number): Float64Array | 'none' | 'open' {
    const query = this.#query;
    const least = (1 - AS_DEEP) * depth;
    query.setNumber(P.atLeast, least);
    query.setNumber(P.enough, least);
    query.setNumber(P.floor, this.rounding);
    let cutShort = false;
    for (const side of [0, 1] as const) {
      // triangles may face either way
      for (const way of [-1, 1]) {
        this.#start(side);
        query.setNumber(P.depth, 0);
        query.setNumber(P.offset, way * depth);
        query.run('deepest');
        if (query.number(P.depth) > least) return this.#foundPoint();
        if (query.word(P.cutShort) === 1) cutShort = true;
      }
    }
    return cutShort ? 'open' : 'none';
  }

  /** Half the width of the thinner object, as far as planes tell. */
  get thinnest(): number {
    return Math.min(this.#query.number(P.capA), this.#query.number(P.capB));
  }

  /**
   * How wide the space that both fill is at most, along the normals of the planes that hold either object, or one of
   * them; not above 0 where there is none. What is found to be no wider than `enough` need not be known better.
   */
  sharedWidth(enough: number, of: 'either' | 0 | 1 = 'either'): number {
    this.#query.refresh();
    return this.#query.sharedWidth(of === 'either' ? 3 : 1 + of, enough);
  }

  /** Whether a side's surface has a point farther in or out than `atLeast`. Ends the other searches. */
  exceeds(where: 'inside' | 'outside', side: 0 | 1): boolean {
    const query = this.#query;
    this.#start(side);
    query.setNumber(P.depth, 0);
    query.setNumber(P.enough, query.number(P.atLeast));
    if (where === 'outside') {
      query.setWord(P.outside, 1);
      // no plane bounds what is outside, nor is one worth looking for
      query.setWord(P.planeCountA + 4 * (1 - side), 0);
      query.setNumber(P.capA + 8 * (1 - side), Infinity);
      query.setWord(P.missesA + 4 * (1 - side), PLANE_CAPACITY);
    }
    query.run('deepest');
    return query.number(P.depth) > query.number(P.atLeast);
  }

  #start(side: 0 | 1 | undefined): void {
    const query = this.#query;
    query.refresh();
    const [countA, countB] = this.#counts;
    for (const field of [P.heapCount, P.cellCount, P.workCount, P.free, P.evaluations])
      query.setWord(field, 0);
    query.setWord(P.roots, side === 1 ? countA : 0);
    query.setWord(P.rootsEnd, side === 0 ? countA : countA + countB);
    query.setNumber(P.pruned, 0);
  }

  release(): void {
    this.#query.release();
    for (const labels of this.#labels) if (labels > 0) arena().free(labels);
  }
}

/** The faces of a side's box as its first planes; returns half its smallest width, beyond which no point is deep. */
function writeBoxPlanes(query: PointQuery, side: number): number {
  const doubles = arena().f64();
  const box = (query.block + P.boxA + 48 * side) >>> 3;
  let at = (query.word(P.planes) + 32 * PLANE_CAPACITY * side) >>> 3;
  let cap = Infinity;
  for (let k = 0; k < 3; k++) {
    for (const sign of [-1, 1]) {
      for (let j = 0; j < 3; j++) doubles[at++] = j === k ? sign : 0;
      doubles[at++] = sign > 0 ? doubles[box + 3 + k] : -doubles[box + k];
    }
    cap = Math.min(cap, (doubles[box + 3 + k] - doubles[box + k]) / 2);
  }
  query.setWord(P.planeCountA + 4 * side, 6);
  query.setNumber(P.capA + 8 * side, cap);
  return cap;
}

/** The size of the numbers involved. */
function reachOf(query: PointQuery, pose: RigidPose): number {
  let reach = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
  for (let k = 0; k < 12; k++) reach += Math.abs(query.number(P.boxA + 8 * k));
  return reach;
}

/** The inverse of a pose, exact also where its rotation is off by the little that poses may be. */
function inverseOf(p: RigidPose): RigidPose {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    // row i of the inverse: the cross product of the other two columns, over the determinant
    for (let r = 0; r < 3; r++) {
      const [s, t] = [3 * ((r + 1) % 3), 3 * ((r + 2) % 3)];
      out[3 * i + r] = p[s + j] * p[t + k] - p[t + j] * p[s + k];
    }
  }
  const det = p[0] * out[0] + p[3] * out[1] + p[6] * out[2];
  for (let i = 0; i < 9; i++) out[i] /= det;
  for (let i = 0; i < 3; i++) {
    out[9 + i] = -(out[3 * i] * p[9] + out[3 * i + 1] * p[10] + out[3 * i + 2] * p[11]);
  }
  return out;
}

/** Corners tried on each side where a search was cut short. */
const SEEDS = 24;

/**
 * The deepest of a few corners. Large nested surfaces need that: everything is about equally deep, and nothing can be
 * ruled out. Objects that are open hold nothing.
 */
function deepestSeed(
  a: Parts,
  b: Parts,
  pose: RigidPose,
  only: 0 | 1 | undefined,
): Pick<Depth, 'depth' | 'point' | 'side'> | undefined {
  let best: Pick<Depth, 'depth' | 'point' | 'side'> | undefined;
  const [x, y, z] = a.meshes[0].origin;
  const point = new Float64Array(3);
  for (const side of [0, 1] as const) {
    const [own, other] = side === 0 ? [a, b] : [b, a];
    if (!other.closed || side === 1 - (only ?? side)) continue;
    const across = side === 0 ? invertPose(pose) : pose;
    for (const corner of spreadCorners(own)) {
      posePoint(across, corner[0], corner[1], corner[2], point, 0);
      if (locatePoint(other, point) !== 'inside') continue;
      const depth = distanceTo(other, point);
      if (best && depth <= best.depth) continue;
      const inA = side === 0 ? corner : point;
      best = { depth, point: [inA[0] + x, inA[1] + y, inA[2] + z], side };
    }
  }
  return best;
}

/** Corners of an object, spread over its triangles. */
function* spreadCorners({ meshes }: Parts): Generator<Float32Array> {
  const total = meshes.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
  const step = Math.max(1, Math.floor(total / SEEDS));
  let skip = 0;
  for (const mesh of meshes) {
    let triangle = skip;
    for (; triangle < mesh.triangleCount; triangle += step) {
      const v = 3 * mesh.storedIndices[3 * triangle];
      yield mesh.storedPositions.slice(v, v + 3);
    }
    skip = triangle - mesh.triangleCount;
  }
}
