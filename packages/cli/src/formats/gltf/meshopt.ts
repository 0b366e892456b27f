/**
 * Meshopt compression, decoded some kilobytes at a time: one buffer view may hold all vertices of a file, and the
 * decoder of the library takes it, compressed and not, as a whole and twice.
 *
 * Idea: vertices are coded in blocks, each as differences to the last vertex of the block before. A run of blocks with
 * that vertex as its first is a stream of its own, which the library decodes. Its decoder of indices cannot be entered
 * in the middle; here is one that can. Layout: EXT_meshopt_compression, appendix A; version 1 of vertices is that of
 * KHR_meshopt_compression.
 */
import type { MeshoptDecoder } from 'meshoptimizer/decoder';
import { ByteCursor, type ByteRange } from './bytes.js';

export interface MeshoptStream {
  readonly source: ByteRange;
  /** Elements, and bytes of each. */
  readonly count: number;
  readonly stride: number;
  readonly mode: string;
  readonly filter: string;
}

const VERTICES = 0xa0;
const TRIANGLES = 0xe0;
const INDICES = 0xd0;

/** Blocks of vertices that are decoded at a time, triangles, and indices. */
const BLOCKS = 16;
const TRIANGLES_AT_ONCE = 4096;
const INDICES_AT_ONCE = 3 * TRIANGLES_AT_ONCE;

const BLOCK_BYTES = 8192;
const BLOCK_ELEMENTS = 256;
/** Bytes of a block are coded by sixteen; two bits of the header give the bits of each. */
const GROUP = 16;
const BITS = [
  [0, 2, 4, 8],
  [0, 1, 2, 4],
  [1, 2, 4, 8],
];

/**
 * The decoded bytes, part by part, each of which is overwritten by the next: as garbage they would stay with the
 * process. Throws where they are damaged.
 */
export function decodeMeshopt(library: typeof MeshoptDecoder, stream: MeshoptStream): Iterable<Uint8Array> {
  if (stream.mode === 'ATTRIBUTES') return vertices(library, stream);
  if (stream.mode === 'TRIANGLES') return triangles(stream);
  if (stream.mode === 'INDICES') return indices(stream);
  throw new Error(`unknown mode ${stream.mode}`);
}

function damaged(): Error {
  return new Error('damaged');
}

function versionOf({ source: { bytes, start, end } }: MeshoptStream, header: number): number {
  const [first] = end > start ? bytes.slice(start, start + 1) : [0];
  const version = first - header;
  if (version !== 0 && version !== 1) throw damaged();
  return version;
}

function* vertices(library: typeof MeshoptDecoder, stream: MeshoptStream): Generator<Uint8Array> {
  const { source, count, stride, filter } = stream;
  const { bytes, start, end } = source;
  const version = versionOf(stream, VERTICES);
  if (stride === 0 || stride % 4 !== 0) throw damaged();
  // behind the blocks: the vertex before the first, and in version 1 how its bytes belong together
  const tail = new Uint8Array(stride + (version === 0 ? 0 : stride / 4));
  const tailBytes = Math.max(tail.length, version === 0 ? 32 : 24);
  const dataEnd = end - tailBytes;
  if (dataEnd < start + 1) throw damaged();
  tail.set(bytes.slice(end - tail.length, end));
  const blockElements = Math.min(BLOCK_ELEMENTS, Math.floor(BLOCK_BYTES / stride / GROUP) * GROUP);
  const groups = blockElements / GROUP;
  // a group has eight bytes at most, and a byte more for each element that does not fit
  const mostBytes = BLOCKS * stride * (1 + Math.ceil(groups / 4) + 24 * groups);
  const part = new Uint8Array(Math.min(count, BLOCKS * blockElements) * stride);
  const coded = new Uint8Array(1 + mostBytes + tailBytes);
  let at = start + 1;
  for (let from = 0; from < count; ) {
    const elements = Math.min(count - from, BLOCKS * blockElements);
    const window = bytes.slice(at, Math.min(dataEnd, at + mostBytes));
    let used = 0;
    for (let done = 0; done < elements; done += blockElements) {
      used = blockEnd(window, used, Math.min(blockElements, elements - done), stride, version);
    }
    if (used > window.length) throw damaged();
    const chunk = coded.subarray(0, 1 + used + tailBytes).fill(0);
    chunk[0] = VERTICES + version;
    chunk.set(window.subarray(0, used), 1);
    chunk.set(tail, chunk.length - tail.length);
    const decoded = part.subarray(0, elements * stride);
    library.decodeVertexBuffer(decoded, elements, stride, chunk);
    tail.set(decoded.subarray(decoded.length - stride));
    // the differences are those of the numbers before they are filtered
    if (filter !== 'NONE') library.decodeVertexBuffer(decoded, elements, stride, chunk, filter);
    yield decoded;
    at += used;
    from += elements;
  }
  if (at !== dataEnd) throw damaged();
}

