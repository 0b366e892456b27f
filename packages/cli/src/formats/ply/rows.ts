/**
 * The body of a PLY file, row by row. Where the window ends in the middle of a row, it slides on and the row continues:
 * a list may be longer than any window, such as a strip that is the whole model.
 */

import { axesOf, indexListOf, ListSink } from 'impinge/internal/formats/ply-elements.js';
import type { ByteWindow } from '../byte-window.js';
import { withRoom } from '../growing.js';
import { Scanner } from '../scanner.js';
import type { PlyBuilder } from './builder.js';
import { type PlyElement, type PlyHeader, type PlyType, readValue, sizeOf } from './header.js';

/** Bytes of a row of three 4-byte indices: their count in a byte, then the indices. */
const TRIANGLE_BYTES = 13;
/** Bytes of such rows that are read in one go: a loop that returns now and then is compiled once and for all. */
const STRETCH_BYTES = TRIANGLE_BYTES << 10;

/** Rows pause at this many indices so that they can be taken: a list of bytes grows twelvefold. */
const FULL_INDICES = 3 << 18;

export interface PlyRows {
  /** The line of a text file that is next. */
  readonly line: number;
  /** Hands the rows of an element to the builder, and yields after some of them; the window is at the first. */
  read(element: PlyElement): AsyncGenerator<void>;
}

/** Reads from `window`, which is in the body, on line `line` if it is text. */
export function plyRows(window: ByteWindow, header: PlyHeader, builder: PlyBuilder, line: number): PlyRows {
  if (header.encoding === 'ascii') return new AsciiRows(window, builder, line);
  const littleEndian = header.encoding === 'binary_little_endian';
  return { line, read: (element) => readBinaryRows(window, element, builder, littleEndian) };
}

class AsciiRows implements PlyRows {
  readonly #window: ByteWindow;
  readonly #builder: PlyBuilder;
  readonly #scanner = new Scanner();
  #atEnd = false;

  constructor(window: ByteWindow, builder: PlyBuilder, line: number) {
    this.#window = window;
    this.#builder = builder;
    this.#scanner.line = line;
  }

  get line(): number {
    return this.#scanner.line;
  }

