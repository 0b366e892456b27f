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
  type HitsOptions,
  type HitsResult,
  hits,
  type Mesh,
  meetsShape,
  meetsSpheres,
  type ObjectTriangles,
  objectsInShape,
  type PartsTarget,
  type PointLocation,
  type PointOptions,
  pointInMesh,
  pointsInMesh,
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
declare const stored: PartsTarget;
declare const either: Mesh | Scene;
declare const target: Target;

export function rays(ray: Ray, many: Rays, options: RaycastOptions): void {
  same<RayHit | undefined>()(raycast(mesh, ray));
  same<RayHit<Scene> | undefined>()(raycast(scene, ray, {}));
  same<Promise<RayHit<PartsTarget> | undefined>>()(raycast(stored, ray, { mode: 'any' }));
  same<RayHit[]>()(raycast(mesh, ray, { mode: 'all' }));
  same<RayHit<Scene>[]>()(raycast(scene, ray, { mode: 'all', atMost: 2 }));
  same<Promise<RayHit<PartsTarget>[]>>()(raycast(stored, ray, { mode: 'all' }));
  same<RayHit | RayHit[] | undefined>()(raycast(mesh, ray, options));
  same<RayHit | RayHit<Scene> | undefined>()(raycast(either, ray));
  same<SceneObject | undefined>()(raycast(either, ray)?.object);
  same<SceneObject>()(raycast(scene, ray, { mode: 'all' })[0].object);
  raycast(scene, ray, options);
  raycast(stored, ray, options);
  raycast(either, ray, options);
  raycast(target, ray, options);

  same<RayHits>()(raycastMany(mesh, many));
  same<RayHits<Scene>>()(raycastMany(scene, many, { mode: 'first' }));
  same<Promise<RayHits<PartsTarget>>>()(raycastMany(stored, many));
  same<Uint32Array>()(raycastMany(mesh, many, { mode: 'all' }).starts);
  same<Uint32Array | undefined>()(raycastMany(mesh, many, options).starts);
  same<Promise<RayHits<PartsTarget, 'all'>>>()(raycastMany(stored, many, { mode: 'all' }));
  same<readonly (SceneObject | undefined)[] | undefined>()(raycastMany(either, many).objects);
  raycastMany(scene, many, options);
  raycastMany(stored, many, options);
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
  same<Promise<ClosestPointResult<PartsTarget> | undefined>>()(closestPoint(stored, point, near));
  same<SceneObject | undefined>()(closestPoint(either, point, near)?.object);
  closestPoint(target, point, near);
  same<ClosestPoints>()(closestPoints(mesh, point, near));
  same<ClosestPoints<Scene>>()(closestPoints(scene, point, near));
  same<Promise<ClosestPoints<PartsTarget>>>()(closestPoints(stored, point, near));
  closestPoints(target, point, near);
  same<number>()(signedDistance(either, point, at));
  same<Promise<number>>()(signedDistance(stored, point, at));
  same<number | Promise<number>>()(signedDistance(target, point, at));
  same<Float64Array>()(signedDistances(either, point, at));
  same<Promise<Float64Array>>()(signedDistances(stored, point, at));
  same<PointLocation>()(pointInMesh(either, point, at));
  same<Promise<PointLocation>>()(pointInMesh(stored, point, at));
  same<Promise<Int8Array>>()(pointsInMesh(stored, point, at));
}

export function shapes(shape: Shape, spheres: Spheres, at: ShapeOptions, near: ShapeDistanceOptions): void {
  same<boolean>()(meetsShape(either, shape, at));
  same<Promise<boolean>>()(meetsShape(stored, shape, at));
  same<boolean | Promise<boolean>>()(meetsShape(target, shape, at));
  same<Uint8Array>()(meetsSpheres(either, spheres, at));
  same<Promise<Uint8Array>>()(meetsSpheres(stored, spheres, at));
  same<Uint32Array>()(trianglesInShape(mesh, shape, at));
  same<ObjectTriangles<Scene>[]>()(trianglesInShape(scene, shape, at));
  same<Promise<ObjectTriangles<PartsTarget>[]>>()(trianglesInShape(stored, shape, at));
  trianglesInShape(target, shape, at);
  same<SceneObject[]>()(objectsInShape(scene, shape));
  same<Promise<Uint32Array>>()(objectsInShape(stored, shape));
  same<ShapeDistance | undefined>()(shapeDistance(mesh, shape, near));
  same<ShapeDistance<Scene> | undefined>()(shapeDistance(scene, shape, near));
  same<Promise<ShapeDistance<PartsTarget> | undefined>>()(shapeDistance(stored, shape, near));
  shapeDistance(target, shape, near);
  same<ShapeContact | undefined>()(sweepShape(mesh, shape, [1, 0, 0], at));
  same<ShapeContact<Scene> | undefined>()(sweepShape(scene, shape, [1, 0, 0], at));
  same<Promise<ShapeContact<PartsTarget> | undefined>>()(sweepShape(stored, shape, [1, 0, 0], at));
  sweepShape(target, shape, [1, 0, 0], at);
}

export function pairs(
  all: CollideOptions,
  near: WithinOptions,
  far: DistanceOptions,
  objects: HitsOptions,
): void {
  same<CollideResult>()(collide(mesh, mesh, all));
  same<CollideResult<Scene, Mesh>>()(collide(scene, mesh, all));
  same<Promise<CollideResult<Mesh, PartsTarget>>>()(collide(mesh, stored, all));
  same<Promise<CollideResult<PartsTarget, Scene>>>()(collide(stored, scene, all));
  same<undefined>()(collide(mesh, mesh, all).objects);
  same<readonly (SceneObject | number)[]>()(collide(mesh, scene, all).objects);
  collide(target, target, all);
  same<WithinResult>()(within(mesh, mesh, near));
  same<WithinResult<Scene, Scene>>()(within(scene, scene, near));
  same<Promise<WithinResult<PartsTarget, Mesh>>>()(within(stored, mesh, near));
  within(target, either, near);
  same<DistanceResult>()(distance(mesh, mesh, far));
  same<SceneObject | undefined>()(distance(mesh, scene, far).objectB);
  same<Promise<DistanceResult<PartsTarget, PartsTarget>>>()(distance(stored, stored, far));
  distance(either, target, far);
  same<HitsResult<Mesh, Mesh>>()(hits(mesh, mesh, objects));
  same<SceneObject>()(hits(mesh, scene, objects).hits[0].objectB);
  same<Promise<HitsResult<Target, PartsTarget>>>()(hits(target, stored, objects));
}

export async function places(all: CollideOptions, far: DistanceOptions): Promise<void> {
  same<Uint32Array>()((await collide(mesh, stored, all)).objects);
  same<number>()((await distance(stored, mesh, far)).objectA);
}
