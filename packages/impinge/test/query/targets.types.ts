/**
 * This only has to compile: every question takes every target, a union of them, and a variable of the options type that
 * is exported for it; the answers have the types that they should have.
 */
import {
  type ClosestOptions,
  type ClosestPointResult,
  type ClosestPoints,
  type CollideOptions,
  type CollideResult,
  closestPoint,
  closestPoints,
  collide,
  type DistanceOptions,
  type DistanceResult,
  distance,
  type EngineCollideResult,
  type EngineDistanceResult,
  type EngineWithinResult,
  type HitsOptions,
  type HitsResult,
  hits,
  type Mesh,
  meetsShape,
  meetsSpheres,
  type ObjectTriangles,
  objectsInShape,
  type PointOptions,
  pointInMesh,
  pointsInMesh,
  type QueryEngine,
  type Ray,
  type RaycastOptions,
  type RayHit,
  type RayHits,
  type Rays,
  raycast,
  raycastMany,
  type Scene,
  type SceneObject,
  type Shape,
  type ShapeContact,
  type ShapeDistance,
  type ShapeDistanceOptions,
  type ShapeOptions,
  type Side,
  type Spheres,
  shapeDistance,
  signedDistance,
  signedDistances,
  sweepShape,
  type Target,
  trianglesInShape,
  type WithinOptions,
  type WithinResult,
  within,
} from 'impinge';

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? unknown : never;
declare function same<Wanted>(): <Given>(given: Given & Same<Given, Wanted>) => void;

declare const mesh: Mesh;
declare const scene: Scene;
declare const engine: QueryEngine;
declare const either: Mesh | Scene;
declare const target: Target;

export function rays(ray: Ray, many: Rays, options: RaycastOptions): void {
  same<RayHit | undefined>()(raycast(mesh, ray));
  same<RayHit<Scene> | undefined>()(raycast(scene, ray, {}));
  same<Promise<RayHit<QueryEngine> | undefined>>()(raycast(engine, ray, { mode: 'any' }));
  same<RayHit[]>()(raycast(mesh, ray, { mode: 'all' }));
  same<RayHit<Scene>[]>()(raycast(scene, ray, { mode: 'all', atMost: 2 }));
  same<Promise<RayHit<QueryEngine>[]>>()(raycast(engine, ray, { mode: 'all' }));
  same<RayHit | RayHit[] | undefined>()(raycast(mesh, ray, options));
  same<RayHit | RayHit<Scene> | undefined>()(raycast(either, ray));
  same<SceneObject | undefined>()(raycast(either, ray)?.object);
  same<SceneObject>()(raycast(scene, ray, { mode: 'all' })[0].object);
  raycast(scene, ray, options);
  raycast(engine, ray, options);
  raycast(either, ray, options);
  raycast(target, ray, options);

  same<RayHits>()(raycastMany(mesh, many));
  same<RayHits<Scene>>()(raycastMany(scene, many, { mode: 'first' }));
  same<Promise<RayHits<QueryEngine>>>()(raycastMany(engine, many));
  same<Uint32Array>()(raycastMany(mesh, many, { mode: 'all' }).starts);
  same<Uint32Array | undefined>()(raycastMany(mesh, many, options).starts);
  same<Promise<RayHits<QueryEngine, 'all'>>>()(raycastMany(engine, many, { mode: 'all' }));
  same<readonly (SceneObject | undefined)[] | undefined>()(raycastMany(either, many).objects);
  raycastMany(scene, many, options);
  raycastMany(engine, many, options);
  raycastMany(target, many, options);
  // @ts-expect-error no such mode
  raycast(mesh, ray, { mode: 'last' });
  // @ts-expect-error no such option
  raycast(mesh, ray, { far: 1 });
  // @ts-expect-error no target
  raycast({}, ray);
}