  async *read(element: PlyElement): AsyncGenerator<void> {
    const scanner = this.#scanner;
    const rows = asciiRows(element, this.#builder, scanner, this.#window);
    for (;;) {
      scanner.load(this.#window, this.#atEnd);
      const { done, value: row } = rows.next();
      this.#window.at = scanner.at;
      yield;
      if (done) return;
      if (!scanner.exhausted) continue;
      if (this.#atEnd) throw this.#window.fail(`cut off in ${element.name} ${row} of ${element.count}`, '');
      this.#atEnd = !(await this.#window.more());
    }
  }
}

/** Scans all rows; yields the number of a row when the tokens run out in it, or when there are many triangles. */
function* asciiRows(
  element: PlyElement,
  builder: PlyBuilder,
  scanner: Scanner,
  window: ByteWindow,
): Generator<number, void> {
  const fail = (why: string) => window.fail(why, `line ${scanner.line}`);
  const { properties, name, count } = element;
  const isVertex = name === 'vertex';
  const axes = isVertex ? axesOf(properties) : [-1, -1, -1];
  const indexList = indexListOf(element);
  const sink = new ListSink(builder, name === 'tristrips');
  const point = new Float64Array(3);
  let full = builder.indexCount + FULL_INDICES;
  for (let n = 0; n < count; n++) {
    for (let p = 0; p < properties.length; p++) {
      const property = properties[p];
      let value = scanner.number();
      while (scanner.exhausted) {
        yield n;
        value = scanner.number();
      }
      if (property.countType !== undefined) {
        const length = value;
        if (!(length >= 0 && Number.isInteger(length))) {
          throw fail(`${name} ${n}: the length of "${property.name}" is ${scanner.lastToken()}`);
        }
        if (p === indexList) sink.begin();
        for (let i = 0; i < length; i++) {
          value = scanner.number();
          while (scanner.exhausted) {
            yield n;
            value = scanner.number();
          }
          if (Number.isNaN(value)) throw fail(`${name} ${n}: ${scanner.complaint(property.name)}`);
          if (p !== indexList) continue;
          if (!sink.add(value)) throw fail(outOfRange(name, n, value, builder.vertexCount));
          if (builder.indexCount < full) continue;
          yield n;
          full = builder.indexCount + FULL_INDICES;
        }
        continue;
      }
      const axis = p === axes[0] ? 0 : p === axes[1] ? 1 : p === axes[2] ? 2 : -1;
      if (axis < 0) continue;
      // fround: a value that overflows float32 is as invalid as one that overflows float64
      const stored = property.type === 'f4' ? Math.fround(value) : value;
      if (stored - stored !== 0) throw fail(`vertex ${n}: ${scanner.complaint(property.name)}`);
      point[axis] = value;
    }
    if (isVertex) builder.vertex(point[0], point[1], point[2]);
  }
}

async function* readBinaryRows(
  window: ByteWindow,
  element: PlyElement,
  builder: PlyBuilder,
  littleEndian: boolean,
): AsyncGenerator<void> {
  const { properties, name, count } = element;
  const hasList = properties.some(({ countType }) => countType !== undefined);
  if (!hasList && name !== 'vertex') {
    if (!(await window.skip(rowBytes(element) * count))) throw cutOff(window, element, count);
    return;
  }
  const rows = hasList
    ? listRows(element, builder, littleEndian, window)
    : vertexRows(element, builder, littleEndian, window);
  for (const missing of rows) {
    yield;
    if (!(await window.need(missing))) throw window.fail('cut off while it was read');
  }
  yield;
}

/** Bytes of a row without lists in a binary file. */
export function rowBytes({ properties }: PlyElement): number {
  return properties.reduce((sum, { type }) => sum + sizeOf(type), 0);
}

function cutOff(window: ByteWindow, { name, count }: PlyElement, row: number): Error {
  return window.fail(`cut off in ${name} ${row} of ${count}`);
}

/** Handles all rows; yields the number of bytes it waits for, or 0 when there are many triangles. */
type BinaryRows = Generator<number, void>;

/** Vertices of a fixed size, by far the most common kind. */
function* vertexRows(
  element: PlyElement,
  builder: PlyBuilder,
  littleEndian: boolean,
  window: ByteWindow,
): BinaryRows {
  const { properties, count } = element;
  const offsets: number[] = [];
  let stride = 0;
  for (const { type } of properties) {
    offsets.push(stride);
    stride += sizeOf(type);
  }
  const axes = axesOf(properties);
  const [ox, oy, oz] = axes.map((axis) => offsets[axis]) as [number, number, number];
  const [tx, ty, tz] = axes.map((axis) => properties[axis].type) as [PlyType, PlyType, PlyType];
  for (let done = 0; ; ) {
    const view = window.view;
    const read = Math.min(count - done, Math.floor((window.end - window.at) / stride));
    let at = window.at;
    for (let i = 0; i < read; i++, at += stride) {
      const finite = builder.vertex(
        readValue(view, at + ox, tx, littleEndian),
        readValue(view, at + oy, ty, littleEndian),
        readValue(view, at + oz, tz, littleEndian),
      );
      if (!finite) {
        window.at = at;
        throw window.fail(`vertex ${done + i} has a coordinate that is not finite`);
      }
    }
    window.at = at;
    done += read;
    if (done === count) return;
    if (stride > window.bytesLeft) throw cutOff(window, element, done);
    yield stride;
  }
}

/** Rows with lists: faces and strips, and any others, which are skipped. */
function* listRows(
  element: PlyElement,
  builder: PlyBuilder,
  littleEndian: boolean,
  window: ByteWindow,
): BinaryRows {
  const { properties, name, count } = element;
  const isVertex = name === 'vertex';
  const axes = isVertex ? axesOf(properties) : [];
  const indexList = indexListOf(element);
  const sink = new ListSink(builder, name === 'tristrips');
  const point = new Float64Array(3);
  const only = properties.length === 1 && name === 'face' ? properties[0] : undefined;
  const common = only?.countType === 'u1' && (only.type === 'i4' || only.type === 'u4');
  let full = builder.indexCount + FULL_INDICES;
  for (let n = 0; n < count; n++) {
    if (common) {
      const start = window.at;
      window.at = takeTriangles(window, start, count - n, builder, littleEndian);
      n += (window.at - start) / TRIANGLE_BYTES;
      if (n === count) return;
    }
    const where = `byte ${window.base + window.at}`;
    const fail = (why: string) => window.fail(`${name} ${n}${why}`, where);
    for (let p = 0; p < properties.length; p++) {
      const { type, countType } = properties[p];
      const size = sizeOf(type);
      let length = 1;
      if (countType !== undefined) {
        const countSize = sizeOf(countType);
        if (countSize > window.bytesLeft) throw cutOff(window, element, n);
        if (window.end - window.at < countSize) yield countSize;
        length = readValue(window.view, window.at, countType, littleEndian);
        if (!(length >= 0 && Number.isInteger(length))) {
          throw fail(`: the length of "${properties[p].name}" is ${length}`);
        }
        window.at += countSize;
        if (p === indexList) sink.begin();
      }
      if (size * length > window.bytesLeft) throw cutOff(window, element, n);
      while (length > 0) {
        const here = Math.min(length, Math.floor((window.end - window.at) / size));
        if (here === 0) {
          yield size;
          continue;
        }
        const items = p === indexList ? Math.min(here, FULL_INDICES) : here;
        if (p === indexList) {
          const wrong = addIndices(sink, window, items, type, littleEndian);
          if (wrong !== undefined) throw fail(refersTo(wrong, builder.vertexCount));
        } else if (isVertex && axes.includes(p)) {
          point[axes.indexOf(p)] = readValue(window.view, window.at, type, littleEndian);
        }
        window.at += size * items;
        length -= items;
        if (builder.indexCount < full) continue;
        yield 0;
        full = builder.indexCount + FULL_INDICES;
      }
    }
    if (isVertex && !builder.vertex(point[0], point[1], point[2])) {
      throw fail(' has a coordinate that is not finite');
    }
  }
}

/** Hands the next items of a list on; the first of them that refers to no vertex, or undefined. */
function addIndices(
  sink: ListSink,
  { view, at }: ByteWindow,
  count: number,
  type: PlyType,
  littleEndian: boolean,
): number | undefined {
  const size = sizeOf(type);
  for (let i = 0, item = at; i < count; i++, item += size) {
    const index = readValue(view, item, type, littleEndian);
    if (!sink.add(index)) return index;
  }
  return undefined;
}

/**
 * Takes up to `most` rows of three 4-byte indices each, from byte `at` on: most files consist of these. Stops at a row
 * that is different, invalid or incomplete; returns its position.
 */
function takeTriangles(
  window: ByteWindow,
  at: number,
  most: number,
  builder: PlyBuilder,
  littleEndian: boolean,
): number {
  const whole = Math.min(most, Math.floor((window.end - at) / TRIANGLE_BYTES));
  const end = at + TRIANGLE_BYTES * whole;
  const indices = (builder.indices = withRoom(builder.indices, builder.indexCount + 3 * whole));
  for (let until = at; at === until && at < end; ) {
    until = Math.min(end, at + STRETCH_BYTES);
    const from = at;
    at = copyTriangles(
      window.view,
      at,
      until,
      littleEndian,
      builder.vertexCount,
      indices,
      builder.indexCount,
    );
    builder.indexCount += (3 * (at - from)) / TRIANGLE_BYTES;
  }
  return at;
}

/**
 * Copies the indices of rows in [at, end) to `indices`, from entry `o` on, up to a row that is no triangle; returns
 * where.
 */
function copyTriangles(
  view: DataView,
  at: number,
  end: number,
  littleEndian: boolean,
  vertexCount: number,
  indices: Uint32Array,
  o: number,
): number {
  for (; at < end && view.getUint8(at) === 3; at += TRIANGLE_BYTES, o += 3) {
    const a = view.getUint32(at + 1, littleEndian);
    const b = view.getUint32(at + 5, littleEndian);
    const c = view.getUint32(at + 9, littleEndian);
    if (a >= vertexCount || b >= vertexCount || c >= vertexCount) break;
    indices[o] = a;
    indices[o + 1] = b;
    indices[o + 2] = c;
  }
  return at;
}

function outOfRange(element: string, n: number, index: number, vertexCount: number): string {
  return `${element} ${n}${refersTo(index, vertexCount)}`;
}

function refersTo(index: number, vertexCount: number): string {
  return ` refers to vertex ${index}, but there are ${vertexCount}`;
}
