/** The cells of a cubic lattice that a mesh passes through. */
import { boundsOf, type SceneMesh } from './scene-mesh.js';

export interface Lattice {
  /** Side of a cell. */
  readonly cellSize: number;
  /** The corner of cell (0, 0, 0) with the smallest coordinates, in the frame of the mesh. */
  readonly origin: readonly [x: number, y: number, z: number];
  /** Number of cells along each axis, occupied or not. */
  readonly size: readonly [nx: number, ny: number, nz: number];
  /** Three cell coordinates per occupied cell, sorted by z, then y, then x. */
  readonly cells: Uint32Array;
  /** The number of the occupied cell in which each vertex lies: the closed cell holds the vertex. */
  readonly cellOfVertex: Uint32Array;
}

/** Sample points per triangle side. */
const SAMPLES = 4;

/**
 * A lattice centred on the box of a mesh. The mesh must nowhere be thicker than a cell, and its triangles must be small
 * compared with one. Occupied are the cells of all vertices and of points spread over the triangles.
 */
export function latticeOf({ positions, indices }: SceneMesh, cellSize: number): Lattice {
  const bounds = boundsOf(positions);
  const size = [0, 1, 2].map((k) => Math.ceil((bounds[3 + k] - bounds[k]) / cellSize));
  const origin = size.map((n, k) => (bounds[k] + bounds[3 + k] - n * cellSize) / 2);
  const cellAt = (point: ArrayLike<number>): number => {
    const [x, y, z] = size.map((n, k) =>
      Math.max(0, Math.min(n - 1, Math.floor((point[k] - origin[k]) / cellSize))),
    );
    return x + size[0] * (y + size[1] * z);
  };

  const occupied = new Set<number>();
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[t + k], 3 * indices[t + k] + 3));
    for (let i = 0; i <= SAMPLES; i++) {
      for (let j = 0; i + j <= SAMPLES; j++) {
        const k = SAMPLES - i - j;
        occupied.add(cellAt([0, 1, 2].map((axis) => (i * a[axis] + j * b[axis] + k * c[axis]) / SAMPLES)));
      }
    }
  }
  const sorted = [...occupied].sort((a, b) => a - b);
  const numberOf = new Map(sorted.map((cell, number) => [cell, number]));
  return {
    cellSize,
    origin: [origin[0], origin[1], origin[2]],
    size: [size[0], size[1], size[2]],
    cells: Uint32Array.from(
      sorted.flatMap((cell) => {
        const row = Math.floor(cell / size[0]);
        return [cell % size[0], row % size[1], Math.floor(row / size[1])];
      }),
    ),
    cellOfVertex: Uint32Array.from(
      { length: positions.length / 3 },
      (_, v) => numberOf.get(cellAt(positions.subarray(3 * v, 3 * v + 3)))!,
    ),
  };
}
