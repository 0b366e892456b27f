/** Two bodies that may touch, and their contacts from step to step. */
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { ContactEngine } from './contact-engine.js';
import { CONTACT_NUMBERS, ContactSet } from './contact-set.js';
import type { BatchedEngine } from './exact/batched-engine.js';
import { GAP, NORMAL, POINT_A, POINT_B } from './exact/layout.generated.js';
import type { PairBlock } from './exact/pair-block.js';
import type { ImpulseSystem } from './impulse-system.js';
import type { Member } from './member.js';

/** Numbers that outlast a step. */
const KNOWN = ['time', 'target', 'least', 'reach', 'goodUntil', 'apart', 'motion', 'followed'] as const;
const NO_NUMBERS = new Float64Array(0);

export class NearPair {
  readonly a: Member;
  readonly b: Member;
  /** Whether both are balls about their centres: turning changes nothing. */
  readonly areBalls: boolean;
  /** The engine that finds their contacts. */
  readonly engine: ContactEngine;
  set = new ContactSet();
  /** How often contacts were found. */
  renewals = 0;
  /** Along normal and two tangents, three of each contact. */
  impulses: Float64Array = NO_NUMBERS;
  /** The time in which these acted. */
  time = 1;
  /** The distance to keep: the thickness, or less where they were closer when added to the simulation. */
  target: number;
  /** Of the two together, after so many changes to how bodies touch. */
  friction = 0;
  restitution = 0;
  touchChanges = -1;
  /** The least gap of the contacts. */
  least = Infinity;
  /** Everything this near was found, with b at `found` in the frame of a; 0 where nothing is known. */
  reach = 0;
  /** Of pairs that neither kernels know nor the centres of balls. */
  readonly found: Float64Array;
  /** Contacts are good as long as the unrest of both is below that together; -Infinity where nothing is known. */
  goodUntil = -Infinity;
  /** How far both were to go and turn when kernels found contacts, six numbers each. */
  readonly motions: Float64Array;
  /** How often they were only followed since then. */
  followed = 0;
  /** A lower bound on their distance at the start of the motion; 0 where nothing is known. */
  apart = 0;
  /** Where near-bodies.ts has it. */
  place = 0;
  /** The last look at it; a bound of the motion against each other then; where its rows begin. */
  look = 0;
  motion = 0;
  firstRow = 0;
  /** What knows its impulses better, in its rows. */
  held: ImpulseSystem | undefined;
  #spare: ContactSet | undefined;
  #spareImpulses: Float64Array = NO_NUMBERS;

  constructor(a: Member, b: Member, engine: ContactEngine, target: number) {
    this.a = a;
    this.b = b;
    this.areBalls = a.shape.arm === 0 && b.shape.arm === 0;
    this.engine = engine;
    this.target = target;
    this.motions = this.block ? new Float64Array(12) : NO_NUMBERS;
    this.found = this.block || this.areBalls ? NO_NUMBERS : new Float64Array(12);
  }

  /** The kernels' data about the two, where kernels find their contacts. */
  get block(): PairBlock | undefined {
    return (this.engine as Partial<BatchedEngine>).block;
  }

  /** Has no contacts; they are looked for again when the two come near. */
  forget(): void {
    this.believe(0);
    this.apart = 0;
    this.set.clear();
    this.renewals++;
    this.least = Infinity;
    this.held = undefined;
    this.block?.forgetContacts();
  }

  /** Contacts did not hold the two apart: they are found anew in the next look. */
  distrust(): void {
    this.believe(0);
    this.block?.forgetContacts();
  }

  /** Writes what is known of the two. */
  save(out: StateWriter): void {
    const { engine, set } = this;
    this.held?.readImpulses(this);
    for (const name of KNOWN) out.number(this[name]);
    out.array(this.found);
    out.array(this.motions);
    out.array(this.impulses);
    out.number(set.atLeast);
    out.array(set.data.subarray(0, CONTACT_NUMBERS * set.count));
    out.array(set.ids.subarray(0, set.count));
    out.array(set.round.subarray(0, 2 * set.count));
    engine.save(out);
  }

