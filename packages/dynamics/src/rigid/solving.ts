/**
 * Moves bodies through the time between two contact searches: in parts, in each of which contacts and joints are swept
 * until speeds hardly change. Each island ends separately.
 *
 * Impulses of the last part are the first guess for the next. Friction is a vector in the plane of contact, no longer
 * than μ times the push. Slow islands are solved as well as possible, so that they do not sag and can sleep; fast ones
 * will be elsewhere in the next part.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { BreakableBody } from '../bodies/breaking.js';
import type { ContactPoint, ContactRecord } from '../bodies/contact-record.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import { frictionOf, restitutionOf, type TouchLaw } from '../bodies/touch.js';
import type { BodyTable } from './body-table.js';
import { CONTACT_NUMBERS } from './contact-set.js';
import { NORMAL, POINT_A, POINT_B } from './exact/layout.generated.js';
import { ImpulseSystem } from './impulse-system.js';
import { findIslands, type Island } from './islands.js';
import { type Joint, JointRows } from './joints.js';
import { ACROSS, IMPULSES, MOST, ROW_NORMAL, SPIN, TOTAL } from './layout.generated.js';
import type { MovingBodies } from './moving-bodies.js';
import type { NearPair } from './near-pair.js';

/** Maximum length of a part of a step, in seconds, and maximum number of parts. */
const LONGEST_PART = 1 / 240;
const MOST_PARTS = 16;
/**
 * Changes of speed that need no further sweep: relative to g h; and in islands of more than SMALL contacts, to their
 * speeds.
 */
const SETTLED = 1e-3;
const OF_SPEED = 0.005;
const SMALL = 64;
/** Factor of that: where the first sweep with friction changes no more, the next part begins with friction. */
const CALM = 20;
/** In seconds: islands still for longer begin a step with friction, too. */
const CALM_TIME = 0.1;
/**
 * Speed in thicknesses per second up to which an island gets all the sweeps that it needs, as small ones always do: up
 * to MOST_SWEEPS, or fewer where there are many contacts.
 */
const SLOW = 20;
const MOST_SWEEPS = 100;
const FEWEST_SWEEPS = 16;
const MOST_VISITS = 160_000;
/** With friction, more do not help. */
const MOST_ROUGH = 12;
/**
 * Sweeps of the fastest islands before the move and after it, without friction and with it: with fewer, time is lost in
 * piles.
 */
const FAST_SWEEPS = { move: { smooth: 20, rough: 8 }, settle: { smooth: 8, rough: 6 } };
/** Motion of bodies after which contacts are rewritten within a step, in thicknesses. */
const REWRITE = 0.1;

export interface SolverLaw extends TouchLaw {
  /** Whether impulses of a step are summed up for a record. */
  readonly records?: boolean;
  readonly thickness: number;
  readonly gravity: readonly [number, number, number];
  /** Approach, in m/s, up to which nothing comes back. */
  readonly restingSpeed: number;
}

/** The work done: contacts that pushed, and the number of sweeps in the island with most of them. */
export interface Solved {
  pushing: number;
  sweeps: number;
}

/** The first body and pair of an island; numbers of the carriers that its bodies touch, by index. */
interface Start {
  readonly body: number;
  readonly pair: number;
  readonly carriers: Map<number, number>;
}

/**
 * The effort for an island: sweeps so far, the change that needs no further one, their maximum number, whether it is
 * calm.
 */
interface Effort {
  sweeps: number;
  settled: number;
  most: number;
  calm: boolean;
}

export class Solving {
  readonly #bodies: MovingBodies;
  readonly #law: SolverLaw;
  readonly #system = new ImpulseSystem();
  readonly #joints = new JointRows(this.#system);
  /** By index of a body: its number in the system, and the island that it has this in. */
  #numbers = new Int32Array(0);
  #numberedFor = new Int32Array(0);
  /** Of the last motion. */
  #islands: readonly Island[] = [];

  constructor(bodies: MovingBodies, law: SolverLaw) {
    this.#bodies = bodies;
    this.#law = law;
  }

  dispose(): void {
    this.#system.dispose();
  }

  /** Writes rows and impulses, with the numbers of pairs; those of joints are with these from now on. */
  save(out: StateWriter, pairs: readonly NearPair[]): void {
    this.#joints.clear();
    this.#system.save(out, pairs);
  }

  restore(from: StateReader, pairs: readonly NearPair[]): void {
    this.#joints.clear();
    this.#system.restore(from, pairs);
  }

