/**
 * Where a ray passes through the surface of a solid shape: all of them are convex, so it enters once and leaves once.
 * Errs: distances are float64, rounded.
 */
import type { Vec3 } from '../../math/pose.js';
import type { PrimitiveHit } from '../../scene/scene-primitive.js';
import { hullShape, largest } from './convex-shape.js';
import { alongOf, placeBeside } from './cylinder.js';
import type { CylinderWorldShape, WorldShape } from './shape-input.js';

/** From where to where along a ray, in units of its direction; nothing where from > to. */
interface Stretch {
  from: number;
  to: number;
  /** Normals where it begins and ends, any length. */
  into: readonly number[];
  out: readonly number[];
}

type Direction = readonly [number, number, number];
const NONE: Direction = [0, 0, 0];

export function crossingsOf(shape: WorldShape, ray: Float64Array): PrimitiveHit[] {
  const stretch = stretchOf(shape, ray);
  if (!(stretch.from <= stretch.to)) return [];
  const length = Math.hypot(ray[3], ray[4], ray[5]);
  const hits: PrimitiveHit[] = [];
  for (const [t, normal, back] of [
    [stretch.from, stretch.into, false],
    [stretch.to, stretch.out, true],
  ] as const) {
    if (!(t >= 0 && t < Infinity)) continue;
    const point: Vec3 = [ray[0] + t * ray[3], ray[1] + t * ray[4], ray[2] + t * ray[5]];
    const size = Math.hypot(...normal);
    const unit: Vec3 = [normal[0] / size, normal[1] / size, normal[2] / size];
    hits.push({ distance: t * length, point, normal: unit, back });
  }
  return hits;
}

function stretchOf(shape: WorldShape, ray: Float64Array): Stretch {
  if (shape.form === 'round') return alongCapsule(shape.axis, shape.radius, ray);
  const all: Stretch = { from: -Infinity, to: Infinity, into: NONE, out: NONE };
  if (shape.form === 'half-space') {
    clip(all, shape.normal, shape.offset, ray);
    return all;
  }
  if (shape.form === 'cylinder') return alongCylinder(shape, ray);
  if (shape.form === 'box') return { ...all, from: Infinity };
  const { planes } = hullShape(shape.points, largest(shape.points));
  for (let p = 0; p < planes.length; p += 5) clip(all, planes.subarray(p, p + 3), planes[p + 3], ray);
  return all;
}

/** Keeps what is below a plane. */
function clip(stretch: Stretch, normal: ArrayLike<number>, offset: number, ray: Float64Array): void {
  const [x, y, z] = [normal[0], normal[1], normal[2]];
  const above = x * ray[0] + y * ray[1] + z * ray[2] - offset;
  const rise = x * ray[3] + y * ray[4] + z * ray[5];
  if (rise === 0) {
    if (above > 0) stretch.from = Infinity;
    return;
  }
  const t = -above / rise;
  if (rise < 0 && t > stretch.from) {
    stretch.from = t;
    stretch.into = [x, y, z];
  } else if (rise > 0 && t < stretch.to) {
    stretch.to = t;
    stretch.out = [x, y, z];
  }
}

/** Of a cylinder: what is near enough to its axis and between its ends. */
function alongCylinder(shape: CylinderWorldShape, ray: Float64Array): Stretch {
  const { axis, radius } = shape;
  const { unit } = alongOf(shape);
  const direction = [ray[3], ray[4], ray[5]];
  const { across: p } = placeBeside(shape, unit, ray);
  const d = direction.map((x, k) => x - dot(direction, unit) * unit[k]);
  const [from, to] = roots(dot(d, d), dot(p, d), dot(p, p) - radius * radius);
  const normalAt = (t: number) => (Number.isFinite(t) ? p.map((x, k) => x + t * d[k]) : NONE);
  const all: Stretch = { from, to, into: normalAt(from), out: normalAt(to) };
  clip(all, unit, dot(unit, axis.slice(3)), ray);
  const down = unit.map((x) => -x);
  clip(all, down, dot(down, axis.slice(0, 3)), ray);
  return all;
}

/** Of a capsule: of the spheres at its ends and of what lies between them, the first and the last. */
function alongCapsule(axis: readonly number[], radius: number, ray: Float64Array): Stretch {
  const all: Stretch = { from: Infinity, to: -Infinity, into: NONE, out: NONE };
  const add = (from: number, to: number, normalAt: (t: number) => readonly number[]) => {
    if (!(from <= to)) return;
    if (from < all.from) {
      all.from = from;
      all.into = normalAt(from);
    }
    if (to > all.to) {
      all.to = to;
      all.out = normalAt(to);
    }
  };
  const direction = [ray[3], ray[4], ray[5]];
  const way = [axis[3] - axis[0], axis[4] - axis[1], axis[5] - axis[2]];
  const square = dot(way, way);
  for (const at of square > 0 ? [0, 3] : [0]) {
    const start = [0, 1, 2].map((k) => ray[k] - axis[at + k]);
    const [from, to] = roots(
      dot(direction, direction),
      dot(start, direction),
      dot(start, start) - radius * radius,
    );
    add(from, to, (t) => start.map((x, k) => x + t * direction[k]));
  }
  if (square === 0) return all;
  // across the axis: what is left of a vector without its share along it
  const across = (v: readonly number[]) => v.map((x, k) => x - (dot(v, way) / square) * way[k]);
  const start = [0, 1, 2].map((k) => ray[k] - axis[k]);
  const [p, d] = [across(start), across(direction)];
  let [from, to] = roots(dot(d, d), dot(p, d), dot(p, p) - radius * radius);
  const [s, step] = [dot(start, way), dot(direction, way)];
  if (step === 0) {
    if (s < 0 || s > square) return all;
  } else {
    from = Math.max(from, Math.min(-s / step, (square - s) / step));
    to = Math.min(to, Math.max(-s / step, (square - s) / step));
  }
  add(from, to, (t) => p.map((x, k) => x + t * d[k]));
  return all;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Where a t² + 2 b t + c ≤ 0. */
function roots(a: number, b: number, c: number): [number, number] {
  if (a === 0) return c <= 0 ? [-Infinity, Infinity] : [Infinity, -Infinity];
  const inner = b * b - a * c;
  if (!(inner >= 0)) return [Infinity, -Infinity];
  // of two roots the one without cancellation first
  const q = -(b + (b < 0 ? -1 : 1) * Math.sqrt(inner));
  const [s, t] = q === 0 ? [0, 0] : [q / a, c / q];
  return [Math.min(s, t), Math.max(s, t)];
}
