/**
 * Primitives against meshes and each other: whether they meet, and how far apart they are.
 *
 * Of a hull, which boxes are, too, what meets it is decided exactly for its corners in the world. Of spheres and
 * capsules, distances are compared with radii in float64.
 */
import { distanceSqSegmentSegment } from '../../geometry/distance/segment-segment.js';
import { distanceSqSegmentTriangle } from '../../geometry/distance/segment-triangle.js';
import { distanceSqTriangleTriangle } from '../../geometry/distance/triangle-triangle.js';
import type { Vec3 } from '../../math/pose.js';
import type { PairsFound } from '../pair/many-pairs.js';
import type { DistanceResult } from '../pair/results.js';
import { noStats } from '../pair/stats.js';
import { type Farthest, farthestOfPoints, type Gap, gapOfConvex, MET } from '../shape/convex-gap.js';
import { largest } from '../shape/convex-shape.js';
import { farthestOfCylinder } from '../shape/cylinder.js';
import { gapToTriangle as gapOfCylinder } from '../shape/cylinder-distance.js';
import { cornersOf, findTriangles, toWorld } from '../shape/find-triangles.js';
import { readPlace } from '../shape/mesh-place.js';
import { type HalfSpace, type Hull, type Placeable, type Solid, solidAt } from '../shape/placed-solid.js';
import { shapeDistance } from '../shape/shape-distance.js';
import type { RoundWorldShape, Shape } from '../shape/shape-input.js';
import type { TargetPart } from '../target.js';
import { boxOfShape } from './shape-bounds.js';

function solidOf({ primitive, pose }: Pick<TargetPart, 'primitive' | 'pose'>): Solid {
  return solidAt(primitive as unknown as Placeable, pose);
}

/**
 * Pairs of triangles within a distance, where a or b is a primitive, whose one triangle is 0; undefined where there are
 * none.
 */
export function withinPrimitive(
  a: TargetPart,
  b: TargetPart,
  distance: number,
  limit: number,
): PairsFound | undefined {
  if (a.primitive && b.primitive) {
    const { distance: gap } = gapOf(solidOf(a), solidOf(b));
    return gap <= distance ? { pairs: Uint32Array.of(0, 0), count: 1, complete: true } : undefined;
  }
  const [primitive, posed] = a.primitive ? [a, b] : [b, a];
  const met = trianglesWithin(solidOf(primitive), posed, distance, limit === 1);
  if (met.length === 0) return undefined;
  const count = Math.min(met.length, limit);
  const pairs = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) pairs[2 * i + (a.primitive ? 1 : 0)] = met[i];
  return { pairs, count, complete: limit > 1 && count === met.length };
}

function trianglesWithin(solid: Solid, posed: TargetPart, distance: number, any: boolean): ArrayLike<number> {
  const { mesh } = posed;
  const place = readPlace(posed.pose);
  if (solid.form === 'round')
    return findTriangles({ ...solid, radius: solid.radius + distance }, mesh, place, any);
  if (solid.form === 'half-space') {
    const offset = solid.offset + distance * Math.hypot(...solid.normal);
    return findTriangles({ ...solid, offset }, mesh, place, any);
  }
  if (solid.form === 'cylinder') {
    if (distance === 0) return findTriangles(solid, mesh, place, any);
    const { axis, radius } = solid;
    const near = findTriangles({ form: 'round', axis, radius: radius + distance }, mesh, place, false);
    return Array.from(near).filter(
      (t) => gapOfCylinder(solid, toWorld(cornersOf(mesh, t), mesh, place)).distance <= distance,
    );
  }
  const met = findTriangles({ form: 'hull', points: solid.points }, mesh, place, any && distance === 0);
  if (distance === 0) return met;
  const ends = Array.from(boxOfShape({ form: 'hull', points: solid.points }), (x, k) =>
    k < 3 ? x - distance : x + distance,
  );
  const inside = new Set(Array.from(met));
  const near = findTriangles({ form: 'box', ends, pose: undefined }, mesh, place, false);
  return Array.from(near).filter(
    (t) =>
      inside.has(t) || gapToTriangle(solid, toWorld(cornersOf(mesh, t), mesh, place)).distance <= distance,
  );
}

