/** Exact measures of objects where they are stored. */
import type { StoredEngine } from '@impinge/model';
import { distance, hits, Mesh } from 'impinge';
import { normalOf } from './angle.js';
import { CurveList, placedTriangle } from './contact-curve.js';
import { poseOf } from './poses.js';
import type { Curve, Nearest, SurfacePoint } from './types.js';

export async function distanceOf(engine: StoredEngine, a: number, b: number): Promise<Nearest> {
  if (a === b) throw new Error('a distance needs two different objects');
  const found = await distance(engine.select([a]), engine.select([b]));
  if (!found.pointA || !found.pointB) throw new Error('one of the objects has no surface');
  return { object: b, distance: found.distance, pointA: found.pointA, pointB: found.pointB };
}

export async function within(
  engine: StoredEngine,
  object: number,
  clearance: number,
): Promise<readonly Nearest[]> {
  const others = engine.select((other) => other !== object);
  const found = await hits(engine.select([object]), others, { distance: clearance, mode: 'any' });
  return found.hits
    .map(({ objectB, bounds, pointA, pointB }) => ({
      object: objectB,
      distance: bounds[0],
      pointA,
      pointB,
    }))
    .sort((p, q) => p.distance - q.distance || p.object - q.object);
}

export async function curveOf(engine: StoredEngine, a: number, b: number, limit: number): Promise<Curve> {
  const [one, other] = [engine.select([a]), engine.select([b])];
  const list = new CurveList(limit);
  const box = Float64Array.of(...other.box.min, ...other.box.max);
  for await (const own of one.parts(box, () => 0)) {
    for await (const part of other.parts(box, () => 0)) list.add(own.mesh, own.pose, part.mesh, part.pose);
  }
  return list.curve();
}

export async function surfaceNear(
  engine: StoredEngine,
  object: number,
  near: readonly [number, number, number],
): Promise<SurfacePoint> {
  const spot = Mesh.from({ positions: [...near, ...near, ...near], name: 'point' });
  const box = Float64Array.of(...near, ...near);
  let best = Infinity;
  let found: SurfacePoint | undefined;
  try {
    for await (const { mesh, pose } of engine.select([object]).parts(box, () => best)) {
      const met = distance(spot, mesh, { poseB: poseOf(pose), atMost: best });
      if (!met.pointB || (found && met.distance >= best)) continue;
      best = met.distance;
      const triangle = placedTriangle(mesh, met.triangleB, pose);
      found = { object, point: met.pointB, normal: normalOf(triangle), triangle };
    }
  } finally {
    spot.dispose();
  }
  if (!found) throw new Error(`object ${object} has no surface`);
  return found;
}