/** Where a block ends that begins at `at`; beyond the bytes where it is cut off. */
function blockEnd(bytes: Uint8Array, at: number, elements: number, stride: number, version: number): number {
  const groups = Math.ceil(elements / GROUP);
  const controls = at;
  if (version === 1) at += stride / 4;
  for (let k = 0; k < stride; k++) {
    const control = version === 0 ? 0 : (bytes[controls + (k >> 2)] >> (2 * (k & 3))) & 3;
    if (control === 2) continue; // nothing changes
    if (control === 3) {
      at += elements;
      continue;
    }
    const bits = BITS[version === 0 ? 0 : 1 + control];
    const header = at;
    at += Math.ceil(groups / 4);
    for (let group = 0; group < groups; group++) {
      const width = bits[(bytes[header + (group >> 2)] >> (2 * (group & 3))) & 3];
      at += 2 * width + (width === 0 || width === 8 ? 0 : escapes(bytes, at, width));
    }
  }
  return at;
}

/** The count of the sixteen numbers at `at` that are all ones: their bytes follow. */
function escapes(bytes: Uint8Array, at: number, width: number): number {
  const ones = (1 << width) - 1;
  let count = 0;
  for (let i = at; i < at + 2 * width; i++) {
    for (let byte = bytes[i], shift = 0; shift < 8; shift += width) {
      if (((byte >> shift) & ones) === ones) count++;
    }
  }
  return count;
}

/** The last sixteen of something; -1 where there were fewer. */
class Recent {
  readonly #list = new Int32Array(16).fill(-1);
  #end = 0;

  push(value: number): void {
    this.#list[this.#end++ & 15] = value;
  }
  /** The last for 0, the one before for 1, … */
  get(ago: number): number {
    return this.#list[(this.#end - 1 - ago) & 15];
  }
}

function* triangles(stream: MeshoptStream): Generator<Uint8Array> {
  const { source, count, stride } = stream;
  const version = versionOf(stream, TRIANGLES);
  const { bytes, start, end } = source;
  const codesEnd = start + 1 + count / 3;
  const dataEnd = end - 16;
  if (count % 3 !== 0 || codesEnd > dataEnd) throw damaged();
  const codes = new ByteCursor(bytes, start + 1, codesEnd);
  const data = new ByteCursor(bytes, codesEnd, dataEnd);
  const common = bytes.slice(dataEnd, end).slice();
  // edges of the last triangles, from a corner to a corner, and corners
  const [edgeFrom, edgeTo, corners] = [new Recent(), new Recent(), new Recent()];
  const farthest = version === 0 ? 14 : 12;
  let next = 0;
  let last = 0;
  const explicit = () => (last = (last + unzigzag(varint(data))) | 0);
  /** A corner that is new, the next one, or one of the last. */
  const corner = (code: number) => (code === 0 ? next++ : code === 15 ? explicit() : corners.get(code - 1));
  const pushEdge = (from: number, to: number) => {
    edgeFrom.push(from);
    edgeTo.push(to);
  };
  const part = indexArray(stride, Math.min(count, 3 * TRIANGLES_AT_ONCE));
  for (let from = 0; from < count; from += 3 * TRIANGLES_AT_ONCE) {
    const out = part.subarray(0, count - from);
    for (let at = 0; at < out.length; at += 3) {
      const code = codes.next();
      const edge = code >> 4;
      const rest = code & 15;
      let a: number;
      let b: number;
      let c: number;
      if (edge < 15) {
        a = edgeFrom.get(edge);
        b = edgeTo.get(edge);
        if (rest > 0 && rest <= farthest) c = corners.get(rest);
        else {
          c = rest === 0 ? next++ : rest === 15 ? explicit() : (last += rest === 13 ? -1 : 1);
          corners.push(c);
        }
      } else {
        const listed = rest < 14;
        const pair = listed ? common[rest] : data.next();
        if (!listed && pair === 0) next = 0;
        const codeB = pair >> 4;
        const codeC = pair & 15;
        // of the listed ones, none is explicit
        if (listed && (codeB === 15 || codeC === 15)) throw damaged();
        a = rest === 15 ? explicit() : next++;
        b = corner(codeB);
        c = corner(codeC);
        corners.push(a);
        if (codeB === 0 || codeB === 15) corners.push(b);
        if (codeC === 0 || codeC === 15) corners.push(c);
        pushEdge(b, a);
      }
      pushEdge(c, b);
      pushEdge(a, c);
      out[at] = a;
      out[at + 1] = b;
      out[at + 2] = c;
    }
    yield new Uint8Array(out.buffer, 0, out.byteLength);
  }
  if (data.at !== dataEnd) throw damaged();
}

function* indices(stream: MeshoptStream): Generator<Uint8Array> {
  const { source, count, stride } = stream;
  versionOf(stream, INDICES);
  const data = new ByteCursor(source.bytes, source.start + 1, source.end - 4);
  // two sequences in one
  const last = new Int32Array(2);
  const part = indexArray(stride, Math.min(count, INDICES_AT_ONCE));
  for (let from = 0; from < count; from += INDICES_AT_ONCE) {
    const out = part.subarray(0, count - from);
    for (let at = 0; at < out.length; at++) {
      const code = varint(data);
      out[at] = last[code & 1] += unzigzag(code >>> 1);
    }
    yield new Uint8Array(out.buffer, 0, out.byteLength);
  }
  if (data.at !== source.end - 4) throw damaged();
}

function indexArray(stride: number, length: number): Uint16Array | Uint32Array {
  return stride === 2 ? new Uint16Array(length) : new Uint32Array(length);
}

function varint(data: ByteCursor): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = data.next();
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
  }
  throw damaged();
}

function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}
