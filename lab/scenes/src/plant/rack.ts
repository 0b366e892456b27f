/** The rack over the bays: its frames, the pipes from nozzle to nozzle, trays and ducts; and the risers beside it. */
import { Random, seedOf } from '../random.js';
import { snap } from './circle.js';
import type { Nozzle } from './equipment.js';
import {
  Assembly,
  about,
  beam,
  type Cell,
  FLOOR,
  laneY,
  MODULE,
  RACK_FIRST,
  RACK_PITCH,
  STOREY_HEIGHT,
} from './layout.js';
import { bendOf, FLANGE_LENGTH, type PipeRun, RADII, valveLength } from './piping.js';
import * as services from './services.js';
import { type Direction, DOWN, opposite, poseOf, X, Y, Z } from './shape.js';
import { SLEEPER } from './steel.js';

/** Tops of the two sleepers of a frame. */
const SLEEPER_LOW = 4;
const SLEEPER_HIGH = 4.9375;
/** Pipes on the rack lie on shoes of this height. */
const SHOE = 0.125;
export const TRAY_LANES = [3, 4.125, 7.625, 8.625] as const;
const DUCT_Y = 5.9375;
const RISER_Y = 9.9375;
/** Risers in a module. */
export const RISER_COUNT = 5;

/** A frame of the pipe rack: posts, a sleeper for pipes, one for trays and ducts. */
export function rackFrameAssembly(x: number): Assembly {
  const out = new Assembly();
  const span = 7.5;
  const y0 = 1.9375;
  const half = 0.0625;
  for (const top of [SLEEPER_LOW, SLEEPER_HIGH]) {
    out.add(beam('sleeper', SLEEPER, span, poseOf(x, y0, top - SLEEPER.depth, Y), 'rack'));
  }
  const stretches = [
    [FLOOR, SLEEPER_LOW - 2 * SLEEPER.depth],
    [SLEEPER_LOW, SLEEPER_HIGH - 2 * SLEEPER.depth],
  ];
  for (const [low, high] of stretches) {
    for (const y of [2.0625, 9.3125]) {
      out.add({
        ...about('post', 'structure', 'rack'),
        key: `post ${high - low}`,
        build: (solid) => solid.box(-half, -half, 0, half, half, high - low),
        pose: poseOf(x, y, low),
        properties: { material: 'S235', section: 'SHS 125' },
      });
    }
  }
  return out;
}

/** Runs along one lane of the rack: from nozzle to nozzle, and transit runs where there are none. */
export function* laneAssemblies(
  cell: Cell,
  lane: number,
  nozzles: readonly Nozzle[],
): Generator<Assembly, void, boolean> {
  const random = cell.random(4, lane);
  let free = 1.25;
  const end = cell.length - 1.25;
  for (let i = 0; i < nozzles.length; i++) {
    const from = nozzles[i];
    const next = nozzles[i + 1];
    if (from.x - 1 - free > 2.5) yield transit(cell, lane, free, from.x - 1, random);
    const out = new Assembly();
    if (next !== undefined && next.x - from.x < 16 && random.chance(0.85)) {
      const run = rise(cell, out, from, random);
      run.elbow(X);
      out.repeatable();
      const stop = next.x - bendOf(from.radius);
      layAlong(out, run, stop, from.radius, random);
      run.elbow(DOWN);
      descend(run, next, from.radius);
      free = next.x + 1;
      i++;
    } else {
      const room = (next === undefined ? end : next.x - 1) - from.x;
      const run = rise(cell, out, from, random);
      if (room > 2.5) {
        run.elbow(X);
        const stop = from.x + snap(Math.min(room, 3 + 6 * random.next()));
        layAlong(out, run, stop, from.radius, random);
        run.cap();
        free = stop + 0.5;
      } else {
        run.cap();
        free = from.x + 1;
      }
    }
    yield out;
  }
  if (end - free > 2.5) yield transit(cell, lane, free, end, random);
}

/** A run that only passes through, from x0 to x1. */
function transit(cell: Cell, lane: number, x0: number, x1: number, random: Random): Assembly {
  const out = new Assembly();
  const radius = random.pick(RADII);
  const z = SLEEPER_LOW + SHOE + radius;
  // its first flange is wider than its pipe, so it must not be over a sleeper
  const frame = frameAfter(x0 - 0.5);
  const start = frame < x0 + 0.5 ? frame + 0.5 : x0;
  const run = cell.startRun(out, random, [start, laneY(lane), z], X, radius);
  run.flange(-1);
  layAlong(out, run, x1 - 0.25, radius, random);
  run.cap();
  return out;
}

/** From a nozzle up to the start of the elbow into the lane. */
function rise(cell: Cell, out: Assembly, nozzle: Nozzle, random: Random): PipeRun {
  const { x, y, z, radius } = nozzle;
  const run = cell.startRun(out, random, [x, y, z], Z, radius);
  run.flange(-1);
  let height = SLEEPER_LOW + SHOE + radius - bendOf(radius) - z - FLANGE_LENGTH;
  const station = 2 * FLANGE_LENGTH + valveLength(radius);
  if (height > station + 0.5) {
    const below = snap(0.1875 + (height - station - 0.5) * 0.5 * random.next());
    run.pipe(below);
    run.flange(1);
    run.valve(random.chance(0.5) ? X : opposite(X));
    out.repeatable();
    run.flange(-1);
    height -= below + station;
  }
  run.pipe(height);
  return run;
}

