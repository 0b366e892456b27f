/** Unit quaternions x, y, z, w, with w at least 0. */

/** Of a rotation, row by row; the largest of its numbers is computed first, so that none is divided by little. */
export function quaternionOf(r: readonly number[]): number[] {
  const squares = [
    1 + r[0] - r[4] - r[8],
    1 - r[0] + r[4] - r[8],
    1 - r[0] - r[4] + r[8],
    1 + r[0] + r[4] + r[8],
  ];
  const most = squares.indexOf(Math.max(...squares));
  const size = Math.sqrt(squares[most]);
  const [x, y, z] = [r[7] - r[5], r[2] - r[6], r[3] - r[1]];
  const [xy, xz, yz] = [r[1] + r[3], r[2] + r[6], r[5] + r[7]];
  const rows = [
    [squares[0], xy, xz, x],
    [xy, squares[1], yz, y],
    [xz, yz, squares[2], z],
    [x, y, z, squares[3]],
  ];
  const q = rows[most].map((entry) => (0.5 * entry) / size);
  const length = Math.hypot(...q) * (q[3] < 0 ? -1 : 1);
  return q.map((entry) => entry / length);
}
