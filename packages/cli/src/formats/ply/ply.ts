/**
 * PLY: ASCII, binary little and big endian; any elements with any properties in any order. Faces are polygons (fanned)
 * and triangle strips; everything but vertices, faces and strips is passed over. A file is one shape. One that would
 * take more than its share of the memory becomes a stream: its faces are read in sequence. Their vertices are read
 * before them where these alone fit; else they are looked up where they are, in the file itself when every row has the
 * same number of bytes, else in a temporary copy.
 */
import type { SourceShape } from '@impinge/model';
import { axesOf } from 'impinge/internal/formats/ply-elements.js';
import { LeftOutList } from '../left-out.js';
import type { ModelSource, SourceOptions } from '../model-source.js';
import { type SourceFile, shapeShare, shapeStream, sourceOfFile } from '../source-file.js';
import { ObjectIds, plainObject } from '../source-object.js';
import {
  cornerBatches,
  readAllVertices,
  VertexPages,
  type VertexRecords,
  VertexSpill,
} from '../vertex-pages.js';
import { facesOf, PlyBuilder } from './builder.js';
import { type PlyElement, type PlyHeader, readPlyHeader, readValue, sizeOf } from './header.js';
import { plyRows, rowBytes } from './rows.js';

const ENCODINGS = {
  ascii: 'ASCII',
  binary_little_endian: 'binary little endian',
  binary_big_endian: 'binary big endian',
} as const;

/** Bytes of three float32. */
const VERTEX_BYTES = 12;
/** Of this machine. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A place between two rows. */
interface Place {
  readonly byteOffset: number;
  readonly line: number;
}

interface Vertices {
  readonly records: VertexRecords;
  /** Where the element after the vertices begins. */
  readonly end: Place;
}

export async function plySource(path: string, options: SourceOptions): Promise<ModelSource> {
  return sourceOfFile(path, options, async (file) => {
    const window = file.window();
    const header = await readPlyHeader(window);
    const body = { byteOffset: window.base + window.at, line: header.lines + 1 };
    const leftOut = new LeftOutList();
    for (const { name, count } of facesOf(header).others) {
      leftOut.add('without a list of vertices', `rows of "${name}"`, undefined, count);
    }
    const builder = new PlyBuilder(window, header, false);
    const bytes = decodedBytes(header, builder, file.byteLength);
    return {
      format: `PLY, ${ENCODINGS[header.encoding]}`,
      shapes: () => (bytes > shapeShare(file) ? streamed(file, header, body) : whole(file, header, body)),
      ...(builder.isWide && { precision: 0 }),
      leftOut,
    };
  });
}

/** The approximate size of the arrays, in bytes. */
function decodedBytes(header: PlyHeader, { vertexCount, isWide }: PlyBuilder, byteLength: number): number {
  const elements = facesOf(header).faces;
  const strips = elements.some(({ name }) => name === 'tristrips');
  const faces = elements.reduce((sum, { count }) => sum + count, 0);
  return (isWide ? 24 : 12) * vertexCount + (strips ? 3 * byteLength : 12 * faces);
}

function objectsOf(file: SourceFile) {
  return [plainObject(file, new ObjectIds(), file.stem, file.stem)];
}

async function* whole(file: SourceFile, header: PlyHeader, body: Place): AsyncGenerator<SourceShape> {
  const window = file.window(body.byteOffset);
  const builder = new PlyBuilder(window, header);
  const rows = plyRows(window, header, builder, body.line);
  for (const element of header.elements) {
    if (element.properties.length === 0) continue;
    for await (const _ of rows.read(element)) {
      // faces with many corners hold more than their count implies
      if (builder.byteLength > shapeShare(file)) return yield* streamed(file, header, body);
    }
  }
  yield { geometry: builder.geometry(), objects: objectsOf(file) };
}

async function* streamed(file: SourceFile, header: PlyHeader, body: Place): AsyncGenerator<SourceShape> {
  const vertices = await findVertices(file, header, body);
  const count = facesOf(header).faces.reduce((sum, element) => sum + element.count, 0);
  const indices = () => faces(file, header, body, vertices.end);
  const { records } = vertices;
  const indexed = {
    vertexCount: records.count,
    readVertices: async (into: Float32Array) => readAllVertices(records, into),
    indices,
  };
  const batches = async function* () {
    const pages = new VertexPages(records, shapeShare(file));
    for await (const some of indices()) yield* cornerBatches(pages, some);
  };
  const fits = !records.isWide && VERTEX_BYTES * records.count <= shapeShare(file);
  yield {
    geometry: shapeStream(file, count, batches, fits ? indexed : undefined),
    objects: objectsOf(file),
  };
}

