/** The outside of a glTF file: chunks, JSON, version and required extensions. */
import { BINARY_CHUNK, GLB_MAGIC, JSON_CHUNK, PLAIN_EXTENSIONS } from 'impinge/internal/formats/gltf.js';
import { JsonReader } from 'impinge/internal/formats/gltf-json.js';
import type { ByteWindow } from '../byte-window.js';
import { FormatError } from '../format-error.js';
import type { GltfBytes } from './bytes.js';
import { parseLongJson } from './json-lists.js';

/** Memory that the parsed JSON may always take, in bytes, whatever the memory limit. */
const ALWAYS_PARSED_BYTES = 64e6;
/** Nodes refer to each other by number: only extensions and extras are nested. */
const MAX_DEPTH = 100;

/** Nodes of one mesh may be anywhere: each is read with a few neighbours. */
const ENTRY_BLOCK_BYTES = 4 << 10;

/** Required extensions that have a decoder. */
const DECODED = new Set(['KHR_draco_mesh_compression', 'EXT_meshopt_compression', 'KHR_meshopt_compression']);

export interface GltfContainer {
  readonly isBinary: boolean;
  readonly json: JsonReader;
  /** The binary chunk, where there is one. */
  readonly binary: GltfBytes | undefined;
}

/**
 * A chunk of the given length, starting at the window's position, left in the file and read in blocks of the given
 * size; undefined if it is incomplete.
 */
export type LeaveBytes = (
  window: ByteWindow,
  byteLength: number,
  blockBytes?: number,
) => Promise<GltfBytes | undefined>;

/** Reads the container in `window`. */
export async function readGltfContainer(
  window: ByteWindow,
  leave: LeaveBytes,
  memoryBytes: number,
): Promise<GltfContainer> {
  await window.need(4);
  const isBinary = window.end - window.at >= 4 && window.view.getUint32(window.at, true) === GLB_MAGIC;
  const most = Math.max(ALWAYS_PARSED_BYTES, memoryBytes);
  const { text, binary } = isBinary
    ? await readGlb(window, leave)
    : { text: await leave(window, window.bytesLeft, ENTRY_BLOCK_BYTES), binary: undefined };
  if (text === undefined) throw window.fail('cut off while it was read', '');
  const root = parseJson(text, window, most);
  const json = new JsonReader(root, (where, why) => window.fail(why, where));
  checkVersion(json);
  return { isBinary, json, binary };
}

async function readGlb(
  window: ByteWindow,
  leave: LeaveBytes,
): Promise<{ text: GltfBytes; binary: GltfBytes | undefined }> {
  if (!(await window.need(20))) throw window.fail('cut off in the header', '');
  const version = window.view.getUint32(window.at + 4, true);
  if (version !== 2) throw window.fail(`glTF version ${version}; only version 2 is supported`, '');
  let left = window.view.getUint32(window.at + 8, true) - 12;
  window.at += 12;
  let text: GltfBytes | undefined;
  let binary: GltfBytes | undefined;
  while (left >= 8 && (text === undefined || binary === undefined)) {
    if (!(await window.need(8))) throw window.fail('cut off in the header of a chunk');
    const byteLength = window.view.getUint32(window.at, true);
    const type = window.view.getUint32(window.at + 4, true);
    window.at += 8;
    left -= 8 + byteLength;
    if (left < 0) throw window.fail('a chunk reaches past the end');
    if (text === undefined && type !== JSON_CHUNK) throw window.fail('the first chunk is not JSON');
    let isWhole = true;
    if (type === JSON_CHUNK || type === BINARY_CHUNK) {
      const kept = await leave(window, byteLength, type === JSON_CHUNK ? ENTRY_BLOCK_BYTES : undefined);
      isWhole = kept !== undefined;
      if (type === JSON_CHUNK) text = kept;
      else binary = kept;
    }
    const isLast = text !== undefined && binary !== undefined;
    if (isWhole && !isLast) isWhole = await window.skip(byteLength);
    if (!isWhole) throw window.fail(`cut off: a chunk of ${byteLength} bytes is incomplete`);
  }
  if (text === undefined) throw window.fail('there is no JSON chunk', '');
  return { text, binary };
}

function parseJson(bytes: GltfBytes, window: ByteWindow, mostBytes: number): unknown {
  try {
    return parseLongJson(bytes, ({ depth, parsedBytes }) => {
      if (depth > MAX_DEPTH) throw window.fail(`its JSON is nested more than ${MAX_DEPTH} deep`, '');
      if (parsedBytes > mostBytes) {
        throw window.fail(
          `its JSON would take ${Math.ceil(parsedBytes / 1e6)} MB of memory; the limit is ${Math.floor(mostBytes / 1e6)} MB`,
          '',
        );
      }
    });
  } catch (error) {
    if (error instanceof FormatError) throw error;
    throw window.fail(`its JSON is damaged or cut off (${(error as Error).message.slice(0, 80)})`, '');
  }
}

function checkVersion(json: JsonReader): void {
  const { root } = json;
  const version = json.text(json.object(root['asset'], 'asset')['version']);
  if (!version.startsWith('2.')) {
    throw json.fail('asset', `glTF version ${JSON.stringify(version)}; only version 2 is supported`);
  }
  for (const name of json.array(root['extensionsRequired'], 'extensionsRequired')) {
    if (typeof name !== 'string' || !(DECODED.has(name) || PLAIN_EXTENSIONS.test(name))) {
      throw json.fail('extensionsRequired', `${JSON.stringify(name)} is not supported`);
    }
  }
}
