/**
 * The pieces that a pair of objects may need. Found once per pair, when a check is planned; the order of the pairs, the
 * cache and the measuring all follow from it.
 */
import { u32Column } from 'impinge/internal/base/column.js';
import { sharedDepth } from 'impinge/internal/query/pair/box-gap.js';
import { boxPairsBetween } from 'impinge/internal/scene/box-pairs.js';
import { boxesNearAt } from 'impinge/internal/volumes/broad-phase.js';
import type { StoredModel } from '../store/model.js';
import { reachOf } from './candidates.js';
import type { TaskRule } from './task-rule.js';
import { type ZoneSizes, zoneBounds } from './zones/zone.js';

/**
 * Layout: the pieces of pair i are places first[i] … first[i + 1] of `pieces`. The first nearCount[i] of them are near
 * each other two and two, a piece of a and a piece of b.
 */
export interface PairPieces {
  readonly first: Uint32Array;
  readonly pieces: Uint32Array;
  readonly nearCount: Uint32Array;
}

/** Objects that may come to take a larger share of the memory are not looked at as a whole. */
export const WHOLE_SHARE = 0.8;

const ONLY_PAIR = Uint32Array.of(0, 0);
/** Fewer combinations than this are simply tried. */
const FEW = 256;

/** Positions among the pieces of a and of b, alternating: the pairs whose boxes are within `distance`. */
export function nearPieces(model: StoredModel, a: number, b: number, distance: number): Uint32Array {
  const { objectFirstPlaced, placedBox } = model.directory;
  const countA = model.pieceCountOf(a);
  const countB = model.pieceCountOf(b);
  if (countA === 1 && countB === 1) return ONLY_PAIR;
  const firstA = 6 * objectFirstPlaced[a];
  const firstB = 6 * objectFirstPlaced[b];
  // rounding, as for whole objects
  let largest = 0;
  for (const x of model.box(a)) largest = Math.max(largest, Math.abs(x));
  const padded = distance + 2 ** -44 * largest;
  if (countA * countB > FEW) {
    const boxesA = placedBox.subarray(firstA, firstA + 6 * countA);
    return boxPairsBetween(boxesA, placedBox.subarray(firstB, firstB + 6 * countB), padded);
  }
  const out: number[] = [];
  for (let i = 0; i < countA; i++) {
    for (let j = 0; j < countB; j++) {
      if (boxesNearAt(placedBox, firstA + 6 * i, placedBox, firstB + 6 * j, padded)) out.push(i, j);
    }
  }
  return Uint32Array.from(out);
}

/**
 * The pieces that a pair may need: the ones near each other, two and two; then, where the objects' boxes share more
 * than `tolerance`, all of them, to distinguish inside from outside.
 */
export function neededPieces(
  model: StoredModel,
  a: number,
  b: number,
  rule: TaskRule,
): { readonly pieces: readonly number[]; readonly nearCount: number } {
  const [firstA, firstB] = [model.firstPiece(a), model.firstPiece(b)];
  const near = rule.zone
    ? piecesInZone(model, a, b, rule.zone)
    : nearPieces(model, a, b, reachOf(rule, model.directory, a, b));
  const pieces: number[] = [];
  for (let k = 0; k < near.length; k += 2) pieces.push(firstA + near[k], firstB + near[k + 1]);
  // no surfaces to compare; one object may still lie inside the other
  if (near.length === 0) pieces.push(firstA, firstB);
  const [countA, countB] = [model.pieceCountOf(a), model.pieceCountOf(b)];
  if ((countA > 1 || countB > 1) && (rule.zone || sharedDepth(model.box(a), model.box(b)) > rule.tolerance)) {
    for (let i = 0; i < countA; i++) pieces.push(firstA + i, firstB);
    for (let i = 0; i < countB; i++) pieces.push(firstB + i, firstA);
  }
  return { pieces, nearCount: near.length };
}

/** Each piece of the zone's owner, and those of the other object that may be in the zone. */
function piecesInZone(model: StoredModel, owner: number, other: number, zone: ZoneSizes): number[] {
  const { placedBox, objectFirstPlaced } = model.directory;
  const bounds = zoneBounds(model.box(owner), model.axes(owner), zone);
  const near: number[] = [];
  for (let j = 0; j < model.pieceCountOf(other); j++) {
    if (!boxesNearAt(bounds, 0, placedBox, 6 * (objectFirstPlaced[other] + j), 0)) continue;
    for (let i = 0; i < model.pieceCountOf(owner); i++) near.push(i, j);
  }
  return near;
}

/** Gathers the pieces of one pair after the other. */
export class PairPiecesBuilder {
  readonly #first = u32Column();
  readonly #pieces = u32Column();
  readonly #nearCount = u32Column();

  constructor() {
    this.#first.push(0);
  }

  add(pieces: readonly number[], nearCount: number): void {
    this.#pieces.append(pieces);
    this.#first.push(this.#pieces.length);
    this.#nearCount.push(nearCount);
  }

  build(): PairPieces {
    return {
      first: this.#first.values(),
      pieces: this.#pieces.values(),
      nearCount: this.#nearCount.values(),
    };
  }
}

/** Those of pairs [from, to). */
export function cutPairPieces(
  { first, pieces, nearCount }: PairPieces,
  from: number,
  to: number,
): PairPieces {
  return {
    first: first.slice(from, to + 1).map((place) => place - first[from]),
    pieces: pieces.slice(first[from], first[to]),
    nearCount: nearCount.slice(from, to),
  };
}

/** Those of some of the pairs, in their order. */
export function selectPairPieces({ first, pieces, nearCount }: PairPieces, pairs: Uint32Array): PairPieces {
  const own = new Uint32Array(pairs.length + 1);
  for (let i = 0; i < pairs.length; i++) own[i + 1] = own[i] + first[pairs[i] + 1] - first[pairs[i]];
  const out = new Uint32Array(own[pairs.length]);
  const near = new Uint32Array(pairs.length);
  for (let i = 0, at = 0; i < pairs.length; i++) {
    for (let k = first[pairs[i]]; k < first[pairs[i] + 1]; k++) out[at++] = pieces[k];
    near[i] = nearCount[pairs[i]];
  }
  return { first: own, pieces: out, nearCount: near };
}
