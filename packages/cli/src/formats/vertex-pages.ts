/**
 * Vertices that stay in a file: faces refer to them at random, and a page cache of a fixed size answers. Faces of real
 * models refer to vertices near each other, so that few pages are read more than once.
 *
 * Layout: all pages in one array, decoded; page number → where it begins there, or −1. Pages are evicted in turn,
 * except those used since the last turn. Once there is no free slot, a batch's vertices on missing pages wait until the
 * rest are done, and are then served page by page: even in a file without any order, no page is read twice for a batch.
 */
import { withRoom } from './growing.js';
import type { TemporaryFile } from './temporary-file.js';

const PAGE_BITS = 10;
const PAGE_VERTICES = 1 << PAGE_BITS;
const MIN_SLOTS = 16;
/** Triangles that are handed on at a time. */
const BATCH_TRIANGLES = 1 << 13;
/** Entries that are looked up in one go: a loop that returns now and then is compiled once and for all. */
const STRETCH = 1 << 10;

/** Vertices that are read at once where all are wanted. */
const STRETCH_VERTICES = 1 << 14;

/** Where the vertices are, and how they read. */
export interface VertexRecords {
  readonly count: number;
  readonly byteOffset: number;
  readonly strideBytes: number;
  /** Whether the coordinates hold more than float32. */
  readonly isWide: boolean;
  /** Fills `into`; throws when the file ends before. */
  read(into: Uint8Array, position: number): void;
  /**
   * Writes three numbers per record to `into`, from entry `at` on; throws, counting from `first`, if one is not finite.
   */
  decode(
    bytes: Uint8Array<ArrayBuffer>,
    count: number,
    into: Float32Array | Float64Array,
    at: number,
    first: number,
  ): void;
}

export class VertexPages {
  readonly #records: VertexRecords;
  readonly #startOfPage: Int32Array;
  readonly #isPageUsed: Uint8Array;
  readonly #pageOfSlot: Int32Array;
  readonly #vertices: Float32Array | Float64Array;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #out: Float32Array | Float64Array;
  #hand = 0;
  /** Slots that have ever held a page: the first ones. */
  #filled = 0;

  constructor(records: VertexRecords, capacityBytes: number) {
    const pageCount = Math.ceil(records.count / PAGE_VERTICES);
    const pageBytes = PAGE_VERTICES * 3 * (records.isWide ? 8 : 4);
    const slots = Math.min(pageCount, Math.max(MIN_SLOTS, Math.floor(capacityBytes / pageBytes)));
    this.#records = records;
    this.#startOfPage = new Int32Array(pageCount).fill(-1);
    this.#isPageUsed = new Uint8Array(pageCount);
    this.#pageOfSlot = new Int32Array(slots).fill(-1);
    const length = 3 * PAGE_VERTICES * slots;
    this.#vertices = records.isWide ? new Float64Array(length) : new Float32Array(length);
    this.#bytes = new Uint8Array(PAGE_VERTICES * records.strideBytes);
    this.#out = this.#vertices.slice(0, 0);
  }

