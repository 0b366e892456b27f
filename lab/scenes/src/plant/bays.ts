/** Equipment under the rack: one kind in each bay of 3 m. */
import { type Random, seedOf } from '../random.js';
import { flatOf, snap } from './circle.js';
import * as equipment from './equipment.js';
import {
  Assembly,
  about,
  type Cell,
  FLOOR,
  LANE_COUNT,
  laneY,
  MODULE,
  RACK_FIRST,
  RACK_PITCH,
} from './layout.js';
import { bendOf, FLANGE_LENGTH, RADII, valveLength } from './piping.js';
import * as services from './services.js';
import { DOWN, type Draft, opposite, poseOf, X, Z } from './shape.js';
import * as steel from './steel.js';

/** Kinds alternate, so that even a small plant has many; common ones repeat. */
const ORDER: readonly ((out: Assembly, x: number, cell: Cell, random: Random) => void)[] = [
  addSpools,
  addTanks,
  addBoiler,
  addPumps,
  addCabinets,
  addVessel,
  addSpools,
  addExchangers,
  addStair,
  addSpools,
  addAirHandlers,
  addPumps,
  addSpools,
  addBoiler,
  addTanks,
];

/** The equipment of one bay, with nozzles that pipes can connect to. */
export function equipmentAssembly(cell: Cell, m: number, bay: number): Assembly {
  const out = new Assembly();
  const { modules, storeys } = cell.grade;
  const turn = 3 * (modules * (storeys * cell.unit + cell.storey) + m) + bay;
  const start = seedOf(cell.seed, 77) % ORDER.length;
  const add = ORDER[(start + turn) % ORDER.length];
  add(out, MODULE * m + RACK_FIRST + RACK_PITCH * (bay + 0.5), cell, cell.random(3, m, bay));
  return out;
}

function addVessel(out: Assembly, x: number, cell: Cell, random: Random): void {
  const radius = random.pick([0.625, 0.75, 0.875]);
  const y = 2.5;
  const length = 6.375;
  const z = FLOOR + radius + 0.5;
  const lanes = [1, 3, 5, 7].filter(() => random.chance(0.75));
  const face = z + flatOf(radius) + 0.25;
  const nozzles = lanes.map((lane) => ({
    x,
    y: laneY(lane),
    z: face,
    radius: random.pick(RADII),
  }));
  const vessel = out.add({
    ...about('vessel', 'mechanical', 'vessels'),
    build: (solid) => equipment.buildVessel(solid, cell.grade, [x, y, z], length, radius, FLOOR, nozzles),
    properties: { diameter: 2 * radius, material: '16Mo3' },
  });
  out.nozzles.push(...nozzles);
  out.sites.push({ kind: 'vessel', host: vessel, at: [x, y + snap(length / 2), z], size: radius });
}

function addTanks(out: Assembly, x: number, cell: Cell, random: Random): void {
  for (const lane of [2, 6]) {
    const radius = random.pick([1, 1.125, 1.25]);
    const height = 1.75 + 0.125 * random.integer(0, 4);
    const y = laneY(lane);
    const nozzles = [lane - 1, lane + 1].map((at) => ({
      x,
      y: laneY(at),
      z: FLOOR + height + 0.25,
      radius: RADII[random.integer(0, 2)],
    }));
    const tank = out.add({
      ...about('tank', 'mechanical', 'tanks'),
      build: (solid) => equipment.buildTank(solid, cell.grade, [x, y, FLOOR], height, radius, nozzles),
      properties: { diameter: 2 * radius, material: '1.4301' },
    });
    out.nozzles.push(...nozzles);
    out.sites.push({ kind: 'vessel', host: tank, at: [x, y, 1], size: radius });
  }
}

function addPumps(out: Assembly, x: number, cell: Cell, random: Random): void {
  for (const lane of [1, 4, 7]) {
    const radius = RADII[random.integer(1, 3)];
    const face = 1.125;
    const y = laneY(lane);
    out.add({
      ...about('pump', 'mechanical', 'pumps'),
      key: `pump ${radius}`,
      build: (solid) => equipment.buildPump(solid, cell.grade, radius, face),
      pose: poseOf(x, y, FLOOR, random.chance(0.5) ? X : opposite(X)),
      properties: { power: random.pick([5.5, 7.5, 11, 15, 22]) },
    });
    out.repeatable();
    out.nozzles.push({ x, y, z: FLOOR + face, radius });
  }
}

function addExchangers(out: Assembly, x: number, cell: Cell): void {
  const radius = 0.4375;
  const z = FLOOR + 1;
  const pairs = [
    [x - 0.6875, 1, 6],
    [x + 0.6875, 2, 5],
  ];
  for (const [at, first, second] of pairs) {
    const nozzles = [first, second].map((lane) => ({
      x: at,
      y: laneY(lane),
      z: z + flatOf(radius) + 0.25,
      radius: 0.0625,
    }));
    const y = 2.5;
    out.add({
      ...about('exchanger', 'mechanical', 'exchangers'),
      build: (solid) => equipment.buildExchanger(solid, cell.grade, [at, y, z], 6, radius, FLOOR, nozzles),
      properties: { material: '1.4571' },
    });
    out.nozzles.push(...nozzles);
  }
}

