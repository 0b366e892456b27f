/**
 * PLY: ASCII, binary little and big endian; any elements with any properties in any order. Faces are polygons
 * (fanned) and triangle strips; everything but vertices, faces and strips is passed over.
 *
 * Rows are handled while the window holds them whole; where one is incomplete, the window slides on and the row
 * begins anew.
 */
import type { ByteWindow } from './byte-window.js';
import { trimmed, withRoom } from './growing.js';
import { type Model, singleObject } from './model.js';
import {
  type PlyElement,
  type PlyHeader,
  type PlyProperty,
  type PlyType,
  readPlyHeader,
  sizeOf,
} from './ply-header.js';
import { Scanner } from './scanner.js';

/** Indices are uint32. */
const MAX_VERTICES = 2 ** 32 - 1;
const ENCODINGS = {
  ascii: 'ASCII',
  binary_little_endian: 'binary little endian',
  binary_big_endian: 'binary big endian',
} as const;

export async function readPly(window: ByteWindow, name: string): Promise<Model> {
  const header = await readPlyHeader(window);
  const builder = new PlyBuilder(window, header);
  const rows = header.encoding === 'ascii' ? new AsciiRows(window, header) : undefined;
  for (const element of header.elements) {
    if (element.properties.length === 0) continue;
    if (rows) await rows.read(element, builder);
    else await readBinaryRows(window, element, builder, header.encoding === 'binary_little_endian');
  }
  return singleObject(`PLY, ${ENCODINGS[header.encoding]}`, name, builder.geometry());
}

/** Which list of an element holds vertex indices. */
function indexListOf(element: PlyElement): number {
  if (element.name !== 'face' && element.name !== 'tristrips') return -1;
  return element.properties.findIndex(
    ({ name, countType }) =>
      countType !== undefined && (name === 'vertex_indices' || name === 'vertex_index'),
  );
}

/** Collects vertices and triangles; where a row is wrong, `where` (given by the reader) says which. */
class PlyBuilder {
  readonly #window: ByteWindow;
  readonly vertexCount: number;
  positions: Float32Array | Float64Array;
  vertices = 0;
  indices: Uint32Array;
  indexCount = 0;

