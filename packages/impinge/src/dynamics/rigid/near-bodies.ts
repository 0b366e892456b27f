/**
 * Which bodies may touch in a step: boxes of their motions, in sorted lists that change little from step to step.
 *
 * A box in the lists is larger than it has to be, and is changed only when the motion leaves it. So what rests costs
 * nothing here.
 * Layout: by slot, six numbers: minimum and maximum. `#still` are boxes at the start of the step, `#swept` hold the
 * motion and half the distance to look for on either side, `#listed` are those in the lists.
 */
import { SweepAndPrune } from '../../scene/sweep-and-prune.js';
import type { BodyTable } from './body-table.js';
import type { ChooseEngine } from './contact-engine.js';
import type { Member } from './member.js';
import { NearPair } from './near-pair.js';

/** Relative to coordinates: more than rounding does to a box. */
const ROUNDING = 1e-12;
/** Of the thickness: bodies that come into the simulation nearer to each other are moved apart that far. */
const NEAREST = 1 / 8;
/** Room for the second of two slots in a key. */
const SLOTS = 2 ** 26;

export class NearBodies {
  readonly #thickness: number;
  readonly #engineOf: ChooseEngine;
  readonly #sweep = new SweepAndPrune();
  readonly #known = new Map<number, NearPair>();
  readonly #bySlot = new Map<number, Member>();
  #still = new Float64Array(0);
  #swept = new Float64Array(0);
  #listed = new Float64Array(0);
  #pairs: NearPair[] = [];
  #changed = true;

  constructor(thickness: number, engineOf: ChooseEngine) {
    this.#thickness = thickness;
    this.#engineOf = engineOf;
  }

  /** Takes note of where a body begins a step, and how far its points may go. */
  place(member: Member, { place, matrix }: BodyTable, motion: number): void {
    const { slot, index, shape } = member;
    this.#reserve(slot);
    const { min, max } = shape.box;
    const still = this.#still;
    for (let k = 0; k < 3; k++) {
      const m = 9 * index + 3 * k;
      let middle = place[3 * index + k];
      let half = 0;
      let size = Math.abs(middle);
      for (let j = 0; j < 3; j++) {
        middle += matrix[m + j] * (0.5 * (min[j] + max[j]) - shape.centre[j]);
        half += Math.abs(matrix[m + j]) * 0.5 * (max[j] - min[j]);
        size += Math.abs(min[j]) + Math.abs(max[j]);
      }
      half += ROUNDING * size;
      still[6 * slot + k] = middle - half;
      still[6 * slot + 3 + k] = middle + half;
    }
    this.#bySlot.set(slot, member);
    this.widen(member, motion);
  }

  /** Has a box hold a motion from where its body began the step. */
  widen({ slot }: Member, motion: number): void {
    const at = 6 * slot;
    const margin = motion + this.#thickness;
    let inside = true;
    for (let k = 0; k < 3; k++) {
      this.#swept[at + k] = this.#still[at + k] - margin;
      this.#swept[at + 3 + k] = this.#still[at + 3 + k] + margin;
      inside &&=
        this.#listed[at + k] <= this.#swept[at + k] && this.#listed[at + 3 + k] >= this.#swept[at + 3 + k];
    }
    if (inside) return;
    const isNew = Number.isNaN(this.#listed[at]);
    for (let k = 0; k < 3; k++) {
      this.#listed[at + k] = this.#swept[at + k] - margin;
      this.#listed[at + 3 + k] = this.#swept[at + 3 + k] + margin;
    }
    const box = this.#listed.subarray(at, at + 6);
    if (isNew) this.#sweep.insert(slot, box);
    else this.#sweep.update(slot, box);
    this.#changed = true;
  }

  /** Whether the motions of two bodies may bring them within the thickness. */
  mayTouch({ slot: s }: Member, { slot: t }: Member): boolean {
    const x = this.#swept;
    for (let k = 0; k < 3; k++) {
      if (x[6 * s + k] > x[6 * t + 3 + k] || x[6 * t + k] > x[6 * s + 3 + k]) return false;
    }
    return true;
  }

  /** The largest coordinate of a body, without sign. */
  farthest({ slot }: Member): number {
    let most = 0;
    for (let k = 6 * slot; k < 6 * slot + 6; k++) most = Math.max(most, Math.abs(this.#swept[k]));
    return most;
  }

  /** Pairs that may touch, of which one at least is free to move, in the order of the bodies. */
  pairs(members: readonly Member[]): NearPair[] {
    if (!this.#changed) return this.#pairs;
    const kept = new Set<number>();
    const pairs: NearPair[] = [];
    for (const member of members) {
      for (const slot of this.#sweep.partnersOf(member.slot)) {
        const other = this.#bySlot.get(slot) as Member;
        if (other.index <= member.index || !(member.rigid || other.rigid)) continue;
        const key = SLOTS * member.slot + slot;
        kept.add(key);
        let pair = this.#known.get(key);
        if (!pair)
          this.#known.set(
            key,
            (pair = new NearPair(
              member,
              other,
              this.#engineOf(member.shape, other.shape),
              NEAREST * this.#thickness,
            )),
          );
        pairs.push(pair);
      }
    }
    for (const [key, pair] of this.#known) if (!kept.has(key)) this.#drop(key, pair);
    pairs.sort((p, q) => p.a.index - q.a.index || p.b.index - q.b.index);
    this.#changed = false;
    return (this.#pairs = pairs);
  }

  /** What was found about a body is void. */
  forget(member: Member): void {
    for (const pair of this.#pairs) {
      if (pair.a !== member && pair.b !== member) continue;
      pair.forget();
      pair.target = NEAREST * this.#thickness;
      this.#changed = true;
    }
  }

  /** Takes a body out; returns those that were near it. */
  remove(member: Member): Member[] {
    const others = this.#pairs
      .filter(({ a, b }) => a === member || b === member)
      .map(({ a, b }) => (a === member ? b : a));
    if (this.#bySlot.delete(member.slot)) this.#sweep.remove(member.slot);
    this.#listed.fill(Number.NaN, 6 * member.slot, 6 * member.slot + 6);
    for (const [key, pair] of this.#known) {
      if (pair.a === member || pair.b === member) this.#drop(key, pair);
    }
    this.#pairs = [];
    this.#changed = true;
    return others;
  }

  dispose(): void {
    for (const [key, pair] of this.#known) this.#drop(key, pair);
  }

  #drop(key: number, { engine }: NearPair): void {
    this.#known.delete(key);
    engine.dispose?.();
  }

  #reserve(slot: number): void {
    if (6 * slot < this.#still.length) return;
    const room = 6 * Math.max(16, 2 * slot);
    const larger = (old: Float64Array) => {
      const fresh = new Float64Array(room).fill(Number.NaN);
      fresh.set(old);
      return fresh;
    };
    this.#still = larger(this.#still);
    this.#swept = larger(this.#swept);
    this.#listed = larger(this.#listed);
  }
}
