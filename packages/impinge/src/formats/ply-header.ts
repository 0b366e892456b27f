/** The header of a PLY file: what its body holds, and where that begins. */
import { type FileBytes, quoted } from './mesh-file.js';

/** i: signed, u: unsigned, f: float; then the bytes. */
export type PlyType = 'i1' | 'u1' | 'i2' | 'u2' | 'i4' | 'u4' | 'f4' | 'f8';

export interface PlyProperty {
  readonly name: string;
  readonly type: PlyType;
  /** Of lists. */
  readonly countType: PlyType | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}

const ENCODINGS = ['ascii', 'binary_little_endian', 'binary_big_endian'] as const;

export interface PlyHeader {
  readonly encoding: (typeof ENCODINGS)[number];
  readonly elements: readonly PlyElement[];
  /** Where the body begins, and on which line. */
  readonly byteOffset: number;
  readonly line: number;
}

const MAX_HEADER_BYTES = 1 << 20;
export const NO_END = 'cut off: the header has no "end_header"';
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const TYPES: ReadonlyMap<string, PlyType> = new Map(
  Object.entries({
    i1: ['char', 'int8'],
    u1: ['uchar', 'uint8'],
    i2: ['short', 'int16'],
    u2: ['ushort', 'uint16'],
    i4: ['int', 'int32'],
    u4: ['uint', 'uint32'],
    f4: ['float', 'float32'],
    f8: ['double', 'float64'],
  }).flatMap(([type, names]) => names.map((name) => [name, type as PlyType])),
);

export function readPlyHeader(file: FileBytes): PlyHeader {
  const failure = (why: string, where?: string) => file.fail(why, where);
  const found = plyHeaderLines(file.bytes, failure);
  if (found === undefined) throw failure(NO_END);
  const { lines, byteOffset } = found;
  return { ...parsePlyHeader(lines, failure), byteOffset, line: lines.length + 1 };
}

/** What the lines of a header say. */
export function parsePlyHeader(
  lines: readonly string[],
  failure: (why: string, where: string) => Error,
): Pick<PlyHeader, 'encoding' | 'elements'> {
  let encoding: PlyHeader['encoding'] | undefined;
  const elements: PlyElement[] = [];
  let vertices: PlyElement | undefined;
  for (const [i, line] of lines.entries()) {
    const fail = (why: string) => failure(why, `line ${i + 1}`);
    const words = line.split(/\s+/);
    const element = elements[elements.length - 1];
    if (words[0] === 'format') {
      if (encoding && words[1] !== encoding) throw fail('a second, different format');
      encoding = ENCODINGS.find((name) => name === words[1]);
      if (!encoding) throw fail(`unknown format ${quoted(words[1] ?? '')}`);
    } else if (words[0] === 'element') {
      const added = readElement(words, fail);
      elements.push(added);
      // faces may come in several elements; with several of vertices, indices would be ambiguous
      if (added.name !== 'vertex' || added.count === 0) continue;
      if (vertices) throw fail('element "vertex" is declared twice');
      vertices = added;
    } else if (words[0] === 'property') {
      if (!element) throw fail('a property before any element');
      element.properties.push(readProperty(words, fail));
    } else if (!['ply', 'comment', 'obj_info', 'end_header', ''].includes(words[0])) {
      throw fail(`unknown header line ${quoted(line)}`);
    }
  }
  if (!encoding) throw failure('the header has no "format" line', '');
  // an element without rows cannot contradict anything
  const kept = elements.filter(({ name, count }) => count > 0 || (name === 'vertex' && !vertices));
  return { encoding, elements: kept };
}

/**
 * The lines of the header with which `bytes` begin, and where the body does; undefined where its end is not among them.
 * Lines end in LF, CR LF or, in old files, CR.
 */
export function plyHeaderLines(
  bytes: Uint8Array,
  failure: (why: string, where?: string) => Error,
): { readonly lines: string[]; readonly byteOffset: number } | undefined {
  if (!/^ply(\s|$)/.test(String.fromCharCode(...bytes.subarray(0, 4)))) {
    throw failure('not a PLY file: it does not begin with "ply"', 'line 1');
  }
  const decoder = new TextDecoder();
  const lines: string[] = [];
  for (let at = 0; at <= MAX_HEADER_BYTES; ) {
    let end = at;
    while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end++;
    // a CR in the last place may have its LF behind it
    const isWhole = end < bytes.length - (bytes[end] === CARRIAGE_RETURN ? 1 : 0);
    if (!isWhole && bytes.length <= MAX_HEADER_BYTES) return undefined;
    if (!isWhole) break;
    const line = decoder.decode(bytes.subarray(at, end)).trim();
    lines.push(line);
    at = end + (bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? 2 : 1);
    if (line === 'end_header') return { lines, byteOffset: at };
  }
  throw failure('the header is longer than 1 MiB');
}

function readElement([, name = '', text = '']: string[], fail: (why: string) => Error): PlyElement {
  const count = Number(text);
  if (name === '' || text === '') throw fail('an element needs a name and a count');
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw fail(`the count of element ${quoted(name)} is ${quoted(text)}`);
  }
  return { name, count, properties: [] };
}

function readProperty(words: string[], fail: (why: string) => Error): PlyProperty {
  const typeOf = (name = '') => {
    const type = TYPES.get(name);
    if (!type) throw fail(`unknown property type ${quoted(name)}`);
    return type;
  };
  const isList = words[1] === 'list';
  const name = words[isList ? 4 : 2];
  if (!name) throw fail('a property needs a type and a name');
  const type = typeOf(words[isList ? 3 : 1]);
  return { name, type, countType: isList ? typeOf(words[2]) : undefined };
}

/** The bytes of a value. */
export function sizeOf(type: PlyType): number {
  return Number(type[1]);
}

/** One value of a binary row. */
export function readValue(view: DataView, at: number, type: PlyType, littleEndian: boolean): number {
  switch (type) {
    case 'f4':
      return view.getFloat32(at, littleEndian);
    case 'f8':
      return view.getFloat64(at, littleEndian);
    case 'i4':
      return view.getInt32(at, littleEndian);
    case 'u4':
      return view.getUint32(at, littleEndian);
    case 'i2':
      return view.getInt16(at, littleEndian);
    case 'u2':
      return view.getUint16(at, littleEndian);
    case 'i1':
      return view.getInt8(at);
    case 'u1':
      return view.getUint8(at);
  }
}
