/** The vertices and triangles of a PLY file as its rows arrive, all of them or only those since the last call. */
import type { ShapeArrays } from '@impinge/model';
import { indexListOf, verticesOf } from 'impinge/internal/formats/ply-elements.js';
import type { ByteWindow } from '../byte-window.js';
import { trimmed, withRoom } from '../growing.js';
import type { PlyElement, PlyHeader } from './header.js';

/** Indices are uint32. */
const MAX_VERTICES = 2 ** 32 - 1;

/** The elements that hold triangles, and those that only have the name. */
export function facesOf({ elements }: PlyHeader): { faces: PlyElement[]; others: PlyElement[] } {
  const named = elements.filter(({ name }) => name === 'face' || name === 'tristrips');
  return {
    faces: named.filter((element) => indexListOf(element) >= 0),
    others: named.filter((element) => indexListOf(element) < 0),
  };
}

/** Collects vertices and triangles; `where`, set by the reader, locates an invalid row. */
export class PlyBuilder {
  readonly #window: ByteWindow;
  readonly vertexCount: number;
  /** Whether coordinates hold more than float32. */
  readonly isWide: boolean;
  positions: Float32Array | Float64Array;
  vertices = 0;
  indices: Uint32Array;
  indexCount = 0;

  /** `isKept`: everything will be kept, so room is reserved. */
  constructor(window: ByteWindow, header: PlyHeader, isKept = true) {
    this.#window = window;
    const fail = (why: string) => window.fail(why, 'header');
    const { vertex, isWide } = verticesOf(header, fail);
    if (vertex.count > MAX_VERTICES) throw fail(`${vertex.count} vertices are more than fit`);
    const { faces, others } = facesOf(header);
    if (faces.length === 0 && others.length > 0) {
      throw fail(`element "${others[0].name}" has no list "vertex_indices"`);
    }
    const triangles = faces.reduce((sum, { name, count }) => sum + (name === 'face' ? count : 0), 0);
    const room = isKept ? 3 * this.#plausible(vertex.count, 3) : 0;
    this.vertexCount = vertex.count;
    this.isWide = isWide;
    this.positions = isWide ? new Float64Array(room) : new Float32Array(room);
    this.indices = new Uint32Array(isKept ? 3 * this.#plausible(triangles, 4) : 0);
  }

  /** Room to begin with: no more rows than the file can hold. */
  #plausible(count: number, leastBytes: number): number {
    return Math.min(count, Math.ceil(this.#window.bytesLeft / leastBytes));
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
      positions[o] -
        positions[o] +
        (positions[o + 1] - positions[o + 1]) +
        (positions[o + 2] - positions[o + 2]) ===
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

  /** Memory of the contents, in bytes. */
  get byteLength(): number {
    return 3 * this.positions.BYTES_PER_ELEMENT * this.vertices + 4 * this.indexCount;
  }

  isVertex(index: number): boolean {
    return index >= 0 && index < this.vertexCount && Number.isInteger(index);
  }

  /** The positions since the last call; they are overwritten by the next ones. */
  takePositions(): Float32Array | Float64Array {
    const taken = this.positions.subarray(0, 3 * this.vertices);
    this.vertices = 0;
    return taken;
  }

  /** The indices since the last call; they are overwritten by the next ones. */
  takeIndices(): Uint32Array {
    const taken = this.indices.subarray(0, this.indexCount);
    this.indexCount = 0;
    return taken;
  }

  noTriangles(): Error {
    return this.#window.fail(`no triangles, only a cloud of ${this.vertexCount} points`, '');
  }

  geometry(): ShapeArrays {
    if (this.indexCount === 0) throw this.noTriangles();
    return {
      positions: trimmed(this.positions, 3 * this.vertices),
      indices: trimmed(this.indices, this.indexCount),
    };
  }
}
