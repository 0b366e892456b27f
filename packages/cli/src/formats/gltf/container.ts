/** The outside of a glTF file: chunks, JSON, version and required extensions. */
import type { ByteWindow } from '../byte-window.js';
import { FormatError } from '../format-error.js';
import type { GltfBytes } from './bytes.js';
import { type Json, JsonReader } from './json.js';
import { parseLongJson } from './json-lists.js';

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Memory that the parsed JSON may always take, in bytes, whatever the memory limit. */
const ALWAYS_PARSED_BYTES = 64e6;
/** Nodes refer to each other by number: only extensions and extras are nested. */
const MAX_DEPTH = 100;

/** Nodes of one mesh may be anywhere: each is read with a few neighbours. */
const ENTRY_BLOCK_BYTES = 4 << 10;

/** Required extensions that change the geometry, and are understood. */
const UNDERSTOOD = new Set([
  'KHR_draco_mesh_compression',
  'KHR_mesh_quantization',
  'EXT_meshopt_compression',
  'KHR_meshopt_compression',
  'EXT_mesh_gpu_instancing',
  'KHR_node_visibility',
]);
/** Required extensions that do not. */
const IRRELEVANT =
  /^(KHR_materials_|KHR_texture_|EXT_texture_|MSFT_texture_|KHR_lights_|EXT_lights_|KHR_xmp|KHR_animation_)/;

export interface GltfContainer {
  readonly isBinary: boolean;
  readonly json: JsonReader;
  readonly root: Json;
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
  const json = new JsonReader(window.file);
  const root = parseJson(text, window, json, most);
  checkVersion(root, json);
  return { isBinary, json, root, binary };
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

function parseJson(bytes: GltfBytes, window: ByteWindow, json: JsonReader, mostBytes: number): Json {
  let root: unknown;
  try {
    root = parseLongJson(bytes, ({ depth, parsedBytes }) => {
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
    throw json.fail('', `its JSON is damaged or cut off (${(error as Error).message.slice(0, 80)})`);
  }
  return json.object(root, 'JSON');
}

function checkVersion(root: Json, json: JsonReader): void {
  const version = json.text(json.object(root['asset'], 'asset')['version']);
  if (!version.startsWith('2.')) {
    throw json.fail('asset', `glTF version ${JSON.stringify(version)}; only version 2 is supported`);
  }
  for (const name of json.array(root['extensionsRequired'], 'extensionsRequired')) {
    if (typeof name !== 'string' || !(UNDERSTOOD.has(name) || IRRELEVANT.test(name))) {
      throw json.fail('extensionsRequired', `${JSON.stringify(name)} is not supported`);
    }
  }
}
