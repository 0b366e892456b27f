/**
 * Meshes of three.js objects, kept as long as their geometry and updated on request.
 *
 * A mesh follows vertices that moved (`position.needsUpdate = true`, morph targets, bones). A change of indices, draw
 * range or attribute makes a new mesh; the old one is collected when no longer referenced. Disposing of a geometry
 * disposes of all its meshes; a later request makes new ones.
 */
import type { BatchedMesh, BufferGeometry, Mesh as ThreeMesh } from 'three';
import { ImpingeError } from '../base/errors.js';
import { readInteger, shown } from '../base/options.js';
import { Mesh } from '../mesh/mesh.js';
import type { MeshInput } from '../mesh/mesh-input.js';
import { deformationOf, deformedPositions, isDeformed } from './deformation.js';
import {
  type Attribute,
  isTopologyOf,
  positionsOf,
  type Range,
  type Topology,
  topologyOf,
  versionOf,
} from './geometry-state.js';

/** The cached mesh of one geometry, deformed object, or geometry of a batch. */
interface Kept {
  topology: Topology;
  positionVersion: number;
  /** Of deformed objects. */
  deformation: Float64Array;
  mesh: Mesh | undefined;
  /** Why there is no mesh. */
  refusal: unknown;
  /** The topology last requested, where it differs from the one the mesh was made of. */
  asked: Topology | undefined;
}

const kept = new WeakMap<object, Kept>();
/** The parts of batches, by the number of the geometry. */
const keptParts = new WeakMap<object, Map<number, Kept>>();

/** The cache entries made from each geometry. */
const madeOf = new WeakMap<BufferGeometry, Set<WeakRef<Kept>>>();

const NO_NUMBERS: Float64Array = /* @__PURE__ */ new Float64Array(0);

/**
 * The mesh of a geometry or of an object, in the object's own frame; of a batched mesh, that of one of its geometries.
 * Objects share the mesh of a geometry; skinned and morphed ones have their own. Call it again to bring the mesh up to
 * date.
 */
export function meshOf(source: ThreeMesh | BufferGeometry, geometryId?: number): Mesh {
  const given = Object(source) as Partial<ThreeMesh & BatchedMesh & BufferGeometry>;
  const geometry = given.isBufferGeometry ? (source as BufferGeometry) : given.geometry;
  if (geometry?.isBufferGeometry !== true || (geometry !== source && given.isMesh !== true)) {
    const got = typeof given.type === 'string' ? `${given.type}, which has no triangles` : shown(source);
    throw new ImpingeError('bad-input', `meshOf: a mesh or geometry of three.js is needed, got ${got}`);
  }
  const its = given.isBatchedMesh
    ? partOf(source as BatchedMesh, readPart(source as BatchedMesh, geometryId))
    : keptOf(source, geometry);
  if (its.mesh === undefined) throw its.refusal;
  return its.mesh;
}

/**
 * The same for frequent callers that can do without a mesh: undefined where there is none, or where triangles have
 * changed since the last call, so that a geometry that changes before every call is not sorted every time.
 */
export function settledMeshOf(object: ThreeMesh): Mesh | undefined {
  const { geometry } = object;
  const its = kept.get(isDeformed(object) ? object : geometry);
  const range = geometry.drawRange;
  if (its && !isTopologyOf(its.topology, geometry, range)) {
    if (!its.asked || !isTopologyOf(its.asked, geometry, range)) {
      its.asked = topologyOf(geometry, range);
      return undefined;
    }
  }
  return keptOf(object, geometry).mesh;
}

/** The mesh of one geometry of a batch; undefined where there is none. */
export function batchedMeshOf(batch: BatchedMesh, geometryId: number): Mesh | undefined {
  return partOf(batch, geometryId).mesh;
}

function readPart(batch: BatchedMesh, geometryId: number | undefined): number {
  const id = readInteger('geometryId', geometryId as number, 0);
  try {
    batch.getGeometryRangeAt(id);
  } catch {
    throw new ImpingeError('bad-input', `meshOf: the batched mesh has no geometry ${id}`);
  }
  return id;
}

function keptOf(source: ThreeMesh | BufferGeometry, geometry: BufferGeometry): Kept {
  if (source !== geometry && isDeformed(source as ThreeMesh)) return keptOfDeformed(source as ThreeMesh);
  const its = kept.get(geometry);
  const range = geometry.drawRange;
  const read = () => positionsOf(geometry.attributes['position']);
  if (its && isCurrent(its, geometry, range)) return follow(its, read);
  const made = make(geometry, range, () => geometry);
  kept.set(geometry, made);
  return made;
}

