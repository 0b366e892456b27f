/** A point turned by a unit quaternion x, y, z, w. */
export function turned(
  p: ArrayLike<number>,
  [x, y, z, w]: readonly [number, number, number, number],
): [number, number, number] {
  const [px, py, pz] = [p[0], p[1], p[2]];
  const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
  return [px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx];
}
