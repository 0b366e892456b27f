/**
 * glTF 2.0, as GLB or JSON: the triangles of every mesh, and where the scene has it. Primitives of a mesh are joined,
 * one run of triangles each, named after their material. Y stays up. Buffers lie in the file, in data URIs, or come
 * from the caller.
 *
 * Compressed meshes (Draco, meshopt) need a decoder of the caller's.
 */
import { ImpingeError } from '../base/errors.js';
import { GltfAccessors } from './gltf-accessors.js';
import { type Decoders, DRACO, decodedPrimitive, MESHOPT } from './gltf-codecs.js';
import { type Json, JsonReader } from './gltf-json.js';
import { placesOf, visitedNodes } from './gltf-nodes.js';
import { type FileBytes, type FileMaterial, type FileMesh, quoted, unmoved } from './mesh-file.js';

export const GLB_MAGIC = 0x46546c67;
export const JSON_CHUNK = 0x4e4f534a;
export const BINARY_CHUNK = 0x004e4942;
/** Required extensions that need no decoder: of meshes and nodes, and of what has no triangles. */
export const PLAIN_EXTENSIONS =
  /^(KHR_mesh_quantization|KHR_node_visibility|EXT_mesh_gpu_instancing|(KHR|EXT|MSFT)_(materials|texture|lights|xmp|animation)_.*)$/;
/** Primitive modes; strips are between these two. */
export const TRIANGLES = 4;
export const TRIANGLE_FAN = 6;
const POSE_BYTES = 128;

/** The bytes behind the address of a buffer. */
export type Resource = (uri: string) => Uint8Array | undefined;

export function readGltf(file: FileBytes, resource: Resource | undefined, decoders: Decoders): FileMesh[] {
  const { root, binary } = partsOf(file);
  const json = new JsonReader(root, (where, why) => file.fail(why, where));
  for (const name of json.array(json.root['extensionsRequired'], 'extensionsRequired')) {
    const decoder = decoderOf(String(name));
    if (!PLAIN_EXTENSIONS.test(String(name)) && !(decoder && decoders[decoder])) {
      throw unsupported(file, String(name), decoder);
    }
  }
  const bufferOf = (index: number, { uri }: Json) => {
    const bytes = uri === undefined && index === 0 ? binary : bufferAt(file, uri, resource);
    if (bytes) return bytes;
    throw file.fail(`buffer ${index} is missing`);
  };
  const accessors = new GltfAccessors(json, bufferOf, (bytes) => file.allow(bytes), decoders.meshopt);
  const meshes: FileMesh[] = [];
  for (const [index, poses] of posesOf(file, json, accessors)) {
    const mesh = readMesh(file, index, json, accessors, decoders);
    if (mesh) meshes.push({ ...mesh, poses });
  }
  if (meshes.length === 0) throw file.fail('no triangles');
  return meshes;
}

/** Mesh → where the scene has it, in the order of the meshes. A file without nodes has each mesh once, where it is. */
function posesOf(file: FileBytes, json: JsonReader, accessors: GltfAccessors): [number, Float64Array[]][] {
  const poses: Float64Array[][] = Array.from({ length: json.list('meshes').length }, () => []);
  if (json.list('nodes').length === 0) for (const all of poses) all.push(...unmoved());
  for (const visited of visitedNodes(json)) {
    const { mesh } = visited.node;
    if (mesh === undefined || visited.isHidden) continue;
    json.entry('mesh', mesh, `node ${visited.index}`);
    for (const { matrix } of placesOf(visited, json, accessors)) {
      file.allow(POSE_BYTES);
      poses[mesh as number].push(Float64Array.from(matrix));
    }
  }
  return [...poses.entries()].filter(([, all]) => all.length > 0);
}

/** The option that supplies what an extension needs. */
function decoderOf(extension: string): keyof Decoders | undefined {
  if (extension === DRACO) return 'draco';
  return MESHOPT.some((name) => name === extension) ? 'meshopt' : undefined;
}

