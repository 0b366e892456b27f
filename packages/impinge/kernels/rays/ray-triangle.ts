/**
 * A ray against triangles: four at once in float32, which only discards, and one in float64, which decides.
 *
 * Idea: seen along the ray, a triangle contains it if the ray lies on the same side of all three edges. An edge is
 * measured from the sheared coordinates of its ends, so that it is the same edge for both its triangles.
 * Errs: coordinates x, y off by e make an edge x₁y₂ − y₁x₂ off by less than e·s + 2 e², where s is the sum of all |x|
 * and |y| of the triangle, plus 2 units of rounding of s². The bounds below are twice that. A yes or no is certain, the
 * rest is MAYBE. All edges together are off by less than 2 e·s + s² units, where e is a third of `fine`, and so is
 * their sum, which is therefore at least half of its computed value. The steps are a mean of those to the corners,
 * which differ by r: off by less than twice (fine·s + s² units) r / |sum|. If that is more than 16 `fine`, they are
 * computed with twice the digits.
 */
import { meetPlane, planeSteps, planeU, planeV } from './grazing';
import { BACK, FRONT } from './layout';
import { UNIT, axisX, axisY, axisZ, coarse, fine, fromX, fromY, fromZ, skipped, slopeX, slopeY, way } from './ray';

const UNIT32: f32 = 5.960464477539063e-8;
/** Half the permitted error of the steps, in units of `fine`. */
const GRAZING: f64 = 8;

export const NO: i32 = 0;
export const YES: i32 = 1;
export const MAYBE: i32 = 2;

/** Results of `decide`: steps along the ray's longest axis, and the weights of the second and third corner. */
export let hitSteps: f64 = 0, hitU: f64 = 0, hitV: f64 = 0;

/**
 * Whether the ray meets a triangle, including its rim, from the requested side; the coordinates of its corners are rows
 * apart.
 */
export function decide(a: usize, row: usize, faces: u32): i32 {
  const b = a + 3 * row, c = b + 3 * row;
  const x = axisX * row >> 3, y = axisY * row >> 3, z = axisZ * row >> 3;
  const az = <f64>load<f32>(a + z) - fromZ, bz = <f64>load<f32>(b + z) - fromZ, cz = <f64>load<f32>(c + z) - fromZ;
  const ax = <f64>load<f32>(a + x) - fromX - slopeX * az, ay = <f64>load<f32>(a + y) - fromY - slopeY * az;
  const bx = <f64>load<f32>(b + x) - fromX - slopeX * bz, by = <f64>load<f32>(b + y) - fromY - slopeY * bz;
  const cx = <f64>load<f32>(c + x) - fromX - slopeX * cz, cy = <f64>load<f32>(c + y) - fromY - slopeY * cz;
  const u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
  const s = abs(ax) + abs(ay) + abs(bx) + abs(by) + abs(cx) + abs(cy);
  const error = s * (2 * fine + 4 * UNIT * s) + 4 * fine * fine;
  const low = min(u, min(v, w)), high = max(u, max(v, w));
  if (low < -error && high > error) return NO;
  if (!(low > error || high < -error)) return MAYBE;
  const det = u + v + w;
  const front = det * way > 0;
  if (faces == FRONT ? !front : faces == BACK && front) return NO;
  const nearest = min(az * way, min(bz * way, cz * way)), farthest = max(az * way, max(bz * way, cz * way));
  if (farthest < -fine) return NO;
  const sum = u * az + v * bz + w * cz;
  if (nearest <= fine) {
    // the triangle extends behind the origin: does the ray meet it before that?
    const bound = 3 * error * (abs(az) + abs(bz) + abs(cz)) + 2 * fine * abs(det);
    const ahead = front ? sum : -sum;
    if (abs(ahead) <= bound) return MAYBE;
    if (ahead < 0) return NO;
  }
  if (s * (fine + UNIT * s) * (farthest - nearest) > GRAZING * fine * abs(det)) {
    if (!meetPlane(a, row)) return MAYBE;
    hitSteps = planeSteps - skipped;
    hitU = planeU;
    hitV = planeV;
    return YES;
  }
  const inverse = 1 / det;
  hitSteps = way * sum * inverse;
  hitU = v * inverse;
  hitV = w * inverse;
  return YES;
}

/** Which of a leaf's triangles the ray may meet: one bit each. */
// @ts-ignore: decorator
@inline export function candidates(a: usize, row: usize, count: u32): i32 {
  const b = a + 3 * row, c = b + 3 * row;
  const x = axisX * row >> 3, y = axisY * row >> 3, z = axisZ * row >> 3;
  const ox = f32x4.splat(<f32>fromX), oy = f32x4.splat(<f32>fromY), oz = f32x4.splat(<f32>fromZ);
  const sx = f32x4.splat(<f32>slopeX), sy = f32x4.splat(<f32>slopeY);
  const az = f32x4.sub(v128.load(a + z), oz), bz = f32x4.sub(v128.load(b + z), oz), cz = f32x4.sub(v128.load(c + z), oz);
  const ax = f32x4.sub(f32x4.sub(v128.load(a + x), ox), f32x4.mul(sx, az)), ay = f32x4.sub(f32x4.sub(v128.load(a + y), oy), f32x4.mul(sy, az));
  const bx = f32x4.sub(f32x4.sub(v128.load(b + x), ox), f32x4.mul(sx, bz)), by = f32x4.sub(f32x4.sub(v128.load(b + y), oy), f32x4.mul(sy, bz));
  const cx = f32x4.sub(f32x4.sub(v128.load(c + x), ox), f32x4.mul(sx, cz)), cy = f32x4.sub(f32x4.sub(v128.load(c + y), oy), f32x4.mul(sy, cz));
  const u = f32x4.sub(f32x4.mul(cx, by), f32x4.mul(cy, bx));
  const v = f32x4.sub(f32x4.mul(ax, cy), f32x4.mul(ay, cx));
  const w = f32x4.sub(f32x4.mul(bx, ay), f32x4.mul(by, ax));
  const s = f32x4.add(f32x4.add(f32x4.add(f32x4.abs(ax), f32x4.abs(ay)), f32x4.add(f32x4.abs(bx), f32x4.abs(by))), f32x4.add(f32x4.abs(cx), f32x4.abs(cy)));
  const off = <f32>coarse;
  // the last term covers underflow
  const error = f32x4.add(f32x4.mul(s, f32x4.add(f32x4.splat(2 * off), f32x4.mul(f32x4.splat(4 * UNIT32), s))), f32x4.splat(4 * off * off + <f32>1e-36));
  const missed = v128.and(
    f32x4.lt(f32x4.pmin(f32x4.pmin(u, v), w), f32x4.neg(error)),
    f32x4.gt(f32x4.pmax(f32x4.pmax(u, v), w), error),
  );
  return ~i32x4.bitmask(missed) & ((1 << count) - 1);
}
