/**
 * A lower bound of the distance of the boxes around the originals of two nodes.
 *
 * Layout of a box: rows of four float32 (the last 0): x, y and z of its three axes, unit vectors at right angles; half
 * extents; then the centre and the sum of the half extents, float64.
 * Bound: along the axes of one box, the gaps to an enclosure of the other are at right angles, so their squares add up.
 * Along the axes of a that holds for any linear motion of b. Along those of b, moved, it holds as far as the motion is
 * rigid: with |RᵀR − I| ≤ e in every entry, axes have lengths and angles off by 3 e, gaps by that share of the lengths
 * in them, three of them; `skew` is more than that.
 * Rounding: centres are subtracted in float64. With e = 2⁻²⁴, cosines between axes are off by less than 16 e (two
 * matrix products, and the rounding of axes to float32), so a gap by less than 48 e of the distance of the centres and
 * 16 e of all half extents, and the root of three squares by √3 of that. SLACK is more.
 */
import { N_BOX, N_BOX_OUT } from './dual';
import { MATRIX, scratch } from './scratch';

const B_Y: usize = 16;
const B_Z: usize = 32;
const B_HALF: usize = 48;
const B_CENTRE: usize = 64;
const B_EXTENTS: usize = 88;
const SLACK: f64 = 8e-6;

/** Bound of the rounding of the last answer. */
export let slack: f64 = 0;
/** The node of a whose axes, in b's frame, are in the work space. */
let turned: usize = 0;

/** Must be called when a query starts or resumes. */
export function forgetAxes(): void { turned = 0; }

/**
 * `pose`: rows of the rotation and the translation, float64; `rotation`: the rotation as float32. Above `far`, the
 * bound need not be tight.
 */
export function boxesApart(
  dualA: usize, a: usize, dualB: usize, b: usize, pose: usize, rotation: usize, skew: f64, rounding: f64, far: f64,
): f64 {
  const one: usize = dualA + load<u32>(a, N_BOX), other: usize = dualB + load<u32>(b, N_BOX);
  const lx = load<f64>(other, B_CENTRE), ly = load<f64>(other, B_CENTRE + 8), lz = load<f64>(other, B_CENTRE + 16);
  const dx = load<f64>(pose) * lx + load<f64>(pose, 8) * ly + load<f64>(pose, 16) * lz + load<f64>(pose, 72) - load<f64>(one, B_CENTRE);
  const dy = load<f64>(pose, 24) * lx + load<f64>(pose, 32) * ly + load<f64>(pose, 40) * lz + load<f64>(pose, 80) - load<f64>(one, B_CENTRE + 8);
  const dz = load<f64>(pose, 48) * lx + load<f64>(pose, 56) * ly + load<f64>(pose, 64) * lz + load<f64>(pose, 88) - load<f64>(one, B_CENTRE + 16);
  slack = SLACK * (abs(dx) + abs(dy) + abs(dz) + load<f64>(one, B_EXTENTS) + load<f64>(other, B_EXTENTS));
  const out: f64 = <f64>load<f32>(a, N_BOX_OUT) + load<f32>(b, N_BOX_OUT) + rounding + slack;
  const ax = v128.load(one), ay = v128.load(one, B_Y), az = v128.load(one, B_Z);
  const half = v128.load(one, B_HALF);
  if (turned != a) {
    turned = a;
    for (let i: usize = 0; i < 3; i++) v128.store(scratch + MATRIX + 16 * i, mixed(ax, ay, az, rotation + 4 * i, 12));
  }
  const mx = v128.load(scratch + MATRIX), my = v128.load(scratch + MATRIX + 16), mz = v128.load(scratch + MATRIX + 32);
  // axes of b in terms of those of a
  const r0 = mixed(mx, my, mz, other, 16), r1 = mixed(mx, my, mz, other + 4, 16), r2 = mixed(mx, my, mz, other + 8, 16);
  const c0 = f32x4.abs(r0), c1 = f32x4.abs(r1), c2 = f32x4.abs(r2);
  const t = f32x4.add(
    f32x4.add(f32x4.mul(ax, f32x4.splat(<f32>dx)), f32x4.mul(ay, f32x4.splat(<f32>dy))),
    f32x4.mul(az, f32x4.splat(<f32>dz)),
  );
  const alongA = rootOf(f32x4.sub(f32x4.sub(f32x4.abs(t), half), mixed(c0, c1, c2, other + B_HALF, 4)));
  if (<f64>alongA - out > far) return <f64>alongA - out;
  const gaps = f32x4.sub(
    f32x4.abs(sums(f32x4.mul(r0, t), f32x4.mul(r1, t), f32x4.mul(r2, t))),
    f32x4.add(v128.load(other, B_HALF), sums(f32x4.mul(c0, half), f32x4.mul(c1, half), f32x4.mul(c2, half))),
  );
  return max(<f64>alongA, <f64>rootOf(gaps) - skew) - out;
}

/** Three vectors times three numbers that are `step` bytes apart. */
// @ts-ignore: decorator
@inline function mixed(x: v128, y: v128, z: v128, at: usize, step: usize): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(x, v128.load32_splat(at)), f32x4.mul(y, v128.load32_splat(at + step))),
    f32x4.mul(z, v128.load32_splat(at + 2 * step)),
  );
}

/** The sums of the first three lanes of three vectors. */
// @ts-ignore: decorator
@inline function sums(a: v128, b: v128, c: v128): v128 {
  const low = v128.shuffle<f32>(a, b, 0, 4, 1, 5), high = v128.shuffle<f32>(a, b, 2, 6, 2, 6);
  return f32x4.add(
    f32x4.add(v128.shuffle<f32>(low, c, 0, 1, 4, 7), v128.shuffle<f32>(low, c, 2, 3, 5, 7)),
    v128.shuffle<f32>(high, c, 0, 1, 6, 7),
  );
}

/** The length of the vector of positive gaps; the fourth lane is unused. */
// @ts-ignore: decorator
@inline function rootOf(gaps: v128): f32 {
  const g = f32x4.max(gaps, f32x4.splat(0));
  const sq = f32x4.mul(g, g);
  return sqrt(f32x4.extract_lane(sq, 0) + f32x4.extract_lane(sq, 1) + f32x4.extract_lane(sq, 2));
}