function addCabinets(out: Assembly, x: number): void {
  const { width, depth } = services.CABINET;
  for (const x0 of [x - 1.0625, x + 0.375]) {
    const count = 6;
    const y0 = 2.4375;
    let last: Draft | undefined;
    for (let i = 0; i < count; i++) {
      const detailed = i + 1 < count;
      last = out.add({
        ...about('cabinet', 'electrical', 'switchgear'),
        key: detailed ? 'cabinet' : 'cabinet plain',
        build: (solid) => services.buildCabinet(solid, detailed),
        pose: poseOf(x0, y0 + i * width, FLOOR),
        properties: { voltage: 400 },
      });
    }
    // the row ends with a cabinet without fittings: a box
    out.sites.push({ kind: 'cabinet', host: last!, at: [x0, y0 + count * width, FLOOR], size: depth });
  }
}

/** Valve stations: low arches of pipe across the bay, each on two feet. */
function addSpools(out: Assembly, x: number, cell: Cell, random: Random): void {
  for (let lane = 0; lane < LANE_COUNT; lane++) {
    const radius = RADII[random.integer(0, 3)];
    const span = 2.5;
    const bend = bendOf(radius);
    const run = cell.startRun(out, random, [x - span / 2, laneY(lane), FLOOR], Z, radius);
    const height = 0.375 + 0.125 * random.integer(0, 5);
    run.flange(-1);
    run.pipe(height);
    run.elbow(X);
    out.repeatable();
    const straight = span - 2 * bend - 2 * FLANGE_LENGTH - valveLength(radius);
    const before = snap(straight / 2);
    run.pipe(before);
    run.flange(1);
    run.valve(Z);
    out.repeatable();
    run.flange(-1);
    run.pipe(straight - before);
    run.elbow(DOWN);
    run.pipe(height);
    run.flange(1);
  }
}

/** A tube panel between a header below and one above. */
function addBoiler(out: Assembly, x: number, cell: Cell): void {
  const grade = cell.grade;
  const passes = 6;
  const width = 6.25;
  const y = 2.625;
  const low = FLOOR + 0.4375;
  const z = low + equipment.HEADER_FLAT;
  const top = 3.25;
  const x0 = x - 0.9375;
  const x1 = x0 + equipment.panelDepth(passes);
  out.add({
    ...about('tube panel', 'boiler', 'evaporator'),
    build: (solid) => equipment.buildTubePanel(solid, grade, [x0, y, z], width, passes, top),
    properties: { tubes: grade.tubes, diameter: 2 * equipment.TUBE_RADIUS, material: '13CrMo4-5' },
  });
  const headers = [
    [x0, low],
    [x1, top + equipment.HEADER_FLAT],
  ];
  for (const [hx, hz] of headers) {
    out.add({
      ...about('header', 'boiler', 'evaporator'),
      build: (solid) => equipment.buildHeader(solid, grade, 1, [hx, y - 0.1875, hz], width + 0.375),
      properties: { diameter: 2 * equipment.HEADER_RADIUS, material: '13CrMo4-5' },
    });
  }
  for (const at of [y + 0.5, y + width - 0.5]) {
    out.add({
      ...about('pedestal', 'structure', 'evaporator'),
      build: (solid) =>
        solid.box(x0 - 0.03125, at - 0.0625, FLOOR, x0 + 0.03125, at + 0.0625, low - equipment.HEADER_FLAT),
    });
  }
}

/** A flight up to a platform. */
function addStair(out: Assembly, x: number, cell: Cell): void {
  const grade = cell.grade;
  const rise = 3;
  const steps = 12;
  const y = 2.5;
  const x0 = x - 0.5;
  out.add({
    ...about('stair', 'structure', 'stairs'),
    key: 'stair',
    build: (solid) => steel.buildFlight(solid, 1, rise, steps),
    pose: poseOf(x0, y, FLOOR),
  });
  out.add({
    ...about('handrail', 'structure', 'stairs'),
    key: 'stair rail',
    build: (solid) => steel.buildFlightRail(solid, rise, steps),
    pose: poseOf(x0, y, FLOOR),
  });
  const [px0, py0, px1, py1] = [x - 1.25, 5.9375, x + 1.25, 8.9375];
  const top = FLOOR + rise;
  out.add({
    ...about('grating', 'structure', 'stairs'),
    build: (solid) => steel.buildGrating(solid, px0, py0, px1, py1, top, grade.barPitch),
    properties: { material: 'S235 galvanised' },
  });
  for (const px of [px0 + 0.0625, px1 - 0.0625]) {
    for (const py of [py0 + 0.03125, py1 - 0.03125]) {
      out.add({
        ...about('post', 'structure', 'stairs'),
        build: (solid) =>
          solid.box(px - 0.03125, py - 0.03125, FLOOR, px + 0.03125, py + 0.03125, top - 0.046875),
      });
    }
  }
}

function addAirHandlers(out: Assembly, x: number, cell: Cell): void {
  for (const y of [2.5, 5.9375]) {
    out.add({
      ...about('air handler', 'hvac', 'ventilation'),
      key: 'air handler',
      build: (solid) => services.buildAirHandler(solid, cell.grade),
      pose: poseOf(x - 0.875, y, FLOOR),
      properties: { flow: 12000 },
    });
  }
}
