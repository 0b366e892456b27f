/** The walking body: upright, its feet at the origin. */
import { Mesh } from 'impinge';

const SIDES = 12;
/**
 * Radius and height of each ring, in radii: from the foot up, from the head down. Feet are flat, so that they can stand
 * on an edge; the slope of their rim counts as floor, so that small bumps do not block.
 */
const FOOT = [
  [0.75, 0],
  [1, 0.25],
];
const HEAD = [
  [1, 1],
  [0.71, 0.29],
];

/** No point is farther than `radius` from its axis, below 0 or above `height`. */
export function personMesh(radius: number, height: number): Mesh {
  if (!(radius > 0 && height >= 2 * radius && height < Infinity)) {
    throw new Error(`a body must be at least as high as wide: radius ${radius}, height ${height}`);
  }
  const rings = [
    ...FOOT.map(([wide, up]) => [wide * radius, up * radius]),
    ...HEAD.map(([wide, down]) => [wide * radius, height - down * radius]),
  ];
  const positions: number[] = [0, 0, 0];
  for (const [wide, z] of rings) {
    for (let side = 0; side < SIDES; side++) {
      const angle = (2 * Math.PI * side) / SIDES;
      positions.push(wide * Math.cos(angle), wide * Math.sin(angle), z);
    }
  }
  positions.push(0, 0, height);
  const indices: number[] = [];
  const last = positions.length / 3 - 1;
  for (let side = 0; side < SIDES; side++) {
    const next = (side + 1) % SIDES;
    indices.push(0, 1 + next, 1 + side);
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      const [low, high] = [1 + ring * SIDES, 1 + (ring + 1) * SIDES];
      indices.push(low + side, low + next, high + next, low + side, high + next, high + side);
    }
    indices.push(last, last - SIDES + side, last - SIDES + next);
  }
  return Mesh.from({ positions, indices, name: 'person' });
}
