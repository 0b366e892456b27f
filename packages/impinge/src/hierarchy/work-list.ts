/**
 * Pairs of slots that a traversal has yet to open, in its order: a stack or a heap.
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
  return order === 'closest' ? new PairHeap() : new PairStack();
}

class PairStack implements WorkList {
  key = 0;
  a = 0;
  b = 0;
  #keys = new Float64Array(256);
  #pairs = new Uint32Array(512);
  #count = 0;

  push(key: number, a: number, b: number): void {
    if (this.#count === this.#keys.length) this.#grow();
    this.#keys[this.#count] = key;
    this.#pairs[2 * this.#count] = a;
    this.#pairs[2 * this.#count + 1] = b;
    this.#count++;
  }

  pop(): boolean {
    if (this.#count === 0) return false;
    const at = --this.#count;
    this.key = this.#keys[at];
    this.a = this.#pairs[2 * at];
    this.b = this.#pairs[2 * at + 1];
    return true;
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length);
    const pairs = new Uint32Array(2 * this.#pairs.length);
    keys.set(this.#keys);
    pairs.set(this.#pairs);
    this.#keys = keys;
    this.#pairs = pairs;
  }
}
