/** `impinge/formats`: meshes out of STL, PLY, OBJ and glTF files, in Node and browsers. */
import { ImpingeError } from '../base/errors.js';
import { readChoice, readFunction, readKnown, shown } from '../base/options.js';
import { GLB_MAGIC, type Resource, readGltf } from './gltf.js';
import type { Decoders } from './gltf-codecs.js';
import { FileBytes, type FileMesh } from './mesh-file.js';
import { readObj } from './obj.js';
import { readPly } from './ply.js';
import { readStl } from './stl.js';

export type { DracoDecoderModule } from './draco.js';
export type { Resource } from './gltf.js';
export type { Decoders, MeshoptDecoderModule } from './gltf-codecs.js';
export type { FileMaterial, FileMesh } from './mesh-file.js';

const FORMATS = ['stl', 'ply', 'obj', 'gltf'] as const;
export type MeshFormat = (typeof FORMATS)[number];

export interface ReadMeshesOptions {
  /** Name of the file: for errors, for unnamed meshes, and to recognise its format by the extension. */
  readonly name?: string;
  /** Default: by the extension, or by the first bytes of the file. */
  readonly format?: MeshFormat;
  /** Buffers of a glTF file that lie in other files, by their addresses. */
  readonly resource?: Resource;
  /** Of compressed glTF files: the library brings none along. */
  readonly decoders?: Decoders;
}

/**
 * The meshes of a file that is in memory as a whole, as `Mesh.from` takes them: finite coordinates, indices in range,
 * at least one triangle each. What is wrong with a file comes as an `ImpingeError` that names it.
 */
export function readMeshes(file: ArrayBufferView | ArrayBuffer, options: ReadMeshesOptions = {}): FileMesh[] {
  const names = { name: true, format: true, resource: true, decoders: true } as const;
  const { name = 'mesh', format, resource, decoders = {} } = readKnown('readMeshes', options, names);
  if (typeof name !== 'string') throw new ImpingeError('bad-option', `name is ${shown(name)}, not a text`);
  if (format !== undefined) readChoice('format', format, FORMATS);
  if (resource !== undefined) readFunction('resource', resource);
  readDecoders(decoders);
  const isBytes = ArrayBuffer.isView(file) || file instanceof ArrayBuffer;
  if (!isBytes) throw new ImpingeError('bad-input', `the bytes of a file are needed, got ${shown(file)}`);
  const bytes = file instanceof ArrayBuffer ? new Uint8Array(file) : steadyBytes(file);
  const read = new FileBytes(bytes, name);
  if (bytes.length === 0) throw read.fail('is empty');
  switch (format ?? formatOf(read)) {
    case 'stl':
      return readStl(read);
    case 'ply':
      return readPly(read);
    case 'obj':
      return readObj(read);
    case 'gltf':
      return readGltf(read, resource, decoders);
  }
}

/** A copy, as far as others may still write to it; of a buffer that was handed on, nothing. */
function steadyBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  if (byteLength === 0) return new Uint8Array(0);
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}

/** Refuses what is no decoder, or not ready yet. */
function readDecoders(decoders: Decoders): void {
  const { meshopt, draco } = readKnown('decoders', decoders, { meshopt: true, draco: true });
  if (meshopt !== undefined && typeof meshopt?.decodeGltfBuffer !== 'function') {
    throw new ImpingeError(
      'bad-option',
      `decoders.meshopt is ${shown(meshopt)}, not MeshoptDecoder of meshoptimizer`,
    );
  }
  if (draco !== undefined && typeof draco?.Decoder !== 'function') {
    throw new ImpingeError(
      'bad-option',
      `decoders.draco is ${shown(draco)}, not a decoder module of draco3d`,
    );
  }
}

function formatOf({ bytes, view, name }: FileBytes): MeshFormat {
  const [, ending = ''] = /\.(stl|ply|obj|gltf|glb)$/i.exec(name) ?? [];
  if (ending !== '') return ending.toLowerCase().replace('glb', 'gltf') as MeshFormat;
  if (bytes.length >= 4 && view.getUint32(0, true) === GLB_MAGIC) return 'gltf';
  const head = String.fromCharCode(...bytes.subarray(0, 1024)).trimStart();
  if (/^ply\s/.test(head)) return 'ply';
  if (head.startsWith('{')) return 'gltf';
  return /^(#|v|vn|vt|o|g|mtllib|usemtl|s)\s/.test(head) && !head.includes('\0') ? 'obj' : 'stl';
}
