/**
 * Caches hard clashes of shapes in repeated arrangements: the same fitting on every floor.
 *
 * Idea: the overlap of two objects depends on their parts, their relative pose and the permitted depth. It is found in
 * the frame of a and turned into the world; a's translation is added last (see `writeTurned`). So where all numbers
 * that go into it are the same, bit for bit, so is the answer, up to that translation. Layout: a table of fixed size; a
 * later entry replaces the one with the same hash.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Box } from 'impinge/internal/query/solid/contact-extent.js';
import type { PlacedPair } from 'impinge/internal/query/solid/placed-pair.js';
import type { ClashForm } from './clash.js';

/** A hard clash in the world, less a's translation. */
export interface TurnedClash {
  readonly form: ClashForm;
  readonly depth: number;
  readonly depthBound: number;
  readonly point: Vec3;
  readonly box: Box;
  readonly trianglePairs: number;
}

interface Entry {
  readonly key: Uint32Array;
  readonly partPairs: Uint32Array;
  readonly clash: TurnedClash;
}

const CAPACITY = 2048;
/** Maximum pairs of parts in an entry: they are part of its key. */
const MOST_PART_PAIRS = 64;
/** The shapes, the permitted depth, the relative pose, a's rotation. */
const KEY_NUMBERS = 2 + 1 + 12 + 9;

export class RepeatedClashes {
  readonly #entries = new Array<Entry | undefined>(CAPACITY);
  readonly #numbers = new Float64Array(KEY_NUMBERS);
  readonly #key = new Uint32Array(this.#numbers.buffer);

  find(pair: PlacedPair, permitted: number): TurnedClash | undefined {
    const slot = this.#slotOf(pair, permitted);
    const entry = slot < 0 ? undefined : this.#entries[slot];
    return entry && same(entry.key, this.#key) && same(entry.partPairs, pair.partPairs)
      ? entry.clash
      : undefined;
  }

  keep(pair: PlacedPair, permitted: number, clash: TurnedClash): void {
    const slot = this.#slotOf(pair, permitted);
    if (slot < 0) return;
    this.#entries[slot] = { key: this.#key.slice(), partPairs: pair.partPairs.slice(), clash };
  }

  /** Writes the key; −1 where a pair cannot repeat. */
  #slotOf({ a, b, bToA, partPairs }: PlacedPair, permitted: number): number {
    if (a.shape === undefined || b.shape === undefined || partPairs.length > 2 * MOST_PART_PAIRS) return -1;
    const numbers = this.#numbers;
    numbers[0] = a.shape;
    numbers[1] = b.shape;
    numbers[2] = permitted;
    numbers.set(bToA, 3);
    for (let k = 0; k < 9; k++) numbers[15 + k] = a.pose[k];
    let hash = 0;
    for (const word of this.#key) {
      hash = Math.imul(hash ^ word, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash & (CAPACITY - 1);
  }
}

function same(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
