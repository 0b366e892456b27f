/**
 * Which hulls of two dual hierarchies come near each other (see kernels/hulls/hull-walk.ts), kept between queries.
 *
 * State between queries: the pairs of nodes visited, and the distance the bodies have travelled. Answers do not depend
 * on it, except under a time limit, where they get further.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { DISPOSE } from 'impinge/internal/base/dispose.js';
import { invertPose, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Allowance } from 'impinge/internal/query/pair/allowed.js';
import type { Limits } from 'impinge/internal/query/pair/budget.js';
import type { DualBlock } from './dual-block.js';
import { ROUNDING } from './hull-pair.js';
import { hullsKernels } from './kernels.generated.js';
import {
  BY_SIZE,
  BY_SPEED,
  BY_VIEW,
  CONTACT_BYTES,
  Combined,
  E_APART,
  ENTRY_BYTES,
  NEEDS_CONTACTS,
  NEEDS_ENTRIES,
  Q,
  SPENT,
  UNBOUNDED,
  W,
  W_BYTES,
  WORK_BYTES,
} from './layout.generated.js';

/** Maximum number of tests between checks of the clock. */
const MOST_SLICE = 64;
/** Initial estimates of the time for an answer and for its processing, in milliseconds. */
const FIRST_ANSWER_MS = 0.01;
const FIRST_HANDED_MS = 0.001;
/** Answers may take this many times longer than before; the time left then is for dividing and answering at once. */
const CAUTION = 2;
/** Share of a measured time that is believed at the next measurement, if that is less. */
const BELIEVED = 0.95;
/** Share of the time that is left for tests between two checks of the clock. */
const SHARE = 0.25;
/**
 * Initial coarseness of a distance query: FIRST_SHARE times the radius of the smaller body or, where the allowance
 * depends on the place, FIRST_LIMIT times it; each round then divides it by LIMIT_STEP.
 */
const FIRST_SHARE = 256;
const FIRST_LIMIT = 2 ** 12;
const LIMIT_STEP = 2 ** 4;
/** Of unused pairs, by the power of two of their number (kernels/hulls/front.ts). */
const FREE_LISTS = 32;
/** Smaller shares of the smaller body are negligible. */
const NEGLIGIBLE_SHARE = 1e-9;
/** Factor of a pose's deviation from rigid, times all lengths: see kernels/hulls/boxes-apart.ts. */
const SKEW = 32;

export interface HullQuestion extends Limits {
  readonly reach: number;
  /** The detail that may be left out at a contact, a volume over an area: a length. */
  readonly allowance: Allowance;
  /** When a time limit began. */
  readonly began?: number;
  /** A factor by which that may be exceeded (default: 1). */
  readonly limit?: number;
  /**
   * Instead of `tests`: levels that are no surface are divided in any case, and `most` tells how many tests may follow
   * these.
   */
  readonly most?: (coarsest: number) => number;
  /** To be filled with the tests that factors of 2^i take, as far as those allowed suffice. */
  readonly costs?: Float64Array;
  /**
   * A smaller reach, if one follows from the two nearest nodes so far: called from time to time, so that the search
   * narrows down to the distance.
   */
  readonly nearer?: (nodeA: number, nodeB: number) => number;
}

/** Pairs of hulls near each other, in the order of their nodes. */
export interface NearHulls {
  readonly count: number;
  /** Two numbers each. */
  readonly nodes: Uint32Array;
  /**
   * Bounds of the distance of the two hulls, unit vector from a to b, points of a and b where a is, measure, least
   * distance of the originals: 13 each.
   */
  readonly numbers: Float64Array;
  /** The largest measure: 1 or less if nothing more is left out than allowed. */
  readonly measure: number;
  /** Pairs of boxes and of hulls looked at; the first of them, down to the coarsest surfaces, with `most` only. */
  readonly tests: number;
  readonly coarsest: number;
  /** Pairs of nodes that are kept. */
  readonly front: number;
}

export const NUMBERS = 13;

export class HullWalk {
  readonly a: DualBlock;
  readonly b: DualBlock;
  readonly #block: number;
  #entries: number;
  #work: number;
  #contacts: number;
  #last: { readonly bToA: RigidPose; readonly inverse: RigidPose } | undefined;
  #travel = 0;
  /** The measured time of an answer, and of its processing since the clock said `#refined`. */
  #answerMs = FIRST_ANSWER_MS;
  #handedMs = FIRST_HANDED_MS;
  #refined = 0;

