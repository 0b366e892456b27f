/** Cable trays, ducts, cabinets and instruments. */
import { snap } from './circle.js';
import type { Grade } from './grade.js';
import type { Solid } from './solid.js';

/** A ladder tray along x from (x, y, z), y in its middle, z under it, with cables lying on its rungs. */
export function buildTray(
  solid: Solid,
  grade: Grade,
  [x, y, z]: readonly [number, number, number],
  length: number,
  cables: number,
): void {
  const half = 0.21875;
  const rail = 0.015625;
  solid.box(x, y - half, z, x + length, y - half + rail, z + 0.109375);
  solid.box(x, y + half - rail, z, x + length, y + half, z + 0.109375);
  const rungs = Math.max(2, Math.floor(length / Math.max(0.25, 2 * grade.barPitch)));
  for (let i = 0; i < rungs; i++) {
    const at = x + snap(((i + 0.5) * length) / rungs);
    solid.box(at - 0.015625, y - half + rail, z + 0.015625, at + 0.015625, y + half - rail, z + 0.03125);
  }
  const radius = 0.015625;
  const steps = Math.ceil(length / grade.pipePitch);
  const stations = new Float64Array(2 * steps + 2);
  for (let i = 0; i <= steps; i++) {
    stations[2 * i] = i === steps ? length : snap((length * i) / steps);
    stations[2 * i + 1] = radius;
  }
  for (let i = 0; i < cables; i++) {
    const across = y - half + 0.0625 + i * 0.046875;
    solid.lathe(0, x, across, z + 0.03125 + radius, 8, stations);
  }
}

export const DUCT_HALF_WIDTH = 0.375;
export const DUCT_HALF_HEIGHT = 0.171875;

/** A duct section along x from (x, y, z) in its middle, with two or more frames against its sides and top. */
export function buildDuct(
  solid: Solid,
  [x, y, z]: readonly [number, number, number],
  length: number,
  frames: number,
): void {
  const w = DUCT_HALF_WIDTH;
  const h = DUCT_HALF_HEIGHT;
  const frame = 0.03125;
  // short of the edges: no two parts share a corner
  const inset = 0.015625;
  solid.box(x, y - w, z - h, x + length, y + w, z + h);
  for (let i = 0; i < frames; i++) {
    const at = x + snap((i * (length - frame)) / (frames - 1));
    solid.box(at, y - w - frame, z - h + inset, at + frame, y - w, z + h - inset);
    solid.box(at, y + w, z - h + inset, at + frame, y + w + frame, z + h - inset);
    solid.box(at, y - w + inset, z + h, at + frame, y + w - inset, z + h + frame);
  }
}

export const CABINET = { width: 0.8125, depth: 0.625, height: 2.125 } as const;

/** A cabinet on z = 0, front towards −x at x = 0, along y from 0; optionally with handles and vents on the front. */
export function buildCabinet(solid: Solid, detailed: boolean): void {
  const { width, depth, height } = CABINET;
  solid.box(0, 0, 0, depth, width, height);
  if (!detailed) return;
  solid.box(-0.03125, 0.0625, 1, 0, 0.09375, 1.25);
  for (let i = 0; i < 8; i++) {
    solid.box(-0.015625, 0.25, 0.25 + i * 0.0625, 0, width - 0.25, 0.28125 + i * 0.0625);
  }
  for (let i = 0; i < 4; i++) {
    solid.lathe(0, 0, 0.25 + i * 0.125, 1.75, 8, [-0.0234375, 0.03125, 0, 0.03125]);
  }
}

/** A gauge on a wall whose face is the plane y = 0: a plate, a stem and a dial towards −y. */
export function buildGauge(solid: Solid, sides: number): void {
  solid.box(-0.0625, -0.03125, -0.125, 0.0625, 0, 0.125);
  solid.lathe(1, 0, -0.125, 0, sides, [0, 0.015625, 0.09375, 0.015625]);
  const dial = [-0.0625, 0.09375, -0.046875, 0.109375, -0.015625, 0.109375, 0, 0.09375];
  solid.lathe(1, 0, -0.125, 0, sides, dial);
}

/** An air handling unit on z = 0: casing, fan housing on top of it, louvres against its side. */
export function buildAirHandler(solid: Solid, grade: Grade): void {
  solid.box(0, 0, 0, 1.75, 3.125, 1.5);
  solid.lathe(2, 0.875, 0.8125, 0, grade.vesselSides, [1.5, 0.5, 1.625, 0.5, 1.75, 0.625, 2, 0.625]);
  solid.lathe(2, 0.875, 2.3125, 0, grade.vesselSides, [1.5, 0.5, 1.625, 0.5, 1.75, 0.625, 2, 0.625]);
  const louvres = Math.min(40, Math.floor(2.5 / grade.barPitch));
  for (let i = 0; i < louvres; i++) {
    const z = snap(0.1875 + (i * 1.125) / louvres);
    solid.box(-0.03125, 0.25, z, 0, 2.875, z + 0.0078125);
  }
}
