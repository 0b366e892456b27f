/**
 * Eight masses that a rigid surface follows by an affine map, for contacts to push.
 *
 * Masses laid out with the second moments of the body would answer a push on the surface like a body that may also be
 * stretched and sheared: more readily than the rigid one. So they lie farther out.
 * Layout: node a is at centre + rotation · spread · tₐ, with tₐ = (±1, ±1, ±1) by the bits of a; a vertex at
 * centre + rotation · spread · y has the weights (1 + tₐ · y) / 8.
 */
import type { Frame } from './body.js';
import type { SolidMass } from './solid-mass.js';

export const NODES = 8;
/**
 * Factor of the squared extent. At 2, a push meets the full resistance of a ball, but half of that of a turning plate,
 * which then flaps for ever; at 1, that of a plate, but a ball needs more answers to stop.
 */
const SPREAD_SQ = 1.4;
/** Minimum squared extent relative to the mean: keeps flat bodies from having no extent at all. */
const THINNEST_SQ = 1e-6;

/** Entry k of tₐ. */
function cornerSign(a: number, k: number): number {
  return (a >> k) & 1 ? 1 : -1;
}

/** The lower triangle xx, yx, yy, zx, zy, zz whose square is that of the extent, times `SPREAD_SQ`. */
export function spreadOf({ mass, second }: SolidMass): Float64Array {
  const least = (THINNEST_SQ * (second[0] + second[1] + second[2])) / 3;
  const [xx, yy, zz, xy, yz, zx] = second.map(
    (value, i) => (SPREAD_SQ * (value + (i < 3 ? least : 0))) / mass,
  );
  const a = Math.sqrt(xx);
  const b = xy / a;
  const c = Math.sqrt(yy - b * b);
  const d = zx / a;
  const e = (yz - b * d) / c;
  return Float64Array.of(a, b, c, d, e, Math.sqrt(Math.max(zz - d * d - e * e, SPREAD_SQ * (least / mass))));
}

/** For each vertex, the y that the spread maps to its offset from the centre. */
export function placesOf(
  positions: Float64Array,
  centre: readonly number[],
  spread: Float64Array,
): Float64Array {
  const [a, b, c, d, e, f] = spread;
  const places = new Float64Array(positions.length);
  for (let k = 0; k < positions.length; k += 3) {
    places[k] = (positions[k] - centre[0]) / a;
    places[k + 1] = (positions[k + 1] - centre[1] - b * places[k]) / c;
    places[k + 2] = (positions[k + 2] - centre[2] - d * places[k] - e * places[k + 1]) / f;
  }
  return places;
}

export function affineFrame(mass: number, places: Float64Array): Frame {
  const count = places.length / 3;
  const weights = new Float64Array(NODES * count);
  for (let v = 0; v < count; v++) {
    for (let a = 0; a < NODES; a++) {
      let sum = 1;
      for (let k = 0; k < 3; k++) sum += cornerSign(a, k) * places[3 * v + k];
      weights[NODES * v + a] = sum / NODES;
    }
  }
  return {
    masses: new Float64Array(NODES).fill(mass / NODES),
    proposed: new Float64Array(3 * NODES),
    start: Uint32Array.from({ length: count + 1 }, (_, v) => NODES * v),
    nodes: Uint32Array.from({ length: NODES * count }, (_, i) => i % NODES),
    weights,
  };
}

/** Writes the nodes of a body at a place, turned by a matrix. */
export function placeNodes(
  spread: Float64Array,
  centre: Float64Array,
  r: Float64Array,
  out: Float64Array,
): void {
  const [xx, yx, yy, zx, zy, zz] = spread;
  for (let a = 0; a < NODES; a++) {
    const tx = cornerSign(a, 0);
    const ty = cornerSign(a, 1);
    const x = xx * tx;
    const y = yx * tx + yy * ty;
    const z = zx * tx + zy * ty + zz * cornerSign(a, 2);
    for (let k = 0; k < 3; k++)
      out[3 * a + k] = centre[k] + r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
  }
}

/** Writes the surface that follows from the nodes. */
export function followNodes(places: Float64Array, nodes: Float64Array, out: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    const mean = [0, 0, 0, 0];
    for (let a = 0; a < NODES; a++) {
      const x = nodes[3 * a + axis] / NODES;
      mean[0] += x;
      for (let k = 0; k < 3; k++) mean[1 + k] += cornerSign(a, k) * x;
    }
    const [c, x, y, z] = mean;
    for (let k = 0; k < places.length; k += 3)
      out[k + axis] = c + x * places[k] + y * places[k + 1] + z * places[k + 2];
  }
}
