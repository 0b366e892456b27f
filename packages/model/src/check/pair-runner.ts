/**
 * Measures pairs of objects on one thread: loads their pieces, measures, and continues.
 *
 * Idea: the order of a task is known, and so is the next use of each piece; the cache drops the piece needed latest. Of
 * objects in several pieces, the ones near the other object come first; the rest only where they matter: where the
 * surfaces meet, and where one object, or a component of it, lies inside the other.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { composePoses, invertPose, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { widenBox } from 'impinge/internal/mesh/reach.js';
import { sharedDepth } from 'impinge/internal/query/pair/box-gap.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { useHierarchy } from 'impinge/internal/query/pair/hierarchy-of.js';
import { asPose, type PlacedParts } from 'impinge/internal/query/solid/placed-pair.js';
import type { StoredModel } from '../store/model.js';
import { expectPieces } from '../store/page-reader.js';
import { grownBytes, grownBytesOf, PieceCache } from '../store/piece-cache.js';
import { emptyBox, writePlacedBox } from '../store/placed-box.js';
import type { ClashMeasure } from './clash.js';
import { isOverlap, kindBit, kindBits } from './clash-kinds.js';
import { MeasureStats, measurePair } from './measure-pair.js';
import { batchesOf, joinedMeasure } from './out-of-core-batches.js';
import { WHOLE_SHARE } from './pair-pieces.js';
import { RepeatedClashes } from './repeated-clashes.js';
import { findInside, measureInside } from './streamed-inside.js';
import { type CheckTask, type CheckTaskPart, type FoundClash, geometryBytes } from './task.js';
import type { TaskRule } from './task-rule.js';
import { TaskUses } from './task-uses.js';
import type { OwnBox } from './zones/box-zone.js';
import { measureZone, type ZoneOwner, zoneParts } from './zones/measure-zone.js';
import { isOfBox, type ZoneSizes } from './zones/zone.js';
import type { ZonePart } from './zones/zone-part.js';

/** Pairs between two reports. */
const PAIRS_PER_PART = 256;
/** Pairs and milliseconds between checks for messages to this thread: to stop, or to share work. */
const PAIRS_PER_YIELD = 16;
const MS_PER_YIELD = 20;

const SURFACE_KINDS = kindBits(({ ofSurfaces }) => ofSurfaces);
/** What surfaces alone do not show, but one point does. */
const INSIDE = kindBit('inside');

/** Pairs whose pieces are fetched at a time. */
const PAIRS_AHEAD = 64;

type Outcome = ClashMeasure | undefined;

/** A component of `inner` inside `outer`, by its ends in the world. */
interface InnerComponent {
  readonly inner: number;
  readonly outer: number;
  readonly ends: Float64Array;
}

