/**
 * The frame: coordinates in which all objects lie within [−1, 1], in float32, and how far they may be off there.
 *
 * A vertex stored as p in a mesh with origin o, posed by (R, t), is at W = R (p + o) + t. Its place in the frame is
 * w = (W − origin) · scale; scale is a power of two. A device computes M p + T in float32 with M = f32(R · scale),
 * T = f32((t + R o − origin) · scale). `rounding` bounds the length of the sum of these errors:
 *
 * - Device. A product and at most three sums touch each of the four terms of a coordinate, each off by 2⁻²³ at most
 *   (either neighbour, fused or not), and M and T by 2⁻²⁴: below 5 · 2⁻²³ (Σ |M_ij| |p_j| + |T_i|). Over the three
 *   coordinates: 5 · 2⁻²³ (‖R‖ far · scale + |T|), where far ≥ |p| and ‖R‖ ≤ √3 · 1.00001 (Frobenius, as the entries
 *   are taken without sign): below 9 · 2⁻²³ far · scale + 5 · 2⁻²³ |T|.
 * - Numbers flushed to 0 below 2⁻¹²⁶: entries of M, p and T, products, sums. Below 2⁻¹²³ (far + scale + 2).
 * - Queries decide about b posed into a's stored numbers in float64. Composing the poses, their origins and posing a
 *   point are off by less than 17 · 2⁻⁵³ per coordinate of the translations, origins and positions of both, √3 times
 *   that in length; T before it is rounded by less than 6 · 2⁻⁵³. Together below 2⁻⁴⁷ (|t| + |o| + |origin|) for each
 *   of the two objects; the share of p, and 1e-13 of the extent that a distance may be off by, vanish in the 9 above.
 * - A pose that is not quite rigid. Queries take Rᵀ for the inverse of R. With E = R Rᵀ − I of the first object, points
 *   that coincide for them have W_a − W_b = E (W_b − t_a), whose length is below ‖E‖ / (1 − ‖E‖) · |R (p + o)|, and
 *   ‖E‖ ≤ 3 · deviation: below 4 · deviation · (far + |o|). Two points r apart there are less than
 *   (1 + 8 · deviation) r apart in the world.
 *
 * `margin` is rounding and half the distance. Each object carries its own share, whichever side of a pair it is on.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { roundUp } from 'impinge/internal/volumes/round.js';
import { Row, TABLE_STRIDE } from './backend.js';

/** Numbers per mesh that the frame needs. */
export const EXTENT_STRIDE = 12;
export const ExtentRow = {
  /** Of the stored box: centre and half its sides. */
  centre: 0,
  half: 3,
  /** The mesh's origin, and the sum of its sizes. */
  origin: 6,
  originSize: 9,
  /** No stored position is farther than this from 0. */
  far: 10,
  /** The largest stored coordinate. */
  largest: 11,
} as const;

/** Share of |p| and of |T| that a device may lose. */
const PLACING = 9 * 2 ** -23;
const SHIFTING = 5 * 2 ** -23;
/** Share of translations and origins that float64 may lose. */
const COMPOSING = 2 ** -47;
/** Deviations below this may be rounding of float64. */
const DEVIATION_NOISE = 2 ** -50;
const FLUSHED = 2 ** -123;
/** Extents larger than this would have float32 matrices flushed. */
const LARGEST_EXTENT = 2 ** 104;
const LARGEST_SCALE = 2 ** 90;
/** A frame no thinner than this, in its longest side. */
const THINNEST = 2 ** -10;
/** The longest side, less the numbers flushed to 0. */
const MOST = 1 - 2 ** -10;
/** Maximum offset of a frame from the middle of its contents, in its sides. */
const OFF_CENTRE = 1 / 16;

/** All objects: the mesh of each, measures of the meshes, and the poses. */
export interface Placed {
  readonly count: number;
  readonly meshOf: Uint32Array;
  readonly extents: Float64Array;
  /** Twelve numbers per object, as a RigidPose. */
  readonly poses: Float64Array;
  /** The largest entry of RᵀR − I for each. */
  readonly deviations: Float64Array;
}

/**
 * The result of a pass over all objects: their box in the world and the largest of the quantities that rounding depends
 * on.
 */
export interface Extent {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
  readonly far: number;
  readonly offset: number;
  readonly deviation: number;
  readonly skew: number;
}

