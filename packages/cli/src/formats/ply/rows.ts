/**
 * The body of a PLY file, row by row. Rows are handled while the window holds them whole; where one is incomplete, the
 * window slides on and the row begins anew.
 */
import type { ByteWindow } from '../byte-window.js';
import { withRoom } from '../growing.js';
import { Scanner } from '../scanner.js';
import { axesOf, indexListOf, ListSink, type PlyBuilder } from './builder.js';
import { type PlyElement, type PlyHeader, type PlyProperty, type PlyType, sizeOf } from './header.js';

/** What a row of three 4-byte indices takes: their number in a byte, then they. */
const TRIANGLE_BYTES = 13;
/** Bytes of such rows that are read in one go: a loop that returns now and then is compiled once and for all. */
const STRETCH_BYTES = TRIANGLE_BYTES << 10;

export interface PlyRows {
  /** The line of a text file that is next. */
  readonly line: number;
  /** Hands the rows of an element to the builder, and yields after each window of them; the window is at the first. */
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
    const builder = this.#builder;
    const row = rowScanner(element, builder, scanner, this.#window);
    for (let done = 0; done < element.count; ) {
      scanner.load(this.#window, this.#atEnd);
      for (;;) {
        const at = scanner.at;
        const line = scanner.line;
        const indexCount = builder.indexCount;
        if (done === element.count || !row(done)) {
          if (done < element.count) {
            scanner.at = at;
            scanner.line = line;
            builder.indexCount = indexCount;
          }
          break;
        }
        done++;
      }
      this.#window.at = scanner.at;
      yield;
      if (done === element.count) break;
      if (this.#atEnd) {
        throw this.#window.fail(`cut off in ${element.name} ${done} of ${element.count}`, '');
      }
      this.#atEnd = !(await this.#window.more());
    }
  }
}

/** A function that scans row `n`; it returns false when the tokens run out before the row's end. */
function rowScanner(
  element: PlyElement,
  builder: PlyBuilder,
  scanner: Scanner,
  window: ByteWindow,
): (n: number) => boolean {
  const fail = (why: string) => window.fail(why, `line ${scanner.line}`);
  const { properties, name } = element;
  const isVertex = name === 'vertex';
  const axes = isVertex ? axesOf(properties) : [-1, -1, -1];
  const indexList = indexListOf(element);
  const sink = new ListSink(builder, name === 'tristrips');
  const point = new Float64Array(3);

  const list = (property: PlyProperty, n: number, isIndices: boolean): boolean => {
    const length = scanner.number();
    if (scanner.exhausted) return false;
    if (!(length >= 0 && Number.isInteger(length))) {
      throw fail(`${name} ${n}: the length of "${property.name}" is ${scanner.lastToken()}`);
    }
    if (isIndices) sink.begin();
    for (let i = 0; i < length; i++) {
      const value = scanner.number();
      if (Number.isNaN(value)) {
        if (scanner.exhausted) return false;
        throw fail(`${name} ${n}: ${scanner.complaint(property.name)}`);
      }
      if (isIndices && !sink.add(value)) throw fail(outOfRange(name, n, value, builder.vertexCount));
    }
    return true;
  };

  return (n) => {
    for (let p = 0; p < properties.length; p++) {
      const property = properties[p];
      if (property.countType !== undefined) {
        if (!list(property, n, p === indexList)) return false;
        continue;
      }
      const value = scanner.number();
      if (scanner.exhausted) return false;
      const axis = p === axes[0] ? 0 : p === axes[1] ? 1 : p === axes[2] ? 2 : -1;
      if (axis < 0) continue;
      // fround: what float32 cannot hold is as bad as what float64 cannot
      const stored = property.type === 'f4' ? Math.fround(value) : value;
      if (stored - stored !== 0) throw fail(`vertex ${n}: ${scanner.complaint(property.name)}`);
      point[axis] = value;
    }
    if (isVertex) builder.vertex(point[0], point[1], point[2]);
    return true;
  };
}

async function* readBinaryRows(
  window: ByteWindow,
  element: PlyElement,
  builder: PlyBuilder,
  littleEndian: boolean,
): AsyncGenerator<void> {
  const { properties, name, count } = element;
  const cutOff = (n: number) => window.fail(`cut off in ${name} ${n} of ${count}`);
  const hasList = properties.some(({ countType }) => countType !== undefined);
  if (!hasList && name !== 'vertex') {
    if (!(await window.skip(rowBytes(element) * count))) throw cutOff(count);
    return;
  }
  const rows = hasList
    ? listRows(element, builder, littleEndian, window)
    : vertexRows(element, builder, littleEndian, window);
  for (let done = 0; done < count; ) {
    const { read, missing } = rows(done);
    done += read;
    yield;
    if (done === count) break;
    const left = window.bytesLeft;
    if (missing > left) throw cutOff(done);
    if (!(await window.need(missing))) throw cutOff(done);
  }
}

/** What a row without lists takes in a binary file. */
export function rowBytes({ properties }: PlyElement): number {
  return properties.reduce((sum, { type }) => sum + sizeOf(type), 0);
}

/** Handles the rows from number `first` that the window holds; says how many, and what the next one takes. */
type BinaryRows = (first: number) => { read: number; missing: number };

/** Vertices of a fixed size, by far the most common kind. */
function vertexRows(
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
  return (first) => {
    const view = window.view;
    const read = Math.min(count - first, Math.floor((window.end - window.at) / stride));
    let at = window.at;
    for (let i = 0; i < read; i++, at += stride) {
      const finite = builder.vertex(
        readValue(view, at + ox, tx, littleEndian),
        readValue(view, at + oy, ty, littleEndian),
        readValue(view, at + oz, tz, littleEndian),
      );
      if (!finite) {
        window.at = at;
        throw window.fail(`vertex ${first + i} has a coordinate that is not finite`);
      }
    }
    window.at = at;
    return { read, missing: stride };
  };
}

/** Rows with lists: faces and strips, and whatever else is to be passed over. */
function listRows(
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
  const starts = new Float64Array(properties.length);
  const lengths = new Float64Array(properties.length);
  const only = properties.length === 1 && name === 'face' ? properties[0] : undefined;
  const common = only?.countType === 'u1' && (only.type === 'i4' || only.type === 'u4');

  return (first) => {
    const { view, end } = window;
    let at = window.at;
    let n = first;
    for (; n < count; n++) {
      if (common) {
        const start = at;
        at = takeTriangles(window, at, count - n, builder, littleEndian);
        n += (at - start) / TRIANGLE_BYTES;
        if (n === count) break;
      }
      // where each property begins, and whether the whole row is here
      let next = at;
      for (let p = 0; p < properties.length && next <= end; p++) {
        const { type, countType } = properties[p];
        if (countType !== undefined) {
          const countSize = sizeOf(countType);
          if (next + countSize > end) {
            next += countSize;
            break;
          }
          const length = readValue(view, next, countType, littleEndian);
          if (!(length >= 0 && Number.isInteger(length))) {
            window.at = at;
            throw window.fail(`${name} ${n}: the length of "${properties[p].name}" is ${length}`);
          }
          lengths[p] = length;
          next += countSize;
        }
        starts[p] = next;
        next += sizeOf(type) * (countType === undefined ? 1 : lengths[p]);
      }
      if (next > end) {
        window.at = at;
        return { read: n - first, missing: next - at };
      }
      if (indexList >= 0) {
        const type = properties[indexList].type;
        const size = sizeOf(type);
        sink.begin();
        for (let i = 0, item = starts[indexList]; i < lengths[indexList]; i++, item += size) {
          const index = readValue(view, item, type, littleEndian);
          if (!sink.add(index)) {
            window.at = at;
            throw window.fail(outOfRange(name, n, index, builder.vertexCount));
          }
        }
      } else if (isVertex) {
        const [x, y, z] = axes.map((p) => readValue(view, starts[p], properties[p].type, littleEndian));
        if (!builder.vertex(x, y, z)) {
          window.at = at;
          throw window.fail(`vertex ${n} has a coordinate that is not finite`);
        }
      }
      at = next;
    }
    window.at = at;
    return { read: n - first, missing: 0 };
  };
}

/**
 * Takes up to `most` rows, from byte `at` on, of three 4-byte indices each: what most files consist of. Stops at a row
 * that is something else, or wrong, or not here whole; returns where.
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

/** Copies the indices of rows in [at, end) to `indices`, from entry `o` on, up to a row that is no triangle; returns where. */
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

function outOfRange(element: string, n: number, index: number, vertexCount: number): string {
  return `${element} ${n} refers to vertex ${index}, but there are ${vertexCount}`;
}
