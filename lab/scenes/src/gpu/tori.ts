/**
 * Deforming tori wandering in a unit cube. Paper: CULLIDE, environment 2 (six tori; ten in its figure 5b).
 *
 * Density is the share of the cube inside the tori in their mean shape, overlaps counted twice.
 */
import { torus } from '../deform/surfaces.js';
import { circlePoint } from '../deform/turning.js';
import { seedOf } from '../random.js';
import { type DeformingShape, deformingScene } from './deforming.js';
import { assertSizes, cubeRoot, gridOf, type MovingScene } from './moving-scene.js';

export interface ToriOptions {
  /** Default 6. */
  readonly count?: number;
  /** Of each, an even number. Default 20 000. */
  readonly triangles?: number;
  /** Default 0.07. */
  readonly density?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Of the tube, in radii of the ring. */
const TUBE = 0.4;
/** Shares of the ring's radius, and of the tube's. */
const MOST_OVAL = 0.25;
const MOST_RIPPLE = 0.12;
const MOST_SADDLE = 0.3;
const MOST_SWELLING = 0.25;

/** Tori that become oval, ripple, warp and swell: all positions change in every frame. */
export function tori(options: ToriOptions = {}): MovingScene {
  const { count = 6, triangles = 20_000, density = 0.07, seed = 1 } = options;
  assertSizes(count, density);
  // solves count · 2 π² R (0.4 R)² = density
  const ringRadius = cubeRoot(density / (count * 2 * Math.PI * Math.PI * TUBE * TUBE));
  return deformingScene(ring(triangles, ringRadius), count, seedOf(seed, 23));
}

function ring(triangles: number, ringRadius: number): DeformingShape {
  const [around, across] = gridOf(triangles);
  if (across < 3) throw new RangeError(`a torus cannot have ${triangles} triangles`);
  const { indices } = torus(ringRadius, TUBE * ringRadius, around, across);
  const tube = Array.from({ length: across }, (_, j) => circlePoint(j / across));
  const write = (deformation: ArrayLike<number>, out: Float64Array): void => {
    const [oval, ripple, saddle, swelling] = Array.from(deformation);
    for (let i = 0, at = 0; i < around; i++) {
      const u = i / around;
      const [x, z] = circlePoint(u);
      const [twice] = circlePoint(2 * u);
      const [five] = circlePoint(5 * u);
      const radius = ringRadius * (1 + MOST_OVAL * oval * twice + MOST_RIPPLE * ripple * five);
      const height = ringRadius * MOST_SADDLE * saddle * twice;
      const thickness = TUBE * ringRadius * (1 + MOST_SWELLING * swelling * five);
      for (const [c, s] of tube) {
        const reach = radius + thickness * c;
        out[at++] = reach * x;
        out[at++] = height + thickness * s;
        out[at++] = reach * z;
      }
    }
  };
  return {
    name: 'torus',
    vertexCount: around * across,
    indices,
    radius: ringRadius * (1 + TUBE),
    write,
  };
}
