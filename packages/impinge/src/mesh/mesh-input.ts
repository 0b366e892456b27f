/**
 * Validates mesh input: arrays or a geometry are checked and described as vertices and indices before anything is
 * allocated.
 */
import type { Arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import { shown } from '../base/options.js';
import { MESH_HEADER_BYTES } from '../kernel/layout.generated.js';
import type { Vec3 } from '../math/pose.js';
import { type GeometryLike, readGeometry } from './geometry-input.js';
import { label, type MeshArrays, type NumberArray, steady, verticesIn } from './mesh-arrays.js';
import { align16, layOutMesh, MAX_TRIANGLES } from './mesh-layout.js';
import type { MeshPart } from './mesh-parts.js';

/** Largest finite float32: stored coordinates stay below. */
const MAX_COORDINATE = 3.4028234663852886e38;

export type MeshInput = MeshArrays | GeometryLike;

export interface Vertices {
  readonly positions: NumberArray;
  readonly stride: number;
  readonly offset: number;
  readonly vertexCount: number;
  readonly name: string;
}

interface Source extends Vertices {
  readonly indices: NumberArray | undefined;
  readonly triangleCount: number;
  readonly namedParts: readonly MeshPart[];
}

export interface MeshOptions {
  readonly name?: string;
  /** Names of the parts of a geometry with groups, by material index. */
  readonly partNames?: readonly string[];
}

/** Checks everything but the range of float32; nothing is allocated before. */
export function readInput(input: MeshInput, options: MeshOptions = {}): Source {
  const source = describeInput(input, options);
  assertSound(source);
  return source;
}

/** Checks everything but the numbers themselves. */
export function describeInput(input: MeshInput, options: MeshOptions): Source {
  const { name: nameOption, partNames = [] } = options;
  if (typeof input !== 'object' || input === null) {
    throw new ImpingeError(
      'bad-input',
      `${label(typeof nameOption === 'string' ? nameOption : '')}: arrays or a geometry are needed, got ${shown(input)}`,
    );
  }
  const names = readNames(partNames);
  const geometry = 'attributes' in input ? readGeometry(input, names) : undefined;
  const arrays: MeshArrays = geometry ?? (input as MeshArrays);
  const name = nameOption ?? arrays.name ?? '';
  if (typeof name !== 'string') throw new ImpingeError('bad-input', 'the name of a mesh must be a string');
  const bad = (why: string, detail = {}) =>
    new ImpingeError('bad-input', `${label(name)}: ${why}`, { object: name, ...detail });
  const { stride = 3, offset = 0 } = arrays;
  const { positions: givenPositions, indices: givenIndices } = arrays;
  const positions = steady(givenPositions);
  const indices = givenIndices ? steady(givenIndices) : undefined;
  if (positions === undefined) throw bad('positions are missing');
  if (givenIndices && indices === undefined) throw bad('indices are not numbers');
  if (!Number.isInteger(stride) || stride < 3)
    throw bad(`stride ${shown(stride)} is not an integer of at least 3`);
  if (!Number.isInteger(offset) || offset < 0)
    throw bad(`offset ${shown(offset)} is not an integer of at least 0`);
  const room = positions.length - offset;
  if (!geometry && stride === 3 && room % 3 !== 0)
    throw bad(`${room} position numbers are not a multiple of 3`);
  const vertexCount = geometry?.vertexCount ?? verticesIn(room, stride);
  if (indices && indices.length % 3 !== 0) throw bad(`${indices.length} indices are not a multiple of 3`);
  if (!indices && vertexCount % 3 !== 0)
    throw bad(`${vertexCount} vertices without indices are not a multiple of 3`);
  const triangleCount = (indices ? indices.length : vertexCount) / 3;
  if (triangleCount === 0)
    throw new ImpingeError('empty-mesh', `${label(name)}: no triangles`, { object: name });
  if (triangleCount > MAX_TRIANGLES || vertexCount > MAX_TRIANGLES)
    throw bad(`more than ${MAX_TRIANGLES} triangles or vertices`);
  const namedParts = readParts(arrays.namedParts ?? [], triangleCount, bad);
  return { positions, stride, offset, vertexCount, indices, triangleCount, name, namedParts };
}

function readParts(
  namedParts: readonly MeshPart[],
  triangleCount: number,
  bad: (why: string) => ImpingeError,
): readonly MeshPart[] {
  if (!Array.isArray(namedParts)) throw bad('its named parts are not a list');
  return namedParts.map((part, i) => {
    const { name, first, count } = Object(part) as MeshPart;
    const sound =
      typeof name === 'string' &&
      Number.isInteger(first) &&
      Number.isInteger(count) &&
      first >= 0 &&
      count >= 0 &&
      first + count <= triangleCount;
    if (!sound) throw bad(`part ${i} is not a named range of its ${triangleCount} triangles`);
    return { name, first, count };
  });
}

function readNames(names: readonly string[]): readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new ImpingeError('bad-option', 'partNames must be a list of strings', { option: 'partNames' });
}

