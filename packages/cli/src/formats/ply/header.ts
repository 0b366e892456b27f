/** The header of a PLY file: its elements, and the properties of their rows. */
import type { ByteWindow } from '../byte-window.js';
import { quoted } from '../format-error.js';

export type PlyEncoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

/** `i`nteger, `u`nsigned or `f`loat, and bytes. */
export type PlyType = 'i1' | 'u1' | 'i2' | 'u2' | 'i4' | 'u4' | 'f4' | 'f8';

export interface PlyProperty {
  readonly name: string;
  readonly type: PlyType;
  /** The type of the length in front of a list; undefined for a single value. */
  readonly countType: PlyType | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}

export interface PlyHeader {
  readonly encoding: PlyEncoding;
  readonly elements: readonly PlyElement[];
  /** Lines in the header; the body begins on the next. */
  readonly lines: number;
}

const MAX_HEADER_BYTES = 1 << 20;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

const TYPES: Readonly<Record<string, PlyType>> = {
  char: 'i1',
  int8: 'i1',
  uchar: 'u1',
  uint8: 'u1',
  short: 'i2',
  int16: 'i2',
  ushort: 'u2',
  uint16: 'u2',
  int: 'i4',
  int32: 'i4',
  uint: 'u4',
  uint32: 'u4',
  float: 'f4',
  float32: 'f4',
  double: 'f8',
  float64: 'f8',
};

export function sizeOf(type: PlyType): number {
  return Number(type[1]);
}

/** Reads the header and leaves `window` at the first byte of the body. */
export async function readPlyHeader(window: ByteWindow): Promise<PlyHeader> {
  const lines = await headerLines(window);
  let encoding: PlyEncoding | undefined;
  const elements: PlyElement[] = [];
  let element: PlyElement | undefined;
  let vertices: PlyElement | undefined;
  for (let i = 1; i < lines.length; i++) {
    const words = lines[i].split(/\s+/);
    const fail = (why: string) => window.fail(why, `line ${i + 1}`);
    switch (words[0]) {
      case 'format':
        if (encoding !== undefined && words[1] !== encoding) throw fail('a second, different format');
        encoding = readEncoding(words, fail);
        break;
      case 'element':
        element = readElement(words, fail);
        elements.push(element);
        // faces may come in several elements; with several of vertices, indices would be ambiguous
        if (element.name === 'vertex' && element.count > 0) {
          if (vertices !== undefined) throw fail('element "vertex" is declared twice');
          vertices = element;
        }
        break;
      case 'property':
        if (element === undefined) throw fail('a property before any element');
        element.properties.push(readProperty(words, fail));
        break;
      case 'comment':
      case 'obj_info':
      case 'end_header':
      case '':
        break;
      default:
        throw fail(`unknown header line ${quoted(lines[i])}`);
    }
  }
  if (encoding === undefined) throw window.fail('the header has no "format" line', '');
  // an element without rows cannot contradict anything
  const kept = elements.filter(({ name, count }) => count > 0 || (name === 'vertex' && !vertices));
  return { encoding, elements: kept, lines: lines.length };
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

type Fail = (why: string) => Error;

function readEncoding(words: string[], fail: Fail): PlyEncoding {
  const encoding = words[1];
  if (encoding === 'ascii' || encoding === 'binary_little_endian' || encoding === 'binary_big_endian') {
    return encoding;
  }
  throw fail(`unknown format ${quoted(encoding ?? '')}`);
}

function readElement(words: string[], fail: Fail): PlyElement {
  const [, name, text] = words;
  const count = Number(text);
  if (name === undefined || text === undefined) throw fail('an element needs a name and a count');
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw fail(`the count of element ${quoted(name)} is ${quoted(text)}`);
  }
  return { name, count, properties: [] };
}

function readProperty(words: string[], fail: Fail): PlyProperty {
  const typeOf = (text: string | undefined): PlyType => {
    const type = text !== undefined && Object.hasOwn(TYPES, text) ? TYPES[text] : undefined;
    if (type === undefined) throw fail(`unknown property type ${quoted(text ?? '')}`);
    return type;
  };
  const isList = words[1] === 'list';
  const name = words[isList ? 4 : 2];
  if (name === undefined) throw fail('a property needs a type and a name');
  return isList
    ? { name, type: typeOf(words[3]), countType: typeOf(words[2]) }
    : { name, type: typeOf(words[1]), countType: undefined };
}
