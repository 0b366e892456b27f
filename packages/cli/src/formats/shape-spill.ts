/**
 * Triangles set aside until everything that uses them is known: in memory up to a limit, in a temporary file past it.
 */
import type { ShapeArrays } from '@impinge/model';
import type { SourceFile } from './source-file.js';
import type { TemporaryFile } from './temporary-file.js';

interface Spilled {
  readonly spill: TemporaryFile;
  readonly position: number;
  readonly vertexBytes: number;
  readonly indexBytes: number;
  readonly isDouble: boolean;
}

export class ShapeSpill {
  readonly #file: SourceFile;
  readonly #memoryBytes: number;
  readonly #shapes: (ShapeArrays | Spilled)[] = [];
  #heldBytes = 0;
  #spill: TemporaryFile | undefined;

  constructor(file: SourceFile, memoryBytes: number) {
    this.#file = file;
    this.#memoryBytes = memoryBytes;
  }

  /** Keeps a shape and returns its number. */
  add(shape: ShapeArrays): number {
    const { positions, indices } = shape;
    const bytes = positions.byteLength + indices.byteLength;
    if (this.#heldBytes + bytes <= this.#memoryBytes) {
      this.#heldBytes += bytes;
      return this.#shapes.push(shape) - 1;
    }
    this.#spill ??= this.#file.temporary();
    const position = this.#spill.byteLength;
    this.#spill.append(bytesOf(positions));
    this.#spill.append(bytesOf(indices));
    const isDouble = positions instanceof Float64Array;
    const spilled = {
      spill: this.#spill,
      position,
      vertexBytes: positions.byteLength,
      indexBytes: indices.byteLength,
      isDouble,
    };
    return this.#shapes.push(spilled) - 1;
  }

  /** The shape with this number. */
  get(number: number): ShapeArrays {
    const shape = this.#shapes[number];
    if ('positions' in shape) return shape;
    const vertices = new Uint8Array(shape.vertexBytes);
    const indices = new Uint8Array(shape.indexBytes);
    shape.spill.read(vertices, shape.position);
    shape.spill.read(indices, shape.position + shape.vertexBytes);
    return {
      positions: shape.isDouble ? new Float64Array(vertices.buffer) : new Float32Array(vertices.buffer),
      indices: new Uint32Array(indices.buffer),
    };
  }
}

function bytesOf(array: Float32Array | Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
