/** The header of a PLY file: its elements, and the properties of their rows. */
import {
  NO_END,
  type PlyHeader as Parsed,
  parsePlyHeader,
  plyHeaderLines,
} from 'impinge/internal/formats/ply-header.js';
import type { ByteWindow } from '../byte-window.js';

export {
  type PlyElement,
  type PlyType,
  readValue,
  sizeOf,
} from 'impinge/internal/formats/ply-header.js';

export interface PlyHeader extends Pick<Parsed, 'encoding' | 'elements'> {
  /** Lines in the header; the body begins on the next. */
  readonly lines: number;
}

/** Reads the header and leaves `window` at the first byte of the body. */
export async function readPlyHeader(window: ByteWindow): Promise<PlyHeader> {
  const failure = (why: string, where = '') => window.fail(why, where);
  await window.need(4);
  for (;;) {
    const found = plyHeaderLines(window.bytes.subarray(window.at, window.end), failure);
    if (found !== undefined) {
      window.at += found.byteOffset;
      return { ...parsePlyHeader(found.lines, failure), lines: found.lines.length };
    }
    if (!(await window.more())) throw failure(NO_END);
  }
}
