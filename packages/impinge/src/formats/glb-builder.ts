/**
 * Builds a binary glTF: JSON and one buffer.
 *
 * Layout: 12 bytes of header, a JSON chunk, a BIN chunk, both padded to four bytes; every view starts at a multiple of
 * four. The buffer is kept in pieces and never joined.
 */
import { ImpingeError } from '../base/errors.js';

export const FLOAT = 5126;
export const UNSIGNED_SHORT = 5123;
export const UNSIGNED_INT = 5125;

export type AccessorType = 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4';
const COMPONENTS = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 } as const;

type Numbers = Float32Array | Uint32Array | Uint16Array;

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
/** Sizes in a GLB are 32-bit numbers. */
const MOST_BYTES = 0xffffffff;

/** The parts of the document that are known in the end. */
export interface GlbEnds {
  readonly scenes: readonly object[];
  readonly animations: readonly object[];
  readonly extras: object;
}

export class GlbBuilder {
  readonly nodes: object[] = [];
  readonly meshes: object[] = [];
  readonly materials: object[] = [];
  readonly skins: object[] = [];
  readonly #views: object[] = [];
  readonly #accessors: object[] = [];
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** Appends to a list of the document and returns the index. */
  static add(list: object[], entry: object): number {
    list.push(entry);
    return list.length - 1;
  }

  /** Stores and describes numbers. Positions and times need their bounds. */
  accessor(
    numbers: Numbers,
    type: AccessorType,
    options: { readonly bounds?: boolean; readonly target?: 34962 | 34963 } = {},
  ): number {
    const width = COMPONENTS[type];
    const view = GlbBuilder.add(this.#views, {
      buffer: 0,
      byteOffset: this.#length,
      byteLength: numbers.byteLength,
      ...(options.target === undefined ? {} : { target: options.target }),
    });
    this.#append(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    return GlbBuilder.add(this.#accessors, {
      bufferView: view,
      componentType: componentOf(numbers),
      count: numbers.length / width,
      type,
      ...(options.bounds ? boundsOf(numbers, width) : {}),
    });
  }

  /** Bytes of the buffer so far. */
  get byteLength(): number {
    return this.#length;
  }

  /** The whole file, in pieces. */
  chunks({ scenes, animations, extras }: GlbEnds): readonly Uint8Array[] {
    const document = {
      asset: { version: '2.0', generator: 'impinge' },
      scene: 0,
      scenes,
      nodes: this.nodes,
      meshes: this.meshes,
      materials: this.materials,
      ...(this.skins.length > 0 && { skins: this.skins }),
      ...(animations.length > 0 && { animations }),
      accessors: this.#accessors,
      bufferViews: this.#views,
      buffers: [{ byteLength: this.#length }],
      extras,
    };
    const text = JSON.stringify(document);
    const json = new TextEncoder().encode(text);
    const spaces = new TextEncoder().encode(' '.repeat(-json.length & 3));
    const jsonBytes = json.length + spaces.length;
    const total = 12 + 8 + jsonBytes + 8 + this.#length;
    if (total > MOST_BYTES)
      throw new ImpingeError('unsupported', 'a GLB cannot be larger than 4 GiB: record fewer frames');
    return [
      uint32s(MAGIC, 2, total, jsonBytes, JSON_CHUNK),
      ...[json, spaces],
      uint32s(this.#length, BIN_CHUNK),
      ...this.#pieces,
    ];
  }

  #append(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    const padding = -bytes.length & 3;
    if (padding === 0) return;
    this.#pieces.push(new Uint8Array(padding));
    this.#length += padding;
  }
}

function componentOf(numbers: Numbers): number {
  if (numbers instanceof Float32Array) return FLOAT;
  return numbers instanceof Uint32Array ? UNSIGNED_INT : UNSIGNED_SHORT;
}

function boundsOf(numbers: Numbers, width: number): { min: number[]; max: number[] } {
  const min = new Array<number>(width).fill(Infinity);
  const max = new Array<number>(width).fill(-Infinity);
  for (let i = 0; i < numbers.length; i++) {
    const k = i % width;
    if (numbers[i] < min[k]) min[k] = numbers[i];
    if (numbers[i] > max[k]) max[k] = numbers[i];
  }
  return { min, max };
}

function uint32s(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value, true);
  return bytes;
}
