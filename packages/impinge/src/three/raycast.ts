/**
 * Answers three.js's Raycaster from a mesh's tree, with the same intersections in the same order. three.js itself
 * handles objects that no mesh can be made of, and everything where kernels do not run.
 */
import {
  BatchedMesh,
  type BufferGeometry,
  InstancedMesh,
  type Intersection,
  type Material,
  Matrix4,
  type Raycaster,
  type Side,
  SkinnedMesh,
  Mesh as ThreeMesh,
} from 'three';
import { ImpingeError } from '../base/errors.js';
import { shown } from '../base/options.js';
import { kernelSupported } from '../kernel/kernel.js';
import type { Mesh } from '../mesh/mesh.js';
import { Faces } from '../query/ray/layout.generated.js';
import { instancesOf } from './batch.js';
import { isDeformed } from './deformation.js';
import { batchedMeshOf, settledMeshOf } from './mesh-of.js';
import { RaySpace, type Target } from './ray-space.js';

declare module 'three' {
  interface Raycaster {
    /** Under `acceleratedRaycast`, only the first intersection of every object is found, which is faster. */
    firstHitOnly?: boolean;
  }
}

type Raycast = typeof acceleratedRaycast;

/** Classes of three.js that have a `raycast` of their own, as it was when this was loaded. */
const OWN: readonly (readonly [typeof ThreeMesh, Raycast])[] = /* @__PURE__ */ [
  BatchedMesh,
  InstancedMesh,
  SkinnedMesh,
  ThreeMesh,
].map((kind) => [kind as typeof ThreeMesh, kind.prototype.raycast as Raycast] as const);

/** By the numbers of three.js's sides: which faces of triangles count. */
const FACES = [Faces.front, Faces.back, Faces.both];

const spaces = new WeakMap<Raycaster, RaySpace>();

/**
 * Takes the place of `raycast` of a mesh of three.js, plain, instanced, batched or skinned: `mesh.raycast =
 * acceleratedRaycast`. Intersections are those of three.js; at an edge where its rounding would let a ray through, both
 * triangles are met.
 */
export function acceleratedRaycast(this: ThreeMesh, raycaster: Raycaster, intersects: Intersection[]): void {
  if ((this as Partial<ThreeMesh> | undefined)?.isMesh !== true || !raycaster?.ray || !isList(intersects)) {
    throw new ImpingeError(
      'bad-input',
      `acceleratedRaycast is a method of meshes of three.js, called on ${shown(this)}`,
    );
  }
  if (this.material === undefined) return;
  let space = spaces.get(raycaster);
  if (!space) spaces.set(raycaster, (space = new RaySpace(raycaster)));
  const found = castObject(this, raycaster, space);
  if (found === undefined) ownRaycast(this).call(this, raycaster, intersects);
  else for (const intersection of found) intersects.push(intersection);
}

function isList(intersects: Intersection[]): boolean {
  return Array.isArray(intersects) && Object.isExtensible(intersects);
}

/** Makes it the `raycast` of all meshes; the returned function restores the previous one. */
export function accelerateRaycasts(): () => void {
  for (const [kind] of OWN) kind.prototype.raycast = acceleratedRaycast;
  return () => {
    for (const [kind, own] of OWN) kind.prototype.raycast = own;
  };
}

function ownRaycast(object: ThreeMesh): Raycast {
  return OWN.find(([kind]) => object instanceof kind)![1];
}

/** Undefined means that three.js must answer. */
function castObject(object: ThreeMesh, raycaster: Raycaster, space: RaySpace): Intersection[] | undefined {
  // without kernels, three.js is faster
  if (!kernelSupported()) return undefined;
  const first = raycaster.firstHitOnly === true;
  if ((object as Partial<BatchedMesh>).isBatchedMesh) {
    return castBatch(object as BatchedMesh, raycaster, space, first);
  }
  const mesh = settledMeshOf(object);
  if (mesh === undefined || !hasWholeTriangles(object)) return undefined;
  const { geometry, matrixWorld } = object;
  const { start } = geometry.drawRange;
  if ((object as Partial<InstancedMesh>).isInstancedMesh) {
    const target: Target = { object, mesh, geometry, start, matrixWorld: new Matrix4(), deformed: false };
    return castInstances(object as InstancedMesh, target, raycaster, space, first);
  }
  const target: Target = { object, mesh, geometry, start, matrixWorld, deformed: isDeformed(object) };
  return castOne(target, space, raycaster.far, first);
}

/** Every instance, or the first intersection of all. Morph targets do not count for three.js here. */
function castInstances(
  object: InstancedMesh,
  target: Target,
  raycaster: Raycaster,
  space: RaySpace,
  first: boolean,
): Intersection[] {
  const found: Intersection[] = [];
  for (let instanceId = 0; instanceId < object.count; instanceId++) {
    object.getMatrixAt(instanceId, target.matrixWorld);
    target.matrixWorld.premultiply(object.matrixWorld);
    const atMost = first && found.length > 0 ? found[0].distance : raycaster.far;
    keep(castOne(target, space, atMost, first), found, first, (intersection) => {
      intersection.instanceId = instanceId;
    });
  }
  return found;
}