  /** Moves the bodies of the table on by dt seconds; `again`, where they were before the last motion. */
  solve(dt: number, pairs: readonly NearPair[], joints: readonly Joint[], again: boolean): Solved {
    const { table } = this.#bodies;
    const parts = Math.min(MOST_PARTS, Math.max(1, Math.ceil(dt / LONGEST_PART - 1e-9)));
    const h = dt / parts;
    const islands = findIslands(this.#bodies, pairs, joints);
    const starts = this.#enter(islands, h, again ? -1 : REWRITE * this.#law.thickness);
    for (const pair of pairs) pair.time = h;
    const solved: Solved = { pushing: 0, sweeps: 0 };
    for (const [i, island] of islands.entries()) {
      const { body, pair, carriers } = starts[i];
      this.#system.kernel.openIsland(body, starts[i + 1].body, pair, starts[i + 1].pair);
      solved.sweeps = Math.max(solved.sweeps, this.#solveIsland(island, h, parts, carriers));
      for (const [k, index] of island.bodies.entries()) this.#system.readBody(body + k, table, index);
    }
    for (const { pairs: touching } of islands)
      for (const pair of touching) solved.pushing += this.#readImpulses(pair);
    this.#islands = islands;
    return solved;
  }

  /**
   * Lays islands out, one after the other, with rows written anew once bodies have moved by `stale`; returns where each
   * begins, and where the last ends.
   */
  #enter(islands: readonly Island[], h: number, stale: number): Start[] {
    const system = this.#system;
    const { table } = this.#bodies;
    let [bodies, pairs, rows] = [0, 0, 0];
    for (const island of islands) {
      // at most: every pair with scenery of its own
      bodies += island.bodies.length + island.pairs.length;
      pairs += island.pairs.length;
      for (const { set } of island.pairs) rows += set.count;
    }
    system.open(bodies, pairs, rows);
    if (this.#numbers.length !== table.count) this.#numbers = new Int32Array(table.count);
    this.#numberedFor = new Int32Array(table.count).fill(-1);
    const starts = islands.map((island, i) => {
      const start: Start = { body: system.bodiesHeld, pair: system.pairsHeld, carriers: new Map() };
      for (const index of island.bodies) this.#numberOf(index, i, table);
      for (const pair of island.pairs) {
        const a = this.#numberOf(pair.a.index, i, table);
        const b = this.#numberOf(pair.b.index, i, table);
        if (pair.a.carrier) start.carriers.set(pair.a.index, a);
        if (pair.b.carrier) start.carriers.set(pair.b.index, b);
        pair.firstRow = system.rowsHeld;
        pair.friction = frictionOf(pair.a.body, pair.b.body, this.#law);
        pair.restitution = restitutionOf(pair.a.body, pair.b.body, this.#law);
        system.addPair(a, b, pair, h / pair.time, stale);
      }
      return start;
    });
    starts.push({ body: system.bodiesHeld, pair: system.pairsHeld, carriers: new Map() });
    return starts;
  }

  /** The number of a body in an island, to which it is added if it is not there yet. */
  #numberOf(index: number, island: number, table: BodyTable): number {
    if (this.#numberedFor[index] !== island) {
      this.#numberedFor[index] = island;
      this.#numbers[index] = this.#system.addBody(table, index);
    }
    return this.#numbers[index];
  }

  #solveIsland(
    { bodies, pairs, joints }: Island,
    h: number,
    parts: number,
    carriers: ReadonlyMap<number, number>,
  ): number {
    const { kernel } = this.#system;
    const { thickness, gravity, restingSpeed } = this.#law;
    const bounces = pairs.some(({ restitution }) => restitution > 0);
    const rows = this.#joints;
    rows.clear();
    for (const joint of joints) rows.add(joint, this.#numbers[this.#bodies.indexOf(joint.body)], h);
    kernel.writeRows(false);
    if (bounces) kernel.writeApproaches();
    const isHeld = pairs.length + joints.length > 0;
    const slides = pairs.length > 0 && joints.length === 0 && bodies.length === 1;
    const contacts = pairs.reduce((sum, { set }) => sum + set.count, 0);
    const most = Math.max(FEWEST_SWEEPS, Math.min(MOST_SWEEPS, MOST_VISITS / contacts));
    const sums =
      this.#law.records || bodies.some((i) => this.#bodies.members[i].body instanceof BreakableBody);
    let moved = 0;
    const calm = bodies.every((i) => this.#bodies.members[i].still > CALM_TIME);
    const effort: Effort = { sweeps: 0, settled: 0, most: 0, calm };
    // in a motion of less than the step, they go at an even speed
    const isWhole = Math.abs(parts * h - this.#bodies.step) <= 1e-9 * this.#bodies.step;
    for (let part = 0; part < parts; part++) {
      if (isWhole) for (const [i, body] of carriers) this.#paceCarrier(i, body, (part + 0.5) / parts - 0.5);
      const speed = kernel.accelerate(h, part === 0);
      const isSmall = contacts <= SMALL;
      effort.settled = SETTLED * h * Math.hypot(...gravity) + (isSmall ? 0 : OF_SPEED * speed);
      effort.most = isSmall ? most : most * Math.min(1, (SLOW * thickness) / speed);
      rows.write();
      rows.warmStart();
      kernel.warmStart();
      if (isHeld) this.#sweep(h, false, effort);
      moved += kernel.advance(h, slides);
      // from here on the effect of pushes depends on the current rotations
      kernel.orient();
      rows.write();
      if (moved > REWRITE * thickness) {
        kernel.writeRows(true);
        moved = 0;
      }
      // the next part also holds calm islands
      if (isHeld && !(effort.calm && part + 1 < parts)) this.#sweep(h, true, effort);
      if (sums) kernel.sumImpulses(part === 0);
      if (isHeld && joints.length === 0) kernel.keepEnergy(slides ? thickness : 0);
    }
    if (bounces) {
      kernel.rebound(restingSpeed);
      if (joints.length === 0) kernel.keepWholeEnergy();
    }
    return effort.sweeps;
  }

  /** Gives a carrier, which has a number here, its speed at a share of the step before or after the middle. */
  #paceCarrier(index: number, number: number, share: number): void {
    const { numbers: x } = this.#system;
    const { table, gain } = this.#bodies;
    const body = this.#system.bodyAt(number);
    for (let k = 0; k < 3; k++) {
      x[body + k] = table.velocity[3 * index + k] + share * gain[6 * index + k];
      x[body + SPIN + k] = table.spin[3 * index + k] + share * gain[6 * index + 3 + k];
    }
  }

  /** Sweeps joints and contacts until speeds hardly change; after the move, `settle`. */
  #sweep(h: number, settle: boolean, effort: Effort): void {
    const { kernel } = this.#system;
    kernel.measure(h, settle);
    // impacts tilt bodies back and forth until they are distributed: friction should not act on that
    for (const rough of effort.calm ? [true] : [false, true]) {
      const least = FAST_SWEEPS[settle ? 'settle' : 'move'][rough ? 'rough' : 'smooth'];
      const most = Math.max(least, rough ? Math.min(MOST_ROUGH, effort.most) : effort.most);
      for (let sweep = 0; sweep < most; sweep++) {
        effort.sweeps++;
        this.#joints.solve(h, settle);
        const change = kernel.sweep(sweep % 2 === 1, rough);
        if (rough && sweep === 0) effort.calm = change < CALM * effort.settled;
        if (change <= effort.settled) break;
        if (!rough && sweep + 1 < most) kernel.goOn(sweep === 0);
      }
    }
  }

  /** Keeps impulses for the next contacts of the same features; returns the number of contacts that pushed. */
  #readImpulses({ firstRow, set, impulses }: NearPair): number {
    const { numbers: x } = this.#system;
    let pushing = 0;
    for (let i = 0; i < set.count; i++) {
      const row = this.#system.rowAt(firstRow + i);
      for (let k = 0; k < 3; k++) impulses[3 * i + k] = x[row + IMPULSES + k];
      if (x[row + MOST] > 0) pushing++;
    }
    return pushing;
  }

  /**
   * Passes on what contacts did in the last motion: to breakable bodies, impulses in the world at places in their
   * frame; to the record, where there is one.
   */
  tell(record: ContactRecord | undefined): void {
    if (!record && !this.#bodies.members.some(({ body }) => body instanceof BreakableBody)) return;
    const system = this.#system;
    const { numbers: x } = system;
    for (const { pairs } of this.#islands) {
      for (const pair of pairs) {
        for (let i = 0; i < pair.set.count; i++) {
          const row = system.rowAt(pair.firstRow + i);
          const contact = system.contactAt(pair.firstRow + i);
          if (x[row + MOST] === 0) continue;
          const [px, py, pz] = [0, 1, 2].map(
            (k) =>
              x[contact + TOTAL] * x[row + ROW_NORMAL + k] +
              x[contact + TOTAL + 1] * x[row + ACROSS + 2 * k] +
              x[contact + TOTAL + 2] * x[row + ACROSS + 2 * k + 1],
          );
          [pair.a.body, pair.b.body].forEach((body, side) => {
            const place = Float64Array.of(x[contact + side], x[contact + side + 2], x[contact + side + 4]);
            const sign = side === 0 ? -1 : 1;
            if (body instanceof BreakableBody)
              body.struck(place, Float64Array.of(sign * px, sign * py, sign * pz));
          });
          record?.add(pair.a.body, pair.b.body, pair.set.ids[i], this.#contact(pair, i, [px, py, pz]));
        }
      }
    }
  }

  /** A contact of two bodies in the world, where they are in the table. */
  #contact({ a, b, set: { data, round } }: NearPair, i: number, impulse: Vec3): ContactPoint {
    const { place, matrix } = this.#bodies.table;
    const at = CONTACT_NUMBERS * i;
    const turned = (body: number, from: number): Vec3 => {
      const [u, v, w] = [data[from], data[from + 1], data[from + 2]];
      const m = matrix.subarray(9 * body, 9 * body + 9);
      return [m[0] * u + m[1] * v + m[2] * w, m[3] * u + m[4] * v + m[5] * w, m[6] * u + m[7] * v + m[8] * w];
    };
    const [p, q] = [turned(a.index, at + POINT_A), turned(b.index, at + POINT_B)];
    const normal = turned(a.index, at + NORMAL);
    const ends = [0, 1, 2].map((k) => [
      place[3 * a.index + k] + p[k] + round[2 * i] * normal[k],
      place[3 * b.index + k] + q[k] - round[2 * i + 1] * normal[k],
    ]);
    const [x, y, z] = ends.map(([from, to]) => 0.5 * (from + to));
    const gap = ends.reduce((sum, [from, to], k) => sum + normal[k] * (to - from), 0);
    return { point: [x, y, z], normal, gap, impulse };
  }
}
