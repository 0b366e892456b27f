/** The pieces of a stored model as the parts of a target, out of a cache. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readInteger } from 'impinge/internal/base/options.js';
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { widenBox } from 'impinge/internal/mesh/reach.js';
import { dropBoxTree } from 'impinge/internal/query/pair/known.js';
import type { ContactsRequest, PairRequest } from 'impinge/internal/query/pair/pair-request.js';
import type { PenetrationResult } from 'impinge/internal/query/solid/penetration.js';
import type { TargetContactsResult } from 'impinge/internal/query/solid/target-contacts.js';
import type { PartsTarget, VisitPart } from 'impinge/internal/query/target.js';
import type { BoxBound } from 'impinge/internal/scene/nearest-first.js';
import { isInside } from '../check/streamed-inside.js';
import type { PieceTarget } from '../solid/piece-target.js';
import { StoredSolid } from '../solid/solids.js';
import { targetContacts } from '../solid/target-contacts.js';
import { targetPenetration } from '../solid/target-penetration.js';
import type { StoredModel } from '../store/model.js';
import type { PieceCache } from '../store/piece-cache.js';
import { emptyBox } from '../store/placed-box.js';
import type { PlacedPieces } from './placed-pieces.js';

const EXACT = { out: 0, in: 0 } as const;

/** Where pieces come from, and which objects are not there. */
export interface PieceSource {
  readonly model: StoredModel;
  readonly placed: PlacedPieces;
  readonly cache: PieceCache;
  isHidden?(object: number): boolean;
}

/** All objects of a model, or the placed pieces of some, as a target that shares a cache with others. */
export class StoredParts implements PieceTarget {
  readonly name: string;
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** Stored triangles are exact. */
  readonly error = 0;
  readonly revision = 0;
  readonly #source: PieceSource;
  readonly #among: Uint32Array | undefined;

  constructor(source: PieceSource, among?: Uint32Array) {
    this.#source = source;
    this.#among = among;
    const { meta, directory } = source.model;
    this.name = meta.title;
    this.box = among ? boxAround(directory.placedBox, among) : boxAround(directory.objectBox);
  }

  /** Boxes that a question has built of a piece are freed after it, so that the cap of memory holds. */
  async eachPart(bound: BoxBound, limit: number, visit: VisitPart<number | Promise<number>>): Promise<void> {
    const source = this.#source;
    const { model, placed, cache } = source;
    let most = limit;
    for (const { placed: slot, gap } of placed.below(bound, limit, this.#among)) {
      if (gap > most) return;
      const object = placed.objectOf[slot];
      if (source.isHidden?.(object)) continue;
      const own = placed.pieceOf(slot);
      const wait = cache.acquire([own]);
      if (wait) await wait;
      const mesh = cache.mesh(own);
      try {
        const place = { object, piece: own - model.firstPiece(object) };
        const next = visit({ slot, place, mesh, pose: model.pose(object) }, most);
        most = typeof next === 'number' ? next : await next;
      } finally {
        dropBoxTree(mesh);
        cache.release([own]);
      }
    }
  }

  /** Those that are not hidden. */
  get #objects(): number[] {
    const source = this.#source;
    const { objectOf } = source.placed;
    const all = new Set(this.#among?.map((one) => objectOf[one]) ?? objectOf);
    return [...all].filter((object) => !source.isHidden?.(object));
  }

  async objectsAround(point: Float64Array): Promise<PartsTarget[]> {
    return (await this.numbersAround(point, () => true)).map((object) => this.objectTarget(object));
  }

  /** The objects that a point is inside of. Open ones have no inside, and are only asked about where `isAsked` is. */
  async numbersAround(
    point: Float64Array,
    isAsked = (object: number): boolean => this.#source.model.isClosed(object),
  ): Promise<number[]> {
    const around: number[] = [];
    for (const object of this.#objects) {
      const box = this.#source.model.box(object);
      if (point.some((x, k) => x < box[k] || x > box[3 + k])) continue;
      if (isAsked(object) && (await this.holds(object, point))) around.push(object);
    }
    return around;
  }

  contacts(request: ContactsRequest): Promise<TargetContactsResult> {
    return targetContacts(request);
  }
  penetration(request: PairRequest): Promise<PenetrationResult> {
    return targetPenetration(request);
  }

  errorsOf(): { readonly out: number; readonly in: number } {
    return EXACT;
  }
  withPiece<T>(object: number, piece: number, work: (mesh: Mesh, pose: RigidPose) => T): Promise<T> {
    const { model, cache } = this.#source;
    const own = model.firstPiece(object) + readInteger('piece', piece, 0, model.pieceCountOf(object) - 1);
    return cache.withPiece(own, (mesh) => work(mesh, model.pose(object)));
  }
  solid(): StoredSolid {
    return new StoredSolid(this.#source.model, this.#source.cache, this.#objects);
  }

  objectTarget(object: number): StoredParts {
    return new StoredParts(this.#source, this.#source.placed.placedOf([object]));
  }
  nestedWith(box: Float64Array): number[] {
    const { model } = this.#source;
    return this.#objects.filter((object) => {
      const own = model.box(object);
      return model.isClosed(object) && (isWithin(own, box) || isWithin(box, own));
    });
  }

  /** Whether a point is inside an object, which must be closed. On its surface is not inside. */
  holds(object: number, point: Float64Array): Promise<boolean> {
    const { model, cache } = this.#source;
    if (!model.isClosed(object)) {
      throw new ImpingeError('bad-input', `object ${object} is not closed: it has no inside`, { object });
    }
    return isInside(model, object, point, cache);
  }
}

/** Whether all of a box is in another. */
function isWithin(box: ArrayLike<number>, other: ArrayLike<number>): boolean {
  for (let k = 0; k < 3; k++) if (box[k] < other[k] || box[3 + k] > other[3 + k]) return false;
  return true;
}

/** Around boxes of six numbers each: all of them, or those that are listed. */
function boxAround(boxes: Float64Array, listed?: Uint32Array): PartsTarget['box'] {
  const box = emptyBox();
  if (!listed) widenBox(box, boxes);
  else for (const i of listed) widenBox(box, boxes.subarray(6 * i, 6 * i + 6));
  const [x0, y0, z0, x1, y1, z1] = box;
  return { min: [x0, y0, z0], max: [x1, y1, z1] };
}
