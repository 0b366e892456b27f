/** Points and primitives: the closest point of the surface, and on which side of it they are. */
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import type { PrimitivePoint } from '../../scene/scene-primitive.js';
import { alongOf, closestInCylinder, placeBeside } from '../shape/cylinder.js';
import type { Hull, Solid } from '../shape/placed-solid.js';
import type { CylinderWorldShape, RoundWorldShape } from '../shape/shape-input.js';

/** The point of the surface closest to a point. */
export function onSurface(solid: Solid, p: Float64Array): PrimitivePoint {
  if (solid.form === 'round') return onRound(solid, p);
  if (solid.form === 'hull') return onHull(solid, p);
  if (solid.form === 'cylinder') return onCylinder(solid, p);
  const { normal, offset } = solid;
  const above = normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - offset;
  const share = above / (normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
  return { point: normal.map((x, k) => p[k] - share * x), normal, side: 0 - Math.sign(above) };
}

function onRound({ axis, radius }: RoundWorldShape, p: Float64Array): PrimitivePoint {
  const way = [axis[3] - axis[0], axis[4] - axis[1], axis[5] - axis[2]];
  const square = way[0] ** 2 + way[1] ** 2 + way[2] ** 2;
  const along = way.reduce((sum, x, k) => sum + x * (p[k] - axis[k]), 0);
  const share = square > 0 ? Math.max(0, Math.min(1, along / square)) : 0;
  const core = way.map((x, k) => axis[k] + share * x);
  let normal = core.map((x, k) => p[k] - x);
  if (share > 0 && share < 1) {
    // without what rounding has left along the axis, which matters close to it
    const left = normal.reduce((sum, x, k) => sum + x * way[k], 0) / square;
    normal = normal.map((x, k) => x - left * way[k]);
  }
  let far = Math.hypot(...normal);
  const side = Math.sign(radius - far);
  if (far <= 1e-15 * Math.max(...axis.map(Math.abs), ...p.map(Math.abs)) || far === 0) {
    // on the axis: across it, any way
    const least = way.map(Math.abs).indexOf(Math.min(...way.map(Math.abs)));
    normal = [0, 1, 2].map((k) => (k === least ? 1 : 0) - (square > 0 ? (way[least] * way[k]) / square : 0));
    far = Math.hypot(...normal);
  }
  return { point: core.map((x, k) => x + (radius / far) * normal[k]), normal, side };
}

function onCylinder(cylinder: CylinderWorldShape, p: Float64Array): PrimitivePoint {
  const { axis, radius } = cylinder;
  const { unit, length } = alongOf(cylinder);
  const { along, across } = placeBeside(cylinder, unit, p);
  const far = Math.hypot(...across);
  // how far inside of the side, the bottom and the top
  const depths = [radius - far, along, length - along];
  const least = Math.min(...depths);
  const ways = [far > 0 ? across : acrossOf(unit), unit.map((x) => -x), unit];
  const at = (h: number, share: number, way: readonly number[]) =>
    unit.map((x, k) => axis[k] + h * x + share * way[k]);
  if (least >= 0) {
    const nearest = depths.indexOf(least);
    const [side] = ways;
    const point =
      nearest === 0
        ? at(along, radius / Math.hypot(...side), side)
        : at(nearest === 1 ? 0 : length, 1, across);
    return { point, normal: ways[nearest], side: Math.sign(least) };
  }
  const point = closestInCylinder(cylinder, p);
  const way = point.map((x, k) => p[k] - x);
  return { point, normal: way.some((x) => x !== 0) ? way : ways[depths.indexOf(least)], side: -1 };
}

/** Any direction across another, which has length 1. */
function acrossOf(way: readonly number[]): number[] {
  const sizes = way.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  return way.map((x, k) => (k === least ? 1 : 0) - way[least] * x);
}

function onHull({ surface, meets }: Hull, p: Float64Array): PrimitivePoint {
  const out = new Float64Array(8);
  let best = Infinity;
  let point: readonly number[] = [0, 0, 0];
  let at = 0;
  for (let f = 0; f < surface.length; f += 9) {
    const square = distanceSqPointTriangle(p, 0, surface, f, out);
    if (square >= best) continue;
    best = square;
    point = Array.from(out.subarray(3, 6));
    at = f;
  }
  const inside = meets(Float64Array.of(...p, ...p, ...p));
  const [ux, uy, uz, vx, vy, vz] = [3, 4, 5, 6, 7, 8].map((k) => surface[at + k] - surface[at + (k % 3)]);
  const face = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  if (best === 0) return { point, normal: face, side: 0 };
  const way = inside ? [0, 1, 2].map((k) => point[k] - p[k]) : [0, 1, 2].map((k) => p[k] - point[k]);
  return { point, normal: way, side: inside ? 1 : -1 };
}
