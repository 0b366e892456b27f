/** `impinge/formats`: meshes out of STL, PLY, OBJ and glTF files, in Node and browsers. */
import { ImpingeError } from '../base/errors.js';
import { readChoice, readFunction, readKnown, shown } from '../base/options.js';
import { GLB_MAGIC, type Resource, readGltf } from './gltf.js';
import { FileBytes, type FileMesh } from './mesh-file.js';
import { readObj } from './obj.js';
import { readPly } from './ply.js';
import { readStl } from './stl.js';

export type { Resource } from './gltf.js';
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
}

/**
 * The meshes of a file that is in memory as a whole, as `Mesh.from` takes them: finite coordinates, indices in range,
 * at least one triangle each. What is wrong with a file comes as an `ImpingeError` that names it.
 */
export function readMeshes(file: Uint8Array | ArrayBuffer, options: ReadMeshesOptions = {}): FileMesh[] {
  const names = { name: true, format: true, resource: true } as const;
  const { name = 'mesh', format, resource } = readKnown('readMeshes', options, names);
  if (typeof name !== 'string') throw new ImpingeError('bad-option', `name is ${shown(name)}, not a text`);
  if (format !== undefined) readChoice('format', format, FORMATS);
  if (resource !== undefined) readFunction('resource', resource);
  const isBytes = file instanceof Uint8Array || file instanceof ArrayBuffer;
  if (!isBytes) throw new ImpingeError('bad-input', `the bytes of a file are needed, got ${shown(file)}`);
  // a copy, as far as others may still write to it
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
      return readGltf(read, resource);
  }
}

function steadyBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes);
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
