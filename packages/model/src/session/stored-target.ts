/** A stored model asked as if it were one mesh: pieces are read as they are needed, under a cap of memory. */
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readKnown, readPositive, shown } from 'impinge/internal/base/options.js';
import { type Point, readPoint } from 'impinge/internal/math/point.js';
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { steady } from 'impinge/internal/mesh/mesh-arrays.js';
import { useHierarchy } from 'impinge/internal/query/pair/hierarchy-of.js';
import type { ContactsRequest, PairRequest } from 'impinge/internal/query/pair/pair-request.js';
import type { PenetrationResult } from 'impinge/internal/query/solid/penetration.js';
import type { TargetContactsResult } from 'impinge/internal/query/solid/target-contacts.js';
import type { PartsTarget, VisitPart } from 'impinge/internal/query/target.js';
import type { BoxBound } from 'impinge/internal/scene/nearest-first.js';
import type { PieceTarget } from '../solid/piece-target.js';
import type { Solid } from '../solid/solids.js';
import { targetContacts } from '../solid/target-contacts.js';
import { targetPenetration } from '../solid/target-penetration.js';
import { assertModel, type StoredModel } from '../store/model.js';
import { PieceCache, type PieceCacheStats } from '../store/piece-cache.js';
import { PlacedPieces } from './placed-pieces.js';
import { StoredParts } from './stored-parts.js';

export interface StoredTargetOptions {
  /** Bytes of memory for geometry and hierarchies (default 160 MiB). */
  readonly memory?: number;
}

export const STORED_TARGET_DEFAULTS = { memory: 160 * 2 ** 20 } as const satisfies StoredTargetOptions;

/** `collide(stored, mesh)` and the like name objects of the model. The model stays the caller's. */
export class StoredTarget implements PartsTarget, AsyncDisposable {
  readonly name: string;
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** Stored triangles are exact. */
  readonly error = 0;
  readonly revision = 0;
  readonly #placed: PlacedPieces;
  readonly #whole: StoredParts;
  /** @internal */
  protected readonly model: StoredModel;
  /** @internal */
  protected readonly cache: PieceCache;

  constructor(model: StoredModel, options: StoredTargetOptions = {}) {
    assertModel(model);
    const { memory } = { ...STORED_TARGET_DEFAULTS, ...readKnown('StoredTarget', options, { memory: true }) };
    readPositive('memory', memory);
    this.name = model.meta.title;
    this.model = model;
    this.#placed = new PlacedPieces(model);
    this.cache = new PieceCache(model, { limit: memory, onLoad: (_, tree) => useHierarchy(tree) });
    this.#whole = new StoredParts({ model, placed: this.#placed, cache: this.cache });
    this.box = this.#whole.box;
  }

  get stats(): PieceCacheStats {
    return this.cache.stats;
  }

  eachPart(bound: BoxBound, limit: number, visit: VisitPart<number | Promise<number>>): Promise<void> {
    return this.#whole.eachPart(bound, limit, visit);
  }

  objectsAround(point: Float64Array): Promise<PartsTarget[]> {
    return this.#whole.objectsAround(point);
  }

  contacts(request: ContactsRequest): Promise<TargetContactsResult> {
    return targetContacts(request);
  }
  penetration(request: PairRequest): Promise<PenetrationResult> {
    return targetPenetration(request);
  }

  /** @internal */
  errorsOf(_object: number, _piece: number): { readonly out: number; readonly in: number } {
    return this.#whole.errorsOf();
  }
  /** @internal */
  withPiece<T>(object: number, piece: number, work: (mesh: Mesh, pose: RigidPose) => T): Promise<T> {
    return this.#whole.withPiece(object, piece, work);
  }
  /** @internal */
  solid(): Solid {
    return this.#whole.solid();
  }

  /** @internal */
  objectTarget(object: number): PieceTarget {
    return this.model.objectCount === 1 ? this : this.#whole.objectTarget(object); // this has all of a PieceTarget
  }
  /** @internal */
  nestedWith(box: Float64Array): number[] {
    return this.#whole.nestedWith(box);
  }

  /**
   * Some objects of the model alone, exactly as stored: those that are listed, or that a function accepts. They share
   * its memory, and answer until it is disposed of.
   */
  select(objects: ArrayLike<number> | ((object: number) => boolean)): PartsTarget {
    const { model, cache } = this;
    const placed = this.#placed;
    return new StoredParts({ model, placed, cache }, placed.placedOf(objectsOf(model, objects)));
  }

  /**
   * Whether a point, in the model's coordinates, is inside an object, which must be closed. On its surface is not
   * inside.
   */
  async isInside(object: number, point: Point): Promise<boolean> {
    const [number] = objectsOf(this.model, [object]);
    return this.#whole.holds(number, readPoint('isInside: the point', point, new Float64Array(3)));
  }

  /** Frees the pieces that are in memory. */
  async dispose(): Promise<void> {
    await this.cache.dispose();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }
}

/** In rising order, each once. */
function objectsOf(model: StoredModel, objects: ArrayLike<number> | ((object: number) => boolean)): number[] {
  if (typeof objects === 'function') {
    return Array.from({ length: model.objectCount }, (_, object) => object).filter((object) =>
      objects(object),
    );
  }
  const given = steady(objects as number[]);
  if (!given) {
    throw new ImpingeError(
      'bad-input',
      `a list of objects, or a function of them, is needed, got ${shown(objects)}`,
    );
  }
  const listed = [...new Set(Array.from(given))];
  for (const object of listed) {
    if (Number.isInteger(object) && object >= 0 && object < model.objectCount) continue;
    throw new ImpingeError('bad-input', `the model has no object ${shown(object)}`, { object });
  }
  return listed.sort((p, q) => p - q);
}
