/** The header of a PLY file: its elements, and the properties of their rows. */
import {
  type PlyHeader as Parsed,
  type PlyType,
  parsePlyHeader,
} from 'impinge/internal/formats/ply-header.js';
import type { ByteWindow } from '../byte-window.js';

export type { PlyElement, PlyProperty, PlyType } from 'impinge/internal/formats/ply-header.js';

export interface PlyHeader extends Pick<Parsed, 'encoding' | 'elements'> {
  /** Lines in the header; the body begins on the next. */
  readonly lines: number;
}

const MAX_HEADER_BYTES = 1 << 20;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export function sizeOf(type: PlyType): number {
  return Number(type[1]);
}

/** Reads the header and leaves `window` at the first byte of the body. */
export async function readPlyHeader(window: ByteWindow): Promise<PlyHeader> {
  const lines = await headerLines(window);
  return { ...parsePlyHeader(lines, (why, where) => window.fail(why, where)), lines: lines.length };
}

async function headerLines(window: ByteWindow): Promise<string[]> {
  const lines: string[] = [];
  await window.need(4);
  const head = Buffer.from(window.bytes.subarray(window.at, Math.min(window.end, window.at + 4)));
  if (!/^ply(\s|$)/.test(head.toString('latin1'))) {
    throw window.fail('not a PLY file: it does not begin with "ply"', 'line 1');
  }
  for (let start = 0, byteLength = 0; ; ) {
    const { line, next } = takeLine(window, start);
    if (line === undefined) {
      const unread = window.end - window.at;
      if (unread > MAX_HEADER_BYTES) throw window.fail('the header is longer than 1 MiB', '');
      if (!(await window.more())) throw window.fail('cut off: the header has no "end_header"', '');
      continue;
    }
    lines.push(line);
    byteLength += next - start;
    start = next;
    if (byteLength > MAX_HEADER_BYTES) throw window.fail('the header is longer than 1 MiB', '');
    if (line === 'end_header') {
      window.at += next;
      return lines;
    }
  }
}

/** The line that begins `start` bytes after the unread position; lines end in LF, CR LF or, on old files, CR. */
function takeLine(window: ByteWindow, start: number): { line: string | undefined; next: number } {
  const { bytes, at, end } = window;
  for (let i = at + start; i < end; i++) {
    const byte = bytes[i];
    if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) continue;
    // a CR in the last place may have its LF in the next chunk
    if (byte === CARRIAGE_RETURN && i + 1 === end) break;
    const pair = byte === CARRIAGE_RETURN && bytes[i + 1] === LINE_FEED;
    const line = Buffer.from(bytes.subarray(at + start, i))
      .toString('latin1')
      .trim();
    return { line, next: i + (pair ? 2 : 1) - at };
  }
  return { line: undefined, next: start };
}