export interface Frame {
  readonly origin: readonly [number, number, number];
  readonly scale: number;
  readonly half: readonly [number, number, number];
  /** In units of the frame, a float32; larger than requested by the effect of poses that are not quite rigid. */
  readonly distance: number;
}

/** A frame to begin with, for objects that have not been measured. */
export const NO_FRAME: Frame = { origin: [0, 0, 0], scale: 1, half: [1, 1, 1], distance: 0 };

/** Writes all but the last two numbers of every object's row of the table, and measures the objects. */
export function placeObjects(placed: Placed, frame: Frame, table: Float32Array): Extent {
  const { count, meshOf, extents, poses, deviations } = placed;
  const { origin, scale } = frame;
  const [frameX, frameY, frameZ] = origin;
  const constant = COMPOSING * scale * (Math.abs(frameX) + Math.abs(frameY) + Math.abs(frameZ));
  const flushed = constant + FLUSHED * (scale + 2);
  const halfDistance = 0.5 * frame.distance;
  let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
  let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
  let far = 0;
  let offset = 0;
  let deviation = 0;
  let skew = 0;
  for (let o = 0, p = 0, t = 0; o < count; o++, p += 12, t += TABLE_STRIDE) {
    const s = EXTENT_STRIDE * meshOf[o];
    const r0 = poses[p];
    const r1 = poses[p + 1];
    const r2 = poses[p + 2];
    const r3 = poses[p + 3];
    const r4 = poses[p + 4];
    const r5 = poses[p + 5];
    const r6 = poses[p + 6];
    const r7 = poses[p + 7];
    const r8 = poses[p + 8];
    let x = poses[p + 9];
    let y = poses[p + 10];
    let z = poses[p + 11];
    const originSize = extents[s + ExtentRow.originSize];
    const size = Math.abs(x) + Math.abs(y) + Math.abs(z) + originSize;
    if (originSize !== 0) {
      const ox = extents[s + ExtentRow.origin];
      const oy = extents[s + ExtentRow.origin + 1];
      const oz = extents[s + ExtentRow.origin + 2];
      x += r0 * ox + r1 * oy + r2 * oz;
      y += r3 * ox + r4 * oy + r5 * oz;
      z += r6 * ox + r7 * oy + r8 * oz;
    }
    const tx = (x - frameX) * scale;
    const ty = (y - frameY) * scale;
    const tz = (z - frameZ) * scale;
    table[t] = r0 * scale;
    table[t + 1] = r1 * scale;
    table[t + 2] = r2 * scale;
    table[t + 3] = tx;
    table[t + 4] = r3 * scale;
    table[t + 5] = r4 * scale;
    table[t + 6] = r5 * scale;
    table[t + 7] = ty;
    table[t + 8] = r6 * scale;
    table[t + 9] = r7 * scale;
    table[t + 10] = r8 * scale;
    table[t + 11] = tz;
    const farHere = extents[s + ExtentRow.far];
    const off = deviations[o];
    const rounding =
      SHIFTING * Math.sqrt(tx * tx + ty * ty + tz * tz) +
      scale * (PLACING * farHere + COMPOSING * size + 4 * (off + DEVIATION_NOISE) * (farHere + originSize)) +
      FLUSHED * farHere +
      flushed;
    // more than float32 rounds off, and the margin is still at least rounding and half the distance
    table[t + Row.rounding] = rounding * (1 + 2 ** -22);
    table[t + Row.margin] = (rounding + halfDistance) * (1 + 2 ** -21);

    const cx = extents[s];
    const cy = extents[s + 1];
    const cz = extents[s + 2];
    x += r0 * cx + r1 * cy + r2 * cz;
    y += r3 * cx + r4 * cy + r5 * cz;
    z += r6 * cx + r7 * cy + r8 * cz;
    const hx = extents[s + ExtentRow.half];
    const hy = extents[s + ExtentRow.half + 1];
    const hz = extents[s + ExtentRow.half + 2];
    const ex = Math.abs(r0) * hx + Math.abs(r1) * hy + Math.abs(r2) * hz;
    const ey = Math.abs(r3) * hx + Math.abs(r4) * hy + Math.abs(r5) * hz;
    const ez = Math.abs(r6) * hx + Math.abs(r7) * hy + Math.abs(r8) * hz;
    if (x - ex < minX) minX = x - ex;
    if (y - ey < minY) minY = y - ey;
    if (z - ez < minZ) minZ = z - ez;
    if (x + ex > maxX) maxX = x + ex;
    if (y + ey > maxY) maxY = y + ey;
    if (z + ez > maxZ) maxZ = z + ez;
    const skewHere = off * (farHere + originSize);
    if (farHere > far) far = farHere;
    if (size > offset) offset = size;
    if (off > deviation) deviation = off;
    if (skewHere > skew) skew = skewHere;
  }
  return { min: [minX, minY, minZ], max: [maxX, maxY, maxZ], far, offset, deviation, skew };
}

