/** The building: columns and girders, floors, walls, the walkway along one side, cladding along the other. */
import {
  Assembly,
  about,
  beam,
  type Cell,
  FLOOR,
  GIRDER_Z,
  MODULE,
  RACK_FIRST,
  RACK_PITCH,
  STOREY_HEIGHT,
} from './layout.js';
import * as services from './services.js';
import { poseOf, Y } from './shape.js';
import * as steel from './steel.js';

const WALL_Y = 11;
const WALL_THICKNESS = 0.1875;

/** Columns, girders, joists and a brace. */
export function frameAssembly(cell: Cell, m: number): Assembly {
  const out = new Assembly();
  const random = cell.random(1, m);
  const x = MODULE * m;
  const last = m === cell.grade.modules - 1;
  const columns = last ? [x, x + MODULE] : [x];
  for (const y of [0, MODULE]) {
    for (const cx of columns) {
      out.add({
        ...about('column', 'structure', `axis ${y === 0 ? 'A' : 'B'}`),
        key: 'column',
        build: (solid) => steel.buildColumn(solid, STOREY_HEIGHT),
        pose: poseOf(cx, y, 0),
        properties: { material: 'S355', section: 'HEB 380' },
      });
    }
    const span = MODULE - 2 * steel.COLUMN.depth;
    const girder = out.add(
      beam(
        'girder',
        steel.GIRDER,
        span,
        poseOf(x + steel.COLUMN.depth, y, GIRDER_Z),
        `axis ${y === 0 ? 'A' : 'B'}`,
      ),
    );
    if (y !== 0) continue;
    for (const along of [3, 6, 9]) {
      const at = [x + along, y, GIRDER_Z - steel.GIRDER.depth] as const;
      out.sites.push({ kind: 'beam', host: girder, at, size: steel.GIRDER.flange });
    }
  }
  for (const cx of columns) {
    const span = MODULE - 2 * steel.COLUMN.web;
    out.add(beam('girder', steel.GIRDER, span, poseOf(cx, steel.COLUMN.web, GIRDER_Z, Y), 'cross girders'));
  }
  for (const y of m % 2 === 0 ? [4, 8] : [5, 9]) {
    const span = MODULE - 2 * steel.GIRDER.web;
    out.add(beam('joist', steel.JOIST, span, poseOf(x + steel.GIRDER.web, y, GIRDER_Z), 'joists'));
  }
  if (random.chance(0.6)) addBrace(out, x, random.chance(0.5));
  return out;
}

/** A diagonal on the line y = 12, lying against a gusset plate on either column. */
function addBrace(out: Assembly, x: number, rising: boolean): void {
  const face = steel.COLUMN.depth;
  const y0 = MODULE - 0.015625;
  const y1 = MODULE + 0.015625;
  for (const left of [true, false]) {
    const z = left === rising ? 0.25 : 4.5;
    const x0 = left ? x + face : x + MODULE - face - 0.75;
    out.add({
      ...about('gusset', 'structure', 'bracing'),
      build: (solid) => solid.box(x0, y0, z, x0 + 0.75, y1, z + 0.75),
    });
  }
  const from: [number, number] = [x + 0.5, rising ? 0.5 : 5];
  const to: [number, number] = [x + MODULE - 0.5, rising ? 5 : 0.5];
  out.add({
    ...about('brace', 'structure', 'bracing'),
    build: (solid) => steel.buildBrace(solid, from, to, 0.1875, y1, y1 + 0.0625),
    properties: { material: 'S235' },
  });
}

/** The floor under the equipment. */
export function floorAssembly(m: number): Assembly {
  const out = new Assembly();
  const x = MODULE * m;
  out.add({
    ...about('slab', 'civil', 'floor'),
    build: (solid) => solid.box(x, 2, 0, x + MODULE, 9.40625, FLOOR),
    properties: { material: 'C30/37' },
  });
  return out;
}

