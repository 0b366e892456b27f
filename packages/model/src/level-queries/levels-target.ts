/**
 * A stored model with levels, asked with an error.
 *
 * Promise, for a distance d and an error e. Nothing is missed: every two originals at most d apart are stood for by a
 * reported pair. Nothing is invented: what is reported has originals at most d + e apart. Proof. Let a part of a front
 * have the errors out and in (see Directory). Originals p, q with |pq| ≤ d stand on level points p′, q′ with |pp′| ≤
 * outA and |qq′| ≤ outB, so |p′q′| ≤ d + outA + outB, which is what patches are looked for with. Level points p′, q′ at
 * most d + e − inA − inB apart have originals within inA and inB of them, at most d + e apart; patches are accepted
 * only then. Fronts are chosen so that outA + inA + outB + inB is a share of e, so the first number is below the
 * second.
 *
 * The distance likewise: with a slack s the closest level points found are D apart, and none are nearer than D − s. So
 * originals are at most D + inA + inB apart, and at least D − s − outA − outB.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readBag, readInteger } from 'impinge/internal/base/options.js';
import { completeHierarchy } from 'impinge/internal/hierarchy/build-obb.js';
import { kernelSupported } from 'impinge/internal/kernel/kernel.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { Derived } from 'impinge/internal/mesh/revisions.js';
import { readBudget, Spending } from 'impinge/internal/query/pair/budget.js';
import { UNLIMITED } from 'impinge/internal/query/pair/collide.js';
import { closestWithin } from 'impinge/internal/query/pair/distance.js';
import { hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import { hitsOfParts } from 'impinge/internal/query/pair/hits.js';
import { errorOf } from 'impinge/internal/query/pair/near-pairs.js';
import type {
  ClosestRequest,
  HitsRequest,
  PairRequest,
  PairsRequest,
} from 'impinge/internal/query/pair/pair-request.js';
import type { CollideResult, DistanceResult, HitsResult } from 'impinge/internal/query/pair/results.js';
import { addStats, noStats } from 'impinge/internal/query/pair/stats.js';
import { pairsWithin } from 'impinge/internal/query/pair/within.js';
import { hasParts, type PartsTarget } from 'impinge/internal/query/target.js';
import { StoredTarget, type StoredTargetOptions } from '../session/stored-target.js';
import { piecesKernels } from '../store/kernels.generated.js';
import type { StoredModel } from '../store/model.js';
import type { PieceCacheStats } from '../store/piece-cache.js';
import { type Closest, closestAt } from './closest-at.js';
import { Walked } from './cut.js';
import { type Decided, DecidedPairs } from './decided-pairs.js';
import { type ErrorField, errorFieldOf, errorWithin } from './error-field.js';
import { exactPairs } from './exact-pairs.js';
import { fieldSides } from './field-sides.js';
import { patchesKernels } from './kernels.generated.js';
import { LevelTree } from './level-tree.js';
import { nearObjects } from './near-objects.js';
import { NearParts } from './near-parts.js';
import { findPatches, trianglesInOrder } from './near-patches.js';
import { type Originals, originalsNear } from './originals-near.js';
import { PatchList } from './patch-list.js';
import { PosedBoxes } from './posed-boxes.js';
import { refinedPairs } from './refined-pairs.js';
import { LevelSide, MeshSide, PlacedModel, type Side } from './side.js';

/**
 * The share of the error that levels may use up. For pieces all of it, but for what poses may stretch. The rest lets
 * walks stop early: those for patches have most use for that, since there are many, and each is looked for by itself.
 */
const PIECES_SHARE = 0.999;
const PATCHES_SHARE = 0.25;
const DISTANCE_SHARE = 0.6;
/** By place, the distance is first looked for at an error of the smaller side divided by this. */
const COARSEST = 4;
/**
 * The largest out and the largest in of a front may be of different pieces, so together twice the share. If they use up
 * more of the error than the first number, the second is the share instead: twice that is less.
 */
const MOST_SPENT = 0.9;
const SMALLER_SHARE = 0.44;
/** Half the diagonal of the box around the smallest patches, in errors. */
const PATCH_RADIUS = 4;
/** With a budget, the first parts have errors of this share of the smaller side. */
const FIRST_REFINED = 1 / 64;
/** Cuts kept of each kind of question about the same two, at different errors. */
const CUTS = 4;
/** Sides kept, at different errors. */
const SIDES = 16;
/** A patch of an object: triangles that follow each other in the order of a piece's tree. */
export interface Patch {
  readonly object: number;
  readonly piece: number;
  readonly first: number;
  readonly count: number;
}

