/**
 * glTF accessors: typed numbers out of buffer views. Only requested ranges are read; every offset and count is checked
 * against the bytes that really exist.
 */
import type { Json, JsonReader } from 'impinge/internal/formats/gltf-json.js';
import type { GrowthLimit } from '../growth-limit.js';
import type { GltfBuffers } from './buffers.js';
import type { ByteRange, GltfBytes } from './bytes.js';
import {
  componentBytes,
  componentStep,
  firstNonFinite,
  floatsOf,
  indicesOf,
  packedElements,
} from './components.js';

const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC3: 3, VEC4: 4 };

/** The elements of an accessor where they lie. */
export interface AccessorRecords {
  readonly bytes: GltfBytes;
  readonly byteOffset: number;
  readonly strideBytes: number;
  readonly count: number;
  readonly componentType: number;
  readonly isNormalised: boolean;
}

export class GltfAccessors {
  readonly #json: JsonReader;
  readonly #buffers: GltfBuffers;
  readonly #growth: GrowthLimit;

  constructor(json: JsonReader, buffers: GltfBuffers, growth: GrowthLimit) {
    this.#json = json;
    this.#buffers = buffers;
    this.#growth = growth;
  }

  /** Floats of an accessor of the given type; normalised integers become fractions. */
  floats(index: unknown, type: 'VEC3' | 'VEC4', from: string): Float32Array<ArrayBuffer> {
    const accessor = this.#json.entry('accessor', index, from);
    const where = `accessor ${index}`;
    const bytes = this.#elements(accessor, type, where);
    const out = floatsOf(bytes, accessor['componentType'] as number, accessor['normalized'] === true);
    const bad = firstNonFinite(out);
    if (bad >= 0) {
      throw this.#json.fail(where, `element ${Math.floor(bad / COMPONENTS[type])} is not finite`);
    }
    return out;
  }

  /** Unsigned integers of a scalar accessor. */
  indices(index: unknown, from: string): Uint32Array {
    const accessor = this.#json.entry('accessor', index, from);
    const where = `accessor ${index}`;
    const bytes = this.#elements(accessor, 'SCALAR', where);
    return this.#indicesOf(bytes, accessor['componentType'], where);
  }