/** Checks every coordinate and every index. */
export function assertSound(source: Source): void {
  assertFinite(source);
  if (source.indices) assertInRange(source.indices, source.vertexCount, source.name);
}

/** Numbers that go into a mesh as they are: float32 about zero, and unsigned indices. */
export interface PlainSource extends Source {
  readonly positions: Float32Array;
  readonly indices: Uint32Array | Uint16Array;
}

export function isPlain(source: Source): source is PlainSource {
  const { positions, stride, offset, indices } = source;
  return (
    positions instanceof Float32Array &&
    stride === 3 &&
    offset === 0 &&
    positions.length === 3 * source.vertexCount &&
    (indices instanceof Uint32Array || indices instanceof Uint16Array)
  );
}

/** Lays out a mesh and copies the numbers, unchecked. Returns its byte offset; the caller owns it. */
export function copyPlain(owner: Arena, source: PlainSource): number {
  const block = layOutMesh(owner, source);
  owner.f32().set(source.positions, (block + MESH_HEADER_BYTES) >>> 2);
  owner.u32().set(source.indices, (block + align16(MESH_HEADER_BYTES + 12 * source.vertexCount)) >>> 2);
  return block;
}

export function assertFinite({ positions, stride, offset, vertexCount, name }: Vertices): void {
  for (let v = 0, at = offset; v < vertexCount; v++, at += stride) {
    // x − x is 0 for finite numbers, else NaN
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    if (x - x + (y - y) + (z - z) !== 0) {
      const axis = [x, y, z].findIndex((coordinate) => !Number.isFinite(coordinate));
      throw badVertex(name, v, axis, positions[at + axis], '');
    }
  }
}

/** Refuses float64 coordinates that float32 cannot hold. */
export function assertFits({ positions, stride, offset, vertexCount, name }: Vertices, origin: Vec3): void {
  for (let v = 0, at = offset; v < vertexCount; v++, at += stride) {
    for (let axis = 0; axis < 3; axis++) {
      if (!(Math.abs(positions[at + axis] - origin[axis]) <= MAX_COORDINATE)) {
        throw badVertex(name, v, axis, positions[at + axis], `, too large for float32`);
      }
    }
  }
}

function badVertex(name: string, vertex: number, axis: number, value: number, why: string): ImpingeError {
  const message = `${label(name)}: vertex ${vertex} has ${'xyz'[axis]} = ${value}${why}`;
  return new ImpingeError('non-finite', message, { object: name, vertex });
}

export function assertInRange(indices: NumberArray, vertexCount: number, name: string): void {
  for (let i = 0; i < indices.length; i++) {
    const v = indices[i];
    if (!(v >= 0 && v < vertexCount && Number.isInteger(v))) {
      const triangle = Math.floor(i / 3);
      throw new ImpingeError(
        'index-out-of-range',
        `${label(name)}: triangle ${triangle} refers to vertex ${v}, but there are ${vertexCount}`,
        { object: name, triangle, vertex: v },
      );
    }
  }
}

/** Zero where float32 is exact for every coordinate; else the box centre on a grid of the box's own magnitude. */
export function chooseOrigin(source: Vertices): [number, number, number] {
  const { positions, stride, offset, vertexCount } = source;
  if (positions instanceof Float32Array) return [0, 0, 0];
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  let exact = true;
  for (let v = 0, at = offset; v < vertexCount; v++, at += stride) {
    for (let k = 0; k < 3; k++) {
      const x = positions[at + k];
      if (exact && Math.fround(x) !== x) exact = false;
      if (x < min[k]) min[k] = x;
      if (x > max[k]) max[k] = x;
    }
  }
  if (exact) return [0, 0, 0];
  const size = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const largest = Math.max(...min.map(Math.abs), ...max.map(Math.abs));
  // float32 about zero is as good as it gets while the box is not far from the origin
  if (largest <= 2 * size || size === 0) return size === 0 ? [min[0], min[1], min[2]] : [0, 0, 0];
  const grid = 2 ** Math.floor(Math.log2(size));
  return [0, 1, 2].map((k) => Math.round((min[k] + max[k]) / 2 / grid) * grid) as [number, number, number];
}

export function copyPositions(source: Vertices, origin: Vec3, out: Float32Array): void {
  const { positions, stride, offset, vertexCount } = source;
  for (let v = 0, at = offset; v < vertexCount; v++, at += stride) {
    out[3 * v] = positions[at] - origin[0];
    out[3 * v + 1] = positions[at + 1] - origin[1];
    out[3 * v + 2] = positions[at + 2] - origin[2];
  }
}

export function copyIndices(indices: NumberArray | undefined, out: Uint32Array): void {
  if (indices) out.set(indices);
  else for (let i = 0; i < out.length; i++) out[i] = i;
}

/** Whether all of them are finite. */
export function isFinite32(positions: Float32Array): boolean {
  let strange = 0; // x − x is 0 for finite numbers, else NaN
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    strange += x - x + (y - y) + (z - z);
  }
  return strange === 0;
}