/** Reads up to the end of the vertices, and puts them where they can be looked up. */
async function findVertices(file: SourceFile, header: PlyHeader, body: Place): Promise<Vertices> {
  const window = file.window(body.byteOffset);
  const builder = new PlyBuilder(window, header, false);
  const rows = plyRows(window, header, builder, body.line);
  const here = () => ({ byteOffset: window.base + window.at, line: rows.line });
  for (const element of header.elements) {
    if (element.name === 'vertex') {
      if (
        header.encoding !== 'ascii' &&
        element.properties.every(({ countType }) => countType === undefined)
      ) {
        return inPlace(file, header, element, here(), builder);
      }
      const spill = new VertexSpill(file.temporary(), builder.isWide);
      for await (const _ of rows.read(element)) spill.append(builder.takePositions());
      return { records: spill.records(), end: here() };
    }
    if (element.properties.length === 0) continue;
    for await (const _ of rows.read(element)) builder.takeIndices();
  }
  throw window.fail('there is no element "vertex"', 'header');
}

/** Vertices of which each takes the same number of bytes stay where they are. */
function inPlace(
  file: SourceFile,
  header: PlyHeader,
  element: PlyElement,
  start: Place,
  { isWide }: PlyBuilder,
): Vertices {
  const { properties, count } = element;
  const strideBytes = rowBytes(element);
  const end = start.byteOffset + strideBytes * count;
  const fail = (why: string, at: number) => file.window(at).fail(why);
  if (end > file.byteLength) {
    const rows = Math.floor((file.byteLength - start.byteOffset) / strideBytes);
    throw fail(`cut off in vertex ${rows} of ${count}`, start.byteOffset + strideBytes * rows);
  }
  const littleEndian = header.encoding === 'binary_little_endian';
  const axes = axesOf(properties).map((axis) => ({
    type: properties[axis].type,
    offset: properties.slice(0, axis).reduce((sum, { type }) => sum + sizeOf(type), 0),
  }));
  const notFinite = (vertex: number) =>
    fail(`vertex ${vertex} has a coordinate that is not finite`, start.byteOffset + strideBytes * vertex);
  // three float32 in the machine's order, and nothing else: the bytes are the numbers
  const isPlain =
    LITTLE_ENDIAN &&
    littleEndian &&
    strideBytes === 12 &&
    axes.every(({ type, offset }, axis) => type === 'f4' && offset === 4 * axis);
  const decode: VertexRecords['decode'] = (bytes, rows, into, at, first) => {
    if (isPlain) into.set(new Float32Array(bytes.buffer, bytes.byteOffset, 3 * rows), at);
    else decodeRows(bytes, rows, into, at);
    const bad = notFiniteIn(into, at, at + 3 * rows);
    if (bad >= 0) throw notFinite(first + Math.floor((bad - at) / 3));
  };
  const decodeRows = (
    bytes: Uint8Array<ArrayBuffer>,
    rows: number,
    into: Float32Array | Float64Array,
    at: number,
  ) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let axis = 0; axis < 3; axis++) {
      const { type, offset } = axes[axis];
      for (let row = 0, o = at + axis, from = offset; row < rows; row++, o += 3, from += strideBytes) {
        into[o] =
          type === 'f4' ? view.getFloat32(from, littleEndian) : readValue(view, from, type, littleEndian);
      }
    }
  };
  const read = (into: Uint8Array, position: number) => {
    if (file.read(into, position) < into.length) throw fail('cut off while it was read', position);
  };
  return {
    records: { count, byteOffset: start.byteOffset, strideBytes, isWide, read, decode },
    end: { byteOffset: end, line: 0 },
  };
}

/** Which of numbers[from, to) is the first that is not finite; −1 if there is none. */
function notFiniteIn(numbers: Float32Array | Float64Array, from: number, to: number): number {
  // x − x is 0 for finite numbers only, and once NaN stays NaN
  let sum = 0;
  for (let i = from; i < to; i++) sum += numbers[i] - numbers[i];
  if (sum === 0) return -1;
  return from + numbers.subarray(from, to).findIndex((x) => !Number.isFinite(x));
}

/** The vertices of all triangles, by number; the vertices themselves, which end at `end`, are passed over. */
async function* faces(
  file: SourceFile,
  header: PlyHeader,
  body: Place,
  end: Place,
): AsyncGenerator<Uint32Array> {
  let window = file.window(body.byteOffset);
  const builder = new PlyBuilder(window, header, false);
  let rows = plyRows(window, header, builder, body.line);
  let isEmpty = true;
  for (const element of header.elements) {
    if (element.name === 'vertex') {
      window = file.window(end.byteOffset);
      rows = plyRows(window, header, builder, end.line);
    } else if (element.properties.length > 0) {
      for await (const _ of rows.read(element)) {
        const indices = builder.takeIndices();
        isEmpty &&= indices.length === 0;
        yield indices;
      }
    }
  }
  if (isEmpty) throw builder.noTriangles();
}