export function points(
  point: readonly [number, number, number],
  near: ClosestOptions,
  at: PointOptions,
): void {
  same<ClosestPointResult | undefined>()(closestPoint(mesh, point, near));
  same<ClosestPointResult<Scene> | undefined>()(closestPoint(scene, point, near));
  same<Promise<ClosestPointResult<QueryEngine> | undefined>>()(closestPoint(engine, point, near));
  same<SceneObject | undefined>()(closestPoint(either, point, near)?.object);
  closestPoint(target, point, near);
  same<ClosestPoints>()(closestPoints(mesh, point, near));
  same<ClosestPoints<Scene>>()(closestPoints(scene, point, near));
  same<Promise<ClosestPoints<QueryEngine>>>()(closestPoints(engine, point, near));
  closestPoints(target, point, near);
  same<number>()(signedDistance(either, point, at));
  same<Promise<number>>()(signedDistance(engine, point, at));
  same<number | Promise<number>>()(signedDistance(target, point, at));
  same<Float64Array>()(signedDistances(either, point, at));
  same<Promise<Float64Array>>()(signedDistances(engine, point, at));
  pointInMesh(either, point, at);
  pointsInMesh(either, point, at);
}

export function shapes(shape: Shape, spheres: Spheres, at: ShapeOptions, near: ShapeDistanceOptions): void {
  same<boolean>()(meetsShape(either, shape, at));
  same<Promise<boolean>>()(meetsShape(engine, shape, at));
  same<boolean | Promise<boolean>>()(meetsShape(target, shape, at));
  same<Uint8Array>()(meetsSpheres(either, spheres, at));
  same<Promise<Uint8Array>>()(meetsSpheres(engine, spheres, at));
  same<Uint32Array>()(trianglesInShape(mesh, shape, at));
  same<ObjectTriangles<Scene>[]>()(trianglesInShape(scene, shape, at));
  same<Promise<ObjectTriangles<QueryEngine>[]>>()(trianglesInShape(engine, shape, at));
  trianglesInShape(target, shape, at);
  same<SceneObject[]>()(objectsInShape(scene, shape));
  same<Promise<Uint32Array>>()(objectsInShape(engine, shape));
  same<ShapeDistance | undefined>()(shapeDistance(mesh, shape, near));
  same<ShapeDistance<Scene> | undefined>()(shapeDistance(scene, shape, near));
  same<Promise<ShapeDistance<QueryEngine> | undefined>>()(shapeDistance(engine, shape, near));
  shapeDistance(target, shape, near);
  same<ShapeContact | undefined>()(sweepShape(mesh, shape, [1, 0, 0], at));
  same<ShapeContact<Scene> | undefined>()(sweepShape(scene, shape, [1, 0, 0], at));
  same<Promise<ShapeContact<QueryEngine> | undefined>>()(sweepShape(engine, shape, [1, 0, 0], at));
  sweepShape(target, shape, [1, 0, 0], at);
}

export function pairs(
  side: Side,
  all: CollideOptions,
  near: WithinOptions,
  far: DistanceOptions,
  objects: HitsOptions,
): void {
  same<CollideResult>()(collide(mesh, mesh, all));
  same<Promise<EngineCollideResult>>()(collide(mesh, engine, all));
  same<Promise<EngineCollideResult>>()(collide(engine, side, all));
  same<CollideResult | Promise<EngineCollideResult>>()(collide(side, mesh, all));
  same<WithinResult>()(within(mesh, mesh, near));
  same<Promise<EngineWithinResult>>()(within(engine, mesh, near));
  same<WithinResult | Promise<EngineWithinResult>>()(within(side, side, near));
  same<DistanceResult>()(distance(mesh, mesh, far));
  same<Promise<EngineDistanceResult>>()(distance(engine, engine, far));
  same<DistanceResult | Promise<EngineDistanceResult>>()(distance(side, side, far));
  same<HitsResult>()(hits(mesh, mesh, objects));
  same<Promise<HitsResult>>()(hits(side, engine, objects));
}
