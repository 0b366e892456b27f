/**
 * One ray in a mesh's coordinates, prepared for boxes and triangles.
 *
 * Idea: everything is measured along the axis in which the direction is largest. Sheared along it, the ray becomes that
 * axis itself, and the other two coordinates show how a triangle lies around it. The ray begins where it enters the box
 * of the whole mesh, so that numbers stay small however far away its origin is.
 * Errs: with B the largest difference between a corner of that box and the new origin, a sheared coordinate is off by
 * less than `fine` in float64 and `coarse` in float32: five roundings of B, those of the origin (float32), and `moved`,
 * the distance of the new origin from the ray.
 */
import { ROW } from '../layout';
import { BOXES_ROOT, BOX_MAX, BOX_MIN } from './layout';

/** Rounding units of float64 and of float32. */
export const UNIT: f64 = 1.1102230246251565e-16;
const UNIT32: f64 = 5.960464477539063e-8;
/** Smaller slopes count as zero: they are below the precision of float32. */
const PARALLEL: f64 = 1e-15;
/** Below this, quotients with a slope overflow. */
const TINY: f64 = 1e-200;

/** Address of the ray's six numbers: origin, direction. */
export let rayAt: usize = 0;
/** The axes in cyclic order; the last one is that of the direction's largest coordinate. */
export let axisX: usize = 0, axisY: usize = 0, axisZ: usize = 0;
/**
 * The ray's motion along the first two axes for one step along the last; whether it moves up the last (1) or down (−1).
 */
export let slopeX: f64 = 0, slopeY: f64 = 0, way: f64 = 0;
/**
 * The new origin in these axes, its distance from the old one along the last axis, and the distance for one step along
 * it.
 */
export let fromX: f64 = 0, fromY: f64 = 0, fromZ: f64 = 0;
export let skipped: f64 = 0, scale: f64 = 0, inverseScale: f64 = 0;
export let fine: f64 = 0, coarse: f64 = 0;

/** For x, y and z: rows of a block that the ray meets first and last, the ray's origin, and steps per unit. */
export let nearRowX: usize = 0, nearRowY: usize = 0, nearRowZ: usize = 0;
export let farRowX: usize = 0, farRowY: usize = 0, farRowZ: usize = 0;
export let originX: f64 = 0, originY: f64 = 0, originZ: f64 = 0;
export let stepsX: f64 = 0, stepsY: f64 = 0, stepsZ: f64 = 0;

let enters: f64 = 0, leaves: f64 = 0;

/** Sets up a ray; false if it certainly misses the box around the mesh. The direction is not zero. */
export function aim(ray: usize, boxes: usize): bool {
  rayAt = ray;
  const ox = load<f64>(ray), oy = load<f64>(ray, 8), oz = load<f64>(ray, 16);
  const dx = load<f64>(ray, 24), dy = load<f64>(ray, 32), dz = load<f64>(ray, 40);
  const ax = abs(dx), ay = abs(dy), az = abs(dz);
  axisZ = ax > ay ? (ax > az ? 0 : 16) : (ay > az ? 8 : 16);
  axisX = axisZ == 16 ? 0 : axisZ + 8;
  axisY = axisX == 16 ? 0 : axisX + 8;
  const most = max(ax, max(ay, az));
  const one = 1 / most;
  const ux = dx * one, uy = dy * one, uz = dz * one;
  scale = sqrt(ux * ux + uy * uy + uz * uz);
  way = load<f64>(ray + axisZ, 24) < 0 ? -1 : 1;
  slopeX = load<f64>(ray + axisX, 24) * one * way;
  slopeY = load<f64>(ray + axisY, 24) * one * way;
  const sx = 1 / ux, sy = 1 / uy, sz = 1 / uz;

  enters = 0;
  leaves = Infinity;
  const root = boxes + BOXES_ROOT;
  if (!clip(root, ox, ux, sx) || !clip(root + 4, oy, uy, sy) || !clip(root + 8, oz, uz, sz)) return false;
  if (enters - leaves > 32 * UNIT * (enters + abs(leaves))) return false;

  // starts slightly before it enters; the rounding that puts the origin beside the ray is included in `moved`
  const size = max(extent(root), max(extent(root + 4), extent(root + 8)));
  skipped = max(0, enters * (1 - 1e-12) - 0.001 * size);
  originX = ox + skipped * ux; originY = oy + skipped * uy; originZ = oz + skipped * uz;
  const reach = max(reachTo(root, originX), max(reachTo(root + 4, originY), reachTo(root + 8, originZ)));
  const place = max(abs(originX), max(abs(originY), abs(originZ)));
  const moved = skipped > 0 ? 4 * UNIT * (max(abs(ox), max(abs(oy), abs(oz))) + skipped) : 0;
  fine = 16 * UNIT * reach + 3 * moved;
  coarse = 16 * UNIT32 * reach + 4 * UNIT32 * place + 3 * moved;

  fromX = along(axisX); fromY = along(axisY); fromZ = along(axisZ);
  nearRowX = ux < 0 ? BOX_MAX : BOX_MIN; farRowX = ux < 0 ? BOX_MIN : BOX_MAX;
  nearRowY = (uy < 0 ? BOX_MAX : BOX_MIN) + ROW; farRowY = (uy < 0 ? BOX_MIN : BOX_MAX) + ROW;
  nearRowZ = (uz < 0 ? BOX_MAX : BOX_MIN) + 2 * ROW; farRowZ = (uz < 0 ? BOX_MIN : BOX_MAX) + 2 * ROW;
  stepsX = stepsOf(ux, sx); stepsY = stepsOf(uy, sy); stepsZ = stepsOf(uz, sz);
  inverseScale = 1 / scale;
  return true;
}

/** Narrows [enters, leaves] to the interval in which the ray is between two sides of the box. */
// @ts-ignore: decorator
@inline function clip(side: usize, o: f64, u: f64, steps: f64): bool {
  const low = <f64>load<f32>(side), high = <f64>load<f32>(side, 12);
  if (u == 0) return o >= low && o <= high;
  if (abs(u) < TINY) return true;
  const a = (low - o) * steps, b = (high - o) * steps;
  enters = max(enters, min(a, b));
  leaves = min(leaves, max(a, b));
  return leaves >= 0;
}

// @ts-ignore: decorator
@inline function extent(side: usize): f64 { return <f64>load<f32>(side, 12) - <f64>load<f32>(side); }
// @ts-ignore: decorator
@inline function reachTo(side: usize, o: f64): f64 { return max(abs(<f64>load<f32>(side) - o), abs(<f64>load<f32>(side, 12) - o)); }
// @ts-ignore: decorator
@inline function along(axis: usize): f64 { return axis == 0 ? originX : axis == 8 ? originY : originZ; }
// @ts-ignore: decorator
@inline function stepsOf(u: f64, steps: f64): f64 { return abs(u) < PARALLEL ? (u < 0 ? -1 / PARALLEL : 1 / PARALLEL) : steps; }
