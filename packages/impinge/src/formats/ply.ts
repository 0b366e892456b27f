/**
 * PLY: text, binary little and big endian; any elements with any properties in any order. Faces are polygons (fanned)
 * and triangle strips; everything but vertices, faces and strips is passed over. A file is one mesh.
 */
import { Triples } from './growing.js';
import { type FileBytes, type FileMesh, unmoved } from './mesh-file.js';
import { axesOf, indexListOf, ListSink, verticesOf } from './ply-elements.js';
import {
  type PlyElement,
  type PlyHeader,
  type PlyType,
  readPlyHeader,
  readValue,
  sizeOf,
} from './ply-header.js';
import { Words } from './words.js';

/** Takes the numbers of the body, one by one; ends with an error where it is cut off. */
type NextNumber = (type: PlyType) => number;

export function readPly(file: FileBytes): FileMesh[] {
  const header = readPlyHeader(file);
  const next = header.encoding === 'ascii' ? textNumbers(file, header) : binaryNumbers(file, header);
  const { vertex, isWide } = verticesOf(header, (why) => file.fail(why, 'header'));
  const builder = new PlyBuilder(file, vertex.count, isWide);
  for (const element of header.elements) {
    // rows of nothing take no bytes: there may be any number of them
    if (element.properties.length > 0) builder.read(element, next);
  }
  return [builder.mesh()];
}

class PlyBuilder {
  readonly #file: FileBytes;
  readonly #vertexCount: number;
  readonly #positions: Triples<Float32Array | Float64Array>;
  readonly #indices = new Triples(new Uint32Array(48));

  constructor(file: FileBytes, vertexCount: number, isWide: boolean) {
    this.#file = file;
    this.#vertexCount = vertexCount;
    this.#positions = new Triples(isWide ? new Float64Array(48) : new Float32Array(48));
  }

  isVertex(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.#vertexCount;
  }

  triangle(a: number, b: number, c: number): void {
    this.#indices.push(a, b, c);
  }

  /** Takes in the rows of an element. */
  read(element: PlyElement, next: NextNumber): void {
    const { name, count, properties } = element;
    const axes = name === 'vertex' ? axesOf(properties) : undefined;
    const list = indexListOf(element);
    const sink = new ListSink(this, name === 'tristrips');
    const values = new Float64Array(properties.length);
    for (let row = 0; row < count; row++) {
      const fail = (why: string) => this.#file.fail(why, `${name} ${row}`);
      for (const [i, { type, countType }] of properties.entries()) {
        if (!countType) {
          values[i] = next(type);
          continue;
        }
        const length = next(countType);
        if (!(length >= 0 && Number.isInteger(length))) throw fail(`the length of a list is ${length}`);
        sink.begin();
        for (let n = 0; n < length; n++) {
          const index = next(type);
          if (i === list && !sink.add(index)) {
            throw fail(`refers to vertex ${index}, but there are ${this.#vertexCount}`);
          }
        }
      }
      if (!axes) continue;
      const [x, y, z] = [values[axes[0]], values[axes[1]], values[axes[2]]];
      if (![x, y, z].every(Number.isFinite)) throw fail('a coordinate is not finite');
      this.#positions.push(x, y, z);
    }
  }

  mesh(): FileMesh {
    if (this.#indices.length === 0) {
      throw this.#file.fail(`no triangles, only a cloud of ${this.#vertexCount} points`);
    }
    return {
      name: this.#file.stem,
      positions: this.#positions.whole(),
      indices: this.#indices.whole(),
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
  return (type) => {
    const start = at;
    at += sizeOf(type);
    if (at > view.byteLength) throw file.fail(`cut off at byte ${view.byteLength}`);
    return readValue(view, start, type, isLittle);
  };
}
