/**
 * The faces of a body, and of what is around it, that are near each other and lie along each other: between them it
 * slides. A wall beside which it goes by is none of them. Of what is near with no such faces, all are taken.
 */
import type { Mesh, Vec3 } from 'impinge';
import { posePoint, type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import { withinPlaced } from 'impinge/internal/query/pair/within.js';
import { cross, dot, lengthOf, plus, times } from 'impinge/internal/query/walk/vectors.js';
import type { FreeSpace } from '../free-space.js';

export interface NearFace {
  readonly middle: Vec3;
  /** Of length 1; of what stands still, to the side that the body is on. */
  readonly normal: Vec3;
  readonly area: number;
}

export interface NearFaces {
  readonly standing: readonly NearFace[];
  readonly moving: readonly NearFace[];
}

/** Nothing is near where the least distance is more than this share of the body's radius. */
const NEAR = 0.02;
/** Triangles are near within this many times the least distance, and this share of the radius. */
const NEAR_LEAST = 1.5;
const NEAR_RADIUS = 0.01;
/** Pairs of triangles with one obstacle. */
const MOST_PAIRS = 200_000;
/** The cosine of the angle between two triangles that lie along each other. */
const ALONG = 0.95;

/** All within the least distance and a little more, or a little where they touch. */
export function nearFaces(free: FreeSpace, pose: RigidPose): NearFaces {
  const { radius } = free.ball;
  const out: { standing: NearFace[]; moving: NearFace[] } = { standing: [], moving: [] };
  const least = free.nearest(pose, NEAR * radius)?.distance;
  if (least === undefined) return out;
  const reach = NEAR_LEAST * least + NEAR_RADIUS * radius;
  for (const { pair } of free.near(pose, reach)) {
    const { obstacle, body } = pair;
    const standing = new PlacedFaces(obstacle.mesh, obstacle.pose);
    const moving = new PlacedFaces(body, pose);
    const { pairs } = withinPlaced(obstacle.mesh, body, relativePose(obstacle.pose, pose), MOST_PAIRS, reach);
    const along = facesOf(pairs, standing, moving, ALONG);
    const taken = along.standing.length > 0 ? along : facesOf(pairs, standing, moving, 0);
    out.standing.push(...taken.standing);
    out.moving.push(...taken.moving);
  }
  return out;
}

/** Of pairs whose normals have at least this cosine, either way. */
function facesOf(pairs: Uint32Array, standing: PlacedFaces, moving: PlacedFaces, least: number): NearFaces {
  const sides = new Map<NearFace, number>();
  const others = new Set<NearFace>();
  for (let i = 0; i < pairs.length; i += 2) {
    const [face, other] = [standing.at(pairs[i]), moving.at(pairs[i + 1])];
    if (!face || !other || Math.abs(dot(face.normal, other.normal)) < least) continue;
    const height = dot(face.normal, plus(other.middle, face.middle, -1));
    sides.set(face, (sides.get(face) ?? 0) + height);
    others.add(other);
  }
  const turned = ([face, side]: [NearFace, number]) =>
    side < 0 ? { ...face, normal: times(face.normal, -1) } : face;
  return { standing: Array.from(sides, turned), moving: [...others] };
}

/** Triangles of a mesh, in the world, each worked out once. */
class PlacedFaces {
  readonly #mesh: Mesh;
  readonly #pose: RigidPose;
  readonly #known = new Map<number, NearFace | undefined>();

  constructor(mesh: Mesh, pose: RigidPose) {
    this.#mesh = mesh;
    this.#pose = pose;
  }

  /** Undefined where it has no area. */
  at(triangle: number): NearFace | undefined {
    if (!this.#known.has(triangle)) this.#known.set(triangle, this.#place(triangle));
    return this.#known.get(triangle);
  }

  #place(triangle: number): NearFace | undefined {
    const { storedPositions: p, storedIndices, origin } = this.#mesh;
    const at = new Float64Array(3);
    const [a, b, c] = [0, 1, 2].map((k): Vec3 => {
      const v = 3 * storedIndices[3 * triangle + k];
      posePoint(this.#pose, p[v] + origin[0], p[v + 1] + origin[1], p[v + 2] + origin[2], at, 0);
      return [at[0], at[1], at[2]];
    });
    const across = cross(plus(b, a, -1), plus(c, a, -1));
    const length = lengthOf(across);
    if (!(length > 0)) return undefined;
    const middle = times(plus(plus(a, b), c), 1 / 3);
    return { middle, normal: times(across, 1 / length), area: 0.5 * length };
  }
}
