/** Structural steel and what stands on it: sections, columns, braces, gratings, handrails, stairs. */
import { snap } from './circle.js';
import type { Solid } from './solid.js';

/** An I-section by halves: depth, width, and the thickness of a flange and half of the web. */
export interface Section {
  readonly depth: number;
  readonly width: number;
  readonly flange: number;
  readonly web: number;
}

export const COLUMN: Section = { depth: 0.1875, width: 0.1875, flange: 0.03125, web: 0.0078125 };
export const GIRDER: Section = { depth: 0.1875, width: 0.09375, flange: 0.0234375, web: 0.0078125 };
export const JOIST: Section = { depth: 0.125, width: 0.0625, flange: 0.015625, web: 0.00390625 };
export const SLEEPER: Section = { depth: 0.09375, width: 0.078125, flange: 0.015625, web: 0.00390625 };

const SECTION_CAPS = [
  0, 1, 2, 0, 2, 3, 0, 3, 10, 0, 10, 11, 10, 3, 4, 10, 4, 9, 7, 8, 9, 7, 9, 4, 7, 4, 5, 7, 5, 6,
] as const;
const QUAD_CAPS = [0, 1, 2, 0, 2, 3] as const;

/** Flanges at ±depth along v. */
function sectionOutline({ depth: h, width: b, flange: f, web: w }: Section): readonly number[] {
  const k = h - f;
  return [-b, -h, b, -h, b, -k, w, -k, w, k, b, k, b, h, -b, h, -b, k, -w, k, -w, -k, -b, -k];
}

/** A beam along x from 0, its middle line at the origin. */
export function buildBeam(solid: Solid, section: Section, length: number): void {
  solid.prism(0, sectionOutline(section), SECTION_CAPS, 0, length);
}

/** A column with base and cap plate, flanges facing ±x. */
export function buildColumn(solid: Solid, height: number): void {
  const plate = 0.03125;
  solid.box(-0.25, -0.25, 0, 0.25, 0.25, plate);
  const upright = sectionOutline(COLUMN);
  // a quarter turn: (u, v) becomes (v, −u)
  const turned = upright.map((_, i) => (i % 2 === 0 ? upright[i + 1] : 0 - upright[i - 1]));
  solid.prism(2, turned, SECTION_CAPS, plate, height - plate);
  solid.box(-0.25, -0.25, height - plate, 0.25, 0.25, height);
}

/** A flat bar of a width between two points of the plane y = 0, from y0 to y1. */
export function buildBrace(
  solid: Solid,
  from: readonly [number, number],
  to: readonly [number, number],
  width: number,
  y0: number,
  y1: number,
): void {
  const run = to[0] - from[0];
  const rise = to[1] - from[1];
  const scale = width / 2 / Math.sqrt(run * run + rise * rise);
  const px = snap(-rise * scale);
  const pz = snap(run * scale);
  // across y the frame is (x, −z)
  const outline = [from[0] + px, -(from[1] + pz), to[0] + px, -(to[1] + pz)];
  solid.prism(1, [...outline, to[0] - px, -(to[1] - pz), from[0] - px, -(from[1] - pz)], QUAD_CAPS, y0, y1);
}

/** A grating: bearing bars along y between two edge bars, rods along x under them; its top at `top`. */
export function buildGrating(
  solid: Solid,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  top: number,
  pitch: number,
): void {
  const edge = 0.0625;
  const bottom = top - 0.046875;
  solid.box(x0, y0, bottom, x1, y0 + edge, top);
  solid.box(x0, y1 - edge, bottom, x1, y1, top);
  const bars = Math.floor((x1 - x0) / pitch);
  const half = snap(Math.min(0.00390625, pitch / 8));
  for (let i = 0; i < bars; i++) {
    const x = snap(x0 + ((i + 0.5) * (x1 - x0)) / bars);
    solid.box(x - half, y0 + edge, bottom, x + half, y1 - edge, top);
  }
  const rods = Math.floor((y1 - y0 - 2 * edge) / (4 * pitch));
  for (let i = 0; i < rods; i++) {
    const y = snap(y0 + edge + ((i + 0.5) * (y1 - y0 - 2 * edge)) / rods);
    solid.box(x0, y - half, bottom - 0.015625, x1, y + half, bottom);
  }
}

const POST = 0.015625;

/** A handrail along x from 0, standing on z = 0: posts, two rails and a toe board on the side of +y. */
export function buildHandrail(solid: Solid, length: number, sides: number): void {
  const posts = Math.max(2, Math.round(length / 1.25) + 1);
  for (let i = 0; i < posts; i++) {
    const x = snap(0.0625 + (i * (length - 0.125)) / (posts - 1));
    solid.box(x - POST, -POST, 0, x + POST, POST, 1.0625);
  }
  // a flat top at −POST below the middle of each rail: rings of four sides and more reach down that far exactly
  solid.lathe(0, 0, 0, 1.0625 + 2 * POST, sides, [0, 2 * POST, length, 2 * POST]);
  solid.box(0, POST, 0.5, length, POST + 0.015625, 0.5625);
  solid.box(0, POST, 0.015625, length, POST + 0.0078125, 0.125);
}

/** A flight along y: two stringers, treads between them. Width across x from 0, standing on z = 0. */
export function buildFlight(solid: Solid, width: number, rise: number, steps: number): void {
  const going = 0.25;
  const run = going * steps;
  const outline = [0, 0, 0.3125, 0, run + 0.3125, rise, run, rise];
  const stringer = 0.03125;
  solid.prism(0, outline, QUAD_CAPS, 0, stringer);
  solid.prism(0, outline, QUAD_CAPS, width - stringer, width);
  for (let i = 0; i < steps; i++) {
    const z = snap((rise * (i + 0.5)) / steps);
    const y = snap((run * (i + 0.5)) / steps);
    solid.box(stringer, y, z, width - stringer, y + going, z + 0.03125);
  }
}

/** The rail of a flight, on the outer face x = 0 of a stringer, towards −x. */
export function buildFlightRail(solid: Solid, rise: number, steps: number): void {
  const run = 0.25 * steps;
  const posts = 4;
  for (let i = 0; i < posts; i++) {
    const share = (i + 0.5) / posts;
    const y = snap(run * share) + 0.125;
    const z = snap(rise * share);
    solid.box(-0.03125, y, z, 0, y + 0.0625, z + 1);
  }
  solid.prism(
    0,
    [0, 0.875, 0.0625, 0.875, run + 0.0625, rise + 0.875, run, rise + 0.875],
    QUAD_CAPS,
    -0.0625,
    -0.03125,
  );
}
