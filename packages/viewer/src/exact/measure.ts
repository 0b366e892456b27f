/** Exact measures of objects where they are stored. */
import type { StoredTarget } from '@impinge/model';
import { distance, hits, Mesh } from 'impinge';
import { normalOf } from './angle.js';
import { CurveList, placedTriangle } from './contact-curve.js';
import { gapTo, poseOf } from './poses.js';
import type { Curve, Nearest, SurfacePoint } from './types.js';

export async function distanceOf(model: StoredTarget, a: number, b: number): Promise<Nearest> {
  if (a === b) throw new Error('a distance needs two different objects');
  const found = await distance(model.select([a]), model.select([b]));
  if (!found.pointA || !found.pointB) throw new Error('one of the objects has no surface');
  return { object: b, distance: found.distance, pointA: found.pointA, pointB: found.pointB };
}

export async function within(
  model: StoredTarget,
  object: number,
  clearance: number,
): Promise<readonly Nearest[]> {
  const others = model.select((other) => other !== object);
  const found = await hits(model.select([object]), others, { distance: clearance, mode: 'any' });
  return found.hits
    .map(({ objectB, bounds, pointA, pointB }) => ({
      object: objectB,
      distance: bounds[0],
      pointA,
      pointB,
    }))
    .sort((p, q) => p.distance - q.distance || p.object - q.object);
}

export async function curveOf(model: StoredTarget, a: number, b: number, limit: number): Promise<Curve> {
  const [one, other] = [model.select([a]), model.select([b])];
  const list = new CurveList(limit);
  const near = gapTo(Float64Array.of(...other.box.min, ...other.box.max));
  await one.eachPart(near, 0, async (own) => {
    await other.eachPart(near, 0, (part) => {
      list.add(own.mesh, own.pose, part.mesh, part.pose);
      return 0;
    });
    return 0;
  });
  return list.curve();
}

export async function surfaceNear(
  model: StoredTarget,
  object: number,
  near: readonly [number, number, number],
): Promise<SurfacePoint> {
  const spot = Mesh.from({ positions: [...near, ...near, ...near], name: 'point' });
  const gap = gapTo(Float64Array.of(...near, ...near));
  let found: SurfacePoint | undefined;
  try {
    await model.select([object]).eachPart(gap, Infinity, ({ mesh, pose }, best) => {
      const met = distance(spot, mesh, { poseB: poseOf(pose), atMost: best });
      if (!met.pointB || (found && met.distance >= best)) return best;
      const triangle = placedTriangle(mesh, met.triangleB, pose);
      found = { object, point: met.pointB, normal: normalOf(triangle), triangle };
      return met.distance;
    });
  } finally {
    spot.dispose();
  }
  if (!found) throw new Error(`object ${object} has no surface`);
  return found;
}
