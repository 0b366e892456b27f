/**
 * glTF 2.0, as .gltf (with data URIs or files beside it) and .glb: the triangles of the default scene, one object per
 * node with a mesh and per instance, one shape per mesh, with all nodes that place it rigidly. Strips, fans, sparse
 * accessors, quantised positions, Draco and meshopt compression, and instancing are understood; materials, skins and
 * animations are ignored. Only the JSON is read as a whole; the bytes of a mesh are read when it is its turn, and let go
 * of afterwards.
 *
 * The container is read here and not by a general library: on a model of 29,000 objects that takes a quarter of the
 * time and half the memory, and each error can name its node or accessor.
 *
 * Where a matrix scales, shears or mirrors, its linear part is baked into a shape of its own, in float64. Nodes whose
 * matrices differ by a rigid motion share that: all parts of an assembly that is scaled as a whole.
 */
import { basename } from 'node:path';
import type { ShapeArrays, ShapeStream, SourceObject, SourceShape } from 'impinge/store';
import { isRigid, type Matrix } from '../../matrix.js';
import type { ByteWindow } from '../byte-window.js';
import { FormatError } from '../format-error.js';
import { LeftOutList, leftOutLines } from '../left-out.js';
import type { ModelSource, SourceOptions } from '../model-source.js';
import { type SourceFile, shapeShare, shapeStream, sourceOfFile } from '../source-file.js';
import { ObjectIds, poseFromYUp } from '../source-object.js';
import { WeldedShape } from '../weld.js';
import { GltfAccessors } from './accessors.js';
import { bakedGeometry, metricKey, motionBetween } from './baked-geometry.js';
import { GltfBuffers } from './buffers.js';
import { fileBytes } from './bytes.js';
import { readGltfContainer } from './container.js';
import { GltfMeshes } from './mesh.js';
import { listPlacements, type Placement } from './scene.js';

/** What the JSON may take in memory, for each byte on disk. */
const MAX_JSON_GROWTH = 40;
/** What a mesh that cannot be streamed may take, whatever the memory is. */
const ALWAYS_DECODED_BYTES = 256e6;
/** Vertices per corner that a mesh may bring along without being gone through. */
const MAX_STRANGERS = 4;

export async function gltfSource(path: string, options: SourceOptions): Promise<ModelSource> {
  return sourceOfFile(path, options, async (file) => {
    const window = file.window();
    await window.need(1);
    if (!/^(glTF|(\xef\xbb\xbf)?\s*\{)/.test(headOf(window))) {
      throw new FormatError(path, 'not a glTF file: it begins with neither "glTF" nor "{"');
    }
    // the binary chunk stays in the file
    const container = await readGltfContainer(
      window,
      async (at, byteLength) => {
        const start = at.base + at.at;
        if (start + byteLength > file.byteLength) return undefined;
        const read = (into: Uint8Array, position: number) => {
          if (file.read(into, position) < into.length)
            throw new FormatError(path, 'cut off while it was read');
        };
        return fileBytes(read, start, byteLength);
      },
      Math.min(options.memoryBytes, MAX_JSON_GROWTH * file.bytesOnDisk),
    );
    const { json, isBinary } = container;
    // the nodes, often most of the JSON, are not needed any more once the objects are known
    const { nodes: _, ...root } = container.root;
    const buffers = await GltfBuffers.open({ ...container, root }, file);
    file.closeWith(() => buffers.close());
    const leftOut = new LeftOutList();
    const accessors = new GltfAccessors(json, root, buffers, file.growth);
    const meshes = new GltfMeshes(json, root, accessors, buffers);
    const uses = usesByMesh(file, listPlacements(json, container.root, accessors, file.growth, leftOut));
    return {
      format: isBinary ? 'glTF, binary' : 'glTF',
      metresPerUnit: 1,
      isTurnedUp: true,
      shapes: () => shapesOf(file, meshes, buffers, uses, leftOut),
      filesBeside: buffers.files,
      leftOut,
    };
  });
}

function headOf({ bytes, at, end }: ByteWindow): string {
  return Buffer.from(bytes.subarray(at, Math.min(end, at + 512))).toString('latin1');
}

async function* shapesOf(
  file: SourceFile,
  meshes: GltfMeshes,
  buffers: GltfBuffers,
  byMesh: ReadonlyMap<number, MeshUses>,
  leftOut: LeftOutList,
): AsyncGenerator<SourceShape> {
  const viewsToForget = lastViews(meshes, byMesh.keys());
  let isEmpty = true;
  let done = 0;
  for (const [mesh, uses] of byMesh) {
    file.options.signal?.throwIfAborted();
    const read = await readGeometry(file, meshes, mesh);
    for (const view of viewsToForget.get(mesh) ?? []) buffers.forget(view);
    file.reach((++done / byMesh.size) * file.byteLength);
    if (read === undefined) {
      for (const { path } of objectsOf(uses)) leftOut.add('without triangles', '', path);
      continue;
    }
    isEmpty = false;
    const { geometry, step } = read;
    const rounded = (objects: readonly PlacedObject[], of = step) =>
      objects.map(({ object, stretch }) => ({ ...object, rounding: (stretch * of) / 2 }));
    // whole metres as they are, not scaled, were written by somebody who meant them
    if (uses.rigid.length > 0) yield { geometry, objects: rounded(uses.rigid, step === 1 ? 0 : step) };
    for (const { matrix, objects } of uses.baked.values()) {
      yield { geometry: bakedGeometry(geometry, matrix, file, `mesh ${mesh}`), objects: rounded(objects) };
    }
  }
  if (isEmpty) {
    const lines = leftOutLines(leftOut.groups);
    throw new FormatError(file.path, ['no triangles in its scene', ...lines].join('; '));
  }
}

/** For each mesh, the compressed buffer views that no mesh after it reads. */
function lastViews(meshes: GltfMeshes, order: Iterable<number>): Map<number, number[]> {
  const lastMesh = new Map<number, number>();
  for (const mesh of order) for (const view of meshes.compressedViews(mesh)) lastMesh.set(view, mesh);
  const views = new Map<number, number[]>();
  for (const [view, mesh] of lastMesh) {
    const list = views.get(mesh);
    if (list) list.push(view);
    else views.set(mesh, [view]);
  }
  return views;
}

async function readGeometry(
  file: SourceFile,
  meshes: GltfMeshes,
  mesh: number,
): Promise<{ readonly geometry: ShapeArrays | ShapeStream; readonly step: number } | undefined> {
  if (meshes.decodedBytes(mesh) > shapeShare(file)) {
    const stream = meshes.stream(mesh, shapeShare(file));
    if (stream) {
      const geometry = shapeStream(file, stream.triangleCount, async function* () {
        for (const corners of stream.corners()) {
          file.options.signal?.throwIfAborted();
          yield corners;
        }
      });
      return { geometry, step: stream.step };
    }
  }
  const most = Math.max(ALWAYS_DECODED_BYTES, file.options.memoryBytes);
  if (meshes.decodedBytes(mesh) > most) {
    throw new FormatError(
      file.path,
      `compressed or sparse, it has to be in memory as a whole, and takes more than ${Math.round(most / 1e6)} MB`,
      `mesh ${mesh}`,
    );
  }
  const read = await meshes.read(mesh);
  return read && { geometry: withoutStrangers(read), step: read.step };
}

/** Drops the vertices of other meshes, where they are the most: some files have one array of positions for all. */
function withoutStrangers(geometry: ShapeArrays): ShapeArrays {
  const { positions, indices } = geometry;
  if (positions.length <= 3 * MAX_STRANGERS * indices.length) return geometry;
  const corners = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let axis = 0; axis < 3; axis++) corners[3 * i + axis] = positions[3 * indices[i] + axis];
  }
  const shape = new WeldedShape();
  shape.add(corners);
  return shape.geometry();
}

