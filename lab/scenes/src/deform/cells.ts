/** Cubes of cells for scenes with one part per cell. */

/** The smallest number whose cube is at least count. */
export function cubeSide(count: number): number {
  let side = 1;
  while (side ** 3 < count) side++;
  return side;
}

/** Coordinates of a cell by its number: x first, then z, then y, so that a cube that is not full is flat on top. */
export function cellOf(number: number, side: number): [x: number, y: number, z: number] {
  return [number % side, Math.floor(number / side ** 2), Math.floor(number / side) % side];
}
