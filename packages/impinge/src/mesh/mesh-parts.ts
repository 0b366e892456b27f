/** Parts of a mesh with names: the groups of a geometry, each for a material of its own. */

/** A run of triangles: `count` of them from triangle `first` on. */
export interface MeshPart {
  readonly name: string;
  readonly first: number;
  readonly count: number;
}

/** The first part that a triangle belongs to, if any. */
export function partAt(parts: readonly MeshPart[], triangle: number): MeshPart | undefined {
  return parts.find(({ first, count }) => triangle >= first && triangle < first + count);
}

/** The same parts where only some triangles are left: `kept` has their old numbers, rising. */
export function partsAmong(parts: readonly MeshPart[], kept: Uint32Array): MeshPart[] {
  return parts.map(({ name, first, count }) => {
    const from = lowerBound(kept, first);
    return { name, first: from, count: lowerBound(kept, first + count) - from };
  });
}

/** The count of ascending numbers below a bound. */
function lowerBound(numbers: Uint32Array, bound: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
