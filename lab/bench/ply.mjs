/** Reads the benchmarks' models: PLY files, gzipped or not. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readMeshes } from 'impinge/formats';

/**
 * @param {string | URL} path
 * @returns {{ positions: Float32Array | Float64Array, indices: Uint32Array }}
 */
export function readPly(path) {
  const bytes = readFileSync(path);
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return readMeshes(isZipped ? gunzipSync(bytes) : bytes, { name: String(path), format: 'ply' })[0];
}
