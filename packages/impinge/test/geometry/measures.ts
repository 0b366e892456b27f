/** The largest side of the box of some points, and their largest coordinate: what errors are relative to. */
export function extentOf(coordinates: ArrayLike<number>): number {
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < coordinates.length; i += 3) {
      low = Math.min(low, coordinates[i]);
      high = Math.max(high, coordinates[i]);
    }
    extent = Math.max(extent, high - low);
  }
  return extent;
}

export function magnitudeOf(coordinates: ArrayLike<number>): number {
  let magnitude = 0;
  for (let i = 0; i < coordinates.length; i++) magnitude = Math.max(magnitude, Math.abs(coordinates[i]));
  return magnitude;
}
