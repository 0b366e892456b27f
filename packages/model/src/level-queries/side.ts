/** One side of a question with an error: parts that are brought into memory when they are needed. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { hierarchyOf } from 'impinge/internal/query/pair/hierarchy-of.js';
import { STRETCH } from '../solid/patch-index.js';
import { BoxTree } from '../store/box-tree.js';
import type { StoredModel } from '../store/model.js';
import type { PieceCache } from '../store/piece-cache.js';
import type { Part, PartErrors } from './batch-query.js';
import type { PlacedFront } from './placed-front.js';

export interface Side {
  readonly boxes: BoxTree;
  /** The largest errors of all parts. */
  readonly out: number;
  readonly in: number;
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
  readonly boxes: BoxTree;
  readonly out = 0;
  readonly in = 0;
  readonly #mesh: Mesh;

  constructor(mesh: Mesh) {
    this.#mesh = mesh;
    this.boxes = new BoxTree(Float64Array.of(...mesh.box.min, ...mesh.box.max));
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

/** A stored model at an error: the placed pieces of a front. */
export class FrontSide implements Side {
  readonly #model: StoredModel;
  readonly #cache: PieceCache;
  readonly #front: PlacedFront;
  /** Poses of objects that were asked for: one view each. */
  readonly #poses = new Map<number, RigidPose>();

  constructor(model: StoredModel, cache: PieceCache, front: PlacedFront) {
    this.#model = model;
    this.#cache = cache;
    this.#front = front;
  }
  /** How many of its parts another front of the same model does not have. */
  countBeyond(other: FrontSide | undefined): number {
    if (!other) return this.#front.pieces.length;
    const keys = ({ objects, pieces }: PlacedFront) =>
      Array.from(objects, (object, i) => object * this.#model.pieceCount + pieces[i]);
    const there = new Set(keys(other.#front));
    return keys(this.#front).filter((key) => !there.has(key)).length;
  }
  get boxes(): BoxTree {
    return this.#front.tree;
  }
  get out(): number {
    return STRETCH * this.#front.out;
  }
  get in(): number {
    return STRETCH * this.#front.in;
  }
  objectOf(part: number): number {
    return this.#front.objects[part];
  }
  pieceOf(part: number): number {
    return this.#front.pieces[part] - this.#model.firstPiece(this.#front.objects[part]);
  }
  trianglesOf(part: number): number {
    return this.#model.directory.pieceTriangles[this.#front.pieces[part]];
  }
  poseOf(part: number): RigidPose {
    const object = this.#front.objects[part];
    let pose = this.#poses.get(object);
    if (!pose) this.#poses.set(object, (pose = this.#model.pose(object)));
    return pose;
  }
  hold(parts: readonly number[]): Promise<void> | undefined {
    return this.#cache.acquire(this.#piecesOf(parts));
  }
  release(parts: readonly number[]): void {
    this.#cache.release(this.#piecesOf(parts));
  }
  errorsOf(part: number): PartErrors {
    const piece = this.#front.pieces[part];
    const { pieceOut, pieceIn } = this.#model.directory;
    return { out: STRETCH * pieceOut[piece], in: STRETCH * pieceIn[piece] };
  }
  part(part: number): Part {
    const tree = hierarchyOf(this.#cache.mesh(this.#front.pieces[part]));
    return { part, tree, ...this.errorsOf(part) };
  }
  partNow(part: number): Part | undefined {
    return this.#cache.has(this.#front.pieces[part]) ? this.part(part) : undefined;
  }
  prefetch(parts: readonly number[]): void {
    this.#cache.prefetch(this.#piecesOf(parts));
  }
  #piecesOf(parts: readonly number[]): number[] {
    return parts.map((part) => this.#front.pieces[part]);
  }
}
