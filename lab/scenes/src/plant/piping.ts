/**
 * Pipe runs: parts laid end to end, each starting exactly where the previous one ended.
 *
 * Invariant: consecutive parts share a ring or the plane of a face; a part is at least 80 mm long, so that parts with
 * one between them keep the plant's distance of 75 mm.
 */
import { snap, unitCircle } from './circle.js';
import type { Grade } from './grade.js';
import { type Direction, type Draft, opposite, poseOf, X } from './shape.js';
import type { Axis, Solid } from './solid.js';

/** Outer radii in use. */
export const RADII = [0.03125, 0.046875, 0.0625, 0.09375, 0.125] as const;

const NECK = 0.0625;
const DISC = 0.03125;
/** From the weld to the face. */
export const FLANGE_LENGTH = NECK + DISC;
const BOLT_HEIGHT = 0.015625;

export function flangeRadius(radius: number): number {
  return snap(1.5 * radius + 0.0625);
}

export function bendOf(radius: number): number {
  return 3 * radius;
}

export function sidesOf(grade: Grade, radius: number): number {
  return radius < 0.05 ? grade.boreSides : grade.pipeSides;
}

export function valveLength(radius: number): number {
  return 6 * radius + 0.15625;
}

/** From the pipe's axis to the top of the hand-wheel. */
export function valveHeight(radius: number): number {
  return 4 * radius + 0.1875;
}

/** A weld-neck flange along x: weld at 0, face at FLANGE_LENGTH, bolt heads behind the disc. */
export function buildFlange(solid: Solid, radius: number, sides: number): void {
  const outer = flangeRadius(radius);
  solid.lathe(0, 0, 0, 0, sides, [0, radius, NECK, radius, NECK, outer, FLANGE_LENGTH, outer]);
  const bolts = radius < 0.08 ? 4 : 8;
  const circle = (radius + outer) / 2;
  const head = snap(0.3 * (outer - radius));
  const places = unitCircle(bolts);
  for (let i = 0; i < bolts; i++) {
    const y = snap(circle * places[2 * i]);
    const z = snap(circle * places[2 * i + 1]);
    solid.lathe(0, 0, y, z, sides > 16 ? 8 : 4, [NECK - BOLT_HEIGHT, head, NECK, head]);
  }
}

const PLUS = [0, 1, 2, 0, 2, 11, 2, 3, 4, 2, 4, 5, 5, 6, 7, 5, 7, 8, 8, 9, 10, 8, 10, 11, 11, 2, 5, 11, 5, 8];

function plusOutline(w: number, l: number): readonly number[] {
  return [-w, -l, w, -l, w, -w, l, -w, l, w, w, w, w, l, -w, l, -w, w, -l, w, -l, -w, -w, -w];
}

/** A gate valve along x from 0 to its length, hand-wheel towards z. */
export function buildValve(solid: Solid, radius: number, sides: number): void {
  const length = valveLength(radius);
  const outer = flangeRadius(radius);
  const core = snap(1.25 * radius);
  const middle = length / 2;
  solid.lathe(0, 0, 0, 0, sides, [0, outer, DISC, outer, DISC, radius, middle - core, radius]);
  solid.box(middle - core, -core, -core, middle + core, core, core);
  solid.lathe(0, middle, 0, 0, sides, [
    core,
    radius,
    middle - DISC,
    radius,
    middle - DISC,
    outer,
    middle,
    outer,
  ]);
  const bonnet = snap(0.75 * radius);
  const collar = snap(1.125 * radius);
  const stem = snap(0.25 * radius);
  const height = valveHeight(radius);
  const neck = snap(2.25 * radius);
  const rings = [core, bonnet, neck, bonnet, neck, collar, neck + 0.015625, collar, neck + 0.015625, stem];
  solid.lathe(2, middle, 0, 0, sides, [...rings, height - 0.03125, stem]);
  const wheel = snap(1.5 * radius + 0.0625);
  const outline = plusOutline(0.0078125, wheel - 0.0078125).map((v, i) => (i % 2 === 0 ? v + middle : v));
  solid.prism(2, outline, PLUS, height - 0.03125, height - 0.015625);
  const inner = wheel - 0.015625;
  const base = height - 0.015625;
  solid.hoop(2, middle, 0, 0, 2 * sides, [base, inner, base, wheel, height, wheel, height, inner]);
}

