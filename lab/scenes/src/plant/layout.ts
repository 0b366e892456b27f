/**
 * How a storey of a unit is divided up: a row of modules of 12 × 12 × 6 m.
 *
 * Layout, across y from 0 to 12: columns and girders on the lines 0 and 12, a walkway from 0.5 to 1.9, equipment from
 * 2 to 9.4 under a rack with pipes at 4.1 m and trays and ducts at 4.9 m, risers at 9.9, a wall at 11, cladding at
 * 12.5. Along x the frames of the rack stand every 3 m, a bay for equipment between two of them; the first 1.7 m of a
 * module is an aisle.
 * Invariant: what does not join is at least 75 mm apart: every assembly keeps to its own part of this layout.
 */
import { Random, seedOf } from '../random.js';
import type { Nozzle } from './equipment.js';
import type { Grade } from './grade.js';
import type { Site } from './inject.js';
import { type Line, PipeRun } from './piping.js';
import type { Direction, Discipline, Draft } from './shape.js';
import { buildBeam, type Section } from './steel.js';

export const MODULE = 12;
export const STOREY_HEIGHT = 6;
/** Height of all floors that people walk on. */
export const FLOOR = 0.125;
/** The middle of the walkway, and of the aisle across each module. */
export const WALKWAY_Y = 1.1875;
export const AISLE_X = 1.0625;
/** Position of the first rack frame in a module, and the distance to the next. */
export const RACK_FIRST = 2;
export const RACK_PITCH = 3;
export const LANE_COUNT = 9;
/** Middle line of girders and joists. */
export const GIRDER_Z = 5.6875;

/** Lanes of pipe on the rack; nozzles lie under them. */
export function laneY(lane: number): number {
  return 2.75 + 0.75 * lane;
}

const SYSTEMS = ['feed water', 'steam', 'condensate', 'cooling water', 'fuel gas', 'instrument air', 'drain'];
const MATERIALS = ['P235GH', '16Mo3', '1.4301', '1.4571', '13CrMo4-5'];

/** Objects that belong together: accepted or omitted as a whole. */
export class Assembly {
  readonly drafts: Draft[] = [];
  readonly sites: Site[] = [];
  readonly nozzles: Nozzle[] = [];

  add = (draft: Draft): Draft => {
    this.drafts.push(draft);
    return draft;
  };

  /** Marks the last added part as a candidate for duplication. */
  repeatable(): void {
    this.sites.push({ kind: 'part', host: this.drafts[this.drafts.length - 1], at: [0, 0, 0], size: 0 });
  }
}

/** One storey of one unit. */
export class Cell {
  readonly grade: Grade;
  readonly seed: number;
  readonly unit: number;
  readonly storey: number;
  /** Along x. */
  readonly length: number;
  #lines = 0;

  constructor(grade: Grade, seed: number, unit: number, storey: number) {
    this.grade = grade;
    this.seed = seed;
    this.unit = unit;
    this.storey = storey;
    this.length = MODULE * grade.modules;
  }

  random(...what: readonly number[]): Random {
    return new Random(seedOf(this.seed, this.unit, this.storey, ...what));
  }

  startRun(
    out: Assembly,
    random: Random,
    at: readonly [number, number, number],
    direction: Direction,
    radius: number,
  ): PipeRun {
    const name = `line ${String(++this.#lines).padStart(3, '0')}`;
    const line: Line = { name, system: random.pick(SYSTEMS), material: random.pick(MATERIALS) };
    return new PipeRun(out.add, this.grade, line, at, direction, radius);
  }
}

export function about(type: string, discipline: Discipline, line: string) {
  return { type, discipline, line };
}

export function beam(
  type: string,
  section: Section,
  length: number,
  pose: readonly number[],
  line: string,
): Draft {
  return {
    ...about(type, 'structure', line),
    key: `${type} ${length}`,
    build: (solid) => buildBeam(solid, section, length),
    pose,
    properties: { material: 'S355', section: `I ${Math.round(2000 * section.depth)}` },
  };
}
