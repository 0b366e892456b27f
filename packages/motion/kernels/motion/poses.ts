/**
 * Many poses of a body among obstacles: at which it is free, and at which it meets one, comes within a distance of it,
 * or lies in it or around it; stopping at the first triangles that tell.
 *
 * Layout: obstacles follow each other, each with what is held to it (src/held-pair.ts); surfaces are those of
 * surfaces.ts. The verdict about a pose is a byte.
 * Errs: the box of the body is rounded outward as by `writePosedBox` of impinge.
 */
// host: OBSTACLE.* = OBSTACLE_*
// host: OBSTACLE_BYTES
import { Q_POSE } from '../../../impinge/kernels/context';
import { DOUBT, FREE, MEETS, SURFACE_ORIGIN, TREELET, compareSurfaces } from './surfaces';

/** Its pose in the world. */
export const OBSTACLE_POSE: usize = 0;
/** Its box in the world, larger by the clearance: minimum, maximum. */
export const OBSTACLE_BOX: usize = 96;
/** Of the box of what is held to it, in its own coordinates: the middle, and half of its extents. */
export const OBSTACLE_MIDDLE: usize = 144;
export const OBSTACLE_HALF: usize = 168;
export const OBSTACLE_CLEARANCE: usize = 192;
/** The surfaces of the obstacle and of the body. */
export const OBSTACLE_SURFACE: usize = 200;
export const OBSTACLE_BODY: usize = 204;
export const OBSTACLE_BYTES: usize = 208;

/** As of `slackOf` of impinge. */
const SLACK: f64 = 1.4210854715202004e-14;

/**
 * Writes a verdict for each pose, twelve float64 in the world, from number `from` on. Returns the number of the pose at
 * which a part of a tree has to be built first, of the obstacle at `pending`, or `count`.
 */
export function checkPoses(query: usize, obstacles: usize, most: u32, pending: usize, poses: usize, verdicts: usize, from: u32, count: u32): u32 {
  const end = obstacles + OBSTACLE_BYTES * <usize>most;
  for (let i = from; i < count; i++) {
    const pose = poses + 96 * <usize>i;
    const slack = slackOf(pose);
    let verdict = FREE;
    for (let obstacle = obstacles; obstacle < end; obstacle += OBSTACLE_BYTES) {
      if (passes(obstacle, pose, slack)) continue;
      const a = <usize>load<u32>(obstacle, OBSTACLE_SURFACE), b = <usize>load<u32>(obstacle, OBSTACLE_BODY);
      writeStored(obstacle, pose, a + SURFACE_ORIGIN, b + SURFACE_ORIGIN, query + Q_POSE);
      const found = compareSurfaces(query, a, b, load<f64>(obstacle, OBSTACLE_CLEARANCE), true);
      if (found == TREELET) {
        store<u32>(pending, <u32>((obstacle - obstacles) / OBSTACLE_BYTES));
        return i;
      }
      if (found == MEETS) {
        verdict = MEETS;
        break;
      }
      if (found == DOUBT) verdict = DOUBT;
    }
    store<u8>(verdicts + <usize>i, verdict);
  }
  return count;
}

function slackOf(p: usize): f64 {
  const a = load<f64>(p), b = load<f64>(p, 8), c = load<f64>(p, 16);
  const d = load<f64>(p, 24), e = load<f64>(p, 32), f = load<f64>(p, 40);
  const g = load<f64>(p, 48), h = load<f64>(p, 56), k = load<f64>(p, 64);
  // the sum, which is no less than the largest
  const off = abs(a * a + d * d + g * g - 1) + abs(b * b + e * e + h * h - 1) + abs(c * c + f * f + k * k - 1)
    + abs(a * b + d * e + g * h) + abs(b * c + e * f + h * k) + abs(c * a + f * d + k * g);
  return SLACK + 4 * off;
}

/** Whether the box of the body, placed, and that of the obstacle are apart. */
// @ts-ignore: decorator
@inline function passes(obstacle: usize, pose: usize, slack: f64): bool {
  const x = load<f64>(obstacle, OBSTACLE_MIDDLE), y = load<f64>(obstacle, OBSTACLE_MIDDLE + 8), z = load<f64>(obstacle, OBSTACLE_MIDDLE + 16);
  const hx = load<f64>(obstacle, OBSTACLE_HALF), hy = load<f64>(obstacle, OBSTACLE_HALF + 8), hz = load<f64>(obstacle, OBSTACLE_HALF + 16);
  const reach = abs(load<f64>(pose, 72)) + abs(load<f64>(pose, 80)) + abs(load<f64>(pose, 88)) + 2 * (abs(x) + abs(y) + abs(z) + hx + hy + hz);
  for (let k: usize = 0; k < 3; k++) {
    const row = pose + 24 * k;
    const a = load<f64>(row), b = load<f64>(row, 8), c = load<f64>(row, 16);
    const middle = load<f64>(pose + 8 * k, 72) + a * x + b * y + c * z;
    const half = slack * reach + abs(a) * hx + abs(b) * hy + abs(c) * hz;
    const box = obstacle + OBSTACLE_BOX + 8 * k;
    if (load<f64>(box) - (middle + half) > 0 || middle - half - load<f64>(box, 24) > 0) return true;
  }
  return false;
}

/**
 * The pose between the numbers stored, of which `o` and `q` are the origins, rounded as `relativePose` and `storedPose`
 * of impinge round.
 */
export function writeStored(a: usize, b: usize, q: usize, o: usize, out: usize): void {
  const x = load<f64>(b, 72), y = load<f64>(b, 80), z = load<f64>(b, 88);
  const ax = load<f64>(a, 72), ay = load<f64>(a, 80), az = load<f64>(a, 88);
  const ox = load<f64>(o), oy = load<f64>(o, 8), oz = load<f64>(o, 16);
  for (let i: usize = 0; i < 3; i++) {
    const r0 = load<f64>(a + 8 * i), r1 = load<f64>(a + 8 * i, 24), r2 = load<f64>(a + 8 * i, 48);
    const p0 = r0 * load<f64>(b) + r1 * load<f64>(b, 24) + r2 * load<f64>(b, 48);
    const p1 = r0 * load<f64>(b, 8) + r1 * load<f64>(b, 32) + r2 * load<f64>(b, 56);
    const p2 = r0 * load<f64>(b, 16) + r1 * load<f64>(b, 40) + r2 * load<f64>(b, 64);
    store<f64>(out + 24 * i, p0);
    store<f64>(out + 24 * i, p1, 8);
    store<f64>(out + 24 * i, p2, 16);
    const t = r0 * x + r1 * y + r2 * z - (r0 * ax + r1 * ay + r2 * az);
    store<f64>(out + 8 * i, p0 * ox + p1 * oy + p2 * oz - load<f64>(q + 8 * i) + t, 72);
  }
}
