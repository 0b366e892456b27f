/**
 * Points of a scan's triangles, rounded between their corners and roughened at every scale below theirs.
 *
 * Idea: a flat point is pulled towards the planes that its corners have with their normals (Phong tessellation), then
 * moved along the mean of these normals by octaves of noise, from twice the length of the edges down to the distance
 * of refined vertices. Each octave is as steep as the one before.
 *
 * Invariant: a point on a side is the same to the last bit from either triangle. All that enters are sums over the
 * corners, weighted by shares; on a side one share is 0, and the sum of two numbers does not depend on their order.
 */
import { seedOf } from '../random.js';
import type { ScanNet } from './scan-net.js';
import { valueNoise } from './value-noise.js';

/** Share of the way from the flat triangle to the planes of its corners. */
const ROUNDING = 0.75;
/**
 * The largest displacement of an octave as a share of its wavelength: 0.15 of the distance at which it would be
 * sampled.
 */
const STEEPNESS = 0.075;
/** Enough for scans whose longest edges are 10⁶ times the shortest of the refined ones. */
const MOST_OCTAVES = 24;

export class RoughPatches {
  readonly #net: ScanNet;
  readonly #factor: number;
  readonly #longest: number;
  readonly #seeds: Int32Array;

  /** `factor`: number of parts of each side. */
  constructor(net: ScanNet, factor: number, seed: number) {
    this.#net = net;
    this.#factor = factor;
    this.#longest = 4 * net.spacing.reduce((most, length) => Math.max(most, length), 0);
    this.#seeds = Int32Array.from({ length: MOST_OCTAVES }, (_, octave) => seedOf(seed, octave));
  }

  /** Writes the point with i + j + h = factor parts of the corners a, b and c. */
  pointInto(
    a: number,
    b: number,
    c: number,
    i: number,
    j: number,
    h: number,
    out: Float32Array,
    at: number,
  ): void {
    const { points, normals, spacing } = this.#net;
    const wa = i / this.#factor;
    const wb = j / this.#factor;
    const wc = h / this.#factor;
    const [a0, b0, c0] = [3 * a, 3 * b, 3 * c];
    const x = wa * points[a0] + wb * points[b0] + wc * points[c0];
    const y = wa * points[a0 + 1] + wb * points[b0 + 1] + wc * points[c0 + 1];
    const z = wa * points[a0 + 2] + wb * points[b0 + 2] + wc * points[c0 + 2];
    const da = wa * this.#height(a0, x, y, z);
    const db = wb * this.#height(b0, x, y, z);
    const dc = wc * this.#height(c0, x, y, z);
    const px = x - ROUNDING * (da * normals[a0] + db * normals[b0] + dc * normals[c0]);
    const py = y - ROUNDING * (da * normals[a0 + 1] + db * normals[b0 + 1] + dc * normals[c0 + 1]);
    const pz = z - ROUNDING * (da * normals[a0 + 2] + db * normals[b0 + 2] + dc * normals[c0 + 2]);
    const nx = wa * normals[a0] + wb * normals[b0] + wc * normals[c0];
    const ny = wa * normals[a0 + 1] + wb * normals[b0 + 1] + wc * normals[c0 + 1];
    const nz = wa * normals[a0 + 2] + wb * normals[b0 + 2] + wc * normals[c0 + 2];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const move =
      length > 0
        ? this.#roughness(px, py, pz, wa * spacing[a] + wb * spacing[b] + wc * spacing[c]) / length
        : 0;
    // + 0 removes the sign of a zero
    out[at] = px + move * nx + 0;
    out[at + 1] = py + move * ny + 0;
    out[at + 2] = pz + move * nz + 0;
  }

  /** Height above the plane of a corner. */
  #height(corner: number, x: number, y: number, z: number): number {
    const { points, normals } = this.#net;
    return (
      (x - points[corner]) * normals[corner] +
      (y - points[corner + 1]) * normals[corner + 1] +
      (z - points[corner + 2]) * normals[corner + 2]
    );
  }

  /** Octaves fade in between four and two lengths of edges, and out between two and one of refined edges. */
  #roughness(x: number, y: number, z: number, spacing: number): number {
    const fine = spacing / this.#factor;
    let sum = 0;
    let wavelength = this.#longest;
    for (let octave = 0; octave < MOST_OCTAVES && wavelength > fine; octave++, wavelength /= 2) {
      if (wavelength >= 4 * spacing) continue;
      const weight = Math.min(1, 2 - wavelength / (2 * spacing), wavelength / fine - 1);
      sum +=
        weight * wavelength * valueNoise(x / wavelength, y / wavelength, z / wavelength, this.#seeds[octave]);
    }
    return STEEPNESS * sum;
  }
}