  /**
   * The location of an accessor's elements; undefined when they are compressed or sparse, and cannot be read
   * individually.
   */
  records(index: unknown, type: 'VEC3' | 'SCALAR', from: string): AccessorRecords | undefined {
    const json = this.#json;
    const accessor = json.entry('accessor', index, from);
    if (accessor['sparse'] !== undefined || accessor['bufferView'] === undefined) return undefined;
    const where = `accessor ${index}`;
    if (this.#buffers.isCompressed(accessor['bufferView'], where)) return undefined;
    const size = this.#elementBytes(accessor, type, where);
    const count = json.integer(accessor['count'], where, 'count');
    const offset = json.integer(accessor['byteOffset'], where, 'byteOffset', 0);
    const range = this.#range(accessor['bufferView'], offset, count, size, where);
    return {
      bytes: range.bytes,
      byteOffset: range.start,
      strideBytes: range.stride,
      count,
      componentType: accessor['componentType'] as number,
      isNormalised: accessor['normalized'] === true,
    };
  }

  /** Between neighbouring values; 0 of floats. */
  step(index: unknown, from: string): number {
    const accessor = this.#json.entry('accessor', index, from);
    return componentStep(accessor['componentType'] as number, accessor['normalized'] === true);
  }

  /** The declared number of elements of an accessor. */
  count(index: unknown, from: string): number {
    const accessor = this.#json.entry('accessor', index, from);
    return this.#json.integer(accessor['count'], `accessor ${index}`, 'count');
  }

  /** Which compressed buffer view an accessor reads, if any. */
  compressedView(index: unknown, from: string): number | undefined {
    const view = this.#json.entry('accessor', index, from)['bufferView'];
    if (view === undefined || !this.#buffers.isCompressed(view, `accessor ${index}`)) return undefined;
    return view as number;
  }

  /** The accessor's elements, close together. */
  #elements(accessor: Json, type: string, where: string): Uint8Array<ArrayBuffer> {
    const json = this.#json;
    const size = this.#elementBytes(accessor, type, where);
    const count = json.integer(accessor['count'], where, 'count');
    const sparse =
      accessor['sparse'] === undefined ? undefined : json.object(accessor['sparse'], `${where}: sparse`);
    let elements: Uint8Array<ArrayBuffer>;
    if (accessor['bufferView'] !== undefined) {
      const offset = json.integer(accessor['byteOffset'], where, 'byteOffset', 0);
      elements = this.#packed(accessor['bufferView'], offset, count, size, where);
    } else {
      if (sparse === undefined) throw json.fail(where, 'it has no data');
      // it claims a size without bytes to show for it: no more is believed than the file has, all buffers it names
      // included
      this.#buffers.view(json.object(sparse['values'], `${where}: sparse.values`)['bufferView'], where);
      if (count > this.#growth.bytesRead) throw json.fail(where, `${count} elements without a buffer view`);
      elements = new Uint8Array(size * count);
    }
    if (sparse) this.#applySparse(sparse, elements, size, count, where);
    return elements;
  }

  #elementBytes(accessor: Json, type: string, where: string): number {
    const json = this.#json;
    if (accessor['type'] !== type)
      throw json.fail(where, `its type is ${JSON.stringify(accessor['type'])}, not ${type}`);
    const componentType = accessor['componentType'] as number;
    if (componentBytes(componentType) === 0) throw json.fail(where, `unknown componentType ${componentType}`);
    return componentBytes(componentType) * COMPONENTS[type];
  }

  #applySparse(sparse: Json, elements: Uint8Array, size: number, count: number, where: string): void {
    const json = this.#json;
    const changes = json.integer(sparse['count'], `${where}: sparse`, 'count');
    const indicesOf = json.object(sparse['indices'], `${where}: sparse.indices`);
    const valuesOf = json.object(sparse['values'], `${where}: sparse.values`);
    const indexBytes = componentBytes(indicesOf['componentType'] as number);
    const part = (of: Json, bytes: number) =>
      this.#packed(
        of['bufferView'],
        json.integer(of['byteOffset'], where, 'byteOffset', 0),
        changes,
        bytes,
        where,
      );
    const indices = this.#indicesOf(part(indicesOf, indexBytes), indicesOf['componentType'], where);
    const values = part(valuesOf, size);
    for (let i = 0; i < changes; i++) {
      if (indices[i] >= count)
        throw json.fail(where, `a sparse index is ${indices[i]}, but there are ${count} elements`);
      elements.set(values.subarray(size * i, size * i + size), size * indices[i]);
    }
  }

  #indicesOf(bytes: Uint8Array<ArrayBuffer>, componentType: unknown, where: string): Uint32Array {
    const indices = indicesOf(bytes, componentType);
    if (indices === undefined) {
      throw this.#json.fail(where, `componentType ${componentType} is not an unsigned integer`);
    }
    return indices;
  }

  /** `count` elements of `size` bytes out of a view, stride removed. */
  #packed(
    viewIndex: unknown,
    offset: number,
    count: number,
    size: number,
    where: string,
  ): Uint8Array<ArrayBuffer> {
    const { bytes, start, end, stride } = this.#range(viewIndex, offset, count, size, where);
    return packedElements(bytes.slice(start, end), count, size, stride);
  }

  /** The bytes from the first to the last of `count` elements, whose range has been checked. */
  #range(
    viewIndex: unknown,
    offset: number,
    count: number,
    size: number,
    where: string,
  ): ByteRange & { readonly stride: number } {
    const { bytes, start, end, stride = size } = this.#buffers.view(viewIndex, where);
    if (stride < size) {
      throw this.#json.fail(
        where,
        `the byteStride of bufferView ${viewIndex} is ${stride}, less than the ${size} bytes of an element`,
      );
    }
    const needed = count === 0 ? 0 : offset + stride * (count - 1) + size;
    if (needed > end - start) {
      throw this.#json.fail(
        where,
        `it reaches to byte ${needed} of bufferView ${viewIndex}, which has ${end - start}`,
      );
    }
    return { bytes, start: start + Math.min(offset, needed), end: start + needed, stride };
  }
}
