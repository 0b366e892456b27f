/**
 * The extent of points along a direction: rows x, y, z of float32, `stride` numbers each, a multiple of 4.
 * Errs: float32, by less than 2⁻²¹ of the largest |x| + |y| + |z|, either way: each of three products and two sums, and
 * the direction itself, is off by at most 2⁻²⁴ of it.
 */
export function farthestAlong(points: usize, stride: u32, x: f32, y: f32, z: f32): f32 {
  const row = <usize>stride << 2;
  const dx = f32x4.splat(x), dy = f32x4.splat(y), dz = f32x4.splat(z);
  let most = f32x4.splat(-Infinity);
  const end = points + row;
  for (let at = points; at < end; at += 16) {
    const along = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at), dx), f32x4.mul(v128.load(at + row), dy)),
      f32x4.mul(v128.load(at + 2 * row), dz),
    );
    most = f32x4.pmax(most, along);
  }
  return max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
}
