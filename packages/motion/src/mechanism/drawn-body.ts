/**
 * What a body of a mechanism or an obstacle is, drawn in: a surface as in drawn-in.ts, a solid as follows.
 *
 * Where a solid A is drawn in to A', so that every point of A outside A' is at most d from A's surface, and every point
 * of that at most d from A', and A' does not meet B, then the two are nowhere deeper in each other than d:
 * - A point of B in A is not in A': it is at most d from A's surface. So are all points in both.
 * - A point of A's surface in B is at most d from a point of A', which is not in B: so is B's surface.
 * Both hold
 * - of what is round, with a radius that is smaller by d;
 * - of cylinders, with a radius and two ends that are smaller by d / √2: of the rim that makes d;
 * - of hulls whose corners go at most d: on the way there no point of the surface goes farther, so points of A farther
 *   than d from it stay enclosed;
 * - of half-spaces that are moved back by d.
 * Errs: what moves is rounded by less than the distance that proofs keep beyond 0.
 */
import type { Mesh } from 'impinge';
import { HullBuilder } from 'impinge/internal/geometry/hull/hull-builder.js';
import { DrawnIn, directionsAt } from '../drawn-in.js';
import { ConvexSolid, distinct } from './convex-solid.js';
import { type LinkBody, type Surface, solids } from './link-body.js';
import type { Obstacle } from './obstacle-set.js';

type Body = LinkBody | Obstacle;

export interface DrawnBody<T extends Body> {
  readonly body: T;
  /** It was drawn in by no more. */
  readonly depth: number;
}

export class DrawnBodies {
  readonly #surfaces = new Map<Mesh, DrawnIn>();
  readonly #hulls = new Map<ConvexSolid, DrawnHull>();

  /**
   * A body drawn in by about a length, and by no more; undefined where there is too little of it. With `isSolid` its
   * solid is what counts.
   */
  by<T extends Body>(body: T, length: number, isSolid: boolean): DrawnBody<T> | undefined {
    if (body.surface && !isSolid) return this.#surfaceBy(body, body.surface, length);
    const solid = this.#solidBy(body, length);
    return (
      solid && { body: { ...body, solid, inner: solid, isExact: true, surface: undefined }, depth: length }
    );
  }

  /** Disposes of all meshes but those of some surfaces. */
  keep(used: ReadonlySet<Surface | undefined>): void {
    const meshes = new Set([...used].flatMap((surface) => surface?.mesh ?? []));
    for (const drawn of this.#surfaces.values()) drawn.keep(meshes);
  }

  #surfaceBy<T extends Body>(body: T, { mesh, pose }: Surface, length: number): DrawnBody<T> {
    let drawn = this.#surfaces.get(mesh);
    if (!drawn) this.#surfaces.set(mesh, (drawn = new DrawnIn(mesh)));
    const { mesh: own, depth } = drawn.by(length);
    const { solid: hull, inner, isExact, isShut } = solids.of(own);
    const solid = hull.posed(pose);
    const surface = { mesh: own, pose, isClosed: isShut };
    return { body: { ...body, solid, inner: isExact ? solid : inner?.posed(pose), isExact, surface }, depth };
  }

  #solidBy(body: Body, length: number): ConvexSolid | undefined {
    const { points, radius, disk, axis } = body.solid;
    const normal = 'normal' in body ? body.normal : undefined;
    if (normal)
      return new ConvexSolid(
        points.map((x, k) => x - length * normal[k]),
        0,
      );
    if (radius > 0) return length < radius ? new ConvexSolid(points, radius - length) : undefined;
    if (disk === 0) return this.#hullBy(body.solid, length);
    const each = length * Math.SQRT1_2;
    const half = 0.5 * Math.hypot(...[0, 1, 2].map((k) => points[3 + k] - points[k]));
    if (!(each < disk && each < half)) return undefined;
    const ends = points.map((x, i) => x + (i < 3 ? each : -each) * axis[i % 3]);
    return new ConvexSolid(ends, 0, disk - each);
  }

  #hullBy(solid: ConvexSolid, length: number): ConvexSolid | undefined {
    let hull = this.#hulls.get(solid);
    if (!hull) this.#hulls.set(solid, (hull = drawnHull(solid)));
    const { points, directions } = hull;
    return points.length > 0
      ? new ConvexSolid(
          points.map((x, i) => x + length * directions[i]),
          0,
        )
      : undefined;
  }
}

/** Corners, and the unit vectors that lead inwards from them; none of what has no volume. */
interface DrawnHull {
  readonly points: Float64Array;
  readonly directions: Float64Array;
}

function drawnHull(solid: ConvexSolid): DrawnHull {
  const { points, corners } = hullOf(solid);
  const same = corners.map((_, i) => i);
  return { points, directions: directionsAt(points, corners, -1, same.slice(0, points.length / 3)) };
}

/** The corners of a hull, and its triangles, counter-clockwise from outside; none of what has no volume. */
export function hullOf({ points }: ConvexSolid): { points: Float64Array; corners: Int32Array } {
  const hull = new HullBuilder();
  const ids = distinct(points);
  hull.build(points, ids, ids.length);
  const count = hull.dimension === 3 ? hull.vertexCount : 0;
  const out = new Float64Array(3 * count);
  const placeOf = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const v = hull.vertices[i];
    placeOf.set(v, i);
    out.set(points.subarray(3 * v, 3 * v + 3), 3 * i);
  }
  return { points: out, corners: hull.corners.slice(0, 3 * hull.faceCount).map((v) => placeOf.get(v)!) };
}