function unsupported(file: FileBytes, extension: string, decoder: string | undefined): ImpingeError {
  const way = decoder ? `: supply its decoder by the option decoders.${decoder}` : '';
  return new ImpingeError('unsupported', `${file.name}: needs the extension ${quoted(extension)}${way}`, {
    file: file.name,
  });
}

function partsOf(file: FileBytes): { root: unknown; binary: Uint8Array | undefined } {
  const { bytes, view } = file;
  if (bytes.length < 20 || view.getUint32(0, true) !== GLB_MAGIC) {
    return { root: parsed(file, bytes), binary: undefined };
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
  return { root: parsed(file, json), binary: chunks.get(BINARY_CHUNK) };
}

function parsed(file: FileBytes, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw file.fail('not a glTF file, or cut off: its JSON cannot be read');
  }
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
  json: JsonReader,
  accessors: GltfAccessors,
  { draco }: Decoders,
): Omit<FileMesh, 'poses'> | undefined {
  const mesh = json.entry('mesh', index, 'scene');
  const positions: Float32Array[] = [];
  const indices: Uint32Array[] = [];
  const materials: FileMaterial[] = [];
  let [vertices, triangles] = [0, 0];
  for (const [p, value] of json.array(mesh['primitives'], `mesh ${index}: primitives`).entries()) {
    const where = `mesh ${index}: primitive ${p}`;
    const primitive = json.object(value, where);
    const mode = json.integer(primitive['mode'], where, 'mode', TRIANGLES);
    if (mode < TRIANGLES || mode > TRIANGLE_FAN) continue;
    const place = json.object(primitive['attributes'], `${where}: attributes`)['POSITION'];
    const isPacked = json.extension(primitive, DRACO, where);
    const accessor = json.entry('accessor', place, where);
    if (isPacked && !draco && accessor['bufferView'] === undefined) throw unsupported(file, DRACO, 'draco');
    const packed =
      isPacked && draco
        ? decodedPrimitive(
            ...([draco, isPacked, accessor, json, where] as const),
            ...([
              accessors.view(isPacked['bufferView'], where),
              (bytes: number) => file.allow(bytes),
            ] as const),
          )
        : undefined;
    const own = accessors.floats(place, 'VEC3', where, packed?.positions);
    const corners =
      packed?.indices ??
      (primitive['indices'] === undefined
        ? Uint32Array.from({ length: own.length / 3 }, (_, i) => i)
        : accessors.indices(primitive['indices'], where));
    const found = mode === TRIANGLES ? corners : unrolled(corners, mode);
    if (found.length % 3 !== 0) throw json.fail(where, `${found.length} corners are not a multiple of 3`);
    for (let i = 0; i < found.length; i++) {
      if (found[i] >= own.length / 3) throw json.fail(where, `there is no vertex ${found[i]}`);
      found[i] += vertices;
    }
    const { material } = primitive;
    const name = material === undefined ? '' : json.text(json.entry('material', material, where)['name']);
    materials.push({ name, firstTriangle: triangles, triangleCount: found.length / 3 });
    positions.push(own);
    indices.push(found);
    vertices += own.length / 3;
    triangles += found.length / 3;
  }
  if (triangles === 0) return undefined;
  const name = json.text(mesh['name']) || file.stem;
  return { name, positions: joined(positions), indices: joined(indices), materials };
}

/** Strips and fans as single triangles. */
export function unrolled(corners: Uint32Array, mode: number): Uint32Array {
  const count = Math.max(0, corners.length - 2);
  const out = new Uint32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const [a, b] = mode === TRIANGLE_FAN ? [0, i + 1] : i % 2 === 0 ? [i, i + 1] : [i + 1, i];
    out[3 * i] = corners[a];
    out[3 * i + 1] = corners[b];
    out[3 * i + 2] = corners[i + 2];
  }
  return out;
}

/** Arrays one after the other. */
export function joined<T extends Float32Array | Uint32Array>(parts: readonly T[]): T {
  if (parts.length === 1) return parts[0];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const out = new (parts[0].constructor as new (length: number) => T)(length);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
