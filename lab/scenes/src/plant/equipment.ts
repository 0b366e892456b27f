/** Vessels, tanks, pumps, exchangers and boiler panels. Round bodies are cut flat where nozzles and feet meet them. */
import { flatOf, snap, unitCircle } from './circle.js';
import type { Grade } from './grade.js';
import { flangeRadius } from './piping.js';
import type { Axis, Solid } from './solid.js';

/** Where a pipe can be connected: the face of a nozzle that looks up. */
export interface Nozzle {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radius: number;
}

/** A nozzle from the height `base` up to its face. */
function buildNozzle(solid: Solid, nozzle: Nozzle, base: number, sides: number): void {
  const { x, y, z, radius } = nozzle;
  const outer = flangeRadius(radius);
  solid.lathe(2, x, y, 0, sides, [base, radius, z - 0.03125, radius, z - 0.03125, outer, z, outer]);
}

/** Stations of a body from 0 to length with dished ends and rings at most `pitch` apart. */
function dished(length: number, radius: number, pitch: number, dishSteps: number): number[] {
  const depth = snap(radius / 2);
  const arc = unitCircle(4 * dishSteps);
  const head: number[] = [];
  for (let i = 0; i < dishSteps; i++) {
    head.push(snap(depth * (1 - arc[2 * i])), snap(radius * arc[2 * i + 1]));
  }
  const steps = Math.ceil((length - 2 * depth) / pitch);
  const stations = [...head];
  for (let i = 0; i <= steps; i++) {
    stations.push(i === steps ? length - depth : depth + snap(((length - 2 * depth) * i) / steps), radius);
  }
  for (let i = dishSteps - 1; i >= 0; i--) stations.push(length - head[2 * i], head[2 * i + 1]);
  return stations;
}

/** A horizontal vessel along y from its start on two saddles, with nozzles on top. */
export function buildVessel(
  solid: Solid,
  grade: Grade,
  [x, y, z]: readonly [number, number, number],
  length: number,
  radius: number,
  floor: number,
  nozzles: readonly Nozzle[],
): void {
  const flat = flatOf(radius);
  const pitch = Math.max(0.09375, 0.25 * grade.pipePitch);
  solid.lathe(1, x, y, z, grade.vesselSides, dished(length, radius, pitch, grade.bendSteps), true);
  const inset = snap(0.2 * length);
  const foot = snap(0.15 * radius);
  for (const at of [y + inset, y + length - inset]) {
    solid.box(x - foot, at - 0.125, floor + 0.0625, x + foot, at + 0.125, z - flat);
    solid.box(
      x - snap(0.6 * radius),
      at - 0.1875,
      floor,
      x + snap(0.6 * radius),
      at + 0.1875,
      floor + 0.0625,
    );
  }
  for (const nozzle of nozzles) buildNozzle(solid, nozzle, z + flat, grade.pipeSides);
}

/** An upright tank with a flat roof and a skirt, standing on `floor`. */
export function buildTank(
  solid: Solid,
  grade: Grade,
  [x, y, floor]: readonly [number, number, number],
  height: number,
  radius: number,
  nozzles: readonly Nozzle[],
): void {
  const pitch = Math.max(0.09375, 0.25 * grade.pipePitch);
  const skirt = snap(radius + 0.0625);
  const steps = Math.ceil((height - 0.25) / pitch);
  const stations = [0, skirt, 0.0625, skirt, 0.0625, radius];
  for (let i = 1; i <= steps; i++) {
    stations.push(0.0625 + (i === steps ? height - 0.25 : snap(((height - 0.25) * i) / steps)), radius);
  }
  stations.push(height, snap(0.9 * radius));
  solid.lathe(2, x, y, floor, grade.vesselSides, stations);
  for (const nozzle of nozzles) buildNozzle(solid, nozzle, floor + height, grade.pipeSides);
}

