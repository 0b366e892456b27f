/**
 * A turbine's rotor and casing, a stand-in for a model that is not available: shaft with nose and tail, discs, rows of
 * twisted blades, vanes between them, casing rings with bolted flanges. Metres, the axis along x. All pieces are
 * closed; blades stand in their discs, vanes in their rings.
 */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';
import { Random, seedOf } from '../random.js';
import { type ClosedSheet, meshSheets, triangleCountOf } from './closed-sheet.js';

const STAGES = 9;
const STAGE_LENGTH = 1;
/** A row of blades takes the first half of its stage, the vanes take the second. */
const ROW_LENGTH = STAGE_LENGTH / 2;
const SHAFT_RADIUS = 0.45;
const FEWEST_TRIANGLES = 80_000;
/** Relative deviation from the requested number of triangles. */
const TOLERANCE = 0.02;

/** Points in the plane of the axis: x and the distance from the axis. */
type Profile = readonly (readonly [x: number, radius: number])[];

/** About the requested number of triangles, within 2 %. Equal seeds give equal bytes on every machine. */
export function turbine(triangles = 1_700_000, seed = 1): SceneMesh {
  if (!(triangles >= FEWEST_TRIANGLES)) {
    throw new RangeError(`a turbine has at least ${FEWEST_TRIANGLES} triangles, got ${triangles}`);
  }
  // a smaller point spacing gives more triangles, in steps of one piece
  let [short, long] = [0, 1];
  let sheets = sheetsOf(long, seed);
  for (let step = 0; step < 50 && Math.abs(countOf(sheets) / triangles - 1) > TOLERANCE / 8; step++) {
    const spacing = (short + long) / 2;
    sheets = sheetsOf(Math.max(spacing, 1e-5), seed);
    if (countOf(sheets) > triangles) short = spacing;
    else long = spacing;
  }
  if (Math.abs(countOf(sheets) / triangles - 1) > TOLERANCE) {
    throw new RangeError(`a turbine cannot have ${triangles} triangles`);
  }
  return { name: 'turbine', ...meshSheets(sheets) };
}

function countOf(sheets: readonly ClosedSheet[]): number {
  return sheets.reduce((sum, sheet) => sum + triangleCountOf(sheet), 0);
}

function sheetsOf(spacing: number, seed: number): ClosedSheet[] {
  const sheets = [shaft(spacing)];
  for (let stage = 0; stage < STAGES; stage++) {
    const random = new Random(seedOf(seed, stage));
    const x = stage * STAGE_LENGTH;
    const share = stage / (STAGES - 1);
    const hub = 1.1 + 0.4 * share;
    const tip = 3 - 1.1 * share;
    sheets.push(
      disc(x, hub, spacing),
      ...bladeRow(
        { x, inner: hub - 0.04, outer: tip, chord: 0.46 - 0.1 * share, turn: 0.14, count: 29 + 4 * stage },
        spacing,
        random,
      ),
      ...bladeRow(
        {
          x: x + ROW_LENGTH,
          inner: hub + 0.12,
          outer: tip + 0.1,
          chord: 0.44 - 0.1 * share,
          turn: -0.07,
          count: 31 + 4 * stage,
        },
        spacing,
        random,
      ),
      casing(x + ROW_LENGTH, tip + 0.06, spacing),
      ...bolts(x + ROW_LENGTH, tip + 0.29, spacing, random),
    );
  }
  return sheets;
}

function shaft(spacing: number): ClosedSheet {
  const end = (STAGES - 1) * STAGE_LENGTH;
  const nose = Array.from({ length: 13 }, (_, i): [number, number] => {
    const [cosine, sine] = circlePoint(i / 48);
    return [-0.4 - 1.2 * cosine, 0.9 * sine];
  });
  const profile: Profile = [
    ...nose,
    [-0.3, 0.9],
    [-0.3, SHAFT_RADIUS],
    [end + 1.2, SHAFT_RADIUS],
    [end + 1.2, 0.7],
    [end + 1.5, 0.7],
    [end + 1.5, 0.35],
    [end + 2.6, 0.35],
    [end + 2.6, 0],
  ];
  const points = sampled(profile, spacing);
  return revolved(points.slice(1, -1), spacing, 'point', [points[0][0], points[points.length - 1][0]]);
}

/** Hub, web and rim. */
function disc(x: number, radius: number, spacing: number): ClosedSheet {
  const [hub, web, rim] = [0.2, 0.06, 0.22];
  return ring(x, spacing, [
    [-hub, SHAFT_RADIUS - 0.02],
    [-hub, SHAFT_RADIUS + 0.12],
    [-web, SHAFT_RADIUS + 0.25],
    [-web, radius - 0.2],
    [-rim, radius - 0.1],
    [-rim, radius],
    [rim, radius],
    [rim, radius - 0.1],
    [web, radius - 0.2],
    [web, SHAFT_RADIUS + 0.25],
    [hub, SHAFT_RADIUS + 0.12],
    [hub, SHAFT_RADIUS - 0.02],
  ]);
}

/** A band with a flange at each end. */
function casing(x: number, radius: number, spacing: number): ClosedSheet {
  return ring(x, spacing, [
    [-0.23, radius],
    [-0.23, radius + 0.36],
    [-0.15, radius + 0.36],
    [-0.15, radius + 0.12],
    [0.15, radius + 0.12],
    [0.15, radius + 0.36],
    [0.23, radius + 0.36],
    [0.23, radius],
  ]);
}

