/** A cup with a handle. */
import type { SceneMesh } from '../deform/scene-mesh.js';
import { circlePoint } from '../deform/turning.js';
import { CellSurface } from './cells.js';
import { arc, bow, evenly, type ProfilePoint } from './profile.js';

const HANDLE_RADIUS = 0.0042;

/** How many of everything. */
interface Counts {
  readonly around: number;
  readonly rings: number;
  /** Each end of the handle replaces this many cells squared: an even number. */
  readonly root: number;
  readonly segments: number;
  /** The number of segments over which the handle's section changes from the cells of its root to a circle. */
  readonly blend: number;
}

function countsFor(coarseness: number): Counts {
  const [around, rings, segments, blend] = [160, 193, 72, 8].map((n) => Math.round(n / coarseness));
  return { around, rings, segments, blend, root: 2 * Math.ceil(2 / coarseness) };
}

/** Metres, standing on y = 0: the outside from the axis to the rim, the inside back to the axis. */
const PROFILE: readonly ProfilePoint[] = [
  [0, 0],
  ...arc([0.026, 0.006], 0.006, -0.25, -0.02),
  ...bow([0.0321, 0.0061], [0.042, 0.0955], 0.003),
  ...arc([0.0395, 0.096], 0.0025, 0, 0.5),
  ...bow([0.037, 0.0955], [0.0275, 0.012], -0.0025),
  ...arc([0.0215, 0.0125], 0.006, 0, -0.25),
  [0, 0.0065],
];

/** 64 000 triangles, or with a coarseness c about that many over c²; 96 mm high, its opening 74 mm wide. */
export function cup(coarseness = 1): SceneMesh {
  const counts = countsFor(coarseness);
  const { around, root, rings: count } = counts;
  const surface = new CellSurface();
  const profile = evenly(PROFILE, count);
  const top = nearestRing(profile, 0.077);
  const bottom = nearestRing(profile, 0.033);
  const isRoot = (ring: number, i: number): boolean => {
    const inColumns = i < root / 2 || i >= around - root / 2;
    return inColumns && [top, bottom].some((r) => ring >= r - root / 2 && ring < r + root / 2);
  };
  const isInside = (ring: number, i: number): boolean => {
    const inColumns = i < root / 2 || i > around - root / 2;
    return inColumns && [top, bottom].some((r) => ring > r - root / 2 && ring < r + root / 2);
  };
  const tip = surface.vertex(0, PROFILE[0][1], 0);
  const rings = profile.map(([radius, height], ring) =>
    Array.from({ length: around }, (_, i) => {
      const [x, z] = circlePoint(i / around);
      return isInside(ring, i) ? -1 : surface.vertex(radius * x, height, radius * z);
    }),
  );
  surface.fan(tip, rings[0], true);
  for (let r = 0; r + 1 < count; r++) surface.belt(rings[r], rings[r + 1], (i) => !isRoot(r, i));
  surface.fan(surface.vertex(0, PROFILE[PROFILE.length - 1][1], 0), rings[count - 1], false);
  addHandle(surface, counts, rings, profile, top, bottom);
  return surface.mesh('cup');
}

/** The outside ring nearest to a height. */
function nearestRing(profile: readonly ProfilePoint[], height: number): number {
  let best = 0;
  for (let r = 0; r < profile.length / 2; r++) {
    if (Math.abs(profile[r][1] - height) < Math.abs(profile[best][1] - height)) best = r;
  }
  return best;
}

/** A tube from the upper root to the lower one, in the plane z = 0. */
function addHandle(
  surface: CellSurface,
  { around, root, segments, blend }: Counts,
  rings: readonly (readonly number[])[],
  profile: readonly ProfilePoint[],
  top: number,
  bottom: number,
): void {
  const border = rootBorder(root / 2);
  const [x0, y0] = profile[top];
  const [x3, y3] = profile[bottom];
  const [x1, y1, x2, y2] = [x0 + 0.034, y0 + 0.012, x3 + 0.034, y3 - 0.006];
  const columnOf = (a: number): number => (a + around) % around;
  let from = border.map(([a, b]) => rings[top + b][columnOf(a)]);
  for (let k = 1; k <= segments; k++) {
    let to: number[];
    if (k === segments) to = border.map(([a, b]) => rings[bottom - b][columnOf(a)]);
    else {
      const t = k / segments;
      const s = 1 - t;
      const [x, y] = [bezier(x0, x1, x2, x3, t), bezier(y0, y1, y2, y3, t)];
      const dx = s * s * (x1 - x0) + 2 * s * t * (x2 - x1) + t * t * (x3 - x2);
      const dy = s * s * (y1 - y0) + 2 * s * t * (y2 - y1) + t * t * (y3 - y2);
      const length = Math.sqrt(dx * dx + dy * dy);
      const share = Math.min(1, Math.min(k, segments - k) / blend);
      to = border.map(([a, b]) => {
        const round = (root / 2 / Math.sqrt(a * a + b * b)) * share + (1 - share);
        const across = (a * round * HANDLE_RADIUS) / (root / 2);
        const up = (b * round * HANDLE_RADIUS) / (root / 2);
        return surface.vertex(x - (dy / length) * up, y + (dx / length) * up, across);
      });
    }
    surface.belt(from, to);
    from = to;
  }
}

function bezier(a: number, b: number, c: number, d: number, t: number): number {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

/** The border of a root as (column, ring) about its middle, such that a belt outwards faces outwards. */
function rootBorder(half: number): (readonly [number, number])[] {
  const border: [number, number][] = [];
  for (let i = half; i > -half; i--) border.push([i, half]);
  for (let i = half; i > -half; i--) border.push([-half, i]);
  for (let i = -half; i < half; i++) border.push([i, -half]);
  for (let i = -half; i < half; i++) border.push([half, i]);
  return border;
}