export class PairRunner {
  readonly #model: StoredModel;
  readonly #rules: readonly TaskRule[];
  /** For geometry and hierarchies. */
  readonly #memory: number;
  readonly #cache: PieceCache;
  /** By shape: whether several objects have it. */
  readonly #isShared: Uint8Array;
  readonly #repeats = new RepeatedClashes();
  #uses: TaskUses | undefined;
  /** The pair that is being looked at, and where the task ends. */
  #pair = 0;
  #end = 0;
  #stats = new MeasureStats();
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(model: StoredModel, rules: readonly TaskRule[], memory: number) {
    this.#model = model;
    this.#rules = rules;
    this.#memory = geometryBytes(memory);
    this.#isShared = sharedShapes(model);
    this.#cache = new PieceCache(model, {
      limit: this.#memory,
      onLoad: (_, tree) => useHierarchy(tree),
      nextUse: (piece) => this.#uses?.nextUse(piece) ?? Infinity,
    });
  }

  /** One task at a time. Ends with an error when the runner is disposed of in the meantime. */
  run(task: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void> {
    this.#running = this.#run(task, onPart);
    return this.#running;
  }

  /**
   * Gives up half of the rest of the task, from the returned pair on; undefined where less than two pairs are left. At
   * least one of them is kept: the end of a task is reported with its last pair.
   */
  divide(): number | undefined {
    const left = this.#end - (this.#pair + 1);
    if (left < 2) return undefined;
    this.#end -= Math.floor(left / 2);
    return this.#end;
  }

  /** Writes the boxes of an object's pieces, posed, as a store has them: six numbers each. Not while a task is run. */
  async writeBoxes(object: number, pose: RigidPose, out: Float64Array, o: number): Promise<void> {
    const first = this.#model.firstPiece(object);
    for (let i = 0; i < this.#model.pieceCountOf(object); i++)
      await this.#cache.withPiece(first + i, (mesh) => writePlacedBox(mesh, pose, out, o + 6 * i));
  }

  /** Stops after the current pair, and frees everything. */
  async dispose(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => {}); // run() reports it to its caller
    await this.#cache.dispose();
  }

  async #run({ triples, pieces }: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void> {
    this.#end = triples.length / 3;
    const uses = new TaskUses(pieces, this.#model.pieceCount);
    this.#uses = uses;
    expectPieces(this.#model, uses.piecesOf(0, this.#end));
    let found: FoundClash[] = [];
    let touching: number[] = [];
    const stats = new MeasureStats();
    this.#stats = stats;
    let yielded = performance.now();
    for (let pair = 0, from = 0; pair < this.#end; pair++) {
      if (this.#stopped) throw new ImpingeError('aborted', 'the check was stopped');
      uses.position = this.#pair = pair;
      // one step ahead: these are read while the ones before them are measured
      if (pair % PAIRS_AHEAD === 0) {
        this.#cache.prefetch(uses.piecesOf(pair + PAIRS_AHEAD, Math.min(pair + 2 * PAIRS_AHEAD, this.#end)));
      }
      const rule = this.#rules[triples[3 * pair + 2]];
      const near = pieces.pieces.subarray(pieces.first[pair], pieces.first[pair] + pieces.nearCount[pair]);
      const { touches } = stats;
      const outcome = this.#measure(triples[3 * pair], triples[3 * pair + 1], rule, near);
      const measure = outcome instanceof Promise ? await outcome : outcome;
      if (measure) found.push({ pair, measure });
      if (stats.touches > touches) touching.push(pair);
      if (pair + 1 - from === PAIRS_PER_PART || pair + 1 === this.#end) {
        const cache = { ...this.#cache.stats };
        onPart({ from, to: pair + 1, found, touches: touching.length, touching, cache });
        from = pair + 1;
        found = [];
        touching = [];
      }
      const isLong = performance.now() - yielded > MS_PER_YIELD;
      if (isLong || pair % PAIRS_PER_YIELD === PAIRS_PER_YIELD - 1) {
        await yieldToEventLoop();
        yielded = performance.now();
      }
    }
  }

  /** `near` names pieces of the model that are near each other, two and two. */
  #measure(a: number, b: number, rule: TaskRule, near: Uint32Array): Outcome | Promise<Outcome> {
    const [firstA, firstB] = [this.#model.firstPiece(a), this.#model.firstPiece(b)];
    if (rule.zone) return this.#measureZone(a, b, rule, rule.zone, near);
    const parts = near.map((piece, i) => piece - (i % 2 === 0 ? firstA : firstB));
    if (this.#model.pieceCountOf(a) === 1 && this.#model.pieceCountOf(b) === 1) {
      return this.#with([firstA, firstB], () =>
        measurePair(this.#place(a), this.#place(b), rule, parts, this.#stats, this.#repeats),
      );
    }
    return this.#measureLarge(a, b, rule, parts);
  }

  /** What b has in the zone of a. Where not all of both is in memory at once, surfaces are, two pieces at a time. */
  async #measureZone(
    a: number,
    b: number,
    { tolerance }: TaskRule,
    zone: ZoneSizes,
    near: Uint32Array,
  ): Promise<Outcome> {
    const model = this.#model;
    const [firstA, firstB] = [model.firstPiece(a), model.firstPiece(b)];
    const all = [...range(firstA, model.pieceCountOf(a)), ...range(firstB, model.pieceCountOf(b))];
    const owner = await this.#ownerOf(a, zone);
    const ask = { zone, tolerance };
    if (grownBytesOf(model, all) <= WHOLE_SHARE * this.#memory) {
      return this.#with(all, () =>
        measureZone({ placed: this.#place(a), ...owner }, this.#place(b), ask, this.#stats),
      );
    }
    let joined: Outcome;
    for (let i = 0; i < near.length; i += 2) {
      const found = await this.#with([near[i], near[i + 1]], () => {
        const placed = asSurface(this.#place(a, [near[i] - firstA]));
        const other = asSurface(this.#place(b, [near[i + 1] - firstB]));
        return measureZone({ placed, ...owner }, other, ask, this.#stats);
      });
      joined = joinedMeasure(joined, found);
    }
    return joined;
  }

  /** The solids of an object's zone, as far as they reach a box. The object must fit into memory. */
  async zoneParts(object: number, zone: ZoneSizes, near: Float64Array): Promise<ZonePart[]> {
    const owner = await this.#ownerOf(object, zone);
    const pieces = range(this.#model.firstPiece(object), this.#model.pieceCountOf(object));
    return this.#with(pieces, () => zoneParts({ placed: this.#place(object), ...owner }, zone, near));
  }

  async #ownerOf(object: number, zone: ZoneSizes): Promise<Omit<ZoneOwner, 'placed'>> {
    return {
      own: isOfBox(zone) ? await this.#ownBox(object) : undefined,
      operation: this.#model.object(object).labels?.operation?.[0] ?? '',
    };
  }

  /** The box around an object in its own axes. */
  async #ownBox(object: number): Promise<OwnBox> {
    const axes = this.#model.axes(object);
    const toAxes = composePoses(invertPose(toRigidPose({ rotation: axes })), this.#model.pose(object));
    const box = emptyBox();
    for (const piece of range(this.#model.firstPiece(object), this.#model.pieceCountOf(object))) {
      const own = new Float64Array(6);
      await this.#with([piece], () => writePlacedBox(this.#cache.mesh(piece), toAxes, own, 0));
      widenBox(box, own);
    }
    return { axes, box };
  }

  async #measureLarge(a: number, b: number, rule: TaskRule, near: Uint32Array): Promise<Outcome> {
    const model = this.#model;
    const capacity = WHOLE_SHARE * this.#memory;
    const all = [
      ...range(model.firstPiece(a), model.pieceCountOf(a)),
      ...range(model.firstPiece(b), model.pieceCountOf(b)),
    ];
    const overlap = sharedDepth(model.box(a), model.box(b)) > rule.tolerance;
    if (!overlap) return this.#measureSurfaces(a, b, rule, near, capacity);
    if (grownBytesOf(model, all) <= capacity) {
      const bodily =
        holds(model.box(a), model.box(b)) ||
        holds(model.box(b), model.box(a)) ||
        (await this.#meet(a, b, near)) ||
        (await this.#findInside(a, b)) !== undefined;
      if (!bodily) return this.#measureSurfaces(a, b, rule, near, capacity);
      return this.#with(all, () =>
        measurePair(this.#place(a), this.#place(b), rule, near, this.#stats, this.#repeats),
      );
    }
    // surfaces first: an object not wholly in memory cannot tell inside from outside where they meet
    const ask = { ...rule, kinds: rule.kinds | SURFACE_KINDS };
    const surfaces = await this.#measureSurfaces(a, b, ask, near, capacity);
    if (!(surfaces && isOverlap(surfaces.kind)) && rule.kinds & INSIDE) {
      const found = await this.#findInside(a, b);
      if (found) {
        return measureInside(model, found.inner, found.outer, found.ends, this.#cache);
      }
    }
    if (!surfaces || rule.kinds & kindBit(surfaces.kind)) return surfaces;
    if (surfaces.kind === 'touch') this.#stats.noteTouch(rule);
    return undefined;
  }

  /** A component of one object that lies in the other, which is closed. */
  async #findInside(a: number, b: number): Promise<InnerComponent | undefined> {
    for (const [inner, outer] of [
      [a, b],
      [b, a],
    ]) {
      if (!this.#model.isClosed(outer)) continue;
      const ends = await findInside(this.#model, inner, outer, this.#cache);
      if (ends) return { inner, outer, ends };
    }
    return undefined;
  }

  /** The surfaces alone, of which the pieces near each other are enough. */
  async #measureSurfaces(
    a: number,
    b: number,
    ask: TaskRule,
    near: Uint32Array,
    capacity: number,
  ): Promise<Outcome> {
    if (near.length === 0) return undefined;
    const first = [this.#model.firstPiece(a), this.#model.firstPiece(b)];
    const pieces = Array.from(near, (piece, i) => first[i % 2] + piece);
    if (grownBytesOf(this.#model, pieces) > capacity)
      return this.#measureInBatches(a, b, ask, near, capacity);
    return this.#measureBatch(a, b, ask, near, this.#stats);
  }

  /** Surfaces of which not even the near pieces fit at once. */
  async #measureInBatches(
    a: number,
    b: number,
    rule: TaskRule,
    near: Uint32Array,
    capacity: number,
  ): Promise<Outcome> {
    const first = [this.#model.firstPiece(a), this.#model.firstPiece(b)];
    // another batch may be in contact where this one is only close
    const ask = { ...rule, kinds: rule.kinds | SURFACE_KINDS };
    const bytesOf = (side: 0 | 1, piece: number) => grownBytes(this.#model, first[side] + piece);
    let joined: Outcome;
    for (const batch of batchesOf(near, bytesOf, capacity)) {
      joined = joinedMeasure(joined, await this.#measureBatch(a, b, ask, batch, new MeasureStats()));
    }
    return joined && (rule.kinds & kindBit(joined.kind)) !== 0 ? joined : undefined;
  }

  /** The surfaces of some pieces, near each other two and two. */
  #measureBatch(
    a: number,
    b: number,
    ask: TaskRule,
    near: Uint32Array,
    stats: MeasureStats,
  ): Outcome | Promise<Outcome> {
    const { own, local, pieces } = this.#held(a, b, near);
    return this.#with(pieces, () =>
      measurePair(asSurface(this.#place(a, own[0])), asSurface(this.#place(b, own[1])), ask, local, stats),
    );
  }

  /**
   * Pieces near each other: those of a and of b, each once; the pairs as places in these; all of them as the model
   * counts.
   */
  #held(a: number, b: number, near: Uint32Array) {
    const first = [this.#model.firstPiece(a), this.#model.firstPiece(b)];
    const own = [0, 1].map((side) =>
      [...new Set(near.filter((_, i) => i % 2 === side))].sort((x, y) => x - y),
    );
    const local = near.map((piece, i) => own[i % 2].indexOf(piece));
    const pieces = own.flatMap((list, side) => list.map((piece) => first[side] + piece));
    return { own, local, pieces };
  }

  /** Does something while pieces are held. */
  #with<T>(pieces: number[], work: () => T): T | Promise<T> {
    const unique = pieces.length === 2 && pieces[0] !== pieces[1] ? pieces : [...new Set(pieces)];
    const finish = (): T => {
      try {
        return work();
      } finally {
        this.#cache.release(unique);
      }
    };
    const loading = this.#cache.acquire(unique);
    return loading ? loading.then(finish) : finish();
  }

  /** An object with those of its pieces, or all, that are in memory. */
  #place(object: number, pieces?: readonly number[]): PlacedParts {
    const model = this.#model;
    const first = model.firstPiece(object);
    const count = pieces ? pieces.length : model.pieceCountOf(object);
    const meshes: Mesh[] = [];
    for (let i = 0; i < count; i++) meshes.push(this.#cache.mesh(first + (pieces ? pieces[i] : i)));
    const shape = model.directory.objectShape[object];
    return {
      parts: { meshes, closed: model.isClosed(object) },
      shape: this.#isShared[shape] ? shape : undefined,
      pose: model.pose(object),
      box: model.box(object),
      triangleCount: model.trianglesOf(object),
      rounding: model.directory.objectRounding[object],
      curveError: model.directory.objectCurveError[object],
    };
  }

  /** Whether the surfaces meet. */
  async #meet(a: number, b: number, near: Uint32Array): Promise<boolean> {
    const { own, local, pieces } = this.#held(a, b, near);
    return this.#with(pieces, () => {
      const [placedA, placedB] = [this.#place(a, own[0]), this.#place(b, own[1])];
      const placed = { poseA: asPose(placedA.pose), poseB: asPose(placedB.pose), mode: 'any' } as const;
      for (let i = 0; i < local.length; i += 2) {
        const meshA = placedA.parts.meshes[local[i]];
        if (collide(meshA, placedB.parts.meshes[local[i + 1]], placed).colliding) return true;
      }
      return false;
    });
  }
}

/** By shape: whether several objects have it. */
function sharedShapes({ shapeCount, directory }: StoredModel): Uint8Array {
  const seen = new Uint8Array(shapeCount);
  const shared = new Uint8Array(shapeCount);
  for (const shape of directory.objectShape) {
    shared[shape] = seen[shape];
    seen[shape] = 1;
  }
  return shared;
}

function asSurface(placed: PlacedParts): PlacedParts {
  return { ...placed, parts: { ...placed.parts, closed: false } };
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

/** Whether box `a` holds box `b`. */
function holds(a: Float64Array, b: Float64Array): boolean {
  for (let k = 0; k < 3; k++) if (b[k] < a[k] || b[3 + k] > a[3 + k]) return false;
  return true;
}

/** Yields to the event loop: input, timers, messages. Browsers have no `setImmediate`. */
function yieldToEventLoop(): Promise<void> {
  const { setImmediate = setTimeout } = globalThis as { setImmediate?: (run: () => void) => unknown };
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}