/** How far two objects are apart, of which a or b is a primitive; of those that meet no points are named. */
export function distanceOfPrimitive(a: TargetPart, b: TargetPart, atMost: number): DistanceResult {
  if (a.primitive && b.primitive) {
    const { distance, points } = gapOf(solidOf(a), solidOf(b));
    return result(distance, points, -1, -1);
  }
  const [primitive, posed] = a.primitive ? [a, b] : [b, a];
  const shape = asShape(solidOf(primitive));
  const found = shapeDistance(posed.mesh, shape, { pose: posed.pose, atMost });
  if (!found) return result(Infinity, undefined, -1, -1);
  const { distance, points, triangle } = found;
  if (posed === a) return result(distance, points, triangle, -1);
  return result(distance, points && [points[1], points[0]], -1, triangle);
}

function result(
  distance: number,
  points: readonly [Vec3, Vec3] | undefined,
  triangleA: number,
  triangleB: number,
): DistanceResult {
  const [pointA, pointB] = points ?? [undefined, undefined];
  const features = { featureA: -1, featureB: -1 };
  const bounds = [distance, distance] as const;
  return { distance, bounds, pointA, pointB, triangleA, triangleB, ...features, error: 0, stats: noStats() };
}

function asShape(solid: Solid): Shape {
  if (solid.form === 'half-space') return { normal: solid.normal, offset: solid.offset };
  if (solid.form === 'hull') return { points: solid.points };
  const { axis, radius } = solid;
  if (solid.form === 'cylinder') return { bottom: axis.slice(0, 3), top: axis.slice(3), radius };
  return { from: solid.axis.slice(0, 3), to: solid.axis.slice(3), radius: solid.radius };
}

/** How far apart two solids are; the points are theirs, in this order. */
export function gapOf(a: Solid, b: Solid): Gap {
  if (b.form === 'half-space') return a.form === 'half-space' ? gapOfPlanes(a, b) : swapped(gapToPlane(b, a));
  if (a.form === 'half-space') return gapToPlane(a, b);
  if (a.form === 'cylinder' || b.form === 'cylinder') return gapOfSolids(a, b);
  if (a.form === 'hull') return b.form === 'hull' ? gapOfHulls(a, b) : gapToRound(a, b);
  return b.form === 'hull' ? swapped(gapToRound(b, a)) : gapOfRounds(a, b);
}

function swapped({ distance, points }: Gap): Gap {
  return { distance, points: points && [points[1], points[0]] };
}

/** Two of them meet unless they face away from each other. */
function gapOfPlanes(a: HalfSpace, b: HalfSpace): Gap {
  const [p, q] = [unit(a), unit(b)];
  if (p.normal.some((x, k) => Math.abs(x + q.normal[k]) > 1e-15)) return MET;
  const distance = -(p.offset + q.offset);
  if (!(distance > 0)) return MET;
  const at = (x: number) => x * p.offset;
  const [x, y, z] = p.normal;
  const end = (k: number) => k * -q.offset;
  return {
    distance,
    points: [
      [at(x), at(y), at(z)],
      [end(x), end(y), end(z)],
    ],
  };
}

function unit({ normal, offset }: HalfSpace) {
  const length = Math.hypot(...normal);
  return { normal: normal.map((x) => x / length), offset: offset / length };
}

/** Of which one is a cylinder: of spheres and capsules, to the axis. */
function gapOfSolids(a: Exclude<Solid, HalfSpace>, b: Exclude<Solid, HalfSpace>): Gap {
  const size = Math.max(sizeOf(a), sizeOf(b));
  const { distance, points } = gapOfConvex(farthestOf(a), farthestOf(b), size);
  if (!points) return MET;
  const radiusOf = (solid: Solid) => (solid.form === 'round' ? solid.radius : 0);
  return shrunk(distance, Float64Array.from(points.flat()), radiusOf(a), radiusOf(b));
}

function sizeOf(solid: Exclude<Solid, HalfSpace>): number {
  return solid.form === 'hull' ? largest(solid.points) : largest(solid.axis) + solid.radius;
}

function farthestOf(solid: Exclude<Solid, HalfSpace>): Farthest {
  if (solid.form === 'cylinder') return farthestOfCylinder(solid);
  return farthestOfPoints(solid.form === 'hull' ? solid.points : solid.axis);
}