  constructor(a: DualBlock, b: DualBlock) {
    const memory = arena();
    this.a = a;
    this.b = b;
    this.#block = memory.alloc(W_BYTES);
    this.#entries = memory.alloc(256 * ENTRY_BYTES);
    this.#work = memory.alloc(256 * WORK_BYTES);
    this.#contacts = memory.alloc(64 * CONTACT_BYTES);
    this.#set(W.dualA, a.block);
    this.#set(W.dualB, b.block);
    this.#set(W.capacity, 256);
    this.#set(W.contactCapacity, 64);
    this.#set(W.used, 0);
    this.#place();
  }

  near(bToA: RigidPose, question: HullQuestion): NearHulls {
    const { reach, allowance, tests, time, nearer, most: mostAfter, costs, limit: last = 1 } = question;
    const end = time ? (question.began ?? time.now()) + time.ms : 0;
    this.#follow(bToA);
    // memory may grow on the way
    const numbersNow = () => arena().f64();
    const numbers = numbersNow();
    const to = this.#block >>> 3;
    numbers.set(bToA, to + (W.pair + Q.pose) / 8);
    arena()
      .f32()
      .set(bToA.subarray(0, 9), (this.#block + W.rotation) >>> 2);
    const moved = Math.abs(bToA[9]) + Math.abs(bToA[10]) + Math.abs(bToA[11]);
    const lengths = this.a.reach + 3 * this.b.reach + moved;
    numbers[to + (W.pair + Q.rounding) / 8] = ROUNDING * lengths;
    numbers[to + W.skew / 8] = SKEW * skewOf(bToA) * lengths;
    numbers[to + W.reach / 8] = reach;
    numbers[to + W.travel / 8] = this.#travel;
    this.#allow(allowance);
    const { answerHulls, beginHulls, refineHulls, reportHulls } = hullsKernels.kernels();
    beginHulls(this.#block);
    /** Returns whether there is more to do. */
    const refine = (most: number): boolean => {
      this.#set(W.budget, most);
      for (;;) {
        const status = refineHulls(this.#block);
        if (status === NEEDS_ENTRIES) this.#growEntries();
        else if (status === NEEDS_CONTACTS) this.#growContacts();
        else return status === SPENT;
      }
    };
    let most = tests === undefined && !time ? UNBOUNDED : Math.min(tests ?? Infinity, UNBOUNDED - 1);
    const setLimit = (limit: number): void => {
      numbersNow()[to + W.limit / 8] = limit;
    };
    let coarsest = 0;
    if (mostAfter) {
      setLimit(Number.MAX_VALUE);
      refine(UNBOUNDED - 1);
      coarsest = this.#spent();
      most = Math.min(coarsest + mostAfter(coarsest), UNBOUNDED - 1);
    }
    for (let i = (costs?.length ?? 0) - 1; costs && i >= 0 && 2 ** i >= last; i--) {
      setLimit(2 ** i);
      if (refine(most)) break;
      costs[i] = this.#spent();
    }
    for (
      let limit = nearer ? this.#firstLimit(allowance) : last;
      ;
      limit = Math.max(last, limit / LIMIT_STEP)
    ) {
      setLimit(limit);
      if (time) this.#refineUntil(refine, most, end, time.now, CAUTION * this.#answerMs + this.#handedMs);
      else refine(most);
      if (!(limit > last)) break;
      const nearest = this.#nearestWork();
      if (nearest && nearer) numbersNow()[to + W.reach / 8] = Math.min(reach, nearer(...nearest));
    }
    const answers = this.#word(W.workCount);
    const refined = time?.now() ?? 0;
    while (answerHulls(this.#block) === NEEDS_CONTACTS) this.#growContacts();
    if (time) {
      if (answers > 0) this.#answerMs = Math.max((time.now() - refined) / answers, BELIEVED * this.#answerMs);
      this.#refineUntil(refine, most, end, time.now, this.#handedMs);
      this.#refined = time.now();
    }
    reportHulls(this.#block);
    return this.#answer(coarsest);
  }

  /** Detail left out at two nodes, relative to the allowed in the last question. */
  measureOf(nodeA: number, nodeB: number): number {
    return hullsKernels.kernels().measureOfNodes(this.#block, nodeA, nodeB);
  }

  /** The detail that may be left out near a node of a, by the last question. */
  allowedNear(nodeA: number): number {
    return hullsKernels.kernels().allowedNear(this.#block, nodeA);
  }

  /**
   * Tells that the answers of a question with a time limit have been processed: the next leaves as much time for that.
   */
  handedOn({ now }: NonNullable<Limits['time']>, answers: number): void {
    if (answers > 0) this.#handedMs = Math.max((now() - this.#refined) / answers, BELIEVED * this.#handedMs);
  }

  #firstLimit({ size, speed, view }: Allowance): number {
    const least = Math.min(this.a.ball[3], this.b.ball[3]);
    if (size === undefined || speed || view) return FIRST_LIMIT;
    return Math.max(1, (FIRST_SHARE * least) / Math.max(size, NEGLIGIBLE_SHARE * least));
  }

  /** In small slices, until the remaining time is needed for the answers, which take so many milliseconds each. */
  #refineUntil(
    refine: (most: number) => boolean,
    most: number,
    end: number,
    now: () => number,
    answerMs: number,
  ): void {
    // a test is a part of an answer
    let [slice, testMs, at] = [1, this.#answerMs, now()];
    for (;;) {
      const done = this.#spent();
      const left = end - at - answerMs * (this.#word(W.workCount) + slice) - testMs * slice;
      if (!(left > 0)) return; // also where the clock gives no number
      const budget = Math.min(done + slice, most);
      const isMore = refine(budget);
      const [made, last] = [this.#spent() - done, at];
      at = now();
      if (!isMore || budget === most) return;
      if (made > 0) testMs = Math.max((at - last) / made, BELIEVED * testMs);
      // more where one division takes more
      if (made === 0) slice *= 2;
      else slice = Math.max(1, Math.min(MOST_SLICE, Math.floor((SHARE * left) / (testMs + answerMs))));
    }
  }

  /** Comparisons made, plus those that the answers will take. */
  #spent(): number {
    return this.#word(W.tests) + (this.#word(W.answered) > 0 ? 0 : this.#word(W.workCount));
  }

  /** The nodes of the remaining pair whose boxes are nearest to each other. */
  #nearestWork(): [number, number] | undefined {
    const [words, numbers] = [arena().u32(), arena().f64()];
    let [best, nearest] = [Infinity, -1];
    for (let i = 0; i < this.#word(W.workCount); i++) {
      const entry = this.#entries + ENTRY_BYTES * words[(this.#work + WORK_BYTES * i) >>> 2];
      const apart = numbers[(entry + E_APART) >>> 3];
      if (apart < best) [best, nearest] = [apart, entry >>> 2];
    }
    return nearest < 0 ? undefined : [words[nearest], words[nearest + 1]];
  }

  dispose(): void {
    for (const block of [this.#block, this.#entries, this.#work, this.#contacts]) arena().free(block);
  }

  [DISPOSE](): void {
    this.dispose();
  }

  /** What the next answers depend on, as numbers and as the pairs visited. */
  state(): { readonly numbers: Float64Array; readonly pairs: Uint8Array } {
    const bytes = arena().u8();
    const used = this.#word(W.used);
    const free = new Uint32Array(
      bytes.slice(this.#block + W.free, this.#block + W.free + 4 * FREE_LISTS).buffer,
    );
    const last = this.#last ? [...this.#last.bToA, ...this.#last.inverse] : [];
    const numbers = [this.#travel, this.#answerMs, this.#handedMs, used, ...free, ...last];
    return {
      numbers: Float64Array.from(numbers),
      pairs: bytes.slice(this.#entries, this.#entries + used * ENTRY_BYTES),
    };
  }

  /** Takes such a state over, of a walk over equal hierarchies. */
  takeOver({ numbers, pairs }: ReturnType<HullWalk['state']>): void {
    const [travel, answerMs, handedMs, used] = numbers;
    this.#travel = travel;
    this.#answerMs = answerMs;
    this.#handedMs = handedMs;
    const last = numbers.subarray(4 + FREE_LISTS);
    const poseAt = (at: number) => last.slice(at, at + 12) as RigidPose;
    this.#last = last.length > 0 ? { bToA: poseAt(0), inverse: poseAt(12) } : undefined;
    while (this.#word(W.capacity) < used) this.#growEntries();
    this.#set(W.used, used);
    arena()
      .u32()
      .set(numbers.subarray(4, 4 + FREE_LISTS), (this.#block + W.free) >>> 2);
    arena().u8().set(pairs, this.#entries);
  }

  /** Updates the bound on the distance any point of either body has travelled in the frame of the other. */
  #follow(bToA: RigidPose): void {
    const last = this.#last;
    const inverse = invertPose(bToA);
    if (last) {
      this.#travel += Math.max(
        travelOf(last.bToA, bToA, this.b.ball),
        travelOf(last.inverse, inverse, this.a.ball),
      );
    }
    this.#last = { bToA: bToA.slice() as RigidPose, inverse };
  }

  #allow({ size, speed, view, combined = 'min' }: Allowance): void {
    const numbers = arena().f64();
    const to = this.#block >>> 3;
    this.#set(W.terms, (size === undefined ? 0 : BY_SIZE) + (speed ? BY_SPEED : 0) + (view ? BY_VIEW : 0));
    this.#set(W.combined, Combined[combined]);
    if (size !== undefined) {
      numbers[to + W.size / 8] = Math.max(size, NEGLIGIBLE_SHARE * Math.min(this.a.ball[3], this.b.ball[3]));
    }
    if (speed) numbers.set([speed.seconds, ...speed.velocity, ...speed.spin], to + W.speed / 8);
    if (view) numbers.set([view.perDistance, ...view.camera], to + W.view / 8);
  }

  #answer(coarsest: number): NearHulls {
    const memory = arena();
    const [words, floats] = [memory.u32(), memory.f64()];
    const count = this.#word(W.contactCount);
    const nodes = new Uint32Array(2 * count);
    const numbers = new Float64Array(NUMBERS * count);
    for (let i = 0; i < count; i++) {
      // the latest entry is at the end of the list
      const contact = words[(this.#work + WORK_BYTES * (count - 1 - i)) >>> 2];
      const at = this.#contacts + CONTACT_BYTES * contact;
      nodes[2 * i] = words[at >>> 2];
      nodes[2 * i + 1] = words[(at >>> 2) + 1];
      const from = (at >>> 3) + 1;
      for (let k = 0; k < NUMBERS; k++) numbers[NUMBERS * i + k] = floats[from + k];
    }
    return {
      count,
      nodes,
      numbers,
      measure: floats[(this.#block + W.measure) >>> 3],
      tests: this.#word(W.tests),
      coarsest,
      front: this.#word(W.used),
    };
  }

  #growEntries(): void {
    const capacity = this.#word(W.capacity);
    this.#entries = twice(this.#entries, capacity * ENTRY_BYTES);
    this.#work = twice(this.#work, capacity * WORK_BYTES);
    this.#set(W.capacity, 2 * capacity);
    this.#place();
  }

  #growContacts(): void {
    const capacity = this.#word(W.contactCapacity);
    this.#contacts = twice(this.#contacts, capacity * CONTACT_BYTES);
    this.#set(W.contactCapacity, 2 * capacity);
    this.#place();
  }

  #place(): void {
    this.#set(W.entries, this.#entries);
    this.#set(W.work, this.#work);
    this.#set(W.contacts, this.#contacts);
  }

  #word(byte: number): number {
    return arena().u32()[(this.#block + byte) >>> 2];
  }
  #set(byte: number, value: number): void {
    arena().u32()[(this.#block + byte) >>> 2] = value;
  }
}

/** A block with the contents of another of so many bytes, and as much room again. */
function twice(block: number, bytes: number): number {
  const memory = arena();
  const larger = memory.alloc(2 * bytes);
  memory.u8().copyWithin(larger, block, block + bytes);
  memory.free(block);
  return larger;
}

/** A bound on the displacement of a point of a ball between the poses `last` and `next`. */
function travelOf(last: RigidPose, next: RigidPose, [x, y, z, radius]: DualBlock['ball']): number {
  let [turned, shifted] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const i = next[3 * k] - last[3 * k];
    const j = next[3 * k + 1] - last[3 * k + 1];
    const l = next[3 * k + 2] - last[3 * k + 2];
    turned += i * i + j * j + l * l;
    shifted += (i * x + j * y + l * z + next[9 + k] - last[9 + k]) ** 2;
  }
  return (Math.sqrt(shifted) + Math.sqrt(turned) * radius) * (1 + 1e-12);
}

/** The largest entry of RᵀR − I. */
function skewOf(m: RigidPose): number {
  let most = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      const product = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
      most = Math.max(most, Math.abs(product - (i === j ? 1 : 0)));
    }
  }
  return most;
}
