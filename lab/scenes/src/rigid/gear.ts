/**
 * Spur gears with involute teeth; gears of one module drive each other evenly.
 *
 * Idea: seen from the axis, the outline has one point in every direction, so that its points, those of circles at the
 * rim and the hub and those of the bore are joined by straight rows of cells.
 */
import { type SceneMesh, square } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';

/** Metres: the pitch circle is MODULE · teeth wide. */
export const MODULE = 0.01;
/** Reduction of the tooth thickness from half the pitch, in metres along the pitch circle. */
const BACKLASH = 0.0012;
const WIDTH = 0.045;
export const BORE = 0.032;
/** Of 20°: the pressure angle. */
const COSINE = 0.9396926207859084;
/** Turns from the start of an involute to its crossing of the pitch circle: (tan α − α) / 2π. */
const INVOLUTE = 0.002372106366225695;
/** Number of spokes between hub and rim, and the share of its sector that each fills. */
const SPOKES = 4;
const SPOKE = 0.4;
/**
 * Points of a flank. Its normal is off by up to half the bend of 0.03 radians between two segments, and with it the
 * ratio of speeds by up to a half percent.
 */
const FLANK = 25;
/** Share of the gap of two teeth that a foot reaches into it below the base circle; farther, tips would strike it. */
const FOOT = 0.1;

export const pitchRadius = (teeth: number): number => (MODULE * teeth) / 2;

/** About the z axis, the middle of a tooth on the x axis. Precondition: 18 … 41 teeth, which need no undercut. */
export function gear(teeth: number): SceneMesh {
  const outline = outlineOf(teeth);
  const pitch = pitchRadius(teeth);
  const count = outline.length;
  const positions: number[] = [];
  for (const z of [WIDTH / 2, -WIDTH / 2]) {
    for (const [x, y] of outline) positions.push(x, y, z);
    for (const radius of [pitch - 2.2 * MODULE, 1.35 * BORE, BORE]) {
      for (const [x, y] of outline) {
        const share = radius / Math.sqrt(x * x + y * y);
        positions.push(share * x, share * y, z);
      }
    }
  }
  return {
    name: `gear of ${teeth}`,
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(cellsOf(count)),
  };
}

/** Triangles between rings of the same length: outline, rim, hub and bore in front, then those behind. */
function cellsOf(count: number): number[] {
  const indices: number[] = [];
  const [outline, rim, hub, bore, behind] = [0, count, 2 * count, 3 * count, 4 * count];
  // in whole numbers: all windows are alike, and the gear is balanced
  const isWindow = (cell: number): boolean => (cell * SPOKES) % count >= SPOKE * count;
  const quad = (a: number, b: number, c: number, d: number) => indices.push(a, b, c, a, c, d);
  for (let i = 0; i < count; i++) {
    const next = (i + 1) % count;
    const cell = (from: number, to: number) => quad(from + i, to + i, to + next, from + next);
    const sides = (from: number, to: number) => {
      cell(from, to);
      cell(behind + to, behind + from);
    };
    sides(rim, outline);
    sides(bore, hub);
    cell(outline, behind + outline);
    cell(behind + bore, bore);
    if (!isWindow(i)) sides(hub, rim);
    else {
      cell(behind + rim, rim);
      cell(hub, behind + hub);
      if (!isWindow(i + count - 1)) quad(hub + i, rim + i, behind + rim + i, behind + hub + i);
      if (!isWindow(i + 1)) quad(behind + hub + next, behind + rim + next, rim + next, hub + next);
    }
  }
  return indices;
}

/** Counter-clockwise. */
function outlineOf(teeth: number): [x: number, y: number][] {
  const pitch = pitchRadius(teeth);
  const base = COSINE * pitch;
  const root = pitch - 1.25 * MODULE;
  const tip = pitch + MODULE;
  const slack = BACKLASH / (4 * Math.PI * pitch);
  const half = 1 / (4 * teeth) + INVOLUTE - slack;
  const roots = half + FOOT * (1 / (2 * teeth) - half);
  const last = Math.sqrt(square(tip / base) - 1);
  const flank = Array.from({ length: FLANK }, (_, i) => involute(base, (last * i) / (FLANK - 1)));
  const points: [number, number][] = [];
  for (let tooth = 0; tooth < teeth; tooth++) {
    const middle = tooth / teeth;
    const rising = flank.map((point) => turnedBy(point, middle - half));
    const falling = flank.map(([x, y]) => turnedBy([x, -y], middle + half)).reverse();
    const foot = (turns: number) => turnedBy([root, 0], turns);
    points.push(foot(middle - roots), ...rising, ...falling, foot(middle + roots));
  }
  return points;
}

/** The end of a taut thread unwound from a circle by the given angle in radians. */
function involute(radius: number, angle: number): [number, number] {
  const [c, s] = circlePoint(angle / (2 * Math.PI));
  return [radius * (c + angle * s), radius * (s - angle * c)];
}

function turnedBy([x, y]: readonly [number, number], turns: number): [number, number] {
  const [c, s] = circlePoint(turns);
  return [c * x - s * y, s * x + c * y];
}
