/**
 * Wavefront OBJ: `o` and `g` are separate objects. A single object keeps the file's vertices as they are; several get
 * their own, in order of first use.
 */
import type { ByteWindow } from './byte-window.js';
import { trimmed, withRoom } from './growing.js';
import type { Geometry, Model, ModelObject } from './model.js';
import { ObjReader, type ObjSink, objNewline } from './obj-reader.js';

interface Part {
  readonly name: string;
  readonly path: string;
  indices: Uint32Array;
  indexCount: number;
}

export async function readObj(window: ByteWindow, name: string): Promise<Model> {
  const builder = new ObjBuilder(name);
  const reader = new ObjReader(window, builder, name, await objNewline(window));
  // the builder keeps everything: nothing to do between two windows
  for await (const _ of reader.read());
  reader.checkIndices();
  const model = builder.model();
  if (model.objects.length === 0) throw reader.noTriangles();
  return model;
}

class ObjBuilder implements ObjSink {
  readonly #parts = new Map<string, Part>();
  #part: Part;
  #positions = new Float64Array(3072);
  #vertexCount = 0;

  constructor(fileName: string) {
    this.#part = this.part('', fileName, fileName);
  }

  vertex(x: number, y: number, z: number): void {
    const o = 3 * this.#vertexCount++;
    const positions = (this.#positions = withRoom(this.#positions, o + 3));
    positions[o] = x;
    positions[o + 1] = y;
    positions[o + 2] = z;
  }

  triangle(a: number, b: number, c: number): void {
    const part = this.#part;
    const o = part.indexCount;
    const indices = (part.indices = withRoom(part.indices, o + 3));
    indices[o] = a;
    indices[o + 1] = b;
    indices[o + 2] = c;
    part.indexCount += 3;
  }

  part(key: string, name: string, path: string): Part {
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = { name, path, indices: new Uint32Array(12), indexCount: 0 };
      this.#parts.set(key, part);
    }
    this.#part = part;
    return part;
  }

  /** Precondition: every index refers to a vertex that has come. */
  model(): Model {
    const parts = [...this.#parts.values()].filter(({ indexCount }) => indexCount > 0);
    const positions = trimmed(this.#positions, 3 * this.#vertexCount);
    const geometries: Geometry[] = parts.map((part) => ({
      positions,
      indices: trimmed(part.indices, part.indexCount),
    }));
    const objects: ModelObject[] = parts.map(({ name, path }, geometry) => ({
      name,
      path,
      geometry,
      matrix: undefined,
    }));
    return {
      format: 'OBJ',
      objects,
      geometries: parts.length === 1 ? geometries : withOwnVertices(geometries, this.#vertexCount),
    };
  }
}

/** Gives each geometry only the vertices that it uses, renumbered by first use. */
function withOwnVertices(geometries: readonly Geometry[], vertexCount: number): Geometry[] {
  const renumbered = new Uint32Array(vertexCount);
  const owner = new Uint32Array(vertexCount);
  return geometries.map(({ positions, indices }, g) => {
    const own = new Uint32Array(indices.length);
    let count = 0;
    const used = new Uint32Array(Math.min(indices.length, vertexCount));
    for (let i = 0; i < indices.length; i++) {
      const vertex = indices[i];
      if (owner[vertex] !== g + 1) {
        owner[vertex] = g + 1;
        renumbered[vertex] = count;
        used[count++] = vertex;
      }
      own[i] = renumbered[vertex];
    }
    const ownPositions = new Float64Array(3 * count);
    for (let v = 0; v < count; v++) {
      for (let axis = 0; axis < 3; axis++) ownPositions[3 * v + axis] = positions[3 * used[v] + axis];
    }
    return { positions: ownPositions, indices: own };
  });
}