/** From the end of the elbow down to a nozzle. */
function descend(run: PipeRun, nozzle: Nozzle, radius: number): void {
  const reducer = nozzle.radius === radius ? 0 : 0.25;
  run.pipe(run.at[2] - nozzle.z - FLANGE_LENGTH - reducer);
  if (reducer > 0) run.reducer(nozzle.radius, reducer);
  run.flange(1);
}

/** Straight along the rack up to x = stop: flanges between two frames, a shoe on each sleeper, room for field work. */
function layAlong(out: Assembly, run: PipeRun, stop: number, radius: number, random: Random): void {
  const [start, y, z] = run.at;
  let from = start;
  const lay = (to: number) => {
    run.pipe(to - from);
    const pipe = out.drafts[out.drafts.length - 1];
    for (let x = frameAfter(from); x < to - 0.25; x += RACK_PITCH) {
      if (x < from + 0.25) continue;
      addShoe(out, x, y);
      const site = x + 0.5;
      if (site < to - 0.5) out.sites.push({ kind: 'pipe', host: pipe, at: [site, y, z], size: radius });
    }
    from = to;
  };
  for (let middle = frameAfter(start) + 1.5; middle < stop - 0.75; middle += RACK_PITCH) {
    if (middle < from + 0.75 || random.chance(0.4)) continue;
    lay(middle - FLANGE_LENGTH);
    run.flangePair();
    from = middle + FLANGE_LENGTH;
  }
  lay(stop);
}

function addShoe(out: Assembly, x: number, y: number): void {
  out.add({
    ...about('pipe shoe', 'structure', 'supports'),
    key: 'pipe shoe',
    build: (solid) => solid.box(-0.125, -0.03125, 0, 0.125, 0.03125, SHOE),
    pose: poseOf(x, y, SLEEPER_LOW),
  });
}

/** One storey of a riser; the next storey's begins where it ends. */
export function riserAssembly(cell: Cell, m: number, i: number): Assembly {
  const out = new Assembly();
  const shared = new Random(seedOf(cell.seed, cell.unit, 900 + m, i));
  const radius = RADII[shared.integer(0, 2)];
  if (shared.chance(0.2)) return out;
  const random = cell.random(5, m, i);
  const x = MODULE * m + 3.125 + 1.5 * i;
  const run = cell.startRun(out, shared, [x, RISER_Y, 0], Z, radius);
  const low = 0.75 + 0.125 * random.integer(0, 4);
  run.pipe(low);
  run.flange(1);
  const stem: Direction = random.chance(0.5) ? X : opposite(X);
  run.valve(stem);
  out.repeatable();
  run.flange(-1);
  run.pipe(0.5);
  const branch = run.tee(stem);
  branch.pipe(0.125);
  branch.cap();
  run.pipe(1);
  run.flangePair();
  run.pipe(STOREY_HEIGHT - run.at[2]);
  return out;
}

/** A cable tray the length of the unit, in sections. */
export function trayAssembly(cell: Cell, i: number): Assembly {
  const out = new Assembly();
  const random = cell.random(6, i);
  const y = TRAY_LANES[i];
  const cables = random.integer(2, 7);
  const bounds = sectionBounds(cell, 6);
  for (let s = 0; s + 1 < bounds.length; s++) {
    const at = [bounds[s], y, SLEEPER_HIGH] as const;
    const length = bounds[s + 1] - bounds[s];
    out.add({
      ...about('cable tray', 'electrical', `tray ${i + 1}`),
      build: (solid) => services.buildTray(solid, cell.grade, at, length, cables),
      properties: { cables },
    });
  }
  return out;
}

/** A duct the length of the unit, in sections. */
export function ductAssembly(cell: Cell): Assembly {
  const out = new Assembly();
  const z = SLEEPER_HIGH + services.DUCT_HALF_HEIGHT;
  const bounds = sectionBounds(cell, 3);
  for (let s = 0; s + 1 < bounds.length; s++) {
    const at = [bounds[s], DUCT_Y, z] as const;
    const length = bounds[s + 1] - bounds[s];
    const frames = Math.min(12, Math.max(2, Math.floor(1 / cell.grade.pipePitch)));
    const duct = out.add({
      ...about('duct', 'hvac', 'supply air'),
      build: (solid) => services.buildDuct(solid, at, length, frames),
      properties: { material: 'galvanised sheet' },
    });
    if (length < 2) continue;
    const site = [bounds[s] + 0.6875, DUCT_Y + services.DUCT_HALF_WIDTH - 0.1875, z] as const;
    out.sites.push({ kind: 'duct', host: duct, at: site, size: services.DUCT_HALF_HEIGHT });
  }
  return out;
}

/** From 1 m to 1 m before the end, cut between frames. */
function sectionBounds(cell: Cell, pitch: number): number[] {
  const bounds = [1];
  for (let x = 3.5; x < cell.length - 1.5; x += pitch) bounds.push(x);
  return [...bounds, cell.length - 1];
}

/** The first frame of the rack at or after x. */
function frameAfter(x: number): number {
  return RACK_FIRST + RACK_PITCH * Math.max(0, Math.ceil((x - RACK_FIRST) / RACK_PITCH));
}
