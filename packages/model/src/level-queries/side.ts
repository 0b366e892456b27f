/** One side of a question with an error: parts that are brought into memory when they are needed. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import { STRETCH } from '../solid/patch-index.js';
import type { StoredModel } from '../store/model.js';
import type { PieceCache } from '../store/piece-cache.js';
import type { Part, PartErrors } from './batch-query.js';
import { type IsSplit, type LargestErrors, type LevelTree, OnePart, type PlacedTree } from './level-tree.js';

export interface Side {
  readonly tree: PlacedTree;
  /** What a node of the tree is opened into, by which of its steps are split: its parts are then those of a front. */
  open(node: number): readonly number[];
  /** Whether that depends on the place, so that it may be different each time. */
  readonly isByPlace: boolean;
  /**
   * The largest errors of all parts of the front, by place of those that may be in an answer: of one way, of the other,
   * and of both together.
   */
  readonly out: number;
  readonly in: number;
  readonly error: number;
  /** What answers call it. */
  objectOf(part: number): number;
  pieceOf(part: number): number;
  trianglesOf(part: number): number;
  poseOf(part: number): RigidPose;
  /** Holds parts in memory; undefined when they are there at once. */
  hold(parts: readonly number[]): Promise<void> | undefined;
  release(parts: readonly number[]): void;
  /** How far a part may be from what it stands for. */
  errorsOf(part: number): PartErrors;
  /** A part that is held. */
  part(part: number): Part;
  /** A part, if it is in memory. */
  partNow(part: number): Part | undefined;
  /** Begins to bring parts into memory, the first of them first. */
  prefetch(parts: readonly number[]): void;
}

const EXACT = { out: 0, in: 0 } as const;

/** A mesh: one part, exact. */
export class MeshSide implements Side {
  readonly tree: PlacedTree;
  readonly isByPlace = false;
  readonly out = 0;
  readonly in = 0;
  readonly error = 0;
  readonly #mesh: Mesh;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.tree = new OnePart(Float64Array.of(...mesh.box.min, ...mesh.box.max));
  }
  open(): readonly number[] {
    return [];
  }
  objectOf(): number {
    return 0;
  }
  pieceOf(): number {
    return 0;
  }
  trianglesOf(): number {
    return this.#mesh.triangleCount;
  }
  poseOf(): RigidPose {
    return IDENTITY as RigidPose;
  }
  hold(): undefined {}
  release(): void {}
  errorsOf(): PartErrors {
    return EXACT;
  }
  part(part: number): Part {
    return { part, tree: hierarchyOf(this.#mesh), ...EXACT };
  }
  partNow(part: number): Part {
    return this.part(part);
  }
  prefetch(): void {}
}

/** The placed pieces of a stored model, of all levels, as far as they are in memory. */
export class PlacedModel {
  readonly model: StoredModel;
  readonly cache: PieceCache;
  readonly tree: LevelTree;
  readonly #known = new Map<number, Part>();

  constructor(model: StoredModel, cache: PieceCache, tree: LevelTree) {
    this.model = model;
    this.cache = cache;
    this.tree = tree;
  }

  partNow(part: number): Part | undefined {
    const piece = this.tree.pieceOf(part);
    const tree = this.cache.treeNow(piece);
    if (!tree) {
      this.#known.delete(part);
      return undefined;
    }
    let known = this.#known.get(part);
    if (known?.tree !== tree) this.#known.set(part, (known = { part, tree, ...this.errorsOf(part) }));
    return known;
  }

  errorsOf(part: number): PartErrors {
    const piece = this.tree.pieceOf(part);
    const { pieceOut, pieceIn } = this.model.directory;
    return { out: STRETCH * pieceOut[piece], in: STRETCH * pieceIn[piece] };
  }
}

/** What depends on the place: which steps are split, and the largest error of the parts that may be in an answer. */
interface ByPlace {
  readonly isSplit: IsSplit;
  readonly largest: (side: LevelSide) => number;
}

/** A stored model at an error: steps with larger ones are split, or those that are not permitted where they are. */
export class LevelSide implements Side {
  readonly tree: LevelTree;
  readonly isByPlace: boolean;
  readonly #isSplit: IsSplit;
  /** Of the nodes that were asked for. */
  readonly #opened = new Map<number, readonly number[]>();
  readonly #placed: PlacedModel;
  readonly #largestOf: () => LargestErrors;
  #largest: LargestErrors | undefined;

  constructor(placed: PlacedModel, limit: number | ByPlace) {
    this.tree = placed.tree;
    this.#placed = placed;
    this.isByPlace = typeof limit !== 'number';
    if (typeof limit === 'number') {
      this.#isSplit = (_, error) => error > limit;
      this.#largestOf = () => largestErrors(placed.tree, limit);
    } else {
      this.#isSplit = limit.isSplit;
      this.#largestOf = () => {
        const error = limit.largest(this);
        return { out: STRETCH * error, in: STRETCH * error, error };
      };
    }
  }

  open(node: number): readonly number[] {
    let children = this.#opened.get(node);
    if (!children) {
      const list: number[] = [];
      this.tree.open(node, this.#isSplit, list);
      this.#opened.set(node, (children = list));
    }
    return children;
  }

  /** The same, split by place. */
  splitBy(isSplit: IsSplit, largest: (side: LevelSide) => number): LevelSide {
    return new LevelSide(this.#placed, { isSplit, largest });
  }
  get out(): number {
    return this.#errors.out;
  }
  get in(): number {
    return this.#errors.in;
  }
  get error(): number {
    return this.#errors.error;
  }
  get #errors(): LargestErrors {
    this.#largest ??= this.#largestOf();
    return this.#largest;
  }
  objectOf(part: number): number {
    return this.tree.objects[part];
  }
  pieceOf(part: number): number {
    return this.tree.pieceOf(part) - this.#placed.model.firstPiece(this.tree.objects[part]);
  }
  trianglesOf(part: number): number {
    return this.#placed.model.directory.pieceTriangles[this.tree.pieceOf(part)];
  }
  poseOf(part: number): RigidPose {
    return this.tree.poseOf(this.tree.objects[part]);
  }
  hold(parts: readonly number[]): Promise<void> | undefined {
    return this.#placed.cache.acquire(this.#piecesOf(parts));
  }
  release(parts: readonly number[]): void {
    this.#placed.cache.release(this.#piecesOf(parts));
  }
  errorsOf(part: number): PartErrors {
    return this.#placed.errorsOf(part);
  }
  part(part: number): Part {
    const held = this.#placed.partNow(part);
    if (held) return held;
    throw new ImpingeError('bad-input', `part ${part} is not held`);
  }
  partNow(part: number): Part | undefined {
    return this.#placed.partNow(part);
  }
  prefetch(parts: readonly number[]): void {
    this.#placed.cache.prefetch(this.#piecesOf(parts));
  }
  #piecesOf(parts: readonly number[]): number[] {
    return parts.map((part) => this.tree.pieceOf(part));
  }
}

/** Of the pieces of a front. */
function largestErrors(tree: LevelTree, limit: number): LargestErrors {
  const { out, in: inner, error } = tree.largestErrors(limit);
  return { out: STRETCH * out, in: STRETCH * inner, error };
}