/** An object, and by how much its matrix enlarges an error on each axis, at most. */
interface PlacedObject {
  readonly object: SourceObject;
  readonly stretch: number;
}

/** The objects that show a mesh. */
interface MeshUses {
  readonly rigid: PlacedObject[];
  /** By what their matrices do to lengths and angles. */
  readonly baked: Map<string, BakedUses>;
}

interface BakedUses {
  /** Its linear part is baked into the shape. */
  readonly matrix: Matrix;
  readonly objects: PlacedObject[];
}

function objectsOf({ rigid, baked }: MeshUses): SourceObject[] {
  return [...rigid, ...[...baked.values()].flatMap(({ objects }) => objects)].map(({ object }) => object);
}

/** In order of first use. */
function usesByMesh(file: SourceFile, placements: readonly Placement[]): Map<number, MeshUses> {
  const ids = new ObjectIds();
  const byMesh = new Map<number, MeshUses>();
  placements.forEach((placement, i) => {
    const { mesh, matrix } = placement;
    let uses = byMesh.get(mesh);
    if (uses === undefined) {
      uses = { rigid: [], baked: new Map() };
      byMesh.set(mesh, uses);
    }
    const stretch = matrix === undefined ? 1 : stretchOf(matrix);
    if (matrix === undefined || isRigid(matrix)) {
      uses.rigid.push({ object: sourceObject(file, ids, placement, poseFromYUp(matrix)), stretch });
      return;
    }
    const key = metricKey(matrix);
    const known = uses.baked.get(key);
    const motion = known && motionBetween(known.matrix, matrix);
    const pose = poseFromYUp(motion ?? motionBetween(matrix, matrix));
    const object = { object: sourceObject(file, ids, placement, pose), stretch };
    if (known && motion) known.objects.push(object);
    else {
      uses.baked.set(known ? `${key} ${i}` : key, { matrix, objects: [object] });
    }
  });
  return byMesh;
}

/** The largest sum of a row: an error of 1 on each axis becomes no more. Turning Z up changes the order of rows only. */
function stretchOf(m: Matrix): number {
  return Math.max(...[0, 1, 2].map((row) => Math.abs(m[row]) + Math.abs(m[4 + row]) + Math.abs(m[8 + row])));
}

function sourceObject(
  file: SourceFile,
  ids: ObjectIds,
  { name, path, group, properties }: Placement,
  pose: Float64Array,
): SourceObject {
  const text = (key: string) => String(properties[key] ?? '');
  return {
    id: ids.take(name),
    name,
    path: `${file.stem}/${path}`,
    type: text('type') || text('ifcType'),
    discipline: group || file.stem,
    file: basename(file.path),
    storey: text('storey'),
    pose,
    properties,
  };
}
