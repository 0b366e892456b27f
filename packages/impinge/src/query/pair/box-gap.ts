/** How boxes lie to each other: six numbers each, minimum and maximum, at a position in an array. */

/** The squared distance of two boxes; 0 where they touch or overlap. */
export function gapSqOfBoxes(a: Float64Array, ao: number, b: Float64Array, bo: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) {
    const gap = Math.max(0, a[ao + k] - b[bo + 3 + k], b[bo + k] - a[ao + 3 + k]);
    sum += gap * gap;
  }
  return sum;
}

export function gapOfBoxes(a: Float64Array, ao: number, b: Float64Array, bo: number): number {
  return Math.sqrt(gapSqOfBoxes(a, ao, b, bo));
}

/** How far two boxes reach into each other: the least over the axes; not above 0 where they are apart or touch. */
export function sharedDepth(a: Float64Array, b: Float64Array): number {
  let depth = Infinity;
  for (let k = 0; k < 3; k++) depth = Math.min(depth, a[3 + k] - b[k], b[3 + k] - a[k]);
  return depth;
}