export interface LevelsStats extends PieceCacheStats {
  /** Pairs of steps and pieces that the last question came through: what is kept of its walk. */
  readonly cut: number;
  /** How many pairs were opened so far, and put together again. */
  readonly split: number;
  readonly merged: number;
}

interface Kept {
  /** Of b in a's frame when the two were last asked about. */
  pose: RigidPose | undefined;
  /** The last one asked is last. */
  readonly near: { readonly question: string; readonly parts: NearParts }[];
}

export class LevelsTarget extends StoredTarget {
  readonly #sides = new Map<number, LevelSide>();
  #placed: PlacedModel | undefined;
  /** What is kept between questions, by who moves and what it is asked against. */
  #kept = new WeakMap<object, WeakMap<object, Kept>>();
  readonly #walked = new Walked();

  constructor(model: StoredModel, options?: StoredTargetOptions) {
    super(model, options);
    // so that the first question need not wait for compilers; where there are no kernels, questions say so
    if (!model.hasLevels) return;
    if (kernelSupported()) for (const set of [piecesKernels, patchesKernels]) set.kernels();
    this.#placed = new PlacedModel(model, this.cache, new LevelTree(model));
  }

  async pairs(request: PairsRequest): Promise<CollideResult<PartsTarget>> {
    const field = this.#fieldOf(request);
    const error = errorWithin(field, request, request.distance);
    if (request.budget && error > 0 && request.patch === undefined) {
      const first = Math.max(error, FIRST_REFINED * Math.min(sizeOf(request.a), sizeOf(request.b)));
      const near = this.#nearParts(request, 'refined', PIECES_SHARE * first);
      if (near) return refinedAnswer(near, request, error);
    }
    if (request.patch === undefined && field.constant === undefined) {
      const near = this.#nearParts(request, 'pieces by place', PIECES_SHARE * error, field);
      const found = near && (await wholePieces(near, request, error));
      if (found && found.error > 0) return found;
    }
    const near =
      request.patch === undefined
        ? this.#nearParts(request, 'pieces', PIECES_SHARE * error)
        : this.#nearParts(request, 'patches', PATCHES_SHARE * error);
    if (!near) return pairsWithin(request);
    if (error === 0) return exactPairs(near, request);
    if (request.patch === undefined) return wholePieces(near, request, error);
    const { a, b } = near;
    const { bToA, distance, limit, patch } = request;
    const radius = Math.max(PATCH_RADIUS * error, patch / 2);
    const list = lists.pop() ?? new PatchList();
    list.clear();
    const stats = noStats();
    // one more than asked for tells that the list is not complete
    const most = Math.min(limit + 1, UNLIMITED);
    for (const batch of near.within(bToA, distance + a.out + b.out)) {
      if (list.count >= most) break;
      const wait = near.hold(batch);
      if (wait) await wait;
      try {
        const parts = near.parts(batch, bToA);
        const ask = { distance, error, radius, limit: most - list.count };
        addStats(stats, findPatches(parts, ask, list));
      } finally {
        near.release(batch);
      }
    }
    const complete = list.count <= limit;
    if (!complete) list.count = limit;
    const found = columns(list, near);
    lists.push(list);
    return { ...found, complete, error, stats };
  }

  async hits(request: HitsRequest): Promise<HitsResult> {
    const error = this.#errorOf(request, request.distance);
    const near = error > 0 ? this.#nearParts(request, 'hits', PATCHES_SHARE * error) : undefined;
    if (!near) return hitsOfParts(request);
    const list = await nearObjects(near, request, error);
    near.fetchAhead(request.bToA, request.distance + near.a.out + near.b.out);
    if (request.mode === 'all') {
      const { count, objects, stats } = await this.pairs({ ...request, error, limit: UNLIMITED, patch: 0 });
      addStats(list.stats, stats);
      for (let i = 0; i < 2 * count; i += 2) list.of(objects[i], objects[i + 1]).count++;
    }
    const found = list.result(request.mode, 0);
    // objects whose patches are all farther apart than asked
    const hits = found.hits.filter(({ count }) => count > 0);
    return { ...found, count: hits.length, hits, error };
  }

