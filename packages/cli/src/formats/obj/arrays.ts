/**
 * The parts of an OBJ file that fits into memory. A single part keeps the file's vertices as they are; several get
 * their own, in order of first use.
 */
import type { ShapeArrays, SourceShape } from '@impinge/model';
import { withOwnVertices } from 'impinge/internal/formats/own-vertices.js';
import { Triples } from '../growing.js';
import { type SourceFile, shapeShare } from '../source-file.js';
import { ObjectIds, plainObject } from '../source-object.js';
import { ObjReader, type ObjSink, objNewline } from './statements.js';
import { streamedParts } from './stream.js';

/** Shares of memory that a shape may take before it is streamed: short lines hold somewhat more than their bytes. */
const MOST_SHARES = 2;

interface Part {
  readonly name: string;
  readonly path: string;
  readonly indices: Triples<Uint32Array>;
}

export async function* partsInMemory(file: SourceFile): AsyncGenerator<SourceShape> {
  const window = file.window();
  const builder = new ObjBuilder(file);
  const reader = new ObjReader(window, builder, file.stem, await objNewline(window));
  for await (const _ of reader.read()) {
    // faces of many corners hold more than their text
    if (builder.byteLength > MOST_SHARES * shapeShare(file)) return yield* streamedParts(file);
  }
  reader.checkIndices();
  const parts = builder.parts();
  if (parts.length === 0) throw reader.noTriangles();
  const ids = new ObjectIds();
  for (const { name, path, geometry } of parts) {
    yield { geometry, objects: [plainObject(file, ids, name, path)] };
  }
}

class ObjBuilder implements ObjSink {
  readonly #parts = new Map<string, Part>();
  #part: Part;
  readonly #positions = new Triples(new Float64Array(3072));
  #indexCount = 0;
  readonly #file: SourceFile;

  constructor(file: SourceFile) {
    this.#file = file;
    this.#part = this.part('', file.stem, file.stem);
  }

  vertex(x: number, y: number, z: number): void {
    this.#positions.push(x, y, z);
  }

  triangle(a: number, b: number, c: number): void {
    this.#part.indices.push(a, b, c);
    this.#indexCount += 3;
  }

  /** Memory of the contents, in bytes. */
  get byteLength(): number {
    return 8 * this.#positions.length + 4 * this.#indexCount;
  }

  part(key: string, name: string, path: string): Part {
    let part = this.#parts.get(key);
    if (part === undefined) {
      this.#file.growth.object(name.length + path.length);
      part = { name, path, indices: new Triples(new Uint32Array(12)) };
      this.#parts.set(key, part);
    }
    this.#part = part;
    return part;
  }

  /** The parts that have triangles. Precondition: every index refers to a vertex already read. */
  parts(): { readonly name: string; readonly path: string; readonly geometry: ShapeArrays }[] {
    const parts = [...this.#parts.values()].filter(({ indices }) => indices.length > 0);
    const lists = parts.map(({ indices }) => indices.whole());
    const positions = this.#positions.whole();
    const geometries =
      lists.length === 1 ? [{ positions, indices: lists[0] }] : withOwnVertices(positions, lists);
    return parts.map(({ name, path }, i) => ({ name, path, geometry: geometries[i] }));
  }
}
