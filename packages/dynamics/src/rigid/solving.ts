/**
 * Moves bodies through the time between two contact searches: in parts, in each of which contacts are swept, and joints
 * solved (joint-solver.ts), until speeds hardly change. Each island ends separately.
 *
 * Impulses of the last part are the first guess for the next. Friction is a vector in the plane of contact, no longer
 * than μ times the push. Slow islands are solved as well as possible, so that they do not sag and can sleep; fast ones
 * will be elsewhere in the next part.
 */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { BreakableBody } from '../bodies/breaking.js';
import type { ContactPoint, ContactRecord } from '../bodies/contact-record.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { TouchLaw } from '../bodies/touch.js';
import { CONTACT_NUMBERS } from './contact-set.js';
import { NORMAL, POINT_A, POINT_B } from './exact/layout.generated.js';
import { ImpulseSystem } from './impulse-system.js';
import { type Entered, IslandLayout } from './island-layout.js';
import type { Island } from './islands.js';
import type { Joint } from './joint.js';
import { JointSolver } from './joint-solver.js';
import { ACROSS, IMPULSES, MOST, ROW_NORMAL, SPIN, TOTAL } from './layout.generated.js';
import type { MovingBodies } from './moving-bodies.js';
import type { NearPair } from './near-pair.js';

/** Where motors drive joints: how many times as much energy contacts may pass on before they count as blocked. */
const MOST_PASSED = 100;
/**
 * Changes of speed that need no further sweep: relative to g h; and in islands of more than SMALL contacts, to their
 * speeds, as long as that is less than a share of the thickness in a part.
 */
const SETTLED = 2e-3;
const OF_SPEED = 0.03;
const OF_THICKNESS = 0.05;
const SMALL = 16;
/** Factor of that: where the first sweep with friction changes no more, the next part begins with friction. */
const CALM = 20;
/**
 * Speed in thicknesses per second up to which an island gets all the sweeps that it needs, as small ones always do: up
 * to MOST_SWEEPS, or fewer where there are many contacts.
 */
const SLOW = 20;
const MOST_SWEEPS = 100;
const FEWEST_SWEEPS = 16;
const MOST_VISITS = 160_000;
/** With friction; and how many of them small islands get at any speed. */
const MOST_ROUGH = 60;
const SMALL_ROUGH = 12;
/**
 * Sweeps of the fastest islands before the move and after it, without friction and with it: with fewer, time is lost in
 * piles.
 */
const FAST_SWEEPS = { move: { smooth: 20, rough: 4 }, settle: { smooth: 8, rough: 6 } };
/**
 * Where friction has changed speeds by more than a share of the thickness in a part, further sweeps without it follow
 * before the move, and some with it: else impacts do not come out free, and motions are solved again.
 */
const MOST_AGAIN = { smooth: 60, rough: 3 };
const ENOUGH_OF_THICKNESS = 0.1;
/**
 * Changes of speed, relative to g h, from which the last part was an impact: the next one begins without its impulses.
 * They are no guess for what comes after, as they leave friction at the edge of its cone all over a stack, which then
 * takes thousands of sweeps to come to rest.
 */
const IMPACT = 2;
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

/**
 * The effort for an island: sweeps so far, the change that needs no further one, their maximum number, also with
 * friction, whether it is calm.
 */
interface Effort {
  sweeps: number;
  settled: number;
  most: number;
  rough: number;
  calm: boolean;
}

export class Solving {
  readonly #bodies: MovingBodies;
  readonly #law: SolverLaw;
  readonly #system = new ImpulseSystem();
  readonly #joints = new JointSolver(this.#system);
  readonly #layout: IslandLayout;
  readonly #gravity: number;

  constructor(bodies: MovingBodies, law: SolverLaw) {
    this.#bodies = bodies;
    this.#law = law;
    this.#layout = new IslandLayout(bodies, law, this.#system);
    this.#gravity = Math.hypot(...law.gravity);
  }

  dispose(): void {
    this.#system.dispose();
  }

  /** Writes rows and impulses, with the numbers of pairs. */
  save(out: StateWriter, pairs: readonly NearPair[]): void {
    this.#system.save(out, pairs);
  }

  restore(from: StateReader, pairs: readonly NearPair[]): void {
    this.#system.restore(from, pairs);
    this.#layout.forget();
  }

