/**
 * Moves bodies through a look's time: in parts, in each of which contacts and joints are gone through until speeds hardly
 * change.
 */
import { BreakableBody } from '../breaking.js';
import { type ContactLaw, ImpulseRows } from './impulse-rows.js';
import { type Joint, JointRows } from './joints.js';
import type { MovingBodies } from './moving-bodies.js';
import type { NearPair } from './near-pair.js';

/** Parts of a step are no longer than this, in seconds, and no more than so many. */
const LONGEST_PART = 1 / 240;
const MOST_PARTS = 16;
/** Times that contacts are gone through in a part: in an impact, and else; of g h: changes of speed that need no other. */
const SWEEPS = 25;
const FEW_SWEEPS = 5;
const SETTLED = 0.01;
/** Times that: speeds change more in an impact. */
const IMPACT = 5;
/** Of the thickness: what bodies move before contacts are written anew within a step. */
const REWRITE = 0.1;

export interface SolverLaw extends ContactLaw {
  readonly thickness: number;
  readonly gravity: readonly [number, number, number];
}

export class Solving {
  readonly #bodies: MovingBodies;
  readonly #law: SolverLaw;
  readonly #rows: ImpulseRows;
  readonly #joints: JointRows;

  constructor(bodies: MovingBodies, law: SolverLaw) {
    this.#bodies = bodies;
    this.#law = law;
    this.#rows = new ImpulseRows(bodies.table, law);
    this.#joints = new JointRows(bodies.table);
  }

  /** Contacts that pushed in the last look. */
  get pushing(): number {
    return this.#rows.pushing;
  }

  /** Moves the bodies of the table on by dt seconds; returns how often contacts were gone through. */
  solve(dt: number, pairs: readonly NearPair[], joints: readonly Joint[]): number {
    const { table, awake: moves, motion } = this.#bodies;
    const rows = this.#rows;
    const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(dt / LONGEST_PART - 1e-9)));
    const h = dt / parts;
    this.#enter(pairs, h);
    const awake: number[] = [];
    for (let i = 0; i < table.count; i++) if (moves[i] !== 0) awake.push(i);
    if (awake.length === 0) return 0;
    this.#joints.clear();
    for (const joint of joints) {
      const index = this.#bodies.indexOf(joint.body);
      if (moves[index] !== 0) this.#joints.add(joint, index, h);
    }
    let sweeps = 0;
    const rewrites = awake.some((i) => motion[i] > REWRITE * this.#law.thickness);
    for (let part = 0; part < parts; part++) {
      for (const i of awake) if (table.states[i]) table.accelerate(i, h);
      this.#joints.write();
      this.#joints.warmStart();
      rows.warmStart();
      sweeps += this.#sweep(h, false);
      rows.count();
      for (const i of awake) table.advance(i, h);
      if (rewrites) rows.rewrite();
      sweeps += this.#sweep(h, true);
      this.#joints.endPart();
      rows.count();
      for (const i of awake) table.orient(i);
    }
    rows.rebound();
    for (const i of awake) table.orient(i);
    return sweeps;
  }

  /** Keeps impulses for the next contacts of the same features, and tells bodies that break of them. */
  noteImpulses(pairs: readonly NearPair[]): void {
    for (const pair of pairs) {
      if (pair.ready) this.#rows.readImpulses(pair.firstRow, pair.set.count, pair.impulses);
    }
    const { members } = this.#bodies;
    if (!members.some(({ body }) => body instanceof BreakableBody)) return;
    this.#rows.eachImpulse((index, place, impulse) => {
      const { body } = members[index];
      if (body instanceof BreakableBody) body.struck(place, impulse);
    });
  }

  /** Takes over the contacts of pairs, with the impulses that they had. */
  #enter(pairs: readonly NearPair[], h: number): void {
    this.#rows.clear();
    for (const pair of pairs) {
      if (!pair.ready) continue;
      pair.firstRow = this.#rows.length;
      if (pair.set.count > 0)
        this.#rows.add(pair.a.index, pair.b.index, pair.set, pair.target, pair.impulses, h / pair.time);
      pair.time = h;
    }
  }

  /** Goes through joints and contacts until speeds hardly change; returns how often. */
  #sweep(h: number, settle: boolean): number {
    const settled = SETTLED * h * Math.hypot(...this.#law.gravity);
    let done = 0;
    this.#rows.measure();
    if (this.#rows.length + this.#joints.count === 0) return done;
    // impacts tilt bodies this way and that until they are shared out: friction should not know of it
    for (const rough of [false, true]) {
      for (let sweep = 0; sweep < SWEEPS; sweep++) {
        done++;
        this.#joints.solve(h, settle);
        const change = this.#rows.solve(h, settle, sweep % 2 === 1, rough);
        if (change < (sweep < FEW_SWEEPS && rough ? settled : IMPACT * settled)) break;
      }
    }
    return done;
  }
}
