/** Soft tori above a tray, in which they pile up. Paper: HASH, benchmark 1 and figure 4. */
import { Random, seedOf } from '../random.js';
import { placed, type SceneMesh, type ScenePose, square } from './scene-mesh.js';
import { START_GAP, torus, tray } from './surfaces.js';
import { randomPose } from './turning.js';

export interface ToriOptions {
  /** Default 14. */
  readonly count?: number;
  /** Default 1. */
  readonly seed?: number;
}

export interface ToriScene {
  readonly tray: SceneMesh;
  /** Closed, 400 vertices and 800 triangles each; vertex 20 i + j is point j of the tube at place i of the ring. */
  readonly tori: readonly SceneMesh[];
  /** The pose of each torus, relative to the one about the y axis through the origin. */
  readonly poses: readonly ScenePose[];
  readonly ringRadius: number;
  readonly tubeRadius: number;
}

const RING_RADIUS = 0.25;
const TUBE_RADIUS = 0.11;
const SEGMENTS = 20;
/** Attempts to place a torus before the stack grows. */
const TRIES = 60;

/** Tori at random places, each in a ball of its own above the tray. */
export function tori({ count = 14, seed = 1 }: ToriOptions = {}): ToriScene {
  const random = new Random(seedOf(seed, 14));
  const radius = RING_RADIUS + TUBE_RADIUS;
  const side = Math.max(1.2, Math.sqrt(count / 14) * 1.8);
  const reach = side - 2 * (radius + START_GAP);
  const shape = torus(RING_RADIUS, TUBE_RADIUS, SEGMENTS, SEGMENTS);
  const meshes: SceneMesh[] = [];
  const poses: ScenePose[] = [];
  const bottom = radius + 4 * START_GAP;
  let height = 0;
  for (let tries = 0; meshes.length < count; tries++) {
    if (tries % TRIES === TRIES - 1) height += radius / 4;
    const pose = randomPose(
      random,
      (random.next() - 0.5) * reach,
      bottom + random.next() * height,
      (random.next() - 0.5) * reach,
    );
    if (poses.some((other) => distanceSq(pose, other) < square(2 * radius + START_GAP))) continue;
    meshes.push(placed(shape, pose, `torus ${meshes.length + 1}`));
    poses.push(pose);
  }
  return {
    tray: tray(side, 0.6, 8),
    tori: meshes,
    poses,
    ringRadius: RING_RADIUS,
    tubeRadius: TUBE_RADIUS,
  };
}

function distanceSq(a: ScenePose, b: ScenePose): number {
  return square(a[9] - b[9]) + square(a[10] - b[10]) + square(a[11] - b[11]);
}
