/** A stored model as a target of a session: its placed pieces, those in memory, and what is hidden. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import { useHierarchy } from 'impinge/internal/query/pair/hierarchy-of.js';
import type { StoredModel } from '../store/model.js';
import { PieceCache } from '../store/piece-cache.js';
import { PlacedPieces } from './placed-pieces.js';

/**
 * Of the cap, what may be taken by fetching ahead: the rest is for what a step needs, which else drops what was
 * fetched.
 */
const AHEAD_SHARE = 0.75;

export class SessionModel {
  readonly model: StoredModel;
  /** Which of the session's targets it is. */
  readonly number: number;
  readonly placed: PlacedPieces;
  readonly cache: PieceCache;
  readonly #hidden = new Set<number>();

  constructor(model: StoredModel, number: number, memory: number) {
    this.model = model;
    this.number = number;
    this.placed = new PlacedPieces(model);
    this.cache = new PieceCache(model, {
      limit: memory,
      prefetched: AHEAD_SHARE * memory,
      onLoad: (_, tree) => useHierarchy(tree),
    });
  }

  isHidden(object: number): boolean {
    return this.#hidden.has(object);
  }
  hide(object: number): void {
    if (!(Number.isInteger(object) && object >= 0 && object < this.model.objectCount)) {
      throw new ImpingeError('bad-input', `the model has no object ${shown(object)}`, { object });
    }
    if (this.#hidden.has(object)) {
      throw new ImpingeError('bad-input', `object ${shown(object)} is hidden already`, { object });
    }
    this.#hidden.add(object);
  }
  show(object: number): void {
    if (!this.#hidden.delete(object)) {
      throw new ImpingeError('bad-input', `object ${shown(object)} is not hidden`, { object });
    }
  }

  /** Of placed pieces those that are shown and have boxes within a distance of a box, in order. */
  shownWithin(box: Float64Array, distance: number, among: readonly number[]): number[] {
    const { placed } = this;
    return among
      .filter((one) => !this.isHidden(placed.objectOf[one]) && placed.gap(box, one) <= distance)
      .sort((p, q) => p - q);
  }

  /** The pieces of an object. */
  piecesOf(object: number): number[] {
    const first = this.model.firstPiece(object);
    return Array.from({ length: this.model.pieceCountOf(object) }, (_, i) => first + i);
  }

  /** Begins to fetch placed pieces, the nearest to a box first. */
  prefetch(placed: readonly number[], box: Float64Array): void {
    const wanted = placed
      .filter((one) => !this.isHidden(this.placed.objectOf[one]))
      .map((one) => ({ piece: this.placed.pieceOf(one), gap: this.placed.gap(box, one) }));
    wanted.sort((p, q) => p.gap - q.gap || p.piece - q.piece);
    this.cache.prefetch(wanted.map(({ piece }) => piece));
  }
}