  /** Moves the bodies of the table on by dt seconds; `again`, where they were before the last motion. */
  solve(dt: number, pairs: readonly NearPair[], joints: readonly Joint[], again: boolean): Solved {
    const { table } = this.#bodies;
    const { kernel } = this.#system;
    const layout = this.#layout;
    for (const joint of joints) again ? joint.comeBack(1) : joint.keep(1);
    layout.lay(
      dt,
      pairs.filter(({ set }) => set.count > 0),
      joints,
    );
    const solved: Solved = { pushing: 0, sweeps: 0 };
    for (let i = 0; i < layout.islands.length; i++) {
      const island = layout.islands[i];
      const start = layout.starts[i];
      layout.open(i);
      this.#joints.open(island.joints, start.ties, start.body, layout.starts[i + 1].body);
      solved.sweeps = Math.max(solved.sweeps, this.#solveIsland(island, start));
      solved.pushing += kernel.countPushing();
      for (let k = 0; k < island.bodies.length; k++)
        this.#system.readBody(start.body + k, table, island.bodies[k]);
    }
    return solved;
  }

  #solveIsland(island: Island, { h, parts, follows, carriers }: Entered): number {
    const { bodies, pairs, joints } = island;
    const { kernel } = this.#system;
    const { thickness, restingSpeed } = this.#law;
    let bounces = false;
    let contacts = 0;
    for (const { restitution, set } of pairs) {
      bounces ||= restitution > 0;
      contacts += set.count;
    }
    const ties = this.#joints;
    const tied = joints.length > 0;
    const passive = joints.every(({ motor, spring }) => !motor && !spring);
    const slack = passive ? 1 : MOST_PASSED;
    kernel.writeRows(false);
    if (bounces) kernel.writeApproaches();
    const isHeld = pairs.length > 0 || tied;
    const slides = pairs.length > 0 && !tied && bodies.length === 1;
    const most = Math.max(FEWEST_SWEEPS, Math.min(MOST_SWEEPS, MOST_VISITS / contacts));
    const sums = this.#law.records || this.#bodies.anyBreaks(bodies);
    let moved = 0;
    let speed = kernel.meanSpeed();
    const effort: Effort = { sweeps: 0, settled: 0, most: 0, rough: 0, calm: this.#layout.isCalm(island) };
    // in a motion of less than the step, they go at an even speed
    const isWhole = Math.abs(parts * h - this.#bodies.step) <= 1e-9 * this.#bodies.step;
    for (let part = 0; part < parts; part++) {
      if (isWhole) for (const [i, body] of carriers) this.#paceCarrier(i, body, (part + 0.5) / parts - 0.5);
      const swings = tied && this.#swing(pairs, h, part === 0);
      if (!swings) kernel.accelerate(h, part === 0);
      const pace = swings ? 0 : speed;
      const isSmall = contacts <= SMALL;
      effort.settled =
        SETTLED * h * this.#gravity +
        (isSmall ? 0 : Math.min(OF_SPEED * pace, (OF_THICKNESS * thickness) / h));
      const slowness = Math.min(1, (SLOW * thickness) / pace);
      effort.most = isSmall ? most : most * slowness;
      effort.rough = Math.max(isSmall ? SMALL_ROUGH : 0, Math.min(MOST_ROUGH, most * slowness));
      if (!tied) {
        kernel.warmStart();
        if (isHeld) this.#sweep(h, false, effort, false);
        if (effort.calm) kernel.keepFromRising(h);
      } else if (!swings) {
        ties.begin(h, false);
        const energy = this.#warmStartTied(pairs, slack);
        this.#sweep(h, false, effort, true);
        // joints and contacts may push against each other without end
        kernel.keepBelow(energy);
      }
      if (tied) ties.carry();
      moved += kernel.advance(h, slides);
      // from here on the effect of pushes depends on the current rotations
      kernel.orient();
      if (swings) kernel.pull(0.5 * h);
      if (tied) ties.write();
      if (moved > REWRITE * thickness) {
        kernel.writeRows(true);
        moved = 0;
      }
      // the next part also holds calm and large islands
      if (tied) {
        ties.aimAtRest();
        ties.solve();
      }
      const energy = tied ? kernel.kineticEnergy() : 0;
      const settles = tied || part + 1 === parts || (isSmall && !effort.calm);
      if (pairs.length > 0 && settles) this.#sweep(h, true, effort, tied);
      if (tied) {
        if (pairs.length > 0) kernel.keepBelow(slack * energy);
        ties.carry();
        ties.end();
      }
      if (sums) kernel.sumImpulses(part === 0);
      if (isHeld && passive && !(swings && follows && ties.isExact))
        kernel.keepEnergy(slides ? thickness : 0, tied);
      const before = speed;
      speed = kernel.meanSpeed();
      if (!tied && Math.abs(speed - before) > IMPACT * h * this.#gravity) kernel.forgetImpulses();
    }
    if (bounces) {
      kernel.rebound(restingSpeed);
      if (passive) kernel.keepWholeEnergy(tied);
      ties.solve();
    }
    return effort.sweeps + kernel.countSweeps();
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

  /**
   * Begins a part that only joints push in, with half of gravity before the move; false, with nothing done, where a
   * contact pushes.
   */
  #swing(pairs: readonly NearPair[], h: number, first: boolean): boolean {
    const system = this.#system;
    const { kernel, numbers: x } = system;
    for (const { firstRow, set } of pairs)
      for (let i = 0; i < set.count; i++) if (x[system.rowAt(firstRow + i) + IMPULSES] > 0) return false;
    const start = this.#joints.motions();
    kernel.accelerate(0.5 * h, first);
    this.#joints.begin(h, true);
    this.#joints.move();
    if (pairs.length === 0) return true;
    kernel.measure(h, false);
    if (kernel.sweep(false, false) === 0) return true;
    this.#forgetPushes(pairs);
    this.#joints.setMotions(start);
    return false;
  }

  /**
   * Begins with the last impulses of contacts, unless these leave bodies with `slack` times the energy that they have
   * without. Returns that energy.
   */
  #warmStartTied(pairs: readonly NearPair[], slack: number): number {
    const { kernel } = this.#system;
    const ties = this.#joints;
    const start = ties.motions();
    const pulled = kernel.kineticEnergy();
    ties.aim();
    ties.solve();
    const most = slack * Math.max(pulled, kernel.kineticEnergy());
    ties.setMotions(start);
    kernel.warmStart();
    ties.aim();
    ties.solve();
    if (kernel.kineticEnergy() <= most) return most;
    ties.setMotions(start);
    this.#forgetPushes(pairs);
    return most;
  }

  #forgetPushes(pairs: readonly NearPair[]): void {
    const { numbers: x } = this.#system;
    for (const { firstRow, set } of pairs) {
      for (let i = 0; i < set.count; i++) {
        const row = this.#system.rowAt(firstRow + i);
        x.fill(0, row + IMPULSES, row + IMPULSES + 3);
      }
    }
  }

  /** Sweeps joints and contacts until speeds hardly change; after the move, `settle`. */
  #sweep(h: number, settle: boolean, effort: Effort, tied: boolean): void {
    const { kernel } = this.#system;
    const ties = this.#joints;
    const { smooth, rough } = FAST_SWEEPS[settle ? 'settle' : 'move'];
    const { settled } = effort;
    // impacts tilt bodies back and forth until they are distributed: friction should not act on that
    const mostSmooth = effort.calm ? 0 : Math.max(smooth, effort.most);
    const mostRough = Math.max(rough, effort.rough);
    const enough = settle ? Infinity : Math.max(settled, (ENOUGH_OF_THICKNESS * this.#law.thickness) / h);
    const { smooth: smoothAgain, rough: roughAgain } = MOST_AGAIN;
    if (!tied) {
      const first = kernel.sweepFree(
        h,
        settle,
        settled,
        enough,
        mostSmooth,
        mostRough,
        smoothAgain,
        roughAgain,
      );
      effort.calm = first < CALM * settled;
      return;
    }
    kernel.measure(h, settle);
    if (!settle) ties.aim();
    this.#sweepUntil(settled, mostSmooth, false, effort);
    const first = this.#sweepUntil(settled, mostRough, true, effort);
    effort.calm = first < CALM * settled;
    if (first > enough) {
      const changed = this.#sweepUntil(enough, smoothAgain, false, effort);
      if (changed > enough) this.#sweepUntil(enough, roughAgain, true, effort);
    }
    kernel.countMoments();
    // joints have the last word
    settle ? ties.solve() : ties.move();
  }

  /** Sweeps until speeds change by no more than `settled`; returns the change by the first sweep. */
  #sweepUntil(settled: number, most: number, rough: boolean, effort: Effort): number {
    const { kernel } = this.#system;
    let first = 0;
    for (let sweep = 0; sweep < most; sweep++) {
      effort.sweeps++;
      this.#joints.solve();
      const change = kernel.sweep(sweep % 2 === 1, rough);
      if (sweep === 0) first = change;
      if (change <= settled) break;
      if (sweep % 2 === 1 && sweep + 1 < most) kernel.goOn(sweep === 1, rough);
    }
    return first;
  }

  /**
   * Passes on what contacts of these bodies, by index, did in the last motion: to breakable ones, impulses in the world
   * at places in their frame; to the record, where there is one.
   */
  tell(record: ContactRecord | undefined, of: Uint8Array): void {
    if (!record && !this.#bodies.breaks) return;
    const system = this.#system;
    const { numbers: x } = system;
    for (const { pairs } of this.#layout.islands) {
      for (const pair of pairs) {
        if (of[pair.a.index] + of[pair.b.index] === 0) continue;
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
  #contact({ a, b, engine, set: { data, ids, round } }: NearPair, i: number, impulse: Vec3): ContactPoint {
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
    return { point: [x, y, z], normal, gap, impulse, error: engine.errorAt?.(ids[i]) ?? 0 };
  }
}

// Not kept, by visits of rows for 512 cubes that fall, 7 million when impulses of impacts were kept: parts of 1/120 s
// for islands that are slow but not still (7.7), changes up to a hundredth of g h (a third more parts until all sleep),
// six sweeps with friction (card houses fall at 0.02 radians less). With changes up to 0.004 g h, cubes took as long,
// 1 024 balls 0.8 of the time, and a pyramid moved by 1.3 mm instead of 0.8 and took 1.3 times as long.
// Since then, 3 million. Not kept: rougher pushes before friction acts in slow islands (2.7, but a pyramid moves by 0.3
// mm); an end where changes no longer become smaller (2.8, and bodies sleep later); directions as Polak and Ribiere
// choose them (11 instead of 4); a factorisation of the contacts that push, within its envelope (one step after four
// sweeps ends those without friction, but takes as long as they do; with friction, it does not settle which slide).
