/** A cloth above a ball that starts to turn once the cloth hangs over it. */
import { Random, seedOf } from '../random.js';
import type { SceneMesh, ScenePose } from './scene-mesh.js';
import { ball, cloth, floor, START_GAP } from './surfaces.js';
import { circlePoint } from './turning.js';

export interface ClothBallOptions {
  /** Vertices along a side of the cloth; default 200, which with ball and floor makes 92 thousand triangles. */
  readonly vertices?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** A turn about the upright axis through a point. */
export interface Turn {
  readonly centre: readonly [x: number, y: number, z: number];
  /** Seconds from the start of the scene. */
  readonly startS: number;
  readonly turnsPerSecond: number;
}

export interface ClothBallScene {
  /** Horizontal, vertices² vertices row by row. */
  readonly cloth: SceneMesh;
  readonly clothVertices: number;
  /** At the start; `turnedAt(turn, time)` poses these positions. */
  readonly ball: SceneMesh;
  readonly ballRadius: number;
  readonly turn: Turn;
  readonly floor: SceneMesh;
}

const BALL_RADIUS = 0.5;
const CLOTH_SIDE = 2.2;

export function clothBall({ vertices = 200, seed = 1 }: ClothBallOptions = {}): ClothBallScene {
  const centre = [0, BALL_RADIUS + START_GAP, 0] as const;
  const sphere = ball(BALL_RADIUS, Math.max(4, Math.round(vertices / 6.1)));
  const lifted = sphere.positions.map((value, i) => (i % 3 === 1 ? value + centre[1] : value));
  return {
    cloth: cloth(vertices, CLOTH_SIDE, 2 * BALL_RADIUS + 3 * START_GAP, new Random(seedOf(seed, 3))),
    clothVertices: vertices,
    ball: { ...sphere, positions: lifted },
    ballRadius: BALL_RADIUS,
    turn: { centre, startS: 1.5, turnsPerSecond: 0.2 },
    floor: floor(4, 8),
  };
}

/** The pose of a turning object at a time, relative to its start. */
export function turnedAt({ centre, startS, turnsPerSecond }: Turn, timeS: number): ScenePose {
  const [c, s] = circlePoint(Math.max(0, timeS - startS) * turnsPerSecond);
  const [x, , z] = centre;
  return Float64Array.of(c, 0, s, 0, 1, 0, -s, 0, c, x - c * x - s * z, 0, z + s * x - c * z);
}