  constructor(window: ByteWindow, header: PlyHeader) {
    this.#window = window;
    const fail = (why: string) => window.fail(why, 'header');
    const vertex = header.elements.find((element) => element.name === 'vertex');
    if (vertex === undefined) throw fail('there is no element "vertex"');
    if (vertex.count > MAX_VERTICES) throw fail(`${vertex.count} vertices are more than fit`);
    const axes = ['x', 'y', 'z'].map((axis) => {
      const property = vertex.properties.find(
        ({ name, countType }) => name === axis && countType === undefined,
      );
      if (property === undefined) throw fail(`element "vertex" has no property "${axis}"`);
      return property;
    });
    const faces = header.elements.filter(({ name }) => name === 'face' || name === 'tristrips');
    for (const element of faces) {
      if (indexListOf(element) < 0) throw fail(`element "${element.name}" has no list "vertex_indices"`);
    }
    const triangles = faces.find(({ name }) => name === 'face')?.count ?? 0;
    const wide = axes.some(({ type }) => type === 'f8' || type === 'i4' || type === 'u4');
    const room = this.#plausible(vertex.count, 3);
    this.vertexCount = vertex.count;
    this.positions = wide ? new Float64Array(3 * room) : new Float32Array(3 * room);
    this.indices = new Uint32Array(3 * this.#plausible(triangles, 4));
  }

  /** Room to begin with: no more rows than the file can hold, if that is known, else few. */
  #plausible(count: number, leastBytes: number): number {
    return Math.min(count, Math.ceil((this.#window.bytesLeft ?? 1 << 16) / leastBytes));
  }

  vertex(x: number, y: number, z: number): boolean {
    const o = 3 * this.vertices;
    const positions = (this.positions = withRoom(this.positions, o + 3));
    positions[o] = x;
    positions[o + 1] = y;
    positions[o + 2] = z;
    this.vertices++;
    // x − x is 0 for finite numbers only
    return (
      positions[o]! -
        positions[o]! +
        (positions[o + 1]! - positions[o + 1]!) +
        (positions[o + 2]! - positions[o + 2]!) ===
      0
    );
  }

  triangle(a: number, b: number, c: number): void {
    const indices = (this.indices = withRoom(this.indices, this.indexCount + 3));
    indices[this.indexCount] = a;
    indices[this.indexCount + 1] = b;
    indices[this.indexCount + 2] = c;
    this.indexCount += 3;
  }

  isVertex(index: number): boolean {
    return index >= 0 && index < this.vertexCount && Number.isInteger(index);
  }

  geometry() {
    if (this.indexCount === 0) {
      throw this.#window.fail(`no triangles, only a cloud of ${this.vertices} points`, '');
    }
    return {
      positions: trimmed(this.positions, 3 * this.vertices),
      indices: trimmed(this.indices, this.indexCount),
    };
  }
}

/** Turns a row's index list into triangles: a fan for a face, alternating turns (−1 restarts) for a strip. */
class ListSink {
  readonly #builder: PlyBuilder;
  readonly #strip: boolean;
  #count = 0;
  #first = 0;
  #previous = 0;

  constructor(builder: PlyBuilder, strip: boolean) {
    this.#builder = builder;
    this.#strip = strip;
  }

  begin(): void {
    this.#count = 0;
  }

  /** False when the index refers to no vertex. */
  add(index: number): boolean {
    const strip = this.#strip;
    if (strip && index === -1) {
      this.#count = 0;
      return true;
    }
    if (!this.#builder.isVertex(index)) return false;
    const count = this.#count++;
    if (count >= 2) {
      // every other triangle of a strip is turned, to keep the winding
      if (strip && count % 2 === 1) this.#builder.triangle(this.#previous, this.#first, index);
      else this.#builder.triangle(this.#first, this.#previous, index);
    }
    if (count === 0) this.#first = index;
    else if (strip && count >= 2) this.#first = this.#previous;
    if (count > 0) this.#previous = index;
    return true;
  }
}

class AsciiRows {
  readonly #window: ByteWindow;
  readonly #scanner = new Scanner();
  #atEnd = false;

  constructor(window: ByteWindow, header: PlyHeader) {
    this.#window = window;
    this.#scanner.line = header.lines + 1;
  }

  async read(element: PlyElement, builder: PlyBuilder): Promise<void> {
    const scanner = this.#scanner;
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
      const property = properties[p]!;
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
    if (isVertex) builder.vertex(point[0]!, point[1]!, point[2]!);
    return true;
  };
}

async function readBinaryRows(
  window: ByteWindow,
  element: PlyElement,
  builder: PlyBuilder,
  littleEndian: boolean,
): Promise<void> {
  const { properties, name, count } = element;
  const cutOff = (n: number) => window.fail(`cut off in ${name} ${n} of ${count}`);
  const hasList = properties.some(({ countType }) => countType !== undefined);
  if (!hasList && name !== 'vertex') {
    const stride = properties.reduce((sum, { type }) => sum + sizeOf(type), 0);
    if (!(await window.skip(stride * count))) throw cutOff(count);
    return;
  }
  const rows = hasList
    ? listRows(element, builder, littleEndian, window)
    : vertexRows(element, builder, littleEndian, window);
  for (let done = 0; done < count; ) {
    const { read, missing } = rows(done);
    done += read;
    if (done === count) break;
    const left = window.bytesLeft;
    if (left !== undefined && missing > left) throw cutOff(done);
    if (!(await window.need(missing))) throw cutOff(done);
  }
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
  const [ox, oy, oz] = axes.map((axis) => offsets[axis]!) as [number, number, number];
  const [tx, ty, tz] = axes.map((axis) => properties[axis]!.type) as [PlyType, PlyType, PlyType];
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
  const only = properties.length === 1 && name === 'face' ? properties[0]! : undefined;
  const common = only?.countType === 'u1' && (only.type === 'i4' || only.type === 'u4');

  return (first) => {
    const { view, bytes, end } = window;
    let at = window.at;
    let n = first;
    for (; n < count; n++) {
      // a lone triangle of 4-byte indices: the row of nearly every file; a wrong one takes the long way to its error
      if (common && end - at >= 13 && bytes[at] === 3) {
        const a = view.getUint32(at + 1, littleEndian);
        const b = view.getUint32(at + 5, littleEndian);
        const c = view.getUint32(at + 9, littleEndian);
        if (a < builder.vertexCount && b < builder.vertexCount && c < builder.vertexCount) {
          builder.triangle(a, b, c);
          at += 13;
          continue;
        }
      }
      // where each property begins, and whether the whole row is here
      let next = at;
      for (let p = 0; p < properties.length && next <= end; p++) {
        const { type, countType } = properties[p]!;
        if (countType !== undefined) {
          const countSize = sizeOf(countType);
          if (next + countSize > end) {
            next += countSize;
            break;
          }
          const length = readValue(view, next, countType, littleEndian);
          if (!(length >= 0 && Number.isInteger(length))) {
            window.at = at;
            throw window.fail(`${name} ${n}: the length of "${properties[p]!.name}" is ${length}`);
          }
          lengths[p] = length;
          next += countSize;
        }
        starts[p] = next;
        next += sizeOf(type) * (countType === undefined ? 1 : lengths[p]!);
      }
      if (next > end) {
        window.at = at;
        return { read: n - first, missing: next - at };
      }
      if (indexList >= 0) {
        const type = properties[indexList]!.type;
        const size = sizeOf(type);
        sink.begin();
        for (let i = 0, item = starts[indexList]!; i < lengths[indexList]!; i++, item += size) {
          const index = readValue(view, item, type, littleEndian);
          if (!sink.add(index)) {
            window.at = at;
            throw window.fail(outOfRange(name, n, index, builder.vertexCount));
          }
        }
      } else if (isVertex) {
        const [x, y, z] = axes.map((p) => readValue(view, starts[p]!, properties[p]!.type, littleEndian));
        if (!builder.vertex(x!, y!, z!)) {
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

function axesOf(properties: readonly PlyProperty[]): number[] {
  return ['x', 'y', 'z'].map((axis) =>
    properties.findIndex(({ name, countType }) => name === axis && countType === undefined),
  );
}

function readValue(view: DataView, at: number, type: PlyType, littleEndian: boolean): number {
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
