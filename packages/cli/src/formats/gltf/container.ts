/** The outside of a glTF file: chunks, JSON, version and required extensions. */
import type { ByteWindow } from '../byte-window.js';
import type { GltfBytes } from './bytes.js';
import { type Json, JsonReader } from './json.js';

const GLB_MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** What the JSON may take in memory, whatever the memory is. */
const ALWAYS_PARSED_BYTES = 64e6;
/** Nodes refer to each other by number: what is nested is in extensions and extras. */
const MAX_DEPTH = 100;

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

/** What becomes of a binary chunk of so many bytes, at whose beginning the window is; undefined if it is not whole. */
export type TakeBinary = (window: ByteWindow, byteLength: number) => Promise<GltfBytes | undefined>;

/** Reads what `window` holds. */
export async function readGltfContainer(
  window: ByteWindow,
  takeBinary: TakeBinary,
  memoryBytes: number,
): Promise<GltfContainer> {
  await window.need(4);
  const isBinary = window.end - window.at >= 4 && window.view.getUint32(window.at, true) === GLB_MAGIC;
  const most = Math.max(ALWAYS_PARSED_BYTES, memoryBytes);
  const { text, binary } = isBinary
    ? await readGlb(window, takeBinary, most)
    : { text: await readText(window, most), binary: undefined };
  const json = new JsonReader(window.file);
  const root = parseJson(text, json);
  checkVersion(root, json);
  return { isBinary, json, root, binary };
}

async function readGlb(
  window: ByteWindow,
  takeBinary: TakeBinary,
  mostBytes: number,
): Promise<{ text: string; binary: GltfBytes | undefined }> {
  if (!(await window.need(20))) throw window.fail('cut off in the header', '');
  const version = window.view.getUint32(window.at + 4, true);
  if (version !== 2) throw window.fail(`glTF version ${version}; version 2 is understood`, '');
  let left = window.view.getUint32(window.at + 8, true) - 12;
  window.at += 12;
  let text: string | undefined;
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
    if (type === JSON_CHUNK) {
      const bytes = await window.take(byteLength);
      isWhole = bytes !== undefined;
      if (bytes) text = decodeText(bytes, window, mostBytes);
    } else if (type === BINARY_CHUNK) {
      binary = await takeBinary(window, byteLength);
      isWhole = binary !== undefined;
    } else {
      isWhole = await window.skip(byteLength);
    }
    if (!isWhole) throw window.fail(`cut off: a chunk of ${byteLength} bytes is not whole`);
  }
  if (text === undefined) throw window.fail('there is no JSON chunk', '');
  return { text, binary };
}

async function readText(window: ByteWindow, mostBytes: number): Promise<string> {
  const bytes = await window.take(window.bytesLeft);
  if (bytes === undefined) throw window.fail('cut off while it was read', '');
  return decodeText(bytes, window, mostBytes);
}

function decodeText(bytes: Uint8Array, window: ByteWindow, mostBytes: number): string {
  const { depth, parsedBytes } = extentOf(bytes);
  if (depth > MAX_DEPTH) throw window.fail(`its JSON is nested more than ${MAX_DEPTH} deep`, '');
  if (parsedBytes > mostBytes) {
    throw window.fail(
      `its JSON would take ${Math.ceil(parsedBytes / 1e6)} MB of memory, and may take ${Math.floor(mostBytes / 1e6)} MB`,
      '',
    );
  }
  try {
    return new TextDecoder().decode(bytes);
  } catch {
    throw window.fail('its JSON is too long', '');
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];

/** How deep JSON is nested, and about what it takes when it is parsed: objects and lists, entries, and the texts. */
function extentOf(bytes: Uint8Array): { readonly depth: number; readonly parsedBytes: number } {
  let parents = 0;
  let commas = 0;
  let depth = 0;
  let open = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA) commas++;
    // braces and brackets differ in this bit alone
    else if ((byte | 0x20) === 0x7b) {
      parents++;
      if (++open > depth) depth = open;
    } else if ((byte | 0x20) === 0x7d) open--;
  }
  return { depth, parsedBytes: 64 * parents + 16 * commas + 2 * bytes.length };
}

function parseJson(text: string, json: JsonReader): Json {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    throw json.fail('', `its JSON is damaged or cut off (${(error as Error).message.slice(0, 80)})`);
  }
  return json.object(root, 'JSON');
}

function checkVersion(root: Json, json: JsonReader): void {
  const version = json.text(json.object(root['asset'], 'asset')['version']);
  if (!version.startsWith('2.')) {
    throw json.fail('asset', `glTF version ${JSON.stringify(version)}; version 2 is understood`);
  }
  for (const name of json.array(root['extensionsRequired'], 'extensionsRequired')) {
    if (typeof name !== 'string' || !(UNDERSTOOD.has(name) || IRRELEVANT.test(name))) {
      throw json.fail('extensionsRequired', `${JSON.stringify(name)} is not understood`);
    }
  }
}
