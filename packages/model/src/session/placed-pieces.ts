/** The placed pieces of a stored model: of which object each is, which piece, and which of them are near a box. */
import { gapOfBoxes } from 'impinge/internal/query/pair/box-gap.js';
import type { BoxBound } from 'impinge/internal/scene/nearest-first.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import { BoxTree } from '../store/box-tree.js';
import type { StoredModel } from '../store/model.js';

export class PlacedPieces {
  readonly #model: StoredModel;
  /** Of a placed piece, its object. */
  readonly objectOf: Uint32Array;
  readonly #tree: BoxTree;

  constructor(model: StoredModel) {
    this.#model = model;
    const { objectFirstPlaced, placedBox } = model.directory;
    this.objectOf = new Uint32Array(placedBox.length / 6);
    this.#tree = new BoxTree(placedBox);
    for (let object = 0; object < model.objectCount; object++) {
      this.objectOf.fill(object, objectFirstPlaced[object], objectFirstPlaced[object + 1]);
    }
  }

  get count(): number {
    return this.objectOf.length;
  }

  pieceOf(placed: number): number {
    const object = this.objectOf[placed];
    return this.#model.firstPiece(object) + placed - this.#model.directory.objectFirstPlaced[object];
  }

  /** How far a box is from a placed piece's. */
  gap(box: Float64Array, placed: number): number {
    return gapOfBoxes(box, 0, this.#model.directory.placedBox, 6 * placed);
  }

  /** Those of some objects, which come in rising order. */
  placedOf(objects: readonly number[]): Uint32Array {
    const { objectFirstPlaced: first } = this.#model.directory;
    const out = new Uint32Array(objects.reduce((sum, object) => sum + first[object + 1] - first[object], 0));
    let count = 0;
    for (const object of objects) {
      for (let placed = first[object]; placed < first[object + 1]; placed++) out[count++] = placed;
    }
    return out;
  }

  /** Those whose boxes meet a box, in rising order. */
  meeting(box: Float64Array): number[] {
    const out: number[] = [];
    this.#tree.some(
      (around, at) => boxesNearAt(around, at, box, 0, 0),
      (placed) => {
        out.push(placed);
        return false;
      },
    );
    return out.sort((p, q) => p - q);
  }

  /** Those within `distance` of a box, of all or of some, the nearest first. */
  near(box: Float64Array, distance: number, among?: Uint32Array): { placed: number; gap: number }[] {
    return this.below((boxes, at) => gapOfBoxes(box, 0, boxes, at), distance, among);
  }

  /** Those in whose boxes a bound is at most `limit`, of all or of some, the least first. */
  below(bound: BoxBound, limit: number, among?: Uint32Array): { placed: number; gap: number }[] {
    const boxes = this.#model.directory.placedBox;
    const out: { placed: number; gap: number }[] = [];
    const take = (placed: number) => {
      const gap = bound(boxes, 6 * placed);
      if (gap <= limit && gap < Infinity) out.push({ placed, gap });
      return false;
    };
    if (among) among.forEach(take);
    else this.#tree.some((around, at) => bound(around, at) <= limit, take);
    return out.sort((p, q) => p.gap - q.gap || p.placed - q.placed);
  }
}
