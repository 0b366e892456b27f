/**
 * Pairs of slots that a traversal has yet to open, in its order: a stack, a queue or a heap.
 * `pop` moves an entry into the fields `key`, `a`, `b`.
 */
import { PairHeap } from '../base/heap.js';
import type { TraversalOrder } from './visitor.js';

export interface WorkList {
  readonly key: number;
  readonly a: number;
  readonly b: number;
  push(key: number, a: number, b: number): void;
  pop(): boolean;
}

export function createWorkList(order: TraversalOrder): WorkList {
  return order === 'priority' ? new PairHeap() : new PairList(order === 'depth');
}

/** Entries [head, tail) wait; a stack takes from the tail, a queue from the head. */
class PairList implements WorkList {
  key = 0;
  a = 0;
  b = 0;
  readonly #takesLast: boolean;
  #keys = new Float64Array(256);
  #pairs = new Uint32Array(512);
  #head = 0;
  #tail = 0;

  constructor(takesLast: boolean) {
    this.#takesLast = takesLast;
  }

  push(key: number, a: number, b: number): void {
    if (this.#tail === this.#keys.length) this.#makeRoom();
    this.#keys[this.#tail] = key;
    this.#pairs[2 * this.#tail] = a;
    this.#pairs[2 * this.#tail + 1] = b;
    this.#tail++;
  }

  pop(): boolean {
    if (this.#head === this.#tail) return false;
    const at = this.#takesLast ? --this.#tail : this.#head++;
    this.key = this.#keys[at];
    this.a = this.#pairs[2 * at];
    this.b = this.#pairs[2 * at + 1];
    return true;
  }

  /** Moves the entries to the front, into arrays of twice the size unless half of these are free. */
  #makeRoom(): void {
    const size = this.#keys.length * (2 * this.#head >= this.#tail ? 1 : 2);
    const keys = new Float64Array(size);
    const pairs = new Uint32Array(2 * size);
    keys.set(this.#keys.subarray(this.#head, this.#tail));
    pairs.set(this.#pairs.subarray(2 * this.#head, 2 * this.#tail));
    this.#keys = keys;
    this.#pairs = pairs;
    this.#tail -= this.#head;
    this.#head = 0;
  }
}
