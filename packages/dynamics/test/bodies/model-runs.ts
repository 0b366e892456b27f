/** Bodies run on their own, as the simulation would run them without contacts, and ways to disturb them. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { box } from '../../../../lab/scenes/solids.mjs';
import type { Body } from '../../src/bodies/body.js';
import type { ShapeMatchingBody } from '../../src/bodies/shape-matching.js';
import { type PlacedShape, ShapeMatchingBodies } from '../../src/bodies/shape-matching-bodies.js';

export type Gravity = readonly [number, number, number];
export const NO_GRAVITY: Gravity = [0, 0, 0];
export const GRAVITY: Gravity = [0, -9.81, 0];

/** Steps without contacts; ends are rounded to float32 as the simulation does. `after` is called after each step. */
export function run(body: Body, steps: number, dt: number, gravity: Gravity, after?: (step: number) => void) {
  const end = new Float64Array(3 * body.vertexCount);
  for (let step = 1; step <= steps; step++) {
    body.propose(dt, gravity);
    for (let k = 0; k < end.length; k++) end[k] = Math.fround(body.proposed[k]);
    body.finish(end, dt);
    after?.(step);
  }
}

/** One step in which every vertex gets a push of its own, up to `size` along each axis. */
export function kick(body: Body, dt: number, size: number, seed: number): void {
  const random = new SeededRandom(seed);
  body.propose(dt, NO_GRAVITY);
  for (let v = 0; v < body.vertexCount; v++) {
    const [dx, dy, dz] = [0, 1, 2].map(() => size * (2 * random.next() - 1));
    body.push(v, dx, dy, dz);
  }
  body.settle();
  body.finish(body.proposed.map(Math.fround), dt);
}

export function momentum(body: Body): Float64Array {
  const out = new Float64Array(6);
  body.momentum(out);
  return out;
}

/** FNV-1a over the bits of the coordinates. */
export function hashOf(numbers: Float64Array): string {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16);
}

/** A square sheet of n × n vertices in the plane y = 0, diagonals alternating. */
export function sheet(n: number, side: number): { positions: Float32Array; indices: number[] } {
  const positions = new Float32Array(3 * n * n);
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      positions[3 * (i * n + j)] = (side * i) / (n - 1);
      positions[3 * (i * n + j) + 2] = (side * j) / (n - 1);
      if (i + 1 === n || j + 1 === n) continue;
      const [a, b, c, d] = [i * n + j, i * n + j + 1, i * n + j + n, i * n + j + n + 1];
      indices.push(...((i + j) % 2 === 0 ? [a, b, d, a, d, c] : [a, b, c, b, d, c]));
    }
  }
  return { positions, indices };
}

/** A rotation about a slanted axis (1, 2, 2) / 3 by `angle`, row by row. */
export function slantedRotation(angle: number): number[] {
  const [x, y, z] = [1 / 3, 2 / 3, 2 / 3];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  return [
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
  ];
}

export function rotated(rotation: readonly number[], points: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: points.length }, (_, k) => {
    const at = k - (k % 3);
    const row = 3 * (k % 3);
    return (
      rotation[row] * points[at] + rotation[row + 1] * points[at + 1] + rotation[row + 2] * points[at + 2]
    );
  });
}

/** The letter L of four cells, each with the surface of a smaller box in it. */
const CELLS = [0, 0, 0, 0, 1, 0, 0, 2, 0, 1, 0, 0];
export function ell() {
  const { positions, indices } = box(0.08);
  const all: number[] = [];
  const triangles: number[] = [];
  for (let c = 0; c < CELLS.length; c += 3) {
    for (const index of indices) triangles.push(index + all.length / 3);
    positions.forEach((x, k) => {
      all.push(0.1 * CELLS[c + (k % 3)] + 0.05 + x);
    });
  }
  const lattice = { cellSize: 0.1, origin: [0, 0, 0], cells: CELLS };
  return { positions: Float64Array.from(all, Math.fround), indices: triangles, lattice, name: 'L' };
}

/** One of them on its own, by options of its placement and of all. */
export function lattice(given: object = {}): ShapeMatchingBody {
  const { pose, velocity, ...options } = given as Partial<PlacedShape>;
  const placement = { shape: 0, ...(pose && { pose }), ...(velocity && { velocity }) };
  return new ShapeMatchingBodies([ell()], [placement], { damping: 0, ...options }).bodies[0];
}
