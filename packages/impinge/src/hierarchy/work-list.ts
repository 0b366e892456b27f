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
  return order === 'closest' ? new PairHeap() : new PairList(order === 'breadth');
}

/** A stack, or a queue. */
class PairList implements WorkList {
  key = 0;
  a = 0;
  b = 0;
  #keys = new Float64Array(256);
  #pairs = new Uint32Array(512);
  readonly #oldestFirst: boolean;
  /** Entries before this have been handed out. */
  #first = 0;
  #count = 0;

  constructor(oldestFirst: boolean) {
    this.#oldestFirst = oldestFirst;
  }

  push(key: number, a: number, b: number): void {
    if (this.#count === this.#keys.length) this.#makeRoom();
    this.#keys[this.#count] = key;
    this.#pairs[2 * this.#count] = a;
    this.#pairs[2 * this.#count + 1] = b;
    this.#count++;
  }

  pop(): boolean {
    if (this.#first === this.#count) return false;
    const at = this.#oldestFirst ? this.#first++ : --this.#count;
    this.key = this.#keys[at];
    this.a = this.#pairs[2 * at];
    this.b = this.#pairs[2 * at + 1];
    return true;
  }

  /** Moves what is left to the front of arrays of twice its length. */
  #makeRoom(): void {
    const left = this.#count - this.#first;
    const room = Math.max(2 * left, this.#keys.length);
    const keys = new Float64Array(room);
    const pairs = new Uint32Array(2 * room);
    keys.set(this.#keys.subarray(this.#first, this.#count));
    pairs.set(this.#pairs.subarray(2 * this.#first, 2 * this.#count));
    this.#keys = keys;
    this.#pairs = pairs;
    this.#first = 0;
    this.#count = left;
  }
}
