/**
 * The slab between two triangles that are apart: its normal, and how wide it is.
 *
 * The line between the closest points is its normal, but where they are almost in contact that line is known to few
 * digits, and over a large triangle a small error costs the whole width. What the closest points lie on gives it to
 * all digits: a face its normal, two edges their cross product, one edge a direction it is at right angles to.
 * Errs: the width is measured along the normal as it is, at all six corners, so that it never is too large.
 */

/** Edges at a smaller angle than this count as parallel. */
const PARALLEL_SQ = 1e-20;
/** Squares below this have lost digits to underflow. */
const SHORT_SQ = 1e-290;

/**
 * Writes the unit normal, from the triangle at pair[0] to that at pair[9], of the wider of two slabs, and returns the
 * width, which is negative when rounding leaves none. `witness` is what distanceSqTriangleTriangle wrote.
 */
export function writeSlab(pair: Float64Array, witness: Float64Array, out: Float64Array): number {
  let nx = witness[3] - witness[0];
  let ny = witness[4] - witness[1];
  let nz = witness[5] - witness[2];
  const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
  nx *= scale;
  ny *= scale;
  nz *= scale;
  const width = widthAlong(pair, nx, ny, nz);
  writeFeatureNormal(pair, witness[6], witness[7], nx, ny, nz, out);
  normalise(out, out[0] * nx + out[1] * ny + out[2] * nz < 0 ? -1 : 1);
  const refined = widthAlong(pair, out[0], out[1], out[2]);
  if (refined > width) return refined; // NaN is not
  out[0] = nx;
  out[1] = ny;
  out[2] = nz;
  return width;
}

/** Directions along which triangles can be apart: two faces, six edges within their planes, nine pairs of edges. */
export const SLABS = 17;

/**
 * The same for one of those, by its number: it may be thinner than the widest, and last longer. NaN where there is
 * none.
 */
export function writeOneSlab(pair: Float64Array, slab: number, out: Float64Array): number {
  if (slab < 2) writeCross(pair, 9 * slab, 9 * slab + 3, 9 * slab, 9 * slab + 6, out);
  else if (slab < 8) {
    const o = slab < 5 ? 0 : 9;
    const [p, q] = edgeOf(3 + ((slab - 2) % 3), o);
    writeCross(pair, o, o + 3, o, o + 6, out);
    const [x, y, z] = out;
    const ex = pair[q] - pair[p];
    const ey = pair[q + 1] - pair[p + 1];
    const ez = pair[q + 2] - pair[p + 2];
    out[0] = ey * z - ez * y;
    out[1] = ez * x - ex * z;
    out[2] = ex * y - ey * x;
  } else {
    const [a0, a1] = edgeOf(3 + Math.floor((slab - 8) / 3), 0);
    const [b0, b1] = edgeOf(3 + ((slab - 8) % 3), 9);
    writeCross(pair, a0, a1, b0, b1, out);
  }
  normalise(out, 1);
  const width = widthAlong(pair, out[0], out[1], out[2]);
  if (width >= 0) return width;
  for (let k = 0; k < 3; k++) out[k] = -out[k];
  return widthAlong(pair, out[0], out[1], out[2]);
}

/** Features as distanceSqTriangleTriangle numbers them: corners 0 … 2, edges 3 … 5, the face 6. */
function writeFeatureNormal(
  pair: Float64Array,
  featureA: number,
  featureB: number,
  nx: number,
  ny: number,
  nz: number,
  out: Float64Array,
): void {
  out[0] = nx;
  out[1] = ny;
  out[2] = nz;
  if (featureA === 6 || featureB === 6) {
    const o = featureA === 6 ? 0 : 9;
    writeCross(pair, o, o + 3, o, o + 6, out);
    return;
  }
  if (featureA >= 3 && featureB >= 3) {
    const [a0, a1] = edgeOf(featureA, 0);
    const [b0, b1] = edgeOf(featureB, 9);
    if (writeCross(pair, a0, a1, b0, b1, out)) return;
    out[0] = nx;
    out[1] = ny;
    out[2] = nz;
  }
  if (featureA < 3 && featureB < 3) return;
  const [p, q] = featureA >= 3 ? edgeOf(featureA, 0) : edgeOf(featureB, 9);
  const ex = pair[q] - pair[p];
  const ey = pair[q + 1] - pair[p + 1];
  const ez = pair[q + 2] - pair[p + 2];
  const share = (nx * ex + ny * ey + nz * ez) / (ex * ex + ey * ey + ez * ez);
  out[0] -= share * ex;
  out[1] -= share * ey;
  out[2] -= share * ez;
}

/** Gives a vector the length 1; NaN where it is too short to have a direction. */
function normalise(v: Float64Array, sign: number): void {
  const lengthSq = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const scale = lengthSq > SHORT_SQ ? sign / Math.sqrt(lengthSq) : Number.NaN;
  for (let k = 0; k < 3; k++) v[k] *= scale;
}

/** Where the ends of an edge of the triangle at `o` lie. */
function edgeOf(feature: number, o: number): readonly [number, number] {
  return [o + 3 * (feature - 3), feature === 5 ? o : o + 3 * (feature - 2)];
}

/** Writes (p1 − p0) × (q1 − q0); false when they are as good as parallel. */
function writeCross(
  v: Float64Array,
  p0: number,
  p1: number,
  q0: number,
  q1: number,
  out: Float64Array,
): boolean {
  const ax = v[p1] - v[p0];
  const ay = v[p1 + 1] - v[p0 + 1];
  const az = v[p1 + 2] - v[p0 + 2];
  const bx = v[q1] - v[q0];
  const by = v[q1 + 1] - v[q0 + 1];
  const bz = v[q1 + 2] - v[q0 + 2];
  const x = (out[0] = ay * bz - az * by);
  const y = (out[1] = az * bx - ax * bz);
  const z = (out[2] = ax * by - ay * bx);
  return x * x + y * y + z * z > PARALLEL_SQ * (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
}

function widthAlong(pair: Float64Array, nx: number, ny: number, nz: number): number {
  return -farthest(pair, 9, -nx, -ny, -nz) - farthest(pair, 0, nx, ny, nz);
}

/** How far the triangle at t[o] reaches along n. */
export function farthest(t: Float64Array, o: number, nx: number, ny: number, nz: number): number {
  return Math.max(
    t[o] * nx + t[o + 1] * ny + t[o + 2] * nz,
    t[o + 3] * nx + t[o + 4] * ny + t[o + 5] * nz,
    t[o + 6] * nx + t[o + 7] * ny + t[o + 8] * nz,
  );
}
