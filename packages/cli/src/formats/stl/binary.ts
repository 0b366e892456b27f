/**
 * The binary form of STL. Such files may begin with "solid" like text ones. A file whose size matches its triangle
 * count is binary; otherwise it is text if "solid" and its line are followed by "facet" or "endsolid".
 */
import type { ByteWindow } from '../byte-window.js';

const HEADER_BYTES = 84;
const TRIANGLE_BYTES = 50;
/** A text file shows its first facet within this many bytes. */
const SNIFF_BYTES = 4096;
/** Triangles that are handed on at a time. */
const BATCH_TRIANGLES = 1 << 14;

/** Looks at the beginning without consuming it. */
export async function isBinaryStl(window: ByteWindow): Promise<boolean> {
  await window.need(SNIFF_BYTES);
  const { view, bytes, at, end } = window;
  if (end - at >= HEADER_BYTES) {
    const count = view.getUint32(at + 80, true);
    if (window.bytesLeft === HEADER_BYTES + TRIANGLE_BYTES * count) return true;
  }
  const text = Buffer.from(bytes.subarray(at, Math.min(end, at + SNIFF_BYTES))).toString('latin1');
  return text.includes('\0') || !/^\s*solid\b[^\n]*(\n\s*(facet\b|endsolid\b|$)|$)/i.test(text);
}

/** Skips the header and returns the number of triangles; the file is known to be long enough. */
export async function readBinaryCount(window: ByteWindow): Promise<number> {
  if (!(await window.need(HEADER_BYTES))) {
    throw window.fail('not an STL file: neither "solid" nor a header of 84 bytes', '');
  }
  const count = window.view.getUint32(window.at + 80, true);
  window.at += HEADER_BYTES;
  if (count === 0) throw window.fail('no triangles', '');
  const left = window.bytesLeft;
  if (left < TRIANGLE_BYTES * count) {
    const whole = Math.floor(left / TRIANGLE_BYTES);
    throw window.fail(`cut off: the header declares ${count} triangles, the file holds ${whole}`, '');
  }
  return count;
}

/**
 * The corners of the triangles behind a binary header, nine numbers each, in batches; the next overwrites the one
 * before.
 */
export async function* binaryCorners(window: ByteWindow, count: number): AsyncGenerator<Float32Array> {
  const room = new Float32Array(9 * Math.min(count, BATCH_TRIANGLES));
  for (let done = 0; done < count; ) {
    if (!(await window.need(TRIANGLE_BYTES))) throw window.fail(`cut off in triangle ${done} of ${count}`);
    const here = Math.floor((window.end - window.at) / TRIANGLE_BYTES);
    const batch = Math.min(count - done, here, BATCH_TRIANGLES);
    const corners = room.subarray(0, 9 * batch);
    const { view } = window;
    let from = window.at + 12;
    let notFinite = 0;
    for (let o = 0; o < corners.length; o += 9, from += TRIANGLE_BYTES) {
      for (let i = 0; i < 9; i++) {
        const x = view.getFloat32(from + 4 * i, true);
        corners[o + i] = x;
        // x − x is 0 for finite numbers only, and once NaN stays NaN
        notFinite += x - x;
      }
    }
    if (notFinite !== 0) {
      const triangle = Math.floor(corners.findIndex((x) => !Number.isFinite(x)) / 9);
      window.at += TRIANGLE_BYTES * triangle;
      throw window.fail(`triangle ${done + triangle} has a coordinate that is not finite`);
    }
    window.at += TRIANGLE_BYTES * batch;
    done += batch;
    yield corners;
  }
}
