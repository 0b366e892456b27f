/** A heavy ball shot at a vase. */
import { Random, seedOf } from '../random.js';
import type { SceneMesh } from './scene-mesh.js';
import { ball, floor, START_GAP, turned } from './surfaces.js';
import { circlePoint } from './turning.js';

export interface BreakingOptions {
  /** Default 1. Selects the direction of the ball and the spot it hits. */
  readonly seed?: number;
}

export interface BreakingScene {
  /** Closed, of one piece, standing on the floor. */
  readonly vase: SceneMesh;
  /** kg/m³ */
  readonly vaseDensity: number;
  readonly ball: SceneMesh;
  readonly ballRadius: number;
  /** kg/m³ */
  readonly ballDensity: number;
  /** m/s */
  readonly ballVelocity: readonly [x: number, y: number, z: number];
  readonly floor: SceneMesh;
}

const AROUND = 48;
const WALL = 0.035;
const BALL_RADIUS = 0.09;
const SPEED = 9;
/** From the axis of the vase to the middle of the ball. */
const DISTANCE = 0.9;
/** Radius and height of the vase's outside, from foot to rim. */
const OUTSIDE: readonly (readonly [number, number])[] = [
  [0.15, 0],
  [0.17, 0.03],
  [0.2, 0.12],
  [0.265, 0.28],
  [0.29, 0.42],
  [0.26, 0.56],
  [0.185, 0.68],
  [0.135, 0.77],
  [0.14, 0.85],
  [0.185, 0.93],
];

export function breaking({ seed = 1 }: BreakingOptions = {}): BreakingScene {
  const random = new Random(seedOf(seed, 5));
  const [x, z] = circlePoint(random.next());
  const height = 0.36 + 0.16 * random.next();
  const aside = 0.1 * (random.next() - 0.5);
  const sphere = ball(BALL_RADIUS, 12);
  // it flies along (−x, −z), slightly off the axis, aimed upwards to compensate for its fall
  const centre = [x * DISTANCE - z * aside, height, z * DISTANCE + x * aside];
  return {
    vase: vase(),
    vaseDensity: 2400,
    ball: { ...sphere, positions: sphere.positions.map((value, i) => value + centre[i % 3]) },
    ballRadius: BALL_RADIUS,
    ballDensity: 7800,
    ballVelocity: [-SPEED * x, 0.3, -SPEED * z],
    floor: floor(4, 8),
  };
}

/** The outside is a smooth curve through the given points; the inside keeps the wall's thickness from it. */
function vase(): SceneMesh {
  const outer: [number, number][] = [];
  const steps = 4;
  for (let i = 0; i + 1 < OUTSIDE.length; i++) {
    for (let k = 0; k < steps; k++) outer.push(smoothPoint(i, k / steps));
  }
  outer.push([...OUTSIDE[OUTSIDE.length - 1]]);
  const inner = outer
    .map(([radius, height]): [number, number] => [radius - WALL, height])
    .filter(([, height]) => height > 1.5 * WALL)
    .reverse();
  const foot = [0, 0.06, 0.11].map((radius): [number, number] => [radius, 0]);
  const bottom = inner[inner.length - 1];
  const inside = [0.7, 0.35, 0].map((share): [number, number] => [bottom[0] * share, WALL]);
  const profile = [...foot, ...outer, ...inner, ...inside];
  return turned(
    'vase',
    profile.map(([radius, height]) => [radius, height + START_GAP] as const),
    AROUND,
  );
}

/** A cubic through neighbouring points whose slope at each is that of its neighbours. */
function smoothPoint(i: number, t: number): [number, number] {
  const at = (k: number): readonly [number, number] => OUTSIDE[Math.max(0, Math.min(OUTSIDE.length - 1, k))];
  const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
  const value = (k: 0 | 1): number =>
    b[k] +
    0.5 *
      t *
      (c[k] - a[k] + t * (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k] + t * (3 * (b[k] - c[k]) + d[k] - a[k])));
  return [value(0), value(1)];
}

/** Lowers a mesh to `gap` above the floor, y = 0, so that it does not land with a bump. */
export function standing(positions: Float32Array, gap: number): Float32Array {
  let lowest = Infinity;
  for (let k = 1; k < positions.length; k += 3) lowest = Math.min(lowest, positions[k]);
  return positions.map((x, k) => (k % 3 === 1 ? x - lowest + gap : x));
}
