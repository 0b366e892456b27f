/**
 * Model files as the store takes them: shapes one after the other, each with the objects that use it, so that a file
 * never has to be in memory as a whole. The format is told by what the first bytes say, then by the name.
 *
 * Invariant: every coordinate is finite, every index is in range, every pose is rigid, the world is Z up. Coordinates
 * keep the file's own unit and bits.
 */
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { asFormatError, FormatError } from './format-error.js';
import type { ModelSource, SourceOptions } from './model-source.js';

type Opener = (path: string, options: SourceOptions) => Promise<ModelSource>;

/** Readers are loaded when the first file of their format comes: the one for IFC alone is megabytes. */
const READERS: Readonly<Record<string, () => Promise<Opener>>> = {
  gltf: async () => (await import('./gltf-source.js')).gltfSource,
  stl: async () => (await import('./stl-source.js')).stlSource,
  ply: async () => (await import('./ply-source.js')).plySource,
  obj: async () => (await import('./obj-source.js')).objSource,
  ifc: async () => (await import('./ifc.js')).ifcSource,
  '3mf': async () => (await import('./three-mf.js')).threeMfSource,
};

/** Extension → format, of the files that are looked for in folders. */
export const FORMAT_OF_EXTENSION: Readonly<Record<string, string>> = {
  gltf: 'gltf',
  glb: 'gltf',
  stl: 'stl',
  ply: 'ply',
  obj: 'obj',
  ifc: 'ifc',
  '3mf': '3mf',
};

const HEAD_BYTES = 512;

/** Opens `path`; everything that is wrong with the file comes as a FormatError, here or from `shapes()`. */
export async function openSource(path: string, options: SourceOptions): Promise<ModelSource> {
  options.signal?.throwIfAborted();
  try {
    const format = formatOf(await readHead(path), path);
    const opener = await READERS[format]();
    return await opener(path, options);
  } catch (error) {
    throw asFormatError(error, path);
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new FormatError(path, 'is a folder');
    if (!stat.isFile()) throw new FormatError(path, 'is not a regular file');
    const { bytesRead, buffer } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    if (bytesRead === 0) throw new FormatError(path, 'is empty');
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The format of a file that begins with `head`. */
function formatOf(head: Uint8Array, path: string): string {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const extension = extensionOf(isGzip ? path.replace(/\.gz$/i, '') : path);
  const known = Object.hasOwn(FORMAT_OF_EXTENSION, extension) ? FORMAT_OF_EXTENSION[extension] : '';
  if (!isGzip) {
    if (text.startsWith('glTF') || /^\s*\{/.test(text)) return 'gltf';
    if (/^ply\s/.test(text)) return 'ply';
    if (/^\s*ISO-10303-21\s*;/.test(text)) return 'ifc';
    if (text.startsWith('PK\x03\x04')) return '3mf';
    if (known === '' && /^\s*solid\b/i.test(text)) return 'stl';
  }
  if (known === '') {
    throw new FormatError(path, 'unknown format; IFC, glTF, GLB, STL, OBJ, PLY and 3MF are understood');
  }
  return known;
}

/** Lower case, without the dot; empty when there is none. */
export function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(basename(path))?.[1]?.toLowerCase() ?? '';
}