/** A strip of floor with wall panels on it; gauges and signs on the wall, room for field work between them. */
export function wallAssembly(cell: Cell, m: number): Assembly {
  const out = new Assembly();
  const random = cell.random(2, m);
  const x = MODULE * m;
  const slab = out.add({
    ...about('slab', 'civil', 'floor'),
    build: (solid) => solid.box(x, 10.4375, 0, x + MODULE, 11.5625, FLOOR),
    properties: { material: 'C30/37' },
  });
  for (let panel = 0; panel < 3; panel++) {
    const x0 = x + RACK_FIRST + RACK_PITCH * panel;
    const wall = out.add({
      ...about('wall', 'civil', 'wall'),
      build: (solid) => solid.box(x0, WALL_Y, FLOOR, x0 + RACK_PITCH, WALL_Y + WALL_THICKNESS, 3.5),
      properties: { material: 'C25/30' },
    });
    for (let place = 0; place < 4; place++) {
      for (const low of [true, false]) {
        const z = low ? 0.875 + 0.25 * random.integer(0, 1) : 2 + 0.25 * random.integer(0, 3);
        const at = [x0 + 0.375 + 0.75 * place, WALL_Y, z] as const;
        const use = random.next();
        if (use < 0.125) addGauge(cell, out, at);
        else if (use < 0.2) addSign(out, at);
        else if (low && use < 0.45)
          out.sites.push({ kind: 'slab', host: slab, at: [at[0], 10.71875, FLOOR], size: FLOOR });
        else out.sites.push({ kind: 'wall', host: wall, at, size: WALL_THICKNESS });
      }
    }
  }
  return out;
}

function addGauge(cell: Cell, out: Assembly, [x, y, z]: readonly [number, number, number]): void {
  const sides = cell.grade.pipeSides;
  out.add({
    ...about('gauge', 'electrical', 'instruments'),
    key: 'gauge',
    build: (solid) => services.buildGauge(solid, sides),
    pose: poseOf(x, y, z),
  });
}

/** Signs are open sheets. */
function addSign(out: Assembly, [x, y, z]: readonly [number, number, number]): void {
  out.add({
    ...about('sign', 'civil', 'signs'),
    build: (solid) =>
      solid.sheet([x - 0.25, y - 0.125, z], [x + 0.25, y - 0.125, z], [x - 0.25, y - 0.125, z + 0.375], 3, 4),
  });
}

/** Gratings with a handrail along the outer edge. */
export function walkwayAssembly(cell: Cell, m: number): Assembly {
  const out = new Assembly();
  const grade = cell.grade;
  for (let panel = 0; panel < 3; panel++) {
    const x0 = MODULE * m + 4 * panel + 0.125;
    const x1 = x0 + 3.75;
    out.add({
      ...about('grating', 'structure', 'walkway'),
      build: (solid) => steel.buildGrating(solid, x0, 0.5, x1, 1.875, FLOOR, grade.barPitch),
      properties: { material: 'S235 galvanised' },
    });
    const start = panel === 0 ? x0 + 1.875 : x0 + 0.125;
    const length = x1 - 0.125 - start;
    out.add({
      ...about('handrail', 'structure', 'walkway'),
      key: `handrail ${length}`,
      build: (solid) => steel.buildHandrail(solid, length, grade.boreSides),
      pose: poseOf(start, 0.53125, FLOOR),
    });
    out.repeatable();
  }
  return out;
}

/** Sheets on the outside: open, corrugated. */
export function claddingAssembly(cell: Cell, m: number): Assembly {
  const out = new Assembly();
  const y = MODULE + 0.5;
  const columns = Math.min(96, Math.max(4, 2 * Math.floor(1 / cell.grade.barPitch)));
  for (let panel = 0; panel < 3; panel++) {
    const x0 = MODULE * m + RACK_FIRST + RACK_PITCH * panel;
    const x1 = x0 + RACK_PITCH - 0.125;
    out.add({
      ...about('cladding', 'civil', 'facade'),
      build: (solid) => solid.sheet([x1, y, 0.5], [x0, y, 0.5], [x1, y, 5], 1, columns, 0.03125),
      properties: { material: 'trapezoidal sheet' },
    });
  }
  return out;
}