/** A pump set standing on z = 0, its nozzle up the z axis with the face at `face`: frame, casing, coupling, motor. */
export function buildPump(solid: Solid, grade: Grade, radius: number, face: number): void {
  const body = snap(2.5 * radius + 0.125);
  const flat = flatOf(body);
  const axis = 0.5;
  const casing = snap(1.5 * radius + 0.0625);
  const sides = grade.pipeSides;
  solid.box(-casing - 0.0625, -body, 0, casing + 1.125, body, 0.125);
  const foot = snap(0.15 * body);
  solid.box(-foot, -foot, 0.125, foot, foot, axis - flat);
  const volute = [-casing, snap(0.7 * body), -snap(0.6 * casing), body, snap(0.6 * casing), body];
  solid.lathe(0, 0, 0, axis, sides, [...volute, casing, snap(0.7 * body)], true);
  solid.lathe(0, casing, 0, axis, sides, [0, 0.0625, 0.25, 0.0625]);
  const motor = snap(0.8 * body);
  const motorFlat = flatOf(motor);
  const fins: number[] = [0, snap(0.6 * motor), 0.03125, motor];
  for (let i = 0; i < 6; i++) {
    const t = 0.125 + i * 0.0625;
    fins.push(t, motor, t, snap(0.9 * motor), t + 0.03125, snap(0.9 * motor), t + 0.03125, motor);
  }
  fins.push(0.5625, motor, 0.625, snap(0.5 * motor));
  solid.lathe(0, casing + 0.25, 0, axis, sides, fins, true);
  const stand = casing + 0.25 + 0.03125;
  solid.box(stand, -snap(0.15 * motor), 0.125, stand + 0.0625, snap(0.15 * motor), axis - motorFlat);
  buildNozzle(solid, { x: 0, y: 0, z: face, radius }, axis + flat, sides);
}

/** A shell-and-tube exchanger along y: flanged channels at both ends, two nozzles on top. */
export function buildExchanger(
  solid: Solid,
  grade: Grade,
  [x, y, z]: readonly [number, number, number],
  length: number,
  radius: number,
  floor: number,
  nozzles: readonly Nozzle[],
): void {
  const flat = flatOf(radius);
  const outer = snap(1.25 * radius);
  const head = snap(0.8 * radius);
  const shell: number[] = [];
  const steps = Math.ceil((length - 1) / Math.max(0.125, grade.pipePitch / 2));
  for (let i = 0; i <= steps; i++) {
    shell.push(i === steps ? length - 0.4375 : 0.4375 + snap(((length - 0.875) * i) / steps), radius);
  }
  solid.lathe(1, x, y, z, grade.vesselSides, shell, true);
  const channel = [0, head, 0.0625, radius, 0.375, radius, 0.375, outer, 0.4375, outer];
  solid.lathe(1, x, y, z, grade.vesselSides, channel);
  const mirrored: number[] = [];
  for (let i = 8; i >= 0; i -= 2) mirrored.push(length - channel[i], channel[i + 1]);
  solid.lathe(1, x, y, z, grade.vesselSides, mirrored);
  const foot = snap(0.15 * radius);
  for (const at of [y + 0.875, y + length - 0.875]) {
    solid.box(x - foot, at - 0.125, floor, x + foot, at + 0.125, z - flat);
  }
  for (const nozzle of nozzles) buildNozzle(solid, nozzle, z + flat, grade.pipeSides);
}

export const TUBE_RADIUS = 0.0234375;
export const HEADER_RADIUS = 0.15625;
export const HEADER_FLAT = flatOf(HEADER_RADIUS);

/**
 * A boiler panel: tubes side by side along y, each going up and down `passes` times along x from (x, y, z) to `top`.
 */
export function buildTubePanel(
  solid: Solid,
  grade: Grade,
  [x, y, z]: readonly [number, number, number],
  width: number,
  passes: number,
  top: number,
): void {
  const spacing = 0.3125;
  const form = {
    radius: TUBE_RADIUS,
    sides: grade.tubeSides,
    bend: 0.078125,
    bendSteps: Math.max(2, grade.bendSteps - 2),
    pitch: grade.tubePitch,
  };
  const points = new Float64Array(3 * (2 * passes + 2));
  for (let tube = 0; tube < grade.tubes; tube++) {
    const across = y + snap(((tube + 0.5) * width) / grade.tubes);
    let at = 0;
    const point = (px: number, pz: number) => {
      points[at++] = px;
      points[at++] = across;
      points[at++] = pz;
    };
    point(x, z);
    // an even number of turns: it ends where it goes up
    for (let pass = 0; pass < passes; pass++) {
      const turnZ = pass % 2 === 0 ? top - 0.25 : z + 0.25;
      point(x + pass * spacing, turnZ);
      point(x + (pass + 1) * spacing, turnZ);
    }
    point(x + passes * spacing, top);
    solid.tube(points, form);
  }
}

export function panelDepth(passes: number): number {
  return 0.3125 * passes;
}

/** A round body along an axis, cut flat on both sides: a header under or over its tubes. */
export function buildHeader(
  solid: Solid,
  grade: Grade,
  axis: Axis,
  [x, y, z]: readonly [number, number, number],
  length: number,
): void {
  const stations = dished(length, HEADER_RADIUS, Math.max(0.125, grade.pipePitch / 2), grade.bendSteps);
  solid.lathe(axis, x, y, z, grade.pipeSides, stations, true);
}
