/** The inputs of a mesh, kept to detect changes: attributes are compared by identity and version, as three.js does. */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** A change in any of these requires a new mesh. */
export interface Topology {
  readonly position: Attribute | undefined;
  readonly index: BufferAttribute | null;
  readonly indexVersion: number;
  /** The draw range, in indices, or in vertices where there is no index. */
  readonly start: number;
  readonly count: number;
}

/** A part of the indices of a geometry. */
export interface Range {
  readonly start: number;
  readonly count: number;
}

export function topologyOf({ attributes, index }: BufferGeometry, { start, count }: Range): Topology {
  return { position: attributes['position'], index, indexVersion: index?.version ?? 0, start, count };
}

export function isTopologyOf(known: Topology, { attributes, index }: BufferGeometry, range: Range): boolean {
  return (
    known.position === attributes['position'] &&
    known.index === index &&
    known.indexVersion === (index?.version ?? 0) &&
    known.start === range.start &&
    known.count === range.count
  );
}

/** Counts the changes that were announced by `needsUpdate`. */
export function versionOf(attribute: Attribute | undefined): number {
  if (attribute === undefined) return 0;
  return 'data' in attribute ? attribute.data.version : attribute.version;
}

/** The decoded positions of some vertices. */
export function positionsOf(
  attribute: Attribute,
  first = 0,
  count = attribute.count,
): Float32Array | Float64Array {
  const { array } = attribute;
  const plain = !('data' in attribute) && attribute.itemSize === 3 && array instanceof Float32Array;
  if (plain) return array.subarray(3 * first, 3 * (first + count));
  const numbers = new Float64Array(3 * count);
  for (let v = 0; v < count; v++) {
    numbers[3 * v] = attribute.getX(first + v);
    numbers[3 * v + 1] = attribute.getY(first + v);
    numbers[3 * v + 2] = attribute.getZ(first + v);
  }
  return numbers;
}
