/** Tests boxes of trees against each other (layout: layout.ts). Boxes are closed: touching ones meet. */

/** Which lanes of the block at `b` meet the lane at `a`. */
// @ts-ignore: decorator
@inline export function overlaps4(a: usize, b: usize): u32 {
  const x = v128.and(f32x4.le(v128.load32_splat(a), v128.load(b, 48)), f32x4.le(v128.load(b), v128.load32_splat(a, 48)));
  const y = v128.and(f32x4.le(v128.load32_splat(a, 16), v128.load(b, 64)), f32x4.le(v128.load(b, 16), v128.load32_splat(a, 64)));
  const z = v128.and(f32x4.le(v128.load32_splat(a, 32), v128.load(b, 80)), f32x4.le(v128.load(b, 32), v128.load32_splat(a, 80)));
  return i32x4.bitmask(v128.and(v128.and(x, y), z));
}

/** Bit 4 i + j: lane i of the block at `a` meets lane j of the block at `b`. */
export function overlaps16(a: usize, b: usize): u32 {
  return overlaps4(a, b) | (overlaps4(a + 4, b) << 4) | (overlaps4(a + 8, b) << 8) | (overlaps4(a + 12, b) << 12);
}
