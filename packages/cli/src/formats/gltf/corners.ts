/** A glTF primitive too large for memory: its indices are read in sequence, its positions looked up in the file. */
import { TRIANGLE_FAN, TRIANGLES, unrolled } from 'impinge/internal/formats/gltf.js';
import { VertexPages } from '../vertex-pages.js';
import type { AccessorRecords } from './accessors.js';
import { componentBytes, firstNonFinite, floatsOf, indicesOf, packedElements } from './components.js';

/** Triangles that are handed on at a time; even, because in strips every other one is turned. */
const BATCH_TRIANGLES = 1 << 16;

export interface IndexedRecords {
  readonly positions: AccessorRecords;
  /** Undefined: the vertices in their order. */
  readonly indices: AccessorRecords | undefined;
  readonly mode: number;
  fail(why: string): Error;
}

export function triangleCountOf({ positions, indices, mode, fail }: IndexedRecords): number {
  const count = (indices ?? positions).count;
  if (mode !== TRIANGLES) return Math.max(0, count - 2);
  if (count % 3 !== 0) throw fail(`${count} corners are not a multiple of 3`);
  return count / 3;
}

/** Nine numbers per triangle, in batches. */
export function* primitiveCorners(
  part: IndexedRecords,
  cacheBytes: number,
): Generator<Float32Array | Float64Array> {
  const { positions, mode, fail } = part;
  const { bytes, componentType, isNormalised, strideBytes } = positions;
  const elementBytes = 3 * componentBytes(componentType);
  const pages = new VertexPages(
    {
      count: positions.count,
      byteOffset: positions.byteOffset,
      strideBytes,
      isWide: false,
      // the last element may end before its stride does
      read: (into, position) =>
        into.set(bytes.slice(position, Math.min(position + into.length, bytes.byteLength))),
      decode: (page, count, into, at, first) => {
        const floats = floatsOf(
          packedElements(page, count, elementBytes, strideBytes),
          componentType,
          isNormalised,
        );
        const bad = firstNonFinite(floats);
        if (bad >= 0) throw fail(`vertex ${first + Math.floor(bad / 3)} is not finite`);
        into.set(floats, at);
      },
    },
    cacheBytes,
  );
  const triangleCount = triangleCountOf(part);
  for (let t = 0; t < triangleCount; t += BATCH_TRIANGLES) {
    const end = Math.min(triangleCount, t + BATCH_TRIANGLES);
    let corners: Uint32Array;
    if (mode === TRIANGLES) corners = readCorners(part, 3 * t, 3 * end);
    else if (mode === TRIANGLE_FAN) {
      corners = new Uint32Array(end - t + 2);
      corners.set(readCorners(part, 0, 1));
      corners.set(readCorners(part, t + 1, end + 2), 1);
    } else corners = readCorners(part, t, end + 2);
    if (mode !== TRIANGLES) corners = unrolled(corners, mode);
    yield pages.positions(corners, 0, corners.length);
  }
}

/** The vertices at corners [start, end), start < end. */
function readCorners({ positions, indices, fail }: IndexedRecords, start: number, end: number): Uint32Array {
  if (indices === undefined) return Uint32Array.from({ length: end - start }, (_, i) => start + i);
  const { bytes, byteOffset, strideBytes, componentType } = indices;
  const size = componentBytes(componentType);
  const from = byteOffset + strideBytes * start;
  const slice = bytes.slice(from, from + strideBytes * (end - start - 1) + size);
  const corners = indicesOf(packedElements(slice, end - start, size, strideBytes), componentType);
  if (corners === undefined) throw fail(`componentType ${componentType} is not an unsigned integer`);
  for (let i = 0; i < corners.length; i++) {
    if (corners[i] >= positions.count) {
      throw fail(`index ${start + i} refers to vertex ${corners[i]}, but there are ${positions.count}`);
    }
  }
  return corners;
}
