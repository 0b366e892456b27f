/**
 * Files that contain other files: unpacked into their contents, and packed again with valid lengths and checksums.
 * `open` returns a list of contents, or undefined if the file is too damaged; `close` takes such a list.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';

const GLB_HEAD = 12;
const CHUNK_HEAD = 8;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;

/** An entry that claims more is damaged: seeds have a few kilobytes. */
const MOST_BYTES = 1 << 22;
const isSmall = ({ originalSize }) => originalSize < MOST_BYTES;

const words = (...numbers) => Buffer.from(Uint32Array.from(numbers).buffer);

/** The JSON chunk and the binary chunk. */
const glb = {
  open(bytes) {
    if (bytes.length < GLB_HEAD + CHUNK_HEAD) return undefined;
    const jsonEnd = GLB_HEAD + CHUNK_HEAD + bytes.readUInt32LE(GLB_HEAD);
    if (jsonEnd > bytes.length) return undefined;
    return [bytes.subarray(GLB_HEAD + CHUNK_HEAD, jsonEnd), bytes.subarray(jsonEnd + CHUNK_HEAD)];
  },
  close([json, binary]) {
    const chunk = (type, content, filler) => {
      const padding = Buffer.alloc((4 - (content.length % 4)) % 4, filler);
      return Buffer.concat([words(content.length + padding.length, type), content, padding]);
    };
    const body = Buffer.concat([chunk(JSON_CHUNK, json, ' '), chunk(BIN_CHUNK, binary, '\0')]);
    return Buffer.concat([Buffer.from('glTF'), words(2, GLB_HEAD + body.length), body]);
  },
};

/** Alternating names and contents of the entries. */
const zip = {
  open(bytes) {
    try {
      return Object.entries(unzipSync(bytes, { filter: isSmall })).flatMap(([name, content]) => [
        Buffer.from(name),
        Buffer.from(content),
      ]);
    } catch {
      return undefined;
    }
  },
  close(contents) {
    const entries = {};
    for (let i = 0; i < contents.length; i += 2)
      entries[contents[i].toString()] = new Uint8Array(contents[i + 1]);
    return Buffer.from(zipSync(entries, { mtime: '2020-01-01' }));
  },
};

const gzip = {
  open(bytes) {
    try {
      return [gunzipSync(bytes, { maxOutputLength: MOST_BYTES })];
    } catch {
      return undefined;
    }
  },
  close: ([content]) => gzipSync(content),
};

const PLY_HEAD_END = 'end_header\n';

/** The text header and the binary rows. */
const ply = {
  open(bytes) {
    const end = bytes.indexOf(PLY_HEAD_END);
    if (end < 0) return undefined;
    return [bytes.subarray(0, end + PLY_HEAD_END.length), bytes.subarray(end + PLY_HEAD_END.length)];
  },
  close: (contents) => Buffer.concat(contents),
};

/** By extension. */
export const CONTAINERS = {
  glb,
  '3mf': zip,
  ifczip: zip,
  bcfzip: zip,
  bcf: zip,
  'stl.gz': gzip,
  'obj.gz': gzip,
  ply,
};