function gapToPlane(plane: HalfSpace, other: Exclude<Solid, HalfSpace>): Gap {
  const { normal, offset } = unit(plane);
  const [x, y, z] = normal;
  const points = lowestOf(other, normal);
  const radius = other.form === 'round' ? other.radius : 0;
  let above = Infinity;
  let at = 0;
  for (let i = 0; i < points.length; i += 3) {
    const own = x * points[i] + y * points[i + 1] + z * points[i + 2] - offset;
    if (own >= above) continue;
    above = own;
    at = i;
  }
  const distance = above - radius;
  if (!(distance > 0)) return MET;
  const moved = (by: number): Vec3 => [points[at] - by * x, points[at + 1] - by * y, points[at + 2] - by * z];
  return { distance, points: [moved(above), moved(radius)] };
}

/** Points among which one is the lowest. */
function lowestOf(solid: Exclude<Solid, HalfSpace>, [x, y, z]: readonly number[]): ArrayLike<number> {
  if (solid.form === 'hull') return solid.points;
  if (solid.form === 'round') return solid.axis;
  const out = new Float64Array(3);
  farthestOfCylinder(solid)(-x, -y, -z, out, 0);
  return out;
}

function gapOfRounds(a: RoundWorldShape, b: RoundWorldShape): Gap {
  const out = new Float64Array(8);
  const [p, q] = [Float64Array.from(a.axis), Float64Array.from(b.axis)];
  const core = Math.sqrt(distanceSqSegmentSegment(p, 0, 3, q, 0, 3, out));
  return shrunk(core, out, a.radius, b.radius);
}

/** Of points at a distance, what is left between spheres around them. */
function shrunk(core: number, out: Float64Array, radiusA: number, radiusB: number): Gap {
  const distance = core - radiusA - radiusB;
  if (!(distance > 0)) return MET;
  const at = (share: number): Vec3 => [
    out[0] + share * (out[3] - out[0]),
    out[1] + share * (out[4] - out[1]),
    out[2] + share * (out[5] - out[2]),
  ];
  return { distance, points: [at(radiusA / core), at(1 - radiusB / core)] };
}

function gapToRound({ surface, meets }: Hull, { axis, radius }: RoundWorldShape): Gap {
  const ends = Float64Array.from(axis);
  if (meets(Float64Array.of(...axis, ...axis.slice(3)))) return MET;
  const trial = new Float64Array(8);
  const out = new Float64Array(8);
  let best = Infinity;
  for (let f = 0; f < surface.length; f += 9) {
    const square = distanceSqSegmentTriangle(ends, 0, 3, surface, f, trial);
    if (square >= best) continue;
    best = square;
    // the surface first
    out.set(trial.subarray(3, 6), 0);
    out.set(trial.subarray(0, 3), 3);
  }
  return shrunk(Math.sqrt(best), out, 0, radius);
}

function gapOfHulls(a: Hull, b: Hull): Gap {
  const triangle = new Float64Array(9);
  let best: Gap = { distance: Infinity, points: undefined };
  // what is wholly inside of b has a triangle that b meets
  if (b.meets(a.surface.slice(0, 9))) return MET;
  for (let f = 0; f < b.surface.length; f += 9) {
    triangle.set(b.surface.subarray(f, f + 9));
    if (a.meets(triangle)) return MET;
    const own = gapToTriangle(a, triangle);
    if (own.distance < best.distance) best = own;
  }
  return best;
}

/** Of a triangle that the hull does not meet. */
function gapToTriangle({ surface }: Hull, triangle: Float64Array): Gap {
  const trial = new Float64Array(8);
  const out = new Float64Array(6);
  let best = Infinity;
  for (let f = 0; f < surface.length; f += 9) {
    const square = distanceSqTriangleTriangle(surface, f, triangle, 0, trial);
    if (square >= best) continue;
    best = square;
    out.set(trial.subarray(0, 6));
  }
  const [ax, ay, az, bx, by, bz] = out;
  return {
    distance: Math.sqrt(best),
    points: [
      [ax, ay, az],
      [bx, by, bz],
    ],
  };
}
