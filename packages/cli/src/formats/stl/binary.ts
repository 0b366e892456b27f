/** The binary form of STL, of any size. */
import {
  binaryStlCount,
  copyStlCorners,
  isBinaryStl as isBinary,
  STL_HEADER_BYTES,
  STL_SNIFF_BYTES,
  STL_TRIANGLE_BYTES,
} from 'impinge/internal/formats/stl.js';
import type { ByteWindow } from '../byte-window.js';

/** Triangles that are handed on at a time. */
const BATCH_TRIANGLES = 1 << 14;

/** Looks at the beginning without consuming it. */
export async function isBinaryStl(window: ByteWindow): Promise<boolean> {
  await window.need(STL_SNIFF_BYTES);
  return isBinary(window.bytes.subarray(window.at, window.end), window.bytesLeft);
}

/** Skips the header and returns the number of triangles; the file is known to be long enough. */
export async function readBinaryCount(window: ByteWindow): Promise<number> {
  const byteLength = (await window.need(STL_HEADER_BYTES)) ? window.bytesLeft : 0;
  const count = binaryStlCount(window.view, window.at, byteLength, (why) => window.fail(why, ''));
  window.at += STL_HEADER_BYTES;
  return count;
}

/**
 * The corners of the triangles behind a binary header, nine numbers each, in batches; the next overwrites the one
 * before.
 */
export async function* binaryCorners(window: ByteWindow, count: number): AsyncGenerator<Float32Array> {
  const room = new Float32Array(9 * Math.min(count, BATCH_TRIANGLES));
  for (let done = 0; done < count; ) {
    if (!(await window.need(STL_TRIANGLE_BYTES)))
      throw window.fail(`cut off in triangle ${done} of ${count}`);
    const here = Math.floor((window.end - window.at) / STL_TRIANGLE_BYTES);
    const batch = Math.min(count - done, here, BATCH_TRIANGLES);
    const corners = room.subarray(0, 9 * batch);
    const wrong = copyStlCorners(window.view, window.at, corners);
    if (wrong >= 0) {
      window.at += STL_TRIANGLE_BYTES * wrong;
      throw window.fail(`triangle ${done + wrong} has a coordinate that is not finite`);
    }
    window.at += STL_TRIANGLE_BYTES * batch;
    done += batch;
    yield corners;
  }
}
