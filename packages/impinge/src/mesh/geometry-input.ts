/**
 * A three.js BufferGeometry, read as it would be drawn: its draw range, interleaved, normalised integer and half-float
 * positions, and groups, which become the named parts of the mesh. Only data is read, never methods, so any object of
 * that shape will do.
 */
import { ImpingeError } from '../base/errors.js';
import { shown } from '../base/options.js';
import { label, type MeshArrays, type NumberArray, steady, verticesIn } from './mesh-arrays.js';
import type { MeshPart } from './mesh-parts.js';

/** The part of a three.js BufferAttribute or InterleavedBufferAttribute that is read. */
export interface AttributeLike {
  readonly array: NumberArray;
  readonly count?: number;
  readonly itemSize: number;
  /** present on interleaved attributes */
  readonly data?: { readonly array: NumberArray; readonly stride: number };
  readonly offset?: number;
  readonly normalized?: boolean;
  /** The array holds the bits of half floats. */
  readonly isFloat16BufferAttribute?: boolean;
}

/** The parts of a three.js BufferGeometry that are used. */
export interface GeometryLike {
  readonly attributes: { readonly [name: string]: AttributeLike | undefined };
  readonly index?: AttributeLike | null;
  readonly name?: string;
  /** Which indices, or vertices where there are no indices, are drawn. */
  readonly drawRange?: { readonly start: number; readonly count: number };
  readonly groups?: readonly {
    readonly start: number;
    readonly count: number;
    readonly materialIndex?: number | undefined;
  }[];
}

/** Arrays, and the geometry's vertex count. */
export interface GeometryArrays extends MeshArrays {
  readonly vertexCount: number;
}

/** Divisors of normalised integers, as in three.js and on GPUs. */
const SCALES = new Map<unknown, number>([
  [Int8Array, 127],
  [Uint8Array, 255],
  [Uint8ClampedArray, 255],
  [Int16Array, 32767],
  [Uint16Array, 65535],
  [Int32Array, 2147483647],
  [Uint32Array, 4294967295],
]);

export function readGeometry(geometry: GeometryLike, partNames: readonly string[]): GeometryArrays {
  const { name = '' } = geometry;
  const bad = (why: string) =>
    new ImpingeError('bad-input', `${label(typeof name === 'string' ? name : '')}: ${why}`);
  const position = geometry.attributes?.['position'];
  if (position?.itemSize !== 3) throw bad('attributes.position must have 3 numbers per vertex');
  const { array, stride, offset } = layoutOf(position);
  const numbers = steady(array);
  if (numbers === undefined) throw bad('attributes.position has no numbers');
  if (!Number.isInteger(stride) || stride < 3) throw bad(`a stride of ${shown(stride)}`);
  if (!Number.isInteger(offset) || offset < 0) throw bad(`an offset of ${shown(offset)}`);
  const vertexCount = atMost(position.count, verticesIn(numbers.length - offset, stride));
  const decoded = decode(numbers, position);
  if (decoded === undefined) throw bad('its positions are normalised, but not integers');

  const given = geometry.index ? steady(geometry.index.array) : undefined;
  if (geometry.index && given === undefined) throw bad('its index has no numbers');
  const total = given ? atMost(geometry.index?.count, given.length) : vertexCount;
  const { start, end } = drawnRange(geometry.drawRange, total, bad);
  const whole = start === 0 && end === total;
  const indices = whole ? firstOf(given, total) : cut(given, start, end);
  return {
    positions: decoded,
    stride,
    offset,
    vertexCount,
    ...(indices && { indices }),
    name,
    namedParts: partsOf(geometry.groups, start, end, partNames, bad),
  };
}

function layoutOf(attribute: AttributeLike): { array: NumberArray; stride: number; offset: number } {
  const { data, array, offset = 0 } = attribute;
  return data ? { array: data.array, stride: data.stride, offset } : { array, stride: 3, offset: 0 };
}

function atMost(count: unknown, room: number): number {
  return Number.isInteger(count) && (count as number) >= 0 ? Math.min(count as number, room) : room;
}

/** The decoded numbers, or undefined where the attribute contradicts its array. */
function decode(numbers: NumberArray, attribute: AttributeLike): NumberArray | undefined {
  if (attribute.isFloat16BufferAttribute === true && numbers instanceof Uint16Array) {
    return Float32Array.from(numbers, halfFloat);
  }
  if (attribute.normalized !== true || numbers instanceof Float32Array) return numbers;
  const scale = SCALES.get(Object(numbers).constructor);
  return scale === undefined ? undefined : Float64Array.from(numbers, (x) => Math.max(x / scale, -1));
}

/** Decodes a 16-bit float: sign, five bits of exponent, ten of fraction. */
export function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

type Refusal = (why: string) => ImpingeError;

/** The drawn part of `total` indices or vertices: whole triangles from the start on. */
function drawnRange(range: GeometryLike['drawRange'], total: number, bad: Refusal) {
  if (range === undefined || range === null) return { start: 0, end: total };
  const { start, count } = range;
  if (!(Number.isInteger(start) && start >= 0 && count >= 0)) {
    throw bad(`a draw range of ${shown(count)} from ${shown(start)} on`);
  }
  if (start === 0 && count >= total) return { start, end: total };
  const drawn = Math.max(0, Math.min(Math.floor(count), total - start));
  return { start, end: start + drawn - (drawn % 3) };
}

function firstOf(indices: NumberArray | undefined, total: number): NumberArray | undefined {
  return indices && indices.length > total ? cut(indices, 0, total) : indices;
}

function cut(indices: NumberArray | undefined, start: number, end: number): NumberArray {
  if (indices === undefined) return Uint32Array.from({ length: end - start }, (_, i) => start + i);
  // `steady` returned a typed array or an empty list
  return (indices as Uint32Array).slice(start, end);
}

/** The groups as ranges of the drawn triangles, clipped to the draw range. */
function partsOf(
  groups: GeometryLike['groups'],
  start: number,
  end: number,
  names: readonly string[],
  bad: Refusal,
): MeshPart[] {
  if (groups === undefined || groups === null) return [];
  if (!Array.isArray(groups)) throw bad('its groups are not a list');
  const namedParts: MeshPart[] = [];
  for (const group of groups as NonNullable<GeometryLike['groups']>) {
    const { start: from, count, materialIndex = 0 } = Object(group);
    if (!(Number.isInteger(from) && from >= 0 && count >= 0 && Number.isInteger(materialIndex))) {
      throw bad(`group ${namedParts.length} holds ${shown(count)} from ${shown(from)} on`);
    }
    const first = Math.ceil(Math.max(0, from - start) / 3);
    const after = Math.floor((Math.min(from + count, end) - start) / 3);
    const partName = names[materialIndex] ?? `material ${materialIndex}`;
    namedParts.push({
      name: partName,
      first: Math.min(first, Math.max(0, after)),
      count: Math.max(0, after - first),
    });
  }
  return namedParts;
}