  /**
   * The positions of the vertices indices[start, end), in an array that the next call overwrites. Each index must be
   * below the number of records.
   */
  positions(indices: Uint32Array, start: number, end: number): Float32Array | Float64Array {
    const out = (this.#out = withRoom(this.#out, 3 * (end - start)));
    const waiting = new WaitingEntries();
    const startOfPage = this.#startOfPage;
    const isPageUsed = this.#isPageUsed;
    const vertices = this.#vertices;
    for (let i = start; i < end; ) {
      const until = Math.min(end, i + STRETCH);
      i = copyHere(indices, i, until, startOfPage, isPageUsed, vertices, out, 3 * (i - start));
      if (i === until) continue;
      const page = indices[i] >>> PAGE_BITS;
      if (this.#filled < this.#pageOfSlot.length) this.#load(page);
      else waiting.add(page, i++ - start, end - start);
    }
    for (const page of waiting.pages()) {
      this.#load(page);
      for (let entry = waiting.first(page); entry >= 0; entry = waiting.next(entry)) {
        const i = start + entry;
        copyHere(indices, i, i + 1, startOfPage, isPageUsed, vertices, out, 3 * entry);
      }
    }
    return out.subarray(0, 3 * (end - start));
  }

  #load(page: number): void {
    const { count, byteOffset, strideBytes } = this.#records;
    const slot = this.#freeSlot();
    const first = PAGE_VERTICES * page;
    const here = Math.min(PAGE_VERTICES, count - first);
    const bytes = this.#bytes.subarray(0, here * strideBytes);
    this.#records.read(bytes, byteOffset + strideBytes * first);
    const start = 3 * PAGE_VERTICES * slot;
    this.#records.decode(bytes, here, this.#vertices, start, first);
    this.#pageOfSlot[slot] = page;
    this.#startOfPage[page] = start;
  }

  /** A free slot; else goes round: after one turn every mark is cleared, so the second turn finds one at the latest. */
  #freeSlot(): number {
    if (this.#filled < this.#pageOfSlot.length) return this.#filled++;
    const slots = this.#pageOfSlot.length;
    let page = this.#pageOfSlot[this.#hand];
    // a slot without a page is one whose read failed
    while (page >= 0 && this.#isPageUsed[page] === 1) {
      this.#isPageUsed[page] = 0;
      this.#hand = (this.#hand + 1) % slots;
      page = this.#pageOfSlot[this.#hand];
    }
    const slot = this.#hand;
    this.#hand = (slot + 1) % slots;
    if (page >= 0) this.#startOfPage[page] = -1;
    this.#pageOfSlot[slot] = -1;
    return slot;
  }
}

/**
 * Copies the vertices indices[i, end) to `out`, from entry `at` on, up to the first whose page is missing; returns its
 * index. `| 0` and `imul` tell the compiler that these are integers, which is several times as fast.
 */
function copyHere(
  indices: Uint32Array,
  i: number,
  end: number,
  startOfPage: Int32Array,
  isPageUsed: Uint8Array,
  vertices: Float32Array | Float64Array,
  out: Float32Array | Float64Array,
  at: number,
): number {
  for (; i < end; i++, at += 3) {
    const index = indices[i] | 0;
    const page = index >>> PAGE_BITS;
    const first = startOfPage[page] | 0;
    if (first < 0) break;
    isPageUsed[page] = 1;
    const v = (first + Math.imul(3, index & (PAGE_VERTICES - 1))) | 0;
    out[at] = vertices[v];
    out[at + 1] = vertices[v + 1];
    out[at + 2] = vertices[v + 2];
  }
  return i;
}

/** Reads all of them, to the beginning of `into`, a stretch at a time. */
export function readAllVertices(records: VertexRecords, into: Float32Array | Float64Array): void {
  const { count, byteOffset, strideBytes } = records;
  const bytes = new Uint8Array(strideBytes * Math.min(count, STRETCH_VERTICES));
  for (let first = 0; first < count; first += STRETCH_VERTICES) {
    const here = Math.min(count - first, STRETCH_VERTICES);
    const part = bytes.subarray(0, strideBytes * here);
    records.read(part, byteOffset + strideBytes * first);
    records.decode(part, here, into, 3 * first, first);
  }
}

/** Entries of a batch that wait for their page: per page a chain through `next`. */
class WaitingEntries {
  readonly #first = new Map<number, number>();
  #next = new Int32Array(0);

  add(page: number, entry: number, entryCount: number): void {
    if (this.#next.length === 0) this.#next = new Int32Array(entryCount);
    this.#next[entry] = this.#first.get(page) ?? -1;
    this.#first.set(page, entry);
  }

  /** In the order of the file. */
  pages(): number[] {
    return [...this.#first.keys()].sort((a, b) => a - b);
  }

  first(page: number): number {
    return this.#first.get(page) ?? -1;
  }

  next(entry: number): number {
    return this.#next[entry];
  }
}

/** The corners of these triangles, nine numbers each, in batches; the next overwrites the one before. */
export function* cornerBatches(
  pages: VertexPages,
  indices: Uint32Array,
): Generator<Float32Array | Float64Array> {
  for (let start = 0; start < indices.length; start += 3 * BATCH_TRIANGLES) {
    yield pages.positions(indices, start, Math.min(indices.length, start + 3 * BATCH_TRIANGLES));
  }
}

/** Vertices of a text file, written to a temporary file as they are read, for random access afterwards. */
export class VertexSpill {
  readonly #file: TemporaryFile;
  readonly #isWide: boolean;

  constructor(file: TemporaryFile, isWide: boolean) {
    this.#file = file;
    this.#isWide = isWide;
  }

  /** Three numbers per vertex, finite, of the precision given at the beginning. */
  append(positions: Float32Array | Float64Array): void {
    this.#file.append(new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength));
  }

  records(): VertexRecords {
    const file = this.#file;
    const strideBytes = this.#isWide ? 24 : 12;
    return {
      count: file.byteLength / strideBytes,
      byteOffset: 0,
      strideBytes,
      isWide: this.#isWide,
      read: (into, position) => {
        file.read(into, position);
      },
      decode: (bytes, count, into, at) => {
        const numbers = this.#isWide
          ? new Float64Array(bytes.buffer, bytes.byteOffset, 3 * count)
          : new Float32Array(bytes.buffer, bytes.byteOffset, 3 * count);
        into.set(numbers, at);
      },
    };
  }
}
