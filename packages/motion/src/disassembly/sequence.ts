/**
 * The order in which parts come out of an assembly, as far as it is known.
 *
 * Invariant: parts that are together have one number in `#together`; a step takes some of them away from the others and
 * gives them a new one. So parts that leave as one come apart later, where they are. All motions are told as from the
 * assembly, since what is together has moved as one.
 * Units are what never comes apart: parts deeper in each other than is allowed.
 */
import type { Motion, Vec3 } from 'impinge';
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { dot } from 'impinge/internal/query/walk/vectors.js';
import { findPathAmong } from '../plan/find-path.js';
import type { SearchOptions } from '../plan/search-path.js';
import { type Assembly, AXES, type Part } from './assembly.js';

/** The way of a part: poses, and between them motions that are `linear` about `centre`. */
export interface PartMove {
  readonly part: Part;
  readonly poses: readonly RigidPose[];
  readonly centre: Float64Array;
}

/** Some of the parts that are together leave the others. */
export interface DisassemblyStep {
  readonly moves: readonly PartMove[];
  /** Of a straight motion. */
  readonly direction: Vec3 | undefined;
}

/** A part, or several that never come apart, and what is in the way of its motion in a direction. */
export interface Blocking {
  readonly parts: readonly Part[];
  readonly direction: Vec3;
  /** All of what is together with it at the end; of parts that have left, those that were found. */
  readonly by: readonly Part[];
}

/** What leaves in a step: the numbers of the parts, and their poses. */
interface Step {
  readonly parts: readonly number[];
  readonly direction: Vec3 | undefined;
  readonly poses: readonly (readonly RigidPose[])[];
}

type Unit = readonly number[];

/** The limits are those of every search for a path. */
interface SequenceOptions {
  readonly clearance: number;
  readonly nodes: number;
  readonly seconds: number;
}

/** How long searches may go on, and what they report to. */
interface Watch extends Pick<SearchOptions, 'signal' | 'onProgress'> {
  readonly isLate: () => boolean;
}

/** Directions in which several parts are tried to leave together. */
const MOST_DIRECTIONS = 24;
/** Directions that differ by less count as one. */
const SAME = 0.9999;

export class Sequence {
  steps: Step[] = [];
  searches = 0;
  readonly #assembly: Assembly;
  readonly #options: SequenceOptions;
  readonly #asked: ReadonlySet<number>;
  readonly #units: readonly Unit[];
  readonly #together: number[];
  /** Units that were looked at since the last step. */
  #fruitless = 0;
  #next = 0;