/** The frame about the middle of all objects, each enlarged by twice its margin. `distance` is in the world's unit. */
export function chooseFrame(extent: Extent, distance: number): Frame {
  const { min, max, far } = extent;
  const origin = [0, 1, 2].map((k) => 0.5 * min[k] + 0.5 * max[k]) as [number, number, number];
  const { sides, widened } = enlarge(extent, origin, distance);
  const largest = Math.max(...sides);
  if (!(Math.max(largest, far) <= LARGEST_EXTENT)) {
    throw new ImpingeError(
      'bad-input',
      `the objects reach over ${largest} units: float32 cannot hold that, at most ${LARGEST_EXTENT} is possible`,
    );
  }
  if (largest === 0) return { ...NO_FRAME, origin };
  return frameOf(origin, scaleFor(largest), sides, widened, far);
}

/**
 * The frame with the origin and the scale of another, where that is still suitable: then rows written for the other,
 * without a distance, hold for this one.
 */
export function keepFrame(extent: Extent, { origin, scale }: Frame): Frame | undefined {
  const { min, max, far } = extent;
  const { sides, widened } = enlarge(extent, origin, 0);
  const largest = Math.max(...sides);
  const fits =
    Math.max(largest, far) <= LARGEST_EXTENT && largest * scale <= MOST && largest * scale > 0.4 * MOST;
  const least = THINNEST * largest;
  const central = sides.every(
    (side, k) => Math.abs(0.5 * min[k] + 0.5 * max[k] - origin[k]) <= OFF_CENTRE * Math.max(side, least),
  );
  return fits && central ? frameOf(origin, scale, sides, widened, far) : undefined;
}

/** Half the sides that a frame about `origin` needs, and the distance it holds, in the world's unit. */
function enlarge(
  { min, max, far, offset, deviation, skew }: Extent,
  origin: readonly [number, number, number],
  distance: number,
): { sides: number[]; widened: number } {
  const sides = origin.map((middle, k) => Math.max(max[k] - middle, middle - min[k]));
  const diagonal = Math.hypot(sides[0], sides[1], sides[2]);
  const originSize = Math.abs(origin[0]) + Math.abs(origin[1]) + Math.abs(origin[2]);
  // |T| ≤ diagonal + far: a box's centre is within the frame, and the stored 0 no farther than `far` from that
  const rounding =
    1.001 *
    ((PLACING + SHIFTING) * far +
      SHIFTING * diagonal +
      COMPOSING * (offset + originSize) +
      4 * skew +
      4 * DEVIATION_NOISE * (far + offset));
  // no two points are farther apart than twice the diagonal: a larger distance is pointless
  const asked = Math.min(distance, 2.1 * diagonal + rounding + 1 / LARGEST_SCALE);
  const widened = asked * (1 + 2 ** -30 + 8 * deviation);
  return { sides: sides.map((side) => side * (1 + 2 ** -40) + 2 * rounding + 1.001 * widened), widened };
}

function frameOf(
  origin: readonly [number, number, number],
  scale: number,
  sides: readonly number[],
  widened: number,
  far: number,
): Frame {
  const flushed = 2 * FLUSHED * (far + scale + 2);
  const least = THINNEST * Math.max(...sides) * scale;
  const half = sides.map((side) => roundUp(Math.max(side * scale + flushed, least)));
  return { origin, scale, half: half as [number, number, number], distance: roundUp(widened * scale) };
}

/** The largest power of two, within its limit, that brings `largest` below 1 with some room. */
function scaleFor(largest: number): number {
  let scale = Math.min(LARGEST_SCALE, 2 ** -Math.floor(Math.log2(largest)));
  while (largest * scale > MOST) scale /= 2;
  return scale;
}