/** Through both flanges of a ring. */
function bolts(x: number, distance: number, spacing: number, random: Random): ClosedSheet[] {
  const count = 36;
  const radius = 0.04;
  const columns = evenAtLeast(8, (2 * Math.PI * radius) / spacing);
  const circle = Array.from({ length: columns }, (_, j) => circlePoint(j / columns));
  return Array.from({ length: count }, (_, bolt) => {
    const [y, z] = circlePoint(bolt / count);
    const half = 0.29 + 0.02 * random.next();
    const rows = Math.max(2, Math.round((2 * half) / spacing) + 1);
    return {
      rows,
      columns,
      ends: 'flat',
      point: (row, column, out) => {
        out[0] = x - half + (2 * half * row) / (rows - 1);
        out[1] = distance * y + radius * circle[column][0];
        out[2] = distance * z + radius * circle[column][1];
      },
    };
  });
}

interface BladeRow {
  readonly x: number;
  readonly inner: number;
  readonly outer: number;
  readonly chord: number;
  /** Angle of the tip against the flow in turns; the root has a third of it. */
  readonly turn: number;
  readonly count: number;
}

/** Wing sections on cylinders about the axis, increasingly twisted towards the tip. */
function bladeRow(
  { x, inner, outer, chord, turn, count }: BladeRow,
  spacing: number,
  random: Random,
): ClosedSheet[] {
  const columns = evenAtLeast(12, (2 * chord) / spacing);
  const rows = Math.max(3, Math.round((outer - inner) / spacing) + 1);
  const section = wingSection(columns);
  const first = random.next();
  return Array.from({ length: count }, (_, blade) => {
    // vary blades individually
    const start = first + (blade + 0.04 * random.next()) / count;
    const length = chord * (0.97 + 0.03 * random.next());
    const reach = outer - 0.01 * random.next();
    const twist = turn * (0.98 + 0.04 * random.next());
    const turned = Array.from({ length: rows }, (_, row) =>
      circlePoint((twist * (1 + (2 * row) / (rows - 1))) / 3),
    );
    return {
      rows,
      columns,
      ends: 'flat',
      point: (row, column, out) => {
        const share = row / (rows - 1);
        const radius = inner + (reach - inner) * share;
        const size = length * (1 - 0.25 * share);
        const [along, across] = section[column];
        const [cosine, sine] = turned[row];
        const [y, z] = circlePoint(
          start + (size * (along * sine + across * cosine)) / (2 * Math.PI * radius),
        );
        out[0] = x + size * (along * cosine - across * sine);
        out[1] = radius * y;
        out[2] = radius * z;
      },
    };
  });
}

/** A cambered four-digit NACA section of length 1 about its middle: over the top from its nose, and back below. */
function wingSection(columns: number): [along: number, across: number][] {
  return Array.from({ length: columns }, (_, j) => {
    const s = (1 - circlePoint(j / columns)[0]) / 2;
    const polynomial = -0.126 * s - 0.3516 * s * s + 0.2843 * s * s * s - 0.1036 * s * s * s * s;
    const half = 0.6 * (0.2969 * Math.sqrt(s) + polynomial);
    return [s - 0.5, 0.36 * s * (1 - s) + (2 * j < columns ? half : -half)];
  });
}

/** A closed profile, moved along the axis and turned about it. */
function ring(x: number, spacing: number, profile: Profile): ClosedSheet {
  const moved = profile.map(([along, radius]): [number, number] => [x + along, radius]);
  return revolved(sampled([...moved, moved[0]], spacing).slice(0, -1), spacing, 'ring');
}

function revolved(
  points: Profile,
  spacing: number,
  ends: 'ring' | 'point',
  tips: readonly number[] = [],
): ClosedSheet {
  const widest = points.reduce((most, [, radius]) => Math.max(most, radius), 0);
  const columns = evenAtLeast(16, (2 * Math.PI * widest) / spacing);
  const circle = Array.from({ length: columns }, (_, j) => circlePoint(j / columns));
  return {
    rows: points.length,
    columns,
    ends,
    point: (row, column, out) => {
      const tip = row < 0 || row === points.length;
      const [x, radius] = tip ? [tips[row < 0 ? 0 : 1], 0] : points[row];
      out[0] = x;
      out[1] = radius * circle[column][0];
      out[2] = radius * circle[column][1];
    },
  };
}

/** The corners of a profile and points between them. */
function sampled(profile: Profile, spacing: number): Profile {
  const points: [number, number][] = [];
  for (let i = 0; i + 1 < profile.length; i++) {
    const [[x, r], [nextX, nextR]] = [profile[i], profile[i + 1]];
    const [dx, dr] = [nextX - x, nextR - r];
    const parts = Math.max(1, Math.round(Math.sqrt(dx * dx + dr * dr) / spacing));
    for (let k = 0; k < parts; k++) points.push([x + (dx * k) / parts, r + (dr * k) / parts]);
  }
  const [x, r] = profile[profile.length - 1];
  points.push([x, r]);
  return points;
}

function evenAtLeast(least: number, count: number): number {
  return Math.max(least, 2 * Math.round(count / 2));
}