function keptOfDeformed(object: ThreeMesh): Kept {
  const { geometry } = object;
  const its = kept.get(object);
  const numbers = deformationOf(object);
  const isSame =
    its?.deformation.length === numbers.length && its.deformation.every((x, i) => x === numbers[i]);
  if (its && isSame && isTopologyOf(its.topology, geometry, geometry.drawRange)) return its;
  if (its?.mesh && isTopologyOf(its.topology, geometry, geometry.drawRange)) {
    move(its, () => deformedPositions(object));
    its.deformation = numbers;
    return its;
  }
  const made = make(geometry, geometry.drawRange, () => deformedInput(object));
  made.deformation = numbers;
  kept.set(object, made);
  return made;
}

function deformedInput(object: ThreeMesh): MeshInput {
  const { index, drawRange, groups, name, attributes } = object.geometry;
  const { position } = attributes;
  if (!position) return object.geometry; // which is refused for that
  return {
    attributes: { position: { array: deformedPositions(object), itemSize: 3, count: position.count } },
    index,
    drawRange,
    groups,
    name: object.name || name,
  };
}

function partOf(batch: BatchedMesh, geometryId: number): Kept {
  const { geometry } = batch;
  const part = batch.getGeometryRangeAt(geometryId)!;
  let parts = keptParts.get(batch);
  if (!parts) keptParts.set(batch, (parts = new Map()));
  const its = parts.get(geometryId);
  const { vertexStart, vertexCount } = part;
  const read = () => positionsOf(geometry.attributes['position'] as Attribute, vertexStart, vertexCount);
  if (its && isCurrent(its, geometry, part)) return follow(its, read);
  const made = make(geometry, part, () => ({
    positions: read(),
    ...(geometry.index && { indices: indicesOf(geometry.index.array, part, vertexStart) }),
  }));
  parts.set(geometryId, made);
  return made;
}

function indicesOf(array: ArrayLike<number>, { start, count }: Range, vertexStart: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => array[start + i] - vertexStart);
}

/** A mesh, or why there is none. */
function make(geometry: BufferGeometry, range: Range, input: () => MeshInput): Kept {
  const made: Kept = {
    topology: topologyOf(geometry, range),
    positionVersion: versionOf(geometry.attributes['position']),
    deformation: NO_NUMBERS,
    mesh: undefined,
    refusal: undefined,
    asked: undefined,
  };
  attempt(made, () => {
    const mesh = Mesh.from(input());
    // disposing of it makes the next request build a new one
    mesh.onDispose(() => {
      if (made.mesh === mesh) made.topology = { ...made.topology, position: undefined };
    });
    made.mesh = mesh;
    goWith(geometry, made);
  });
  return made;
}

/**
 * Disposes of a mesh with its geometry. The geometry holds only weak references, so unused meshes are collected
 * earlier.
 */
function goWith(geometry: BufferGeometry, made: Kept): void {
  let all = madeOf.get(geometry);
  if (!all) {
    madeOf.set(geometry, (all = new Set()));
    geometry.addEventListener('dispose', disposeMeshes);
  }
  for (const one of all) if (one.deref() === undefined) all.delete(one);
  all.add(new WeakRef(made));
}

function disposeMeshes({ target }: { readonly target: BufferGeometry }): void {
  target.removeEventListener('dispose', disposeMeshes);
  for (const made of madeOf.get(target) ?? []) made.deref()?.mesh?.dispose();
  madeOf.delete(target);
}

/** Whether a cache entry is still valid: a refusal holds until something changes. */
function isCurrent(its: Kept, geometry: BufferGeometry, range: Range): boolean {
  const hasChanged = its.positionVersion !== versionOf(geometry.attributes['position']);
  return isTopologyOf(its.topology, geometry, range) && !(hasChanged && its.mesh === undefined);
}

/** Moves the vertices of a mesh if its positions were changed. */
function follow(its: Kept, positions: () => Float32Array | Float64Array): Kept {
  const version = versionOf(its.topology.position);
  if (version === its.positionVersion) return its;
  its.positionVersion = version;
  move(its, positions);
  return its;
}

function move(its: Kept, positions: () => Float32Array | Float64Array): void {
  attempt(its, () => its.mesh?.setPositions(positions()));
}

/** Numbers that no mesh can have are remembered as an error. */
function attempt(its: Kept, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof ImpingeError) || error.code === 'out-of-memory') throw error;
    its.mesh = undefined;
    its.refusal = error;
  }
}
