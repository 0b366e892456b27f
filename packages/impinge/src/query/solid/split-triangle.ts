/**
 * Cuts a triangle along segments that lie in it, so that no piece has a segment running through it: every piece then
 * lies inside, outside or on another surface as a whole.
 *
 * Idea: a convex piece that a segment runs through is cut in two along the segment's line. Lines are followed to the
 * border of the piece only, so a curve of n segments makes about n pieces.
 * Errs: rounding may leave slivers or move a cut by `slack`.
 */

/**
 * The convex pieces of the triangle (nine numbers), each as its corners around it. `segments` holds six numbers
 * each. Lengths below `slack` count as nothing.
 */
export function splitTriangle(corners: Float64Array, segments: Float64Array, slack: number): number[][] {
  const normal = crossOfEdges(corners);
  const size = Math.hypot(...normal);
  if (size === 0) return [];
  for (let k = 0; k < 3; k++) normal[k] /= size;
  let pieces: number[][] = [Array.from(corners)];
  for (let s = 0; s < segments.length; s += 6) {
    const segment = segments.subarray(s, s + 6);
    const length = Math.hypot(segment[3] - segment[0], segment[4] - segment[1], segment[5] - segment[2]);
    if (length <= slack) continue;
    const left = cross(
      normal,
      [0, 1, 2].map((k) => (segment[3 + k] - segment[k]) / length),
    );
    pieces = pieces.flatMap((piece) =>
      runsThrough(piece, segment, normal, slack) ? cut(piece, segment, left, slack) : [piece],
    );
  }
  return pieces;
}

/** Whether more than `slack` of the segment lies strictly within a convex piece. */
function runsThrough(
  piece: readonly number[],
  segment: Float64Array,
  normal: readonly number[],
  slack: number,
): boolean {
  let from = 0;
  let to = 1;
  for (let i = 0; i < piece.length; i += 3) {
    const j = (i + 3) % piece.length;
    const edge = [piece[j] - piece[i], piece[j + 1] - piece[i + 1], piece[j + 2] - piece[i + 2]];
    const length = Math.hypot(...edge);
    if (length === 0) continue;
    const inward = cross(normal, edge);
    let start = -slack;
    let end = -slack;
    for (let k = 0; k < 3; k++) {
      start += (inward[k] / length) * (segment[k] - piece[i + k]);
      end += (inward[k] / length) * (segment[3 + k] - piece[i + k]);
    }
    if (start <= 0 && end <= 0) return false;
    if (start < 0) from = Math.max(from, start / (start - end));
    if (end < 0) to = Math.min(to, start / (start - end));
  }
  const length = Math.hypot(segment[3] - segment[0], segment[4] - segment[1], segment[5] - segment[2]);
  return (to - from) * length > slack;
}

function cut(
  piece: readonly number[],
  segment: Float64Array,
  left: readonly number[],
  slack: number,
): number[][] {
  const sides: number[] = [];
  for (let i = 0; i < piece.length; i += 3) {
    const side =
      left[0] * (piece[i] - segment[0]) +
      left[1] * (piece[i + 1] - segment[1]) +
      left[2] * (piece[i + 2] - segment[2]);
    sides.push(Math.abs(side) <= slack ? 0 : side);
  }
  const above: number[] = [];
  const below: number[] = [];
  for (let i = 0; i < sides.length; i++) {
    const j = (i + 1) % sides.length;
    const corner = piece.slice(3 * i, 3 * i + 3);
    if (sides[i] >= 0) above.push(...corner);
    if (sides[i] <= 0) below.push(...corner);
    if (sides[i] * sides[j] < 0) {
      const t = sides[i] / (sides[i] - sides[j]);
      const point = corner.map((x, k) => x + t * (piece[3 * j + k] - x));
      above.push(...point);
      below.push(...point);
    }
  }
  return [above, below].filter((part) => part.length >= 9);
}

function crossOfEdges(t: Float64Array): number[] {
  return cross(
    [0, 1, 2].map((k) => t[3 + k] - t[k]),
    [0, 1, 2].map((k) => t[6 + k] - t[k]),
  );
}

function cross(u: readonly number[], v: readonly number[]): number[] {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}
