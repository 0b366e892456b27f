/** Solids that zones are made of: closed meshes in the world, and how far one gets in them. */

/** Half-spaces and an affine function: how far a point is from the object, in the direction of the zone. */
export interface ZoneCell {
  /** Four numbers each: normal · p ≤ offset. */
  readonly planes: readonly number[];
  /** Times x, y, z, and a constant. */
  readonly length: readonly number[];
  /** A point in the middle of where it begins. */
  readonly base: readonly number[];
}

export interface ZonePart {
  /** Float64, three per corner. */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** Convex; together they are the solid. */
  readonly cells: readonly ZoneCell[];
  /** How far facets may be from the curve that they stand for. */
  readonly curveError: number;
}

/**
 * A prism over a convex polygon that is seen counter-clockwise from the tips of its sides. `sides` leads from each
 * corner of the base to that of the top, and `length` measures from where the zone begins, at the point `begin`.
 */
export function convexPrism(
  base: readonly (readonly number[])[],
  side: readonly number[],
  length: readonly number[],
  begin: readonly number[],
  curveError = 0,
): ZonePart {
  const count = base.length;
  const top = base.map((p) => p.map((x, k) => x + side[k]));
  const positions = Float64Array.from([...base, ...top].flat());
  const indices: number[] = [];
  const planes: number[] = [];
  const normal = cross(minus(base[1], base[0]), minus(base[2], base[0]));
  planes.push(
    ...planeAt(normal, top[0]),
    ...planeAt(
      normal.map((x) => -x),
      base[0],
    ),
  );
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    indices.push(i, j, count + j, i, count + j, count + i);
    planes.push(...planeAt(cross(minus(base[j], base[i]), side), base[i]));
    if (i > 1) indices.push(0, i, i - 1, count, count + i - 1, count + i);
  }
  return {
    positions,
    indices: Uint32Array.from(indices),
    cells: [{ planes, length, base: begin }],
    curveError,
  };
}

/** The plane through a point, with a normal of length 1. */
export function planeAt(normal: readonly number[], point: ArrayLike<number>): number[] {
  const size = Math.hypot(normal[0], normal[1], normal[2]);
  const [x, y, z] = normal.map((n) => n / size);
  return [x, y, z, x * point[0] + y * point[1] + z * point[2]];
}

/** The part of a triangle (nine numbers) in a cell: the corners of a polygon, three numbers each. */
export function clippedTo({ planes }: ZoneCell, triangle: ArrayLike<number>): number[] {
  let polygon = Array.from(triangle);
  for (let at = 0; at < planes.length && polygon.length > 0; at += 4) {
    const [a, b, c, d] = planes.slice(at, at + 4);
    const over = (i: number) => a * polygon[i] + b * polygon[i + 1] + c * polygon[i + 2] - d;
    const kept: number[] = [];
    for (let i = 0; i < polygon.length; i += 3) {
      const j = (i + 3) % polygon.length;
      const [p, q] = [over(i), over(j)];
      if (p <= 0) kept.push(polygon[i], polygon[i + 1], polygon[i + 2]);
      if (p < 0 === q > 0 && p !== 0 && q !== 0) {
        const t = p / (p - q);
        for (let k = 0; k < 3; k++) kept.push(polygon[i + k] + t * (polygon[j + k] - polygon[i + k]));
      }
    }
    polygon = kept;
  }
  return polygon;
}

export function cross(u: readonly number[], v: readonly number[]): number[] {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function minus(p: readonly number[], q: readonly number[]): number[] {
  return [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
}