  constructor(assembly: Assembly, asked: readonly number[], options: SequenceOptions) {
    this.#assembly = assembly;
    this.#options = options;
    this.#asked = new Set(asked);
    // those that were asked for are tried first, as long as not all were
    const isAsked = (unit: Unit) => unit.some((part) => this.#asked.has(part));
    const units = unitsOf(assembly);
    this.#units = [...units.filter(isAsked), ...units.filter((unit) => !isAsked(unit))];
    this.#together = assembly.parts.map(() => 0);
  }

  get isDone(): boolean {
    return this.left().length === 0;
  }

  /** Parts that are together, more than one unit, of which some were asked for. */
  left(): number[][] {
    const sets = new Map<number, Unit[]>();
    for (const unit of this.#units) {
      const number = this.#together[unit[0]];
      const set = sets.get(number);
      if (set) set.push(unit);
      else sets.set(number, [unit]);
    }
    const open = [...sets.values()].filter((units) => units.length > 1).map((units) => units.flat());
    return open.filter((parts) => parts.some((part) => this.#asked.has(part)));
  }

  /** Looks whether the next unit can leave straight; false where none can. */
  tryNext(): boolean {
    const units = this.#units;
    for (; this.#fruitless < units.length; this.#fruitless++) {
      const unit = units[this.#next];
      this.#next = (this.#next + 1) % units.length;
      const others = this.#othersOf(unit, this.#together);
      if (others.length === 0 || ![...unit, ...others].some((part) => this.#asked.has(part))) continue;
      const direction = this.#straightOut(unit, others);
      if (!direction) {
        this.#fruitless++;
        return true;
      }
      this.#leave(this.#straight(unit, direction));
      return true;
    }
    return false;
  }

  /** Looks whether several units can leave straight together: the fewest parts. */
  trySeveral(): boolean {
    for (const parts of this.left()) {
      const units = this.#units.filter(([part]) => parts.includes(part));
      let best: { moving: number[]; direction: Vec3 } | undefined;
      for (const direction of this.#commonDirections(units)) {
        for (const moving of this.#closures(units, direction)) {
          const isLess = moving.length < (best?.moving.length ?? parts.length);
          if (isLess) best = { moving, direction };
        }
      }
      if (!best) continue;
      this.#leave(this.#straight(best.moving, best.direction));
      return true;
    }
    return false;
  }

  /** Searches for a path of one part among what is together with it; false where none is found for any. */
  async searchNext({ isLate, ...watch }: Watch): Promise<boolean> {
    const { clearance, nodes, seconds } = this.#options;
    const assembly = this.#assembly;
    if (nodes < 2) return false;
    for (const parts of this.left()) {
      for (const [part, ...others] of this.#units.filter(([part]) => parts.includes(part))) {
        if (others.length > 0) continue;
        if (isLate()) return false;
        const { mesh, pose } = assembly.parts[part];
        const obstacles = parts.filter((other) => other !== part).map((other) => assembly.parts[other]);
        this.searches++;
        const found = await findPathAmong(mesh, obstacles, {
          start: poseOf(pose),
          goals: AXES.map((axis) => poseOf(assembly.movedBy(part, axis, assembly.wayOut(part, axis)))),
          ...{ clearance, allowed: assembly.allowedOf(part), limits: { nodes }, timeLimit: seconds },
          ...watch,
        });
        if (!found.found) continue;
        this.#leave({ parts: [part], direction: undefined, poses: [found.path.poses] });
        return true;
      }
    }
    return false;
  }

  /** Leaves out steps that the others do not need, one at a time, until all that are left are needed. */
  prune(): void {
    for (let tried = this.steps.length - 1; tried >= 0; tried--) {
      const steps = this.steps.filter((_, i) => i !== tried);
      const without = this.#redone(steps);
      if (without) this.steps = without;
    }
  }

  describe({ parts, direction, poses }: Step): DisassemblyStep {
    const moves = parts.map((part, i) => ({
      part: this.#assembly.parts[part].source,
      poses: poses[i],
      centre: this.#assembly.spaceOf(part).centre,
    }));
    return { moves, direction };
  }

  /** What is in the way of what. */
  blocking(left: readonly (readonly number[])[]): Blocking[] {
    const sources = (numbers: Iterable<number>) =>
      [...numbers].sort((a, b) => a - b).map((part) => this.#assembly.parts[part].source);
    const out: Blocking[] = [];
    for (const unit of this.#units) {
      const others = left.find((parts) => parts.includes(unit[0])) ?? [];
      for (const direction of this.#directionsOf(unit)) {
        const by = new Set(unit.flatMap((part) => this.#assembly.knownBlockers(part, direction)));
        for (const other of this.#blockersOf(unit, direction, others)) by.add(other);
        for (const part of unit) by.delete(part);
        if (by.size > 0) out.push({ parts: sources(unit), direction, by: sources(by) });
      }
    }
    return out;
  }

  #leave(step: Step): void {
    this.steps.push(step);
    for (const part of step.parts) this.#together[part] = this.steps.length;
    this.#fruitless = 0;
    if (this.#asked.size < this.#together.length) this.#next = 0;
  }

  #othersOf(parts: Unit, together: readonly number[]): number[] {
    const number = together[parts[0]];
    return [...together.keys()].filter((part) => together[part] === number && !parts.includes(part));
  }

  /** A direction in which none of the others is in the way of a unit. */
  #straightOut(unit: Unit, others: readonly number[]): Vec3 | undefined {
    return this.#directionsOf(unit).find((direction) => {
      const known = new Set(unit.flatMap((part) => this.#assembly.knownBlockers(part, direction)));
      if (others.some((other) => known.has(other))) return false;
      return this.#blockersOf(unit, direction, others).next().done;
    });
  }

  #directionsOf(unit: Unit): readonly Vec3[] {
    return unit.length === 1 ? this.#assembly.directionsOf(unit[0]) : this.#commonDirections([unit]);
  }

  /** The directions of several units, each once. */
  #commonDirections(units: readonly Unit[]): Vec3[] {
    const out: Vec3[] = [];
    // the last ones are tried for all
    const all = units.flatMap((unit) =>
      unit.flatMap((part) => [...this.#assembly.directionsOf(part)].reverse()),
    );
    for (const direction of all) {
      if (out.length === MOST_DIRECTIONS) break;
      if (out.every((known) => dot(known, direction) < SAME)) out.push(direction);
    }
    return out;
  }

  /** Others that are in the way of some of the parts. */
  *#blockersOf(parts: Unit, direction: Vec3, others: readonly number[]): Generator<number> {
    for (const part of parts) {
      for (const other of others) {
        if (!parts.includes(other) && this.#assembly.isBlocking(part, direction, other)) yield other;
      }
    }
  }

  /** Of every unit, all parts that must leave with it in a direction. */
  *#closures(units: readonly Unit[], direction: Vec3): Generator<number[]> {
    const all = units.flat();
    const unitAt = new Map(units.flatMap((unit) => unit.map((part) => [part, unit])));
    const inWay = new Map(units.map((unit) => [unit, new Set(this.#blockersOf(unit, direction, all))]));
    for (const first of units) {
      const moving = new Set([first]);
      for (const unit of moving) for (const part of inWay.get(unit)!) moving.add(unitAt.get(part)!);
      yield [...moving].flat();
    }
  }

  /** All parts move alike, until the last is out. */
  #straight(parts: Unit, direction: Vec3): Step {
    const way = Math.max(...parts.map((part) => this.#assembly.wayOut(part, direction)));
    const poses = parts.map((part) => [
      this.#assembly.parts[part].pose,
      this.#assembly.movedBy(part, direction, way),
    ]);
    return { parts, direction, poses };
  }

  /** Steps as they are without another, other directions where these are needed; undefined where one is in the way. */
  #redone(steps: readonly Step[]): Step[] | undefined {
    const together = this.#assembly.parts.map(() => 0);
    const out: Step[] = [];
    for (const step of steps) {
      const { parts, direction } = step;
      const others = this.#othersOf(parts, together);
      if (parts.some((part) => together[part] !== together[parts[0]])) return undefined;
      const isClear = direction
        ? this.#blockersOf(parts, direction, others).next().done
        : others.every((other) => this.#keepsClear(step, other));
      const another = isClear || !direction ? undefined : this.#straightOut(parts, others);
      if (!isClear && !another) return undefined;
      out.push(another ? this.#straight(parts, another) : step);
      for (const part of parts) together[part] = out.length;
    }
    const isOut = (part: number) => {
      const unit = this.#units.find((one) => one.includes(part))!;
      return this.#othersOf(unit, together).length === 0;
    };
    return [...this.#asked].every(isOut) ? out : undefined;
  }

  /** Whether a path that is not straight keeps clear of a part. */
  #keepsClear({ parts: [part], poses: [poses] }: Step, other: number): boolean {
    const { centre } = this.#assembly.spaceOf(part);
    const motions = poses.slice(1).map((to, i): Motion => ({ from: poses[i], to, centre }));
    return motions.every((motion) => this.#assembly.isFree(part, motion, other));
  }
}

function poseOf(pose: RigidPose) {
  return { rotation: pose.subarray(0, 9), translation: pose.subarray(9) };
}

/** Parts that can be told apart by motions, and groups of those that cannot. */
function unitsOf(assembly: Assembly): Unit[] {
  const count = assembly.parts.length;
  const joined = new UnionFind(count);
  for (const [a, b] of assembly.stuck) joined.union(a, b);
  const units = new Map<number, number[]>();
  for (let part = 0; part < count; part++) {
    const root = joined.find(part);
    const unit = units.get(root);
    if (unit) unit.push(part);
    else units.set(root, [part]);
  }
  return [...units.values()];
}