  restore(from: StateReader): void {
    for (const name of KNOWN) this[name] = from.number();
    from.into(this.found);
    from.into(this.motions);
    this.impulses = from.doubles();
    this.set.atLeast = from.number();
    this.set.data = from.doubles();
    this.set.ids = from.doubles();
    this.set.round = from.doubles();
    this.set.count = this.set.ids.length;
    this.engine.restore(from, this.a.shape, this.b.shape);
  }

  /**
   * Everything within a distance was found, where the two are now, and what they may meet in the motion before them,
   * with a margin; 0 where nothing is certain.
   */
  believe(reach: number, margin = -Infinity): void {
    this.reach = reach;
    this.goodUntil = this.a.unrest + this.b.unrest + margin;
  }

  /** The farthest that points of contacts have moved beside each other, with b at a pose in the frame of a. */
  slidTo(p: Float64Array): number {
    const { data, count } = this.set;
    let mostSq = 0;
    for (let i = 0; i < count; i++) {
      const at = CONTACT_NUMBERS * i;
      let [waySq, along] = [0, 0];
      for (let k = 0; k < 3; k++) {
        const x = data[at + POINT_B];
        const y = data[at + POINT_B + 1];
        const z = data[at + POINT_B + 2];
        const way = p[3 * k] * x + p[3 * k + 1] * y + p[3 * k + 2] * z + p[9 + k] - data[at + POINT_A + k];
        waySq += way * way;
        along += data[at + NORMAL + k] * way;
      }
      mostSq = Math.max(mostSq, waySq - along * along);
    }
    return Math.sqrt(mostSq);
  }

  /** A bound on the displacement of any point of b, in the frame of a, since contacts were found. */
  movedSince(pose: Float64Array): number {
    const { found } = this;
    let shift = 0;
    let turn = 0;
    for (let k = 0; k < 9; k++) turn += (pose[k] - found[k]) ** 2;
    for (let k = 9; k < 12; k++) shift += (pose[k] - found[k]) ** 2;
    return Math.sqrt(shift) + Math.sqrt(turn) * this.b.shape.arm;
  }

  /** Measures the gaps anew, with b at a pose in the frame of a. */
  measure(p: Float64Array): void {
    const { data, count, round } = this.set;
    let least = Infinity;
    for (let i = 0; i < count; i++) {
      const at = CONTACT_NUMBERS * i;
      const x = data[at + POINT_B];
      const y = data[at + POINT_B + 1];
      const z = data[at + POINT_B + 2];
      const dx = p[0] * x + p[1] * y + p[2] * z + p[9] - data[at + POINT_A];
      const dy = p[3] * x + p[4] * y + p[5] * z + p[10] - data[at + POINT_A + 1];
      const dz = p[6] * x + p[7] * y + p[8] * z + p[11] - data[at + POINT_A + 2];
      const distance = this.areBalls
        ? Math.sqrt(dx * dx + dy * dy + dz * dz)
        : data[at + NORMAL] * dx + data[at + NORMAL + 1] * dy + data[at + NORMAL + 2] * dz;
      const gap = distance - (round[2 * i] + round[2 * i + 1]);
      data[at + GAP] = gap;
      if (gap < least) least = gap;
    }
    this.least = least;
  }

  /** An empty set for new contacts; impulses of the present ones go to those of the same features. */
  renew(find: (set: ContactSet) => void): void {
    const old = this.set;
    this.renewals++;
    if (old.count === 0) {
      find(old);
      this.held = undefined;
      if (this.impulses.length === 3 * old.count) this.impulses.fill(0);
      else this.impulses = new Float64Array(3 * old.count);
      return;
    }
    this.#spare ??= new ContactSet();
    const fresh = this.#spare;
    find(fresh);
    this.held?.readImpulses(this);
    this.held = undefined;
    const impulses =
      this.#spareImpulses.length === 3 * fresh.count
        ? this.#spareImpulses.fill(0)
        : new Float64Array(3 * fresh.count);
    for (let i = 0; i < fresh.count; i++) {
      for (let j = 0; j < old.count; j++) {
        if (old.ids[j] !== fresh.ids[i]) continue;
        for (let k = 0; k < 3; k++) impulses[3 * i + k] = this.impulses[3 * j + k];
        break;
      }
    }
    this.set = fresh;
    this.#spare = old;
    this.#spareImpulses = this.impulses;
    this.impulses = impulses;
  }
}
