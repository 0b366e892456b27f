/**
 * Convex hulls as the kernels read them, and the points of their difference.
 *
 * Layout of a hull: rows x, y, z of float32, `stride` numbers each, `stride` even; padding repeats a vertex. A corner
 * of the difference a − b: the difference x, y, z, then its points of a and b, all float64 in a's frame, then the
 * numbers of the two vertices.
 */

/** Fields of a query: see src/query/contact-levels/hull-pair.ts. */
// host: Q.* = P_*
// host: PAIR_BYTES
export const P_HULL_A: usize = 0;
export const P_HULL_B: usize = 4;
export const P_STRIDE_A: usize = 8;
export const P_STRIDE_B: usize = 12;
/** From b's frame to a's: see math/pose.ts. */
export const P_POSE: usize = 16;
/** Above this distance, the exact value is not needed. */
export const P_FAR: usize = 112;
/** Maximum rounding of distances. */
export const P_ROUNDING: usize = 120;
/** The start, and after the query the end of the search: the number of pairs of vertices, and these. */
export const P_CORNERS: usize = 128;
export const P_PAIRS: usize = 132;
/** Answers: bounds of the distance (negative: of the depth), a unit vector from a to b, the closest points. */
export const P_LOWER: usize = 152;
export const P_UPPER: usize = 160;
export const P_NORMAL: usize = 168;
export const P_POINT_A: usize = 192;
export const P_POINT_B: usize = 216;
export const PAIR_BYTES: usize = 240;

/** Fields of a corner. */
export const C_A: usize = 24;
export const C_B: usize = 48;
export const C_IDS: usize = 72;

/** The number of the vertex farthest along a direction; ties are broken in a fixed way. */
export function farthest(hull: usize, stride: u32, dx: f64, dy: f64, dz: f64): u32 {
  const row = <usize>stride << 2;
  const x = f64x2.splat(dx), y = f64x2.splat(dy), z = f64x2.splat(dz);
  let best = f64x2.splat(-Infinity);
  let where = i64x2.splat(0);
  let here = i64x2(0, 1);
  const step = i64x2.splat(2);
  const end = hull + row;
  for (let at = hull; at < end; at += 8) {
    const px = f64x2.promote_low_f32x4(v128.load64_zero(at));
    const py = f64x2.promote_low_f32x4(v128.load64_zero(at + row));
    const pz = f64x2.promote_low_f32x4(v128.load64_zero(at + 2 * row));
    const along = f64x2.add(f64x2.add(f64x2.mul(px, x), f64x2.mul(py, y)), f64x2.mul(pz, z));
    const more = f64x2.gt(along, best);
    best = v128.bitselect(along, best, more);
    where = v128.bitselect(here, where, more);
    here = i64x2.add(here, step);
  }
  const first = f64x2.extract_lane(best, 0), second = f64x2.extract_lane(best, 1);
  const i = <u32>i64x2.extract_lane(where, 0), j = <u32>i64x2.extract_lane(where, 1);
  return second > first || (second == first && j < i) ? j : i;
}

/** Writes the corner of two vertices. */
export function writeCorner(pair: usize, corner: usize, i: u32, j: u32): void {
  const a: usize = load<u32>(pair, P_HULL_A) + (<usize>i << 2);
  const rowA: usize = <usize>load<u32>(pair, P_STRIDE_A) << 2;
  const b: usize = load<u32>(pair, P_HULL_B) + (<usize>j << 2);
  const rowB: usize = <usize>load<u32>(pair, P_STRIDE_B) << 2;
  const ax: f64 = load<f32>(a), ay: f64 = load<f32>(a + rowA), az: f64 = load<f32>(a + 2 * rowA);
  const lx: f64 = load<f32>(b), ly: f64 = load<f32>(b + rowB), lz: f64 = load<f32>(b + 2 * rowB);
  const p = pair + P_POSE;
  const bx = load<f64>(p) * lx + load<f64>(p, 8) * ly + load<f64>(p, 16) * lz + load<f64>(p, 72);
  const by = load<f64>(p, 24) * lx + load<f64>(p, 32) * ly + load<f64>(p, 40) * lz + load<f64>(p, 80);
  const bz = load<f64>(p, 48) * lx + load<f64>(p, 56) * ly + load<f64>(p, 64) * lz + load<f64>(p, 88);
  store<f64>(corner, ax - bx);
  store<f64>(corner, ay - by, 8);
  store<f64>(corner, az - bz, 16);
  store<f64>(corner, ax, C_A);
  store<f64>(corner, ay, C_A + 8);
  store<f64>(corner, az, C_A + 16);
  store<f64>(corner, bx, C_B);
  store<f64>(corner, by, C_B + 8);
  store<f64>(corner, bz, C_B + 16);
  store<u32>(corner, i, C_IDS);
  store<u32>(corner, j, C_IDS + 4);
}

/** Writes the corner of the difference that is farthest along a direction. */
export function writeFarthest(pair: usize, corner: usize, x: f64, y: f64, z: f64): void {
  const p = pair + P_POSE;
  const i = farthest(load<u32>(pair, P_HULL_A), load<u32>(pair, P_STRIDE_A), x, y, z);
  const j = farthest(
    load<u32>(pair, P_HULL_B),
    load<u32>(pair, P_STRIDE_B),
    -(load<f64>(p) * x + load<f64>(p, 24) * y + load<f64>(p, 48) * z),
    -(load<f64>(p, 8) * x + load<f64>(p, 32) * y + load<f64>(p, 56) * z),
    -(load<f64>(p, 16) * x + load<f64>(p, 40) * y + load<f64>(p, 64) * z),
  );
  writeCorner(pair, corner, i, j);
}

/** Whether two corners have the same vertices. */
export function sameCorner(one: usize, other: usize): bool {
  return load<u64>(one, C_IDS) == load<u64>(other, C_IDS);
}
