/**
 * Things that come, go, move, deform, grow and hide, and brute force about them.
 *
 * Every coordinate is a multiple of 1/4, before and after any pose: float64 holds all of them, faces and edges touch
 * all the time, and brute force decides about the very same numbers.
 */
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';

export type Random = () => number;
export const below = (random: Random, n: number) => Math.floor(n * random());

/** Surfaces of few triangles: an octahedron, a tetrahedron, a cube, a square and a roof. */
const SHAPES = [
  {
    positions: [2, 0, 0, -2, 0, 0, 0, 2, 0, 0, -2, 0, 0, 0, 2, 0, 0, -2],
    indices: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
  },
  { positions: [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3], indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] },
  {
    positions: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [2 * (i & 1), i & 2, (i & 4) / 2]),
    indices: [
      0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
      5,
    ],
  },
  { positions: [-3, -3, 0, 3, -3, 0, 3, 3, 0, -3, 3, 0], indices: [0, 1, 2, 0, 2, 3] },
  {
    positions: [-2, 0, 1, 2, 0, 1, -2, 2, 0, 2, 2, 0, -2, -2, 0, 2, -2, 0],
    indices: [0, 1, 3, 0, 3, 2, 4, 5, 1, 4, 1, 0],
  },
];

export function someMesh(random: Random): Mesh {
  const { positions, indices } = SHAPES[below(random, SHAPES.length)];
  return Mesh.from({ positions: positions.map((x) => x / 4), indices });
}

/** Moves all vertices of a mesh a little, or one far away. */
export function deform(mesh: Mesh, random: Random): void {
  const positions = Float64Array.from(mesh.positions, (x, i) => x + mesh.origin[i % 3]);
  const isOne = random() < 0.5;
  const one = 3 * below(random, mesh.vertexCount);
  for (let i = 0; i < positions.length; i++) {
    if (!isOne) positions[i] += (below(random, 3) - 1) / 4;
    else if (i >= one && i < one + 3) positions[i] = (below(random, 25) - 12) / 4;
  }
  mesh.setPositions(positions);
}

/** One of the 24 rotations onto the axes, nine entries row by row. */
function someTurn(random: Random): number[] {
  const order = [0, 1, 2];
  for (let i = 2; i > 0; i--) {
    const j = below(random, i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  const signs = order.map((): number => (random() < 0.5 ? -1 : 1));
  const isOdd = (order[0] > order[1] ? 1 : 0) + (order[0] > order[2] ? 1 : 0) + (order[1] > order[2] ? 1 : 0);
  if (signs[0] * signs[1] * signs[2] * (isOdd % 2 === 1 ? -1 : 1) < 0) signs[0] = -signs[0];
  return order.flatMap((column, row) => [0, 1, 2].map((k) => (k === column ? signs[row] : 0)));
}

/** Sixteen numbers by columns: a turn, a scale of 1 unless there may be others, a place. */
export function someMatrix(random: Random, scales: readonly number[] = [1], room = 2.5): number[] {
  const turn = someTurn(random);
  const scale = scales[below(random, scales.length)];
  const place = [0, 1, 2].map(() => below(random, 4 * room) / 4);
  return [
    ...[0, 1, 2].flatMap((k) => [turn[k], turn[3 + k], turn[6 + k], 0].map((x) => x * scale)),
    ...place,
    1,
  ];
}

/** The corners of all triangles in the world, nine numbers each. */
export function cornersOf(mesh: Mesh, m: ArrayLike<number>): Float64Array {
  const { positions, indices, origin } = mesh;
  const out = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const [x, y, z] = [0, 1, 2].map((k) => positions[3 * indices[i] + k] + origin[k]);
    for (let k = 0; k < 3; k++) out[3 * i + k] = m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k];
  }
  return out;
}

/** The pairs of triangles that meet, or whose distance is at most that; flat and sorted. */
export function pairsOf(a: Float64Array, b: Float64Array, distance: number): number[] {
  const pairs: number[] = [];
  for (let i = 0; i < a.length; i += 9) {
    for (let j = 0; j < b.length; j += 9) {
      const isNear =
        intersectsTriangleTriangle(a, i, b, j) ||
        (distance > 0 && distanceSqTriangleTriangle(a, i, b, j) <= distance * distance);
      if (isNear) pairs.push(i / 9, j / 9);
    }
  }
  return pairs;
}

/** How far two surfaces are apart. */
export function gapOf(a: Float64Array, b: Float64Array): number {
  let least = Infinity;
  for (let i = 0; i < a.length; i += 9) {
    for (let j = 0; j < b.length; j += 9) {
      if (intersectsTriangleTriangle(a, i, b, j)) return 0;
      least = Math.min(least, distanceSqTriangleTriangle(a, i, b, j));
    }
  }
  return Math.sqrt(least);
}
