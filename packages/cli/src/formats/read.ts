/** Opens a model file of any known format: by what its first bytes say, then by its name. */
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { ByteWindow, fileStream, gunzipStream } from './byte-window.js';
import { asFormatError, FormatError } from './format-error.js';
import { readGltf } from './gltf.js';
import type { Model } from './model.js';
import { readObj } from './obj.js';
import { readPly } from './ply.js';
import { isBinaryStl, readStl } from './stl.js';

export interface ReadResult {
  readonly model: Model;
  /** Bytes on disk, where known. */
  readonly byteLength: number | undefined;
}

/** Reads `path`; everything that is wrong with the file comes as a FormatError. `chunkBytes` is for tests. */
export async function readModel(path: string, chunkBytes?: number): Promise<ReadResult> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    const stat = await handle.stat();
    if (stat.isDirectory()) throw new FormatError(path, 'is a folder');
    const byteLength = stat.isFile() ? stat.size : undefined;
    const window = new ByteWindow(path, fileStream(handle, byteLength), chunkBytes);
    return { model: await readWindow(window, path, chunkBytes), byteLength };
  } catch (error) {
    throw asFormatError(error, path);
  } finally {
    await handle?.close();
  }
}

async function readWindow(file: ByteWindow, path: string, chunkBytes: number | undefined): Promise<Model> {
  let window = file;
  let name = basename(path);
  if ((await window.need(2)) && window.bytes[window.at] === 0x1f && window.bytes[window.at + 1] === 0x8b) {
    window = new ByteWindow(path, gunzipStream(file), chunkBytes);
    name = name.replace(/\.gz$/i, '');
  }
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const stem = name.replace(/\.[a-z0-9]+$/i, '') || name;
  await window.need(512);
  const { bytes, at, end } = window;
  const head = Buffer.from(bytes.subarray(at, Math.min(end, at + 512))).toString('latin1');
  if (head === '') throw new FormatError(path, 'is empty');
  if (head.startsWith('glTF') || /^(\xef\xbb\xbf)?\s*\{/.test(head)) return readGltf(window, path);
  if (/^ply\s/.test(head)) return readPly(window, stem);
  switch (extension) {
    case 'ply':
      return readPly(window, stem);
    case 'stl':
      return readStl(window, stem);
    case 'obj':
      return readObj(window, stem);
    case 'glb':
    case 'gltf':
      throw new FormatError(path, 'not a glTF file: it begins with neither "glTF" nor "{"');
  }
  if (/^\s*solid\b/i.test(head) && !(await isBinaryStl(window))) return readStl(window, stem);
  throw new FormatError(path, 'unknown format; PLY, STL, OBJ, glTF and GLB are understood, also as .gz');
}
