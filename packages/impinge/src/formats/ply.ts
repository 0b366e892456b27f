/**
 * PLY: text, binary little and big endian; any elements with any properties in any order. Faces are polygons (fanned)
 * and triangle strips; everything but vertices, faces and strips is passed over. A file is one mesh.
 */
import { type FileBytes, type FileMesh, GrowingNumbers, unmoved } from './mesh-file.js';
import { type PlyElement, type PlyHeader, type PlyType, readPlyHeader } from './ply-header.js';
import { Words } from './words.js';

/** Takes the numbers of the body, one by one; ends with an error where it is cut off. */
type NextNumber = (type: PlyType) => number;

export function readPly(file: FileBytes): FileMesh[] {
  const header = readPlyHeader(file);
  const next = header.encoding === 'ascii' ? textNumbers(file, header) : binaryNumbers(file, header);
  const vertex = header.elements.find(({ name }) => name === 'vertex');
  if (!vertex) throw file.fail('there is no element "vertex"', 'header');
  const axes = ['x', 'y', 'z'].map((axis) =>
    vertex.properties.findIndex(({ name, countType }) => name === axis && !countType),
  );
  if (axes.includes(-1)) {
    throw file.fail(`element "vertex" has no property "${'xyz'[axes.indexOf(-1)]}"`, 'header');
  }
  const isWide = axes.some((axis) => ['f8', 'i4', 'u4'].includes(vertex.properties[axis].type));
  const builder = new PlyBuilder(file, vertex.count, isWide);
  for (const element of header.elements) {
    // rows of nothing take no bytes: there may be any number of them
    if (element.properties.length === 0) continue;
    if (element === vertex) readVertices(element, axes, next, builder);
    else readRows(element, next, builder);
  }
  return [builder.mesh()];
}

function readVertices(element: PlyElement, axes: number[], next: NextNumber, builder: PlyBuilder): void {
  const row = new Float64Array(element.properties.length);
  for (let v = 0; v < element.count; v++) {
    for (const [i, { type, countType }] of element.properties.entries()) {
      if (countType) for (let n = next(countType); n > 0; n--) next(type);
      else row[i] = next(type);
    }
    builder.vertex(v, row[axes[0]], row[axes[1]], row[axes[2]]);
  }
}

/** Faces and strips, or what is passed over. */
function readRows(element: PlyElement, next: NextNumber, builder: PlyBuilder): void {
  const isStrip = element.name === 'tristrips';
  const list =
    isStrip || element.name === 'face'
      ? element.properties.findIndex(({ name, countType }) => countType && /^vertex_ind(ices|ex)$/.test(name))
      : -1;
  for (let row = 0; row < element.count; row++) {
    for (const [i, { type, countType }] of element.properties.entries()) {
      if (!countType) next(type);
      else if (i !== list) for (let n = next(countType); n > 0; n--) next(type);
      else builder.list(isStrip, next(countType), () => next(type), `${element.name} ${row}`);
    }
  }
}

class PlyBuilder {
  readonly #file: FileBytes;
  readonly #vertexCount: number;
  readonly #positions: GrowingNumbers<Float32Array | Float64Array>;
  readonly #indices = new GrowingNumbers(new Uint32Array(0));

  constructor(file: FileBytes, vertexCount: number, isWide: boolean) {
    this.#file = file;
    this.#vertexCount = vertexCount;
    this.#positions = new GrowingNumbers(isWide ? new Float64Array(0) : new Float32Array(0));
  }

  vertex(v: number, x: number, y: number, z: number): void {
    if (![x, y, z].every(Number.isFinite)) {
      throw this.#file.fail(`vertex ${v} has a coordinate that is not finite`);
    }
    this.#positions.push3(x, y, z);
  }

  /** A fan, or a strip, of which every other triangle is turned, and −1 begins another. */
  list(isStrip: boolean, count: number, next: () => number, where: string): void {
    let corners = 0;
    let [first, previous] = [0, 0];
    for (let i = 0; i < count; i++) {
      const index = next();
      if (isStrip && index === -1) {
        corners = 0;
        continue;
      }
      if (!(Number.isInteger(index) && index >= 0 && index < this.#vertexCount)) {
        throw this.#file.fail(`refers to vertex ${index}, but there are ${this.#vertexCount}`, where);
      }
      if (corners >= 2) {
        if (isStrip && corners % 2 === 1) this.#indices.push3(previous, first, index);
        else this.#indices.push3(first, previous, index);
      }
      if (corners === 0) first = index;
      else if (isStrip && corners >= 2) first = previous;
      if (corners > 0) previous = index;
      corners++;
    }
  }

  mesh(): FileMesh {
    if (this.#indices.length === 0) {
      throw this.#file.fail(`no triangles, only a cloud of ${this.#vertexCount} points`);
    }
    return {
      name: this.#file.stem,
      positions: this.#positions.numbers(),
      indices: this.#indices.numbers(),
      poses: unmoved(),
      materials: [],
    };
  }
}

function textNumbers(file: FileBytes, { byteOffset, line }: PlyHeader): NextNumber {
  const words = new Words(file, byteOffset, line);
  // normals and colours may be anything; where it matters, what is no number is noticed
  return () => words.value('the end');
}

function binaryNumbers(file: FileBytes, { byteOffset, encoding }: PlyHeader): NextNumber {
  const { view } = file;
  const isLittle = encoding === 'binary_little_endian';
  let at = byteOffset;
  const read = {
    i1: () => view.getInt8(at),
    u1: () => view.getUint8(at),
    i2: () => view.getInt16(at, isLittle),
    u2: () => view.getUint16(at, isLittle),
    i4: () => view.getInt32(at, isLittle),
    u4: () => view.getUint32(at, isLittle),
    f4: () => view.getFloat32(at, isLittle),
    f8: () => view.getFloat64(at, isLittle),
  };
  return (type) => {
    const bytes = Number(type[1]);
    if (at + bytes > view.byteLength) throw file.fail(`cut off at byte ${view.byteLength}`);
    const value = read[type]();
    at += bytes;
    return value;
  };
}