/** A tee along x from 0 to its length, branch towards z up to its height: a cube between three stubs. */
function buildTee(solid: Solid, radius: number, sides: number): void {
  const core = snap(1.125 * radius);
  const middle = teeLength(radius) / 2;
  solid.lathe(0, 0, 0, 0, sides, [0, radius, middle - core, radius]);
  solid.box(middle - core, -core, -core, middle + core, core, core);
  solid.lathe(0, middle, 0, 0, sides, [core, radius, middle, radius]);
  solid.lathe(2, middle, 0, 0, sides, [core, radius, middle, radius]);
}

function teeLength(radius: number): number {
  return 4 * radius + 0.125;
}

export interface Line {
  readonly name: string;
  readonly system: string;
  readonly material: string;
}

/** Receives the parts of a run. */
export type PartSink = (draft: Draft) => void;

/** Lays parts one after the other, from a point in a direction along an axis. */
export class PipeRun {
  readonly #sink: PartSink;
  readonly #grade: Grade;
  readonly #line: Line;
  readonly #at: [number, number, number];
  #direction: Direction;
  #radius: number;

  constructor(
    sink: PartSink,
    grade: Grade,
    line: Line,
    at: readonly [number, number, number],
    direction: Direction,
    radius: number,
  ) {
    this.#sink = sink;
    this.#grade = grade;
    this.#line = line;
    this.#at = [at[0], at[1], at[2]];
    this.#direction = direction;
    this.#radius = radius;
  }

  get at(): readonly [number, number, number] {
    return this.#at;
  }