function castBatch(
  object: BatchedMesh,
  raycaster: Raycaster,
  space: RaySpace,
  first: boolean,
): Intersection[] | undefined {
  const found: Intersection[] = [];
  const { geometry } = object;
  const matrixWorld = new Matrix4();
  for (const { id: batchId, geometryId } of instancesOf(object)) {
    const mesh: Mesh | undefined = batchedMeshOf(object, geometryId);
    if (mesh === undefined) return undefined;
    const { start } = object.getGeometryRangeAt(geometryId)!;
    object.getMatrixAt(batchId, matrixWorld);
    matrixWorld.premultiply(object.matrixWorld);
    const atMost = first && found.length > 0 ? found[0].distance : raycaster.far;
    const target: Target = { object, mesh, geometry, start, matrixWorld, deformed: false };
    keep(castOne(target, space, atMost, first), found, first, (intersection) => {
      intersection.batchId = batchId;
    });
  }
  return found;
}

/** Adds an intersection, or replaces a farther one. */
function keep(
  met: Intersection[],
  found: Intersection[],
  first: boolean,
  mark: (intersection: Intersection) => void,
): void {
  for (const intersection of met) {
    mark(intersection);
    if (!first || found.length === 0) found.push(intersection);
    else if (intersection.distance < found[0].distance) found[0] = intersection;
  }
}

/** Triangles that are drawn with one material. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly side: Side;
  readonly materialIndex: number;
}

/** The parts of a target, in the order in which three.js visits them. */
function partsOf({ object, mesh, geometry, start }: Target): Part[] {
  const { material } = object;
  if (!Array.isArray(material)) {
    return [{ from: 0, to: mesh.triangleCount, side: material.side, materialIndex: 0 }];
  }
  // the geometries of a batch have no groups there
  const groups = (object as Partial<BatchedMesh>).isBatchedMesh ? [] : geometry.groups;
  return groups.flatMap(({ start: at, count, materialIndex = 0 }) => {
    const { side } = (material[materialIndex] as Material | undefined) ?? {};
    const from = Math.max(0, (at - start) / 3);
    const to = Math.min(mesh.triangleCount, (at + count - start) / 3);
    return side === undefined || from >= to ? [] : [{ from, to, side, materialIndex }];
  });
}

function castOne(target: Target, space: RaySpace, atMost: number, first: boolean): Intersection[] {
  if (!space.enter(target.matrixWorld)) return [];
  const parts = partsOf(target);
  if (parts.length === 0) return [];
  const { side } = parts[0];
  const faces = parts.every((part) => part.side === side) ? FACES[side] : Faces.both;
  if (first && isAll(parts, target.mesh)) {
    const hit = space.castFirst(target.mesh, faces, atMost);
    if (hit === undefined) return [];
    const part = parts.find(({ from, to }) => hit.triangle >= from && hit.triangle < to)!;
    const found = space.intersection(target, hit, side, part.materialIndex);
    if (found) return [found];
    // not counted, but a farther hit may be
  }
  const hits = space.castAll(target.mesh, faces, atMost);
  const found: Intersection[] = [];
  for (const { from, to, side, materialIndex } of parts) {
    for (const hit of hits) {
      if (hit.triangle < from || hit.triangle >= to) continue;
      const intersection = space.intersection(target, hit, side, materialIndex);
      if (intersection) found.push(intersection);
    }
  }
  if (!first || found.length < 2) return found;
  return [found.reduce((best, other) => (other.distance < best.distance ? other : best))];
}

/** Whether the parts, all with one side, are the whole mesh: its first triangle is then theirs. */
function isAll(parts: readonly Part[], mesh: Mesh): boolean {
  let covered = 0;
  for (const { from, to, side } of parts) {
    if (side !== parts[0].side || from > covered) return false;
    covered = Math.max(covered, to);
  }
  return covered >= mesh.triangleCount;
}

/**
 * Whether draw range and groups begin and end at whole triangles; otherwise three.js tests triangles that are never
 * drawn.
 */
function hasWholeTriangles({ geometry, material }: ThreeMesh): boolean {
  const { drawRange, groups } = geometry;
  const total = (geometry.index ?? geometry.attributes['position']).count;
  const end = Math.min(total, drawRange.start + drawRange.count);
  if ((end - drawRange.start) % 3 !== 0) return false;
  return !Array.isArray(material) || groups.every((group) => isWhole(group, drawRange.start, end));
}

function isWhole({ start, count }: BufferGeometry['groups'][number], from: number, end: number): boolean {
  const last = Math.min(end, start + count);
  return (start - from) % 3 === 0 && (last - from) % 3 === 0;
}
