/**
 * glTF 2.0, as GLB or JSON: the triangles of every mesh, and where the scene has it. Primitives of a mesh are joined,
 * one run of triangles each, named after their material. Y stays up. Buffers lie in the file, in data URIs, or come
 * from the caller.
 *
 * Errs: compressed meshes (Draco, meshopt) are refused.
 */
import { ImpingeError } from '../base/errors.js';
import { GltfAccessors, type Json } from './gltf-accessors.js';
import { readPlaces } from './gltf-places.js';
import { type FileBytes, type FileMaterial, type FileMesh, quoted } from './mesh-file.js';

export const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
/** These change nothing about where triangles are. */
const HARMLESS =
  /^(KHR_materials_|KHR_texture_|EXT_texture_|KHR_mesh_quantization$|KHR_node_visibility$|EXT_mesh_gpu_instancing$|KHR_lights_)/;
const DRACO = 'KHR_draco_mesh_compression';
const [TRIANGLES, STRIP, FAN] = [4, 5, 6];

/** The bytes behind the address of a buffer. */
export type Resource = (uri: string) => Uint8Array | undefined;

export function readGltf(file: FileBytes, resource: Resource | undefined): FileMesh[] {
  const { json, binary } = partsOf(file);
  for (const name of arrayOf(json['extensionsRequired'])) {
    if (!HARMLESS.test(String(name))) throw unsupported(file, String(name));
  }
  const accessors = new GltfAccessors(file, json, (index, buffer) => {
    const bytes =
      buffer['uri'] === undefined && index === 0 ? binary : bufferAt(file, buffer['uri'], resource);
    if (bytes) return bytes;
    throw file.fail(`buffer ${index} is missing`);
  });
  const meshes: FileMesh[] = [];
  for (const [index, poses] of readPlaces(file, json, accessors)) {
    const mesh = readMesh(file, index, accessors);
    if (mesh) meshes.push({ ...mesh, poses });
  }
  if (meshes.length === 0) throw file.fail('no triangles');
  return meshes;
}

function unsupported(file: FileBytes, extension: string): ImpingeError {
  return new ImpingeError('unsupported', `${file.name}: needs the extension ${quoted(extension)}`, {
    file: file.name,
  });
}

function partsOf(file: FileBytes): { json: Json; binary: Uint8Array | undefined } {
  const { bytes, view } = file;
  if (bytes.length < 20 || view.getUint32(0, true) !== GLB_MAGIC) {
    return { json: parsed(file, bytes), binary: undefined };
  }
  if (view.getUint32(4, true) !== 2)
    throw file.fail(`version ${view.getUint32(4, true)} of GLB is not supported`);
  const chunks = new Map<number, Uint8Array>();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at, true);
    if (at + 8 + length > bytes.length) throw file.fail('cut off in a chunk', `byte ${at}`);
    const type = view.getUint32(at + 4, true);
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  const json = chunks.get(JSON_CHUNK);
  if (!json) throw file.fail('it contains no JSON');
  return { json: parsed(file, json), binary: chunks.get(BINARY_CHUNK) };
}

function parsed(file: FileBytes, bytes: Uint8Array): Json {
  try {
    // a copy: texts are not decoded out of memory that threads share
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes.slice()));
    if (json !== null && typeof json === 'object' && !Array.isArray(json)) return json as Json;
  } catch {}
  throw file.fail('not a glTF file, or cut off: its JSON cannot be read');
}

function bufferAt(file: FileBytes, uri: unknown, resource: Resource | undefined): Uint8Array | undefined {
  if (typeof uri !== 'string') return undefined;
  const data = /^data:[^,]*;base64,/.exec(uri);
  if (!data) {
    const found = resource?.(uri);
    if (found instanceof Uint8Array) return found;
    throw file.fail(`the buffer ${quoted(uri)} is in another file: supply it by the option resource`);
  }
  try {
    return Uint8Array.from(atob(uri.slice(data[0].length)), (letter) => letter.charCodeAt(0));
  } catch {
    throw file.fail('a data URI cannot be decoded');
  }
}

function readMesh(
  file: FileBytes,
  index: number,
  accessors: GltfAccessors,
): Omit<FileMesh, 'poses'> | undefined {
  const json = accessors.entry('meshes', index, 'scene');
  const positions: Float32Array[] = [];
  const indices: Uint32Array[] = [];
  const materials: FileMaterial[] = [];
  let [vertices, triangles] = [0, 0];
  for (const [p, given] of arrayOf(json['primitives']).entries()) {
    const where = `mesh ${index}, primitive ${p}`;
    const primitive = Object(given) as Json;
    const mode = primitive['mode'] ?? TRIANGLES;
    const place = (Object(primitive['attributes']) as Json)['POSITION'];
    // points and lines, and what has no place, are no triangles
    if (![TRIANGLES, STRIP, FAN].includes(mode as number) || place === undefined) continue;
    const isPacked = (Object(primitive['extensions']) as Json)[DRACO] !== undefined;
    if (isPacked && accessors.entry('accessors', place, where)['bufferView'] === undefined) {
      throw unsupported(file, DRACO);
    }
    const own = accessors.positions(place, where);
    const corners =
      primitive['indices'] === undefined
        ? Float64Array.from({ length: own.length / 3 }, (_, i) => i)
        : accessors.indices(primitive['indices'], where);
    const found = trianglesOf(mode as number, corners);
    for (let i = 0; i < found.length; i++) {
      if (!(found[i] < own.length / 3)) throw file.fail(`there is no vertex ${found[i]}`, where);
      found[i] += vertices;
    }
    const material =
      primitive['material'] === undefined
        ? ''
        : textOf(accessors.entry('materials', primitive['material'], where)['name']);
    const triangleCount = found.length / 3;
    materials.push({ name: material, firstTriangle: triangles, triangleCount });
    positions.push(own);
    indices.push(Uint32Array.from(found));
    vertices += own.length / 3;
    triangles += triangleCount;
  }
  if (triangles === 0) return undefined;
  const name = textOf(json['name']) || file.stem;
  const all = { positions: new Float32Array(3 * vertices), indices: new Uint32Array(3 * triangles) };
  joinInto(all.positions, positions);
  joinInto(all.indices, indices);
  return { name, ...all, materials };
}

function trianglesOf(mode: number, corners: Float64Array): Float64Array {
  if (mode === TRIANGLES) return corners.slice(0, corners.length - (corners.length % 3));
  const count = Math.max(0, corners.length - 2);
  const out = new Float64Array(3 * count);
  for (let t = 0; t < count; t++) {
    // every other triangle of a strip is turned
    const second = mode === STRIP ? t + 1 + (t % 2) : t + 1;
    const third = mode === STRIP ? t + 2 - (t % 2) : t + 2;
    out.set([corners[mode === STRIP ? t : 0], corners[second], corners[third]], 3 * t);
  }
  return out;
}

function joinInto<T extends Float32Array | Uint32Array>(all: T, parts: readonly T[]): void {
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