  pipe(length: number): void {
    const radius = this.#radius;
    const sides = sidesOf(this.#grade, radius);
    const pitch = this.#grade.pipePitch;
    this.#lay('pipe', length, (solid, axis, x, y, z) => {
      const steps = Math.ceil(length / pitch);
      const stations = new Float64Array(2 * steps + 2);
      for (let i = 0; i <= steps; i++) {
        stations[2 * i] = i === steps ? length : snap((length * i) / steps);
        stations[2 * i + 1] = radius;
      }
      solid.lathe(axis, x, y, z, sides, stations);
    });
  }

  /** A cone to another radius. */
  reducer(radius: number, length: number): void {
    const from = this.#radius;
    const sides = sidesOf(this.#grade, from);
    const backwards = this.#direction[0] + this.#direction[1] + this.#direction[2] < 0;
    const ends = backwards ? [radius, from] : [from, radius];
    this.#lay('reducer', length, (solid, axis, x, y, z) => {
      const third = snap(length / 3);
      solid.lathe(axis, x, y, z, sides, [
        0,
        ends[0],
        third,
        ends[0],
        length - third,
        ends[1],
        length,
        ends[1],
      ]);
    });
    this.#radius = radius;
  }

  elbow(to: Direction): void {
    const bend = bendOf(this.#radius);
    const from = this.#direction;
    const start = [...this.#at];
    const corner = start.map((v, i) => v + bend * from[i]);
    const end = corner.map((v, i) => v + bend * to[i]);
    const form = {
      radius: this.#radius,
      sides: sidesOf(this.#grade, this.#radius),
      bend,
      bendSteps: this.#grade.bendSteps,
      pitch: 1,
    };
    const points = [...start, ...corner, ...end];
    this.#emit('elbow', (solid) => solid.tube(points, form));
    this.#move(end, to);
  }

  /** Face ahead, or face behind. */
  flange(facing: 1 | -1): void {
    const radius = this.#radius;
    const sides = sidesOf(this.#grade, radius);
    const along = facing === 1 ? this.#direction : opposite(this.#direction);
    const [x, y, z] = facing === 1 ? this.#at : this.#ahead(FLANGE_LENGTH);
    const pose = poseOf(x, y, z, along, upFor(along));
    this.#emit('flange', (solid) => buildFlange(solid, radius, sides), `flange ${radius}`, pose);
    this.#move(this.#ahead(FLANGE_LENGTH), this.#direction);
  }

  flangePair(): void {
    this.flange(1);
    this.flange(-1);
  }

  valve(stem: Direction): void {
    const { build, key, pose } = valveDraft(this.#grade, this.#radius, this.#at, this.#direction, stem);
    this.#emit('valve', build, key, pose);
    this.#move(this.#ahead(valveLength(this.#radius)), this.#direction);
  }

  /** Returns the run that leaves through the branch. */
  tee(branch: Direction): PipeRun {
    const radius = this.#radius;
    const sides = sidesOf(this.#grade, radius);
    const [x, y, z] = this.#at;
    const pose = poseOf(x, y, z, this.#direction, branch);
    this.#emit('tee', (solid) => buildTee(solid, radius, sides), `tee ${radius}`, pose);
    const length = teeLength(radius);
    const middle = this.#ahead(length / 2);
    const leave = middle.map((v, i) => v + (length / 2) * branch[i]) as [number, number, number];
    this.#move(this.#ahead(length), this.#direction);
    return new PipeRun(this.#sink, this.#grade, this.#line, leave, branch, radius);
  }

  /** A dished end. */
  cap(): void {
    const radius = this.#radius;
    const sides = sidesOf(this.#grade, radius);
    const backwards = this.#direction[0] + this.#direction[1] + this.#direction[2] < 0;
    const dish = [
      0,
      radius,
      0.0625,
      radius,
      0.0625 + snap(radius / 3),
      snap(0.75 * radius),
      0.0625 + snap(radius / 2),
      0,
    ];
    const length = dish[6];
    this.#lay('cap', length, (solid, axis, x, y, z) => {
      const stations = backwards
        ? [length - dish[6], dish[7], length - dish[4], dish[5], length - dish[2], dish[3], length, dish[1]]
        : dish;
      solid.lathe(axis, x, y, z, sides, stations);
    });
  }

  /** A straight part built from its lower end along its axis. */
  #lay(
    type: string,
    length: number,
    build: (solid: Solid, axis: Axis, x: number, y: number, z: number) => void,
  ): void {
    const d = this.#direction;
    const axis = (d[0] !== 0 ? 0 : d[1] !== 0 ? 1 : 2) as Axis;
    const end = this.#ahead(length);
    const [x, y, z] = d[axis] > 0 ? [...this.#at] : end;
    this.#emit(type, (solid) => build(solid, axis, x, y, z));
    this.#move(end, d);
  }

  #emit(type: string, build: Draft['build'], key?: string, pose?: readonly number[]): void {
    const { name: line, system, material } = this.#line;
    const properties = { system, material, diameter: 2 * this.#radius };
    this.#sink({ type, discipline: 'piping', line, build, key, pose, properties });
  }

  #ahead(length: number): [number, number, number] {
    const [x, y, z] = this.#at;
    const d = this.#direction;
    return [x + d[0] * length, y + d[1] * length, z + d[2] * length];
  }

  #move(at: readonly number[], direction: Direction): void {
    this.#at[0] = at[0];
    this.#at[1] = at[1];
    this.#at[2] = at[2];
    this.#direction = direction;
  }
}

export function valveDraft(
  grade: Grade,
  radius: number,
  [x, y, z]: readonly [number, number, number],
  along: Direction,
  stem: Direction,
): Required<Pick<Draft, 'key' | 'build' | 'pose'>> {
  const sides = sidesOf(grade, radius);
  return {
    key: `valve ${radius}`,
    build: (solid) => buildValve(solid, radius, sides),
    pose: poseOf(x, y, z, along, stem),
  };
}

function upFor(along: Direction): Direction {
  return along[2] === 0 ? [0, 0, 1] : X;
}
