/** Questions about many pairs at once, in parts that may be answered at the same time. */
import { arena } from 'impinge/internal/base/arena.js';
import type { KernelCall } from 'impinge/internal/kernel/kernel-set.js';
import { callHere, ranges, results, type Work } from 'impinge/internal/kernel/schedule.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';
import type { BodyTable } from '../body-table.js';
import type { NearPair } from '../near-pair.js';
import { contactsKernels } from './kernels.generated.js';
import { I, ITEM_BYTES, P, PACE_BYTES, POSE_BYTES } from './layout.generated.js';
import { OwnedMemory } from './owned-memory.js';
import type { PairBlock } from './pair-block.js';

/** The number of parts of a batch, and their minimum size; smaller batches do not justify another thread. */
const PARTS = 8;
const SMALLEST = 32;

export class PairBatch {
  readonly pairs: NearPair[] = [];
  /** By index, where bodies are, how they move, and where they will be. */
  #starts = 0;
  #paces = 0;
  #ends = 0;
  readonly #memory = new OwnedMemory();
  #items = 0;
  #room = 0;
  #bodies = 0;

  /** Room for the poses of bodies. */
  reserve(bodies: number): void {
    if (bodies <= this.#bodies) return;
    this.#bodies = bodies;
    this.#starts = this.#memory.replace(this.#starts, POSE_BYTES * bodies);
    this.#paces = this.#memory.replace(this.#paces, PACE_BYTES * bodies);
    this.#ends = this.#memory.replace(this.#ends, POSE_BYTES * bodies);
  }

  /** Where body i is, and stays if no end is written: rotation matrices, and places. */
  writeStart(i: number, matrices: Float64Array, matrix: number, places: Float64Array, place: number): void {
    this.#write(this.#starts, i, matrices, matrix, places, place);
    this.#write(this.#ends, i, matrices, matrix, places, place);
  }

  /** How body i will move in h seconds, if nothing stops it; without a table, not at all. */
  writePace(i: number, h: number, table?: BodyTable): void {
    const at = (this.#paces + PACE_BYTES * i) >>> 3;
    const doubles = arena().f64();
    if (!table) {
      doubles.fill(0, at, at + 6);
      return;
    }
    const { velocity, spin, acceleration, inverseMass } = table;
    const pulled = inverseMass[i] > 0 ? h : 0;
    for (let k = 0; k < 3; k++) {
      doubles[at + k] = velocity[3 * i + k] + pulled * acceleration[3 * i + k];
      doubles[at + 3 + k] = spin[3 * i + k];
    }
  }

  /** Where it will be. */
  writeEnd(i: number, matrices: Float64Array, matrix: number, places: Float64Array, place: number): void {
    this.#write(this.#ends, i, matrices, matrix, places, place);
  }

  #write(
    poses: number,
    i: number,
    matrices: Float64Array,
    matrix: number,
    places: Float64Array,
    place: number,
  ): void {
    const at = (poses + POSE_BYTES * i) >>> 3;
    const doubles = arena().f64();
    for (let k = 0; k < 9; k++) doubles[at + k] = matrices[matrix + k];
    for (let k = 0; k < 3; k++) doubles[at + 9 + k] = places[place + k];
  }

  /** Writes where bodies are, and how they move. */
  save(out: StateWriter): void {
    const bytes = arena().u8();
    out.number(this.#bodies);
    for (const [at, size] of this.#blocks) out.array(bytes.slice(at, at + size * this.#bodies));
  }

  restore(from: StateReader): void {
    const bodies = from.number();
    this.reserve(bodies);
    for (const [at] of this.#blocks) arena().u8().set(from.bytes(), at);
  }

  get #blocks(): [number, number][] {
    return [
      [this.#starts, POSE_BYTES],
      [this.#paces, PACE_BYTES],
      [this.#ends, POSE_BYTES],
    ];
  }

  dispose(): void {
    this.#memory.dispose();
  }

  clear(): void {
    this.pairs.length = 0;
  }

  /** With `follow`, contacts beside those that it has are enough. */
  add(pair: NearPair, asked: number, beyond: number, follow = false): void {
    const count = this.pairs.length;
    if (count === this.#room) this.#grow();
    this.pairs.push(pair);
    const memory = arena();
    const at = this.#items + ITEM_BYTES * count;
    const words = memory.u32();
    words[(at + I.pair) >>> 2] = (pair.block as PairBlock).at;
    words[(at + I.bodyA) >>> 2] = pair.a.index;
    words[(at + I.bodyB) >>> 2] = pair.b.index;
    words[(at + I.follow) >>> 2] = follow ? 1 : 0;
    const doubles = memory.f64();
    doubles[(at + I.asked) >>> 3] = asked;
    doubles[(at + I.beyond) >>> 3] = beyond;
  }

  /** Brings contacts up to date with where bodies are, for h seconds; none within `least` is left out. */
  update(least: number, h: number): Work<void> {
    return this.#run((from, to) =>
      contactsKernels.call('updateContacts', this.#items, from, to, this.#starts, this.#paces, least, h),
    );
  }

  /** Finds out which motions are free: statuses are in the pairs. */
  guard(): Work<void> {
    return this.#run((from, to) =>
      contactsKernels.call('guardMotions', this.#items, from, to, this.#starts, this.#ends),
    );
  }

  *#run(call: (from: number, to: number) => KernelCall<number>): Work<void> {
    let parts = ranges(this.pairs.length, Math.min(PARTS, Math.ceil(this.pairs.length / SMALLEST)));
    while (parts.length > 0) {
      const calls = parts.map(([from, to]) => call(from, to));
      const failed = this.#isSmall(parts) ? calls.map(callHere) : yield* results(calls);
      if (failed.every((count) => count === 0)) return;
      // requests that lacked room are repeated individually
      const again: typeof parts = [];
      for (const [from, to] of parts) {
        for (let i = from; i < to; i++) {
          const block = this.pairs[i].block as PairBlock;
          if (block.lacksRoom(block.word(P.status))) again.push([i, i + 1]);
        }
      }
      parts = again;
    }
  }

  #isSmall(parts: readonly [number, number][]): boolean {
    return parts.reduce((sum, [from, to]) => sum + to - from, 0) <= SMALLEST;
  }

  #grow(): void {
    const old = this.#items;
    const room = Math.max(64, 2 * this.#room);
    const items = this.#memory.alloc(ITEM_BYTES * room);
    arena()
      .u8()
      .copyWithin(items, old, old + ITEM_BYTES * this.#room);
    if (old !== 0) this.#memory.free(old);
    this.#items = items;
    this.#room = room;
  }
}
