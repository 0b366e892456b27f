/**
 * A walk through a plant: along the walkways, across the bays by the aisles, down the streets between the units.
 *
 * Idea: walkways and streets run along x, aisles along y, and the walk may turn where they meet. It goes from crossing
 * to crossing, prefers those it has visited least, and rounds its corners.
 */
import { Random, seedOf } from '../random.js';
import { AISLE_X, FLOOR, MODULE, WALKWAY_Y } from './layout.js';
import { type Plant, type PlantOptions, plant } from './plant.js';

export interface WalkOptions {
  /** Default 1 000. */
  readonly steps?: number;
  readonly seed?: number;
}

/** Can be written as JSON. */
export interface Walk {
  /** One pose for each step: rotation (9, row-major), translation (3). */
  readonly steps: readonly (readonly number[])[];
  /** Seconds from one step to the next. */
  readonly interval: number;
}

const STEP = 0.04;
const INTERVAL = 1 / 30;
const CORNER_RADIUS = 0.75;
/** Height of the soles above the floor. */
const HOVER = 0.125;
/** The street behind a unit, counted from its first column line. */
const STREET_Y = MODULE + 1.5;

interface Crossing {
  readonly x: number;
  readonly y: number;
  readonly next: Crossing[];
  visits: number;
}

/** A walk on the ground floor, free of collisions for a person at most 0.7 m wide. */
export function walk(source: Plant | PlantOptions, options: WalkOptions = {}): Walk {
  const { units } = 'units' in source ? source : plant(source);
  const count = options.steps ?? 1000;
  const random = new Random(seedOf(options.seed ?? 1, 5150));
  const crossings = crossingsOf(units);
  let here = random.pick(crossings);
  let there = random.pick(here.next);
  const steps: number[][] = [];
  let x = here.x;
  let y = here.y;
  // distance left over from the last leg, so that steps stay even
  let along = 0;
  while (steps.length < count) {
    there.visits++;
    const onward = nextOf(here, there, random);
    const dx = Math.sign(there.x - x);
    const dy = Math.sign(there.y - y);
    const turns = (onward.x !== there.x) !== (dx !== 0);
    const room = turns ? CORNER_RADIUS : 0;
    const length = Math.abs(there.x - x) + Math.abs(there.y - y) - room;
    for (; along < length; along += STEP) steps.push(poseAt(x + dx * along, y + dy * along, dx, dy));
    along -= length;
    x += dx * length;
    y += dy * length;
    if (turns) {
      const ex = Math.sign(onward.x - there.x);
      const ey = Math.sign(onward.y - there.y);
      const arc = (Math.PI / 2) * CORNER_RADIUS;
      for (; along < arc; along += STEP) {
        const sine = Math.sin(along / CORNER_RADIUS);
        const cosine = Math.cos(along / CORNER_RADIUS);
        const px = x + CORNER_RADIUS * (sine * dx + (1 - cosine) * ex);
        const py = y + CORNER_RADIUS * (sine * dy + (1 - cosine) * ey);
        steps.push(poseAt(px, py, cosine * dx + sine * ex, cosine * dy + sine * ey));
      }
      along -= arc;
      x += CORNER_RADIUS * (dx + ex);
      y += CORNER_RADIUS * (dy + ey);
    }
    here = there;
    there = onward;
  }
  return { steps: steps.slice(0, count), interval: INTERVAL };
}

/** Where walkways and streets meet aisles, joined to their neighbours. */
function crossingsOf(units: Plant['units']): Crossing[] {
  const byPlace = new Map<string, Crossing>();
  for (const unit of units) {
    for (let m = 0; m <= unit.modules; m++) {
      for (const across of [WALKWAY_Y, STREET_Y]) {
        const x = unit.x + MODULE * m + AISLE_X;
        const y = unit.y + across;
        byPlace.set(`${x} ${y}`, { x, y, next: [], visits: 0 });
      }
    }
  }
  const crossings = [...byPlace.values()];
  const join = (list: Crossing[]) => {
    for (let i = 0; i + 1 < list.length; i++) {
      list[i].next.push(list[i + 1]);
      list[i + 1].next.push(list[i]);
    }
  };
  for (const y of new Set(crossings.map((c) => c.y))) {
    join(crossings.filter((c) => c.y === y).sort((a, b) => a.x - b.x));
  }
  for (const x of new Set(crossings.map((c) => c.x))) {
    join(crossings.filter((c) => c.x === x).sort((a, b) => a.y - b.y));
  }
  return crossings;
}

/** Never back; prefers the least visited. */
function nextOf(from: Crossing, at: Crossing, random: Random): Crossing {
  const ways = at.next.filter((way) => way !== from);
  const least = Math.min(...ways.map((way) => way.visits));
  return random.pick(ways.filter((way) => way.visits === least));
}

function poseAt(x: number, y: number, dx: number, dy: number): number[] {
  const [px, py, c, s] = [x, y, dx, dy].map((value) => Math.round(value * 1e9) / 1e9 + 0);
  return [c, 0 - s, 0, s, c, 0, 0, 0, 1, px, py, FLOOR + HOVER];
}