  async closest(request: ClosestRequest): Promise<DistanceResult<PartsTarget>> {
    const field = this.#fieldOf(request);
    let { atMost } = request;
    const coarsest = Math.min(sizeOf(request.a), sizeOf(request.b)) / COARSEST;
    if (field.constant === undefined && coarsest > 0) {
      // only what is permitted as near as a look at coarse parts says matters
      const rough = this.#nearParts(request, 'distance by place', DISTANCE_SHARE * coarsest);
      if (rough) atMost = (await closestAt(rough, request, { atMost, error: coarsest })).bounds[1];
      atMost = Math.min(atMost, request.atMost);
    }
    const error = errorWithin(field, request, atMost);
    const near = this.#partsForDistance(request, error);
    if (!near) return closestWithin(request);
    const found = await closestAt(near, request, { atMost: request.atMost, error });
    return error > 0 ? { ...found, error } : exactly(request, found);
  }

  /** The error that a request permits wherever it may find something. */
  #errorOf(request: PairRequest, reach: number): number {
    return errorWithin(this.#fieldOf(request), request, reach);
  }

  #fieldOf(request: PairRequest): ErrorField {
    const { a, b, bToA, aToWorld, error } = request;
    if (typeof error === 'number') return { constant: error, over: () => error };
    const kept = this.#keptFor(request);
    const moved = movedBy(b, kept.pose ?? bToA, bToA);
    kept.pose = bToA.slice() as RigidPose;
    return errorFieldOf(error, { sizeA: sizeOf(a), sizeB: sizeOf(b), moved, aToWorld });
  }

  #keptFor({ a, b, mover }: PairRequest): Kept {
    const other = a === this ? b : a;
    let ofMover = this.#kept.get(mover ?? other);
    if (!ofMover) this.#kept.set(mover ?? other, (ofMover = new WeakMap()));
    let kept = ofMover.get(other);
    if (!kept) ofMover.set(other, (kept = { pose: undefined, near: [] }));
    return kept;
  }

  /**
   * The two sides where their levels may be off by `error` together; undefined where one of them knows nothing of
   * levels.
   */
  #nearParts(
    request: PairRequest,
    question: string,
    error: number,
    field?: ErrorField,
  ): NearParts | undefined {
    let [sideA, sideB] = field ? [sideAt(request.a, 0), sideAt(request.b, 0)] : sidesAt(request, error);
    if (!sideA || !sideB) return undefined;
    const [treeA, treeB] = [sideA.tree, sideB.tree];
    const { near } = this.#keptFor(request);
    // a mesh that has changed has another tree
    const alike = near.filter(
      ({ parts: { a, b, isWorn } }) => a.tree === treeA && b.tree === treeB && !isWorn,
    );
    const boxes = alike[0]?.parts.boxes ?? new PosedBoxes(treeA, treeB);
    if (field) {
      const { distance, bToA } = request as PairsRequest;
      [sideA, sideB] = fieldSides(sideA, sideB, { field, share: PIECES_SHARE, distance, bToA, boxes });
    }
    const own = alike.filter((one) => one.question === question);
    let kept = own.find(({ parts: { a, b } }) => a === sideA && b === sideB);
    // the one not asked for longest moves to other levels
    if (!kept && own.length === (field ? 1 : CUTS)) [kept] = own;
    if (!kept) {
      kept = { question, parts: new NearParts(sideA, sideB, boxes, this.#walked) };
      alike.push(kept);
    }
    near.length = 0;
    for (const one of alike) if (one !== kept) near.push(one);
    near.push(kept);
    kept.parts.use(sideA, sideB);
    return kept.parts;
  }

  #partsForDistance(request: PairRequest, error: number): NearParts | undefined {
    const near = this.#nearParts(request, 'distance', DISTANCE_SHARE * error);
    if (!near) return undefined;
    const { a, b } = near;
    const isTooMuch = a.out + a.in + b.out + b.in > MOST_SPENT * error;
    return isTooMuch ? this.#nearParts(request, 'distance', SMALLER_SHARE * error) : near;
  }

  /**
   * No original that a piece of an object stands for is farther than `out` from it; none of its points farther than
   * `in` from them.
   */
  override errorsOf(object: number, piece: number): { readonly out: number; readonly in: number } {
    const own = this.#piece(object, piece);
    const { pieceOut, pieceIn } = this.model.directory;
    return this.model.hasLevels ? { out: pieceOut[own], in: pieceIn[own] } : { out: 0, in: 0 };
  }

  /**
   * The triangles of a patch, as `patches` and `pieces` of an answer name it: their numbers in the piece, and their
   * corners.
   */
  async trianglesOf(patch: Patch): Promise<{ triangles: Uint32Array; corners: Float64Array }> {
    const { object, piece, first, count } = readBag(patch);
    const { directory } = this.model;
    const own = this.#piece(object, piece);
    readInteger('first', first, 0, directory.pieceTriangles[own] - 1);
    readInteger('count', count, 1, directory.pieceTriangles[own] - first);
    return this.withPiece(object, piece, (mesh, pose) => {
      const tree = hierarchyOf(mesh);
      completeHierarchy(tree); // only then is the order of its triangles final
      const triangles = trianglesInOrder(tree, first, count);
      const corners = new Float64Array(9 * count);
      const { storedIndices: indices, storedPositions: positions, origin } = mesh;
      for (let i = 0; i < 3 * count; i++) {
        const v = 3 * indices[3 * triangles[Math.floor(i / 3)] + (i % 3)];
        const [x, y, z] = [
          positions[v] + origin[0],
          positions[v + 1] + origin[1],
          positions[v + 2] + origin[2],
        ];
        posePoint(pose, x, y, z, corners, 3 * i);
      }
      return { triangles, corners };
    });
  }

  /**
   * The originals that a patch stands for, and others as near to it: those within the larger of its piece's errors. For
   * each the exact piece of the object that it is in, and its number there.
   */
  async originalsOf(patch: Patch): Promise<Originals> {
    const { triangles } = await this.trianglesOf(patch);
    const { object, piece } = patch;
    if (piece < this.model.pieceCountOf(object)) return { pieces: triangles.map(() => piece), triangles };
    const { out, in: inner } = this.errorsOf(object, piece);
    return originalsNear(this.model, object, { piece, triangles }, Math.max(out, inner), (own, work) =>
      this.withPiece(object, own, work),
    );
  }

  /** Has a piece of an object in memory while `work` is done with it; `pose` is the object's. */
  override async withPiece<T>(
    object: number,
    piece: number,
    work: (mesh: Mesh, pose: RigidPose) => T,
  ): Promise<T> {
    return this.cache.withPiece(this.#piece(object, piece), (mesh) => work(mesh, this.model.pose(object)));
  }

  /** The number in the store of a piece of an object. */
  #piece(object: number, piece: number): number {
    const own = this.model.firstPiece(object) + readInteger('piece', piece, 0);
    const { shapeFirstPiece, objectShape } = this.model.directory;
    if (own < shapeFirstPiece[objectShape[object] + 1]) return own;
    throw new ImpingeError('bad-input', `object ${object} has no piece ${piece}`, { object, piece });
  }

  /** @internal The model where answers may be off by `error`; undefined where there are no levels. */
  at(error: number): Side | undefined {
    if (!this.#placed) return undefined;
    let side = this.#sides.get(error);
    if (side) this.#sides.delete(error);
    else side = new LevelSide(this.#placed, error);
    this.#sides.set(error, side); // last used, last in order
    if (this.#sides.size > SIDES) this.#sides.delete(this.#sides.keys().next().value!);
    return side;
  }

  override async dispose(): Promise<void> {
    this.#kept = new WeakMap();
    await super.dispose();
  }

  override get stats(): LevelsStats {
    const { cut, split, merged } = this.#walked;
    return { ...super.stats, cut, split, merged };
  }
}

/** Free lists: queries may overlap. */
const lists: PatchList[] = [];

const meshSides = new Derived((mesh) => new MeshSide(mesh));

/** Half of the error is for each, and what one cannot use for the other. */
function sidesAt({ a, b }: PairRequest, error: number): [Side | undefined, Side | undefined] {
  const half = sideAt(b, error / 2);
  const sideA = sideAt(a, error - (half?.error ?? 0));
  return [sideA, sideAt(b, error - (sideA?.error ?? 0))];
}

function sideAt(side: PairRequest['a'], error: number): Side | undefined {
  if (side instanceof LevelsTarget) return side.at(error);
  if (hasParts(side)) return undefined;
  return meshSides.of(side);
}

function sizeOf({ box: { min, max } }: PairRequest['a']): number {
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** How far a corner of the box moves at most. */
function movedBy({ box: { min, max } }: PairRequest['a'], from: RigidPose, to: RigidPose): number {
  let most = 0;
  for (let corner = 0; corner < 8; corner++) {
    const p = [0, 1, 2].map((k) => (corner & (1 << k) ? max[k] : min[k]));
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      let by = to[9 + k] - from[9 + k];
      for (let j = 0; j < 3; j++) by += (to[3 * k + j] - from[3 * k + j]) * p[j];
      sum += by * by;
    }
    most = Math.max(most, Math.sqrt(sum));
  }
  return most;
}

/** A distance of exact pieces, as closestWithin says it. */
function exactly(request: ClosestRequest, found: Closest): DistanceResult<PartsTarget> {
  const error = errorOf(request);
  return { ...found, bounds: [Math.max(0, found.distance - error), found.distance + error], error };
}

const decided = new WeakMap<NearParts, DecidedPairs>();

/** What is kept of pairs of pieces. */
function decidedOf(near: NearParts): DecidedPairs {
  let pairs = decided.get(near);
  if (!pairs) decided.set(near, (pairs = new DecidedPairs(near)));
  return pairs;
}

/** Pairs of pieces that come near each other. */
async function wholePieces(
  near: NearParts,
  { bToA, distance, limit }: PairsRequest,
  error: number,
): Promise<CollideResult<PartsTarget>> {
  // one more than asked for tells that the list is not complete
  const most = Math.min(limit + 1, UNLIMITED);
  const found = await decidedOf(near).find({ bToA, distance, error, limit: most });
  return answerOf(near, found, limit, error);
}

/** The same as fine as a budget allows. */
async function refinedAnswer(
  near: NearParts,
  { bToA, distance, limit, budget }: PairsRequest,
  error: number,
): Promise<CollideResult<PartsTarget>> {
  const ask = { bToA, distance, error: PIECES_SHARE * error };
  const found = await refinedPairs(near, ask, new Spending(readBudget(budget)));
  return answerOf(near, found, limit, error);
}

/** The first of the pairs found, up to a limit, as an answer. */
function answerOf(
  { a, b }: NearParts,
  { keys, bounds, error: found, stats }: Decided,
  limit: number,
  error: number,
): CollideResult<PartsTarget> {
  const count = Math.min(keys.length, limit);
  const objects = new Uint32Array(2 * count);
  const pieces = new Uint32Array(2 * count);
  const counts = new Uint32Array(2 * count);
  const partsB = b.tree.parts;
  for (let i = 0; i < count; i++) {
    const partB = keys[i] % partsB;
    const partA = (keys[i] - partB) / partsB;
    objects[2 * i] = a.objectOf(partA);
    objects[2 * i + 1] = b.objectOf(partB);
    pieces[2 * i] = a.pieceOf(partA);
    pieces[2 * i + 1] = b.pieceOf(partB);
    counts[2 * i] = a.trianglesOf(partA);
    counts[2 * i + 1] = b.trianglesOf(partB);
  }
  const [pairs, firsts] = [new Uint32Array(2 * count), new Uint32Array(2 * count)];
  const answer = {
    count,
    pairs,
    objects,
    pieces,
    patches: { bounds: bounds.subarray(0, 2 * count), counts, firsts },
  };
  // by place, more may be permitted to some pairs than is everywhere; with a budget, more may be left of some
  const largest = Math.max(error, found);
  return { colliding: count > 0, ...answer, complete: keys.length <= limit, error: largest, stats };
}

/** The list as an answer. */
function columns(
  { count, parts, triangles, firsts, counts, bounds }: PatchList,
  { a, b }: NearParts,
): Omit<CollideResult<PartsTarget>, 'complete' | 'error' | 'stats'> {
  const length = 2 * count;
  const objects = new Uint32Array(length);
  const pieces = new Uint32Array(length);
  let [ofA, ofB] = [-1, -1];
  let [objectA, objectB, pieceA, pieceB] = [0, 0, 0, 0];
  for (let i = 0; i < length; i += 2) {
    if (parts[i] !== ofA) {
      ofA = parts[i];
      objectA = a.objectOf(ofA);
      pieceA = a.pieceOf(ofA);
    }
    if (parts[i + 1] !== ofB) {
      ofB = parts[i + 1];
      objectB = b.objectOf(ofB);
      pieceB = b.pieceOf(ofB);
    }
    objects[i] = objectA;
    objects[i + 1] = objectB;
    pieces[i] = pieceA;
    pieces[i + 1] = pieceB;
  }
  return {
    colliding: count > 0,
    count,
    pairs: triangles.slice(0, length),
    objects,
    pieces,
    patches: {
      bounds: bounds.slice(0, length),
      counts: counts.slice(0, length),
      firsts: firsts.slice(0, length),
    },
  };
}
