/**
 * Large binary PLY files as `plyOf` of the stand-ins writes them: three floats per vertex, a count and three indices
 * per face.
 */
import { closeSync, openSync, readSync, renameSync, writeSync } from 'node:fs';

const FACE_BYTES = 13;
const HEADER_BYTES = 4096;
const END = 'end_header\n';
/** Faces per read. */
const FACES_AT_ONCE = 1 << 16;

/** Writes chunks one after the other; the file gets its name when complete. */
export function writeChunks(path, chunks) {
  const file = openSync(`${path}.part`, 'w');
  try {
    for (const chunk of chunks) writeSync(file, chunk);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.part`, path);
}

/** @returns {{ positions: Float32Array, indices: Uint32Array }} */
export function readBinaryPly(path) {
  const file = openSync(path, 'r');
  try {
    const { vertices, faces, start } = readHeader(file);
    const positions = new Float32Array(3 * vertices);
    readWhole(file, new Uint8Array(positions.buffer), start);
    const indices = new Uint32Array(3 * faces);
    const block = new Uint8Array(FACE_BYTES * FACES_AT_ONCE);
    const view = new DataView(block.buffer);
    for (let first = 0; first < faces; first += FACES_AT_ONCE) {
      const count = Math.min(FACES_AT_ONCE, faces - first);
      readWhole(
        file,
        block.subarray(0, FACE_BYTES * count),
        start + positions.byteLength + FACE_BYTES * first,
      );
      for (let f = 0; f < count; f++) {
        for (let k = 0; k < 3; k++)
          indices[3 * (first + f) + k] = view.getUint32(FACE_BYTES * f + 1 + 4 * k, true);
      }
    }
    return { positions, indices };
  } finally {
    closeSync(file);
  }
}

/** The numbers of vertices and faces of a file. */
export function countsOf(path) {
  const file = openSync(path, 'r');
  try {
    return readHeader(file);
  } finally {
    closeSync(file);
  }
}

function readHeader(file) {
  const head = Buffer.alloc(HEADER_BYTES);
  const text = head.toString('latin1', 0, readSync(file, head, 0, HEADER_BYTES, 0));
  const [, vertices, faces] = /element vertex (\d+)[\s\S]*element face (\d+)/.exec(text).map(Number);
  return { vertices, faces, start: text.indexOf(END) + END.length };
}

function readWhole(file, bytes, from) {
  for (let at = 0; at < bytes.length; ) {
    const got = readSync(file, bytes, at, Math.min(bytes.length - at, 2 ** 30), from + at);
    if (got === 0) throw new Error('the file ends early');
    at += got;
  }
}
