/**
 * glTF 2.0, as .gltf (with data URIs or files beside it) and .glb: the triangles of the default scene, one object per
 * node with a mesh and per instance, one shape per mesh, with all nodes that place it rigidly. Strips, fans, sparse
 * accessors, quantised positions, Draco and meshopt compression, and instancing are understood; materials, skins and
 * animations are ignored. The JSON of nodes, meshes and accessors and the bytes of a mesh are read when needed, and
 * freed afterwards.
 *
 * The container is read here rather than by a general library: on a model of 29,000 objects that takes a quarter of the
 * time and half the memory, and each error can name its node or accessor.
 *
 * Where a matrix scales, shears or mirrors, its linear part is baked into a shape of its own, in float64. Nodes whose
 * matrices differ by a rigid motion share it: all parts of an assembly that is scaled as a whole.
 */
import type { ShapeArrays, ShapeStream, SourceShape } from '@impinge/model';
import type { ByteWindow } from '../byte-window.js';
import { FormatError } from '../format-error.js';
import { LeftOutList, leftOutLines } from '../left-out.js';
import type { ModelSource, SourceOptions } from '../model-source.js';
import { type SourceFile, shapeShare, shapeStream, sourceOfFile } from '../source-file.js';
import { WeldedShape } from '../weld.js';
import { GltfAccessors } from './accessors.js';
import { bakedGeometry } from './baked-geometry.js';
import { GltfBuffers } from './buffers.js';
import { fileBytes } from './bytes.js';
import { readGltfContainer } from './container.js';
import { GltfMeshes } from './mesh.js';
import { MeshUses } from './mesh-uses.js';
import { GltfScene } from './scene.js';

/** Maximum memory of the parsed JSON, per byte on disk. */
const MAX_JSON_GROWTH = 40;
/** Memory that a mesh which cannot be streamed may always take, in bytes, whatever the memory limit. */
const ALWAYS_DECODED_BYTES = 256e6;
/** Vertices per corner that a mesh may bring along without being gone through. */
const UNUSED_VERTICES_PER_INDEX = 4;

export async function gltfSource(path: string, options: SourceOptions): Promise<ModelSource> {
  return sourceOfFile(path, options, async (file) => {
    const window = file.window();
    await window.need(1);
    if (!/^(glTF|(\xef\xbb\xbf)?\s*\{)/.test(headOf(window))) {
      throw new FormatError(path, 'not a glTF file: it begins with neither "glTF" nor "{"');
    }
    const container = await readGltfContainer(
      window,
      async (at, byteLength, blockBytes) => {
        const start = at.base + at.at;
        if (start + byteLength > file.byteLength) return undefined;
        const read = (into: Uint8Array, position: number) => {
          if (file.read(into, position) < into.length)
            throw new FormatError(path, 'cut off while it was read');
        };
        return fileBytes(read, start, byteLength, blockBytes);
      },
      Math.min(options.memoryBytes, MAX_JSON_GROWTH * file.bytesOnDisk),
    );
    const { json, isBinary } = container;
    const buffers = await GltfBuffers.open(container, file);
    file.closeWith(() => buffers.close());
    const leftOut = new LeftOutList();
    const accessors = new GltfAccessors(json, buffers, file.growth);
    const meshes = new GltfMeshes(json, accessors, buffers);
    const scene = new GltfScene(json, accessors, file.growth, leftOut);
    const uses = new MeshUses(file, scene, json.list('meshes').length);
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
  uses: MeshUses,
  leftOut: LeftOutList,
): AsyncGenerator<SourceShape> {
  const viewsToForget = lastViews(meshes, uses.meshes());
  let total = 0;
  for (const _ of uses.meshes()) total++;
  let isEmpty = true;
  let done = 0;
  for (const mesh of uses.meshes()) {
    file.options.signal?.throwIfAborted();
    const read = await readGeometry(file, meshes, mesh);
    for (const view of viewsToForget.get(mesh) ?? []) buffers.forget(view);
    file.reach((++done / total) * file.byteLength);
    for (const shape of uses.shapesOf(mesh)) {
      if (read === undefined) {
        for (const path of shape.paths()) leftOut.add('without triangles', '', path);
        continue;
      }
      isEmpty = false;
      const { matrix } = shape;
      const geometry = matrix ? bakedGeometry(read.geometry, matrix, file, `mesh ${mesh}`) : read.geometry;
      yield { geometry, objects: shape.objects(read.step) };
    }
  }
  if (isEmpty) {
    const lines = leftOutLines(leftOut.all);
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
      `compressed and sparse data must fit in memory, and this takes more than ${Math.round(most / 1e6)} MB`,
      `mesh ${mesh}`,
    );
  }
  const read = await meshes.read(mesh);
  return read && { geometry: withoutUnusedVertices(read), step: read.step };
}

/** Drops the vertices of other meshes, where they are the most: some files have one array of positions for all. */
function withoutUnusedVertices(geometry: ShapeArrays): ShapeArrays {
  const { positions, indices } = geometry;
  if (positions.length <= 3 * UNUSED_VERTICES_PER_INDEX * indices.length) return geometry;
  const corners = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let axis = 0; axis < 3; axis++) corners[3 * i + axis] = positions[3 * indices[i] + axis];
  }
  const shape = new WeldedShape();
  shape.add(corners);
  return shape.geometry();
}
