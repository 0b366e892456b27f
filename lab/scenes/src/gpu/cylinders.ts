/**
 * Open-ended cylinders wandering in a unit cube. Paper: CULLIDE, environment 1 and figures 2 to 4.
 *
 * Density is the share of the cube that the cylinders would fill if they were closed and did not overlap, in their mean
 * shape; the paper does not say how it counts. A cylinder is twice as long as wide; its size follows from the density.
 */
import { circlePoint } from '../deform/turning.js';
import { Random, seedOf } from '../random.js';
import { type DeformingShape, deformingScene } from './deforming.js';
import {
  assertSizes,
  cubeRoot,
  type FrameChange,
  gridOf,
  type MovingObject,
  type MovingScene,
} from './moving-scene.js';
import { wandering, writePose } from './wandering.js';

export interface CylindersOptions {
  /** Default 100; of `movingCylinders` 10 000. */
  readonly count?: number;
  /** Of each, an even number. Default 200. */
  readonly triangles?: number;
  /** Default 0.055. */
  readonly density?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Length of a cylinder in radii. */
const LENGTH = 4;
/** Of a turn, from one end to the other. */
const MOST_BEND = 0.25;
const MOST_TWIST = 0.25;
const MOST_SWELLING = 0.2;
/** Of `movingCylinders`, in radii per frame along each axis. */
const SPEED = 0.1;

/** Cylinders that bend, twist and swell while they wander: all positions change in every frame. */
export function cylinders(options: CylindersOptions = {}): MovingScene {
  const { count = 100, triangles = 200, density = 0.055, seed = 1 } = options;
  assertSizes(count, density);
  return deformingScene(cylinder(triangles, radiusOf(count, density)), count, seedOf(seed, 21));
}

/** Straight rigid cylinders of one shape: only poses change. */
export function movingCylinders(options: CylindersOptions = {}): MovingScene {
  const { count = 10_000, triangles = 200, density = 0.055, seed = 1 } = options;
  assertSizes(count, density);
  const radius = radiusOf(count, density);
  const shape = cylinder(triangles, radius);
  const straight = new Float64Array(3 * shape.vertexCount);
  shape.write([0, 0, 0, 0], straight);
  const positions = Float32Array.from(straight);
  const random = new Random(seedOf(seed, 22));
  const motions = Array.from({ length: count }, () => wandering(random, shape.radius, SPEED * radius));
  const poses = new Float64Array(12 * count);
  const objects = motions.map((_, id): MovingObject => {
    const pose = poses.subarray(12 * id, 12 * id + 12);
    return { id, name: `cylinder ${id + 1}`, positions, indices: shape.indices, pose };
  });
  const all = objects.map(({ id }) => id);
  const place = (frame: number) => {
    for (let id = 0; id < count; id++) writePose(motions[id], frame, poses, 12 * id);
  };
  let frame = 0;
  place(frame);
  return {
    get frame() {
      return frame;
    },
    objects,
    poses,
    step(): FrameChange {
      place(++frame);
      return { added: [], removed: [], moved: all, deformed: [] };
    },
  };
}

/** Solves count · π r² · 4 r = density. */
function radiusOf(count: number, density: number): number {
  return cubeRoot(density / (count * LENGTH * Math.PI));
}

/** Along z, open at both ends. */
function cylinder(triangles: number, radius: number): DeformingShape {
  const [around, along] = gridOf(triangles);
  const vertexCount = around * (along + 1);
  const indices = new Uint32Array(3 * triangles);
  for (let i = 0, at = 0; i < along; i++) {
    for (let j = 0; j < around; j++, at += 6) {
      const [a, b] = [i * around + j, i * around + ((j + 1) % around)];
      indices.set([a, b, b + around, a, b + around, a + around], at);
    }
  }
  const circle = Array.from({ length: around }, (_, j) => circlePoint(j / around));
  const length = LENGTH * radius;
  const write = (deformation: ArrayLike<number>, out: Float64Array): void => {
    const [bend, twist, swelling, waist] = Array.from(deformation);
    // the axis is an arc of the same length, or a line if it is nearly straight
    const turns = MOST_BEND * bend;
    const curved = Math.abs(turns) > 1e-6;
    const arcRadius = curved ? length / (2 * Math.PI * turns) : 0;
    for (let i = 0, at = 0; i <= along; i++) {
      const s = i / along - 0.5;
      const [cos, sin] = circlePoint(s * turns);
      const x0 = curved ? arcRadius * (1 - cos) : 0;
      const z0 = curved ? arcRadius * sin : length * s;
      const [tc, ts] = circlePoint(s * MOST_TWIST * twist);
      const r = radius * (1 + MOST_SWELLING * (0.5 * swelling + waist * (2 * s * s - 1 / 6)));
      for (const [c, d] of circle) {
        const across = r * (tc * c - ts * d);
        out[at++] = x0 + cos * across;
        out[at++] = r * (ts * c + tc * d);
        out[at++] = z0 - sin * across;
      }
    }
  };
  return {
    name: 'cylinder',
    vertexCount,
    indices,
    radius: radius * Math.sqrt(1 + (LENGTH * LENGTH) / 4),
    write,
  };
}
