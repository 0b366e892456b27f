/**
 * A person to walk through the plant: one closed surface, 1.75 m tall, feet on z = 0, looking along x.
 *
 * Idea: a body of rounded cones that melt into each other is a function of space, negative inside. A grid of cubes,
 * each cut into six tetrahedra along its diagonal, samples it; in every tetrahedron the surface is one triangle or
 * two. Neighbours agree on every edge, so the result is closed whatever the grid. The grid is refined until the
 * number of triangles is right.
 */
import { snap } from './circle.js';

export interface AvatarOptions {
  /** Approximate number (default 4 000). */
  readonly triangles?: number;
}

export interface AvatarMesh {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

/** From, radius there, to, radius there; limbs on both sides are given for y > 0. */
type Limb = readonly [number, number, number, number, number, number, number, number];

const MIDDLE: readonly Limb[] = [
  [0, 0, 0.97, 0.15, 0, 0, 1.3, 0.16],
  [0, 0, 1.4, 0.06, 0.01, 0, 1.55, 0.055],
  [0.01, 0, 1.62, 0.1, 0.01, 0, 1.655, 0.095],
];
const SIDE: readonly Limb[] = [
  [0, 0.1, 0.92, 0.1, 0.01, 0.11, 0.5, 0.07],
  [0.01, 0.11, 0.5, 0.07, -0.01, 0.12, 0.1, 0.05],
  [-0.03, 0.12, 0.05, 0.05, 0.14, 0.14, 0.045, 0.045],
  [0, 0.05, 1.37, 0.08, 0, 0.2, 1.38, 0.065],
  [0, 0.2, 1.38, 0.06, -0.01, 0.27, 1.1, 0.048],
  [-0.01, 0.27, 1.1, 0.048, 0.08, 0.28, 0.84, 0.045],
];
/** Distance over which limbs blend. */
const BLEND = 0.05;

/** Builds a person with about the given number of triangles. */
export function avatar(options: AvatarOptions = {}): AvatarMesh {
  const wanted = options.triangles ?? 4000;
  let cell = Math.sqrt(12 / wanted);
  let best = polygonise(cell);
  let error = Math.abs(best.indices.length / 3 - wanted);
  let last = best;
  for (let i = 0; i < 6 && error > 0.02 * wanted; i++) {
    cell *= Math.sqrt(last.indices.length / 3 / wanted);
    last = polygonise(cell);
    const missed = Math.abs(last.indices.length / 3 - wanted);
    if (missed < error) [best, error] = [last, missed];
  }
  return best;
}

/** Approximate distance from the body. */
function body(x: number, y: number, z: number): number {
  const side = Math.abs(y);
  let d = 1;
  // the trunk is wider than it is deep
  for (const limb of MIDDLE) d = blend(d, toLimb(limb, x, y * 0.85, z));
  for (const limb of SIDE) d = blend(d, toLimb(limb, x, side, z));
  return d;
}

function toLimb([ax, ay, az, ar, bx, by, bz, br]: Limb, x: number, y: number, z: number): number {
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const t = ((x - ax) * ux + (y - ay) * uy + (z - az) * uz) / (ux * ux + uy * uy + uz * uz);
  const s = Math.min(1, Math.max(0, t));
  const dx = x - ax - s * ux;
  const dy = y - ay - s * uy;
  const dz = z - az - s * uz;
  return Math.sqrt(dx * dx + dy * dy + dz * dz) - ar - s * (br - ar);
}

function blend(a: number, b: number): number {
  const h = Math.max(0, BLEND - Math.abs(a - b)) / BLEND;
  return Math.min(a, b) - (h * h * BLEND) / 4;
}

/** The six paths from one corner of a cube to the opposite one; every second one is left-handed. */
const WAYS = [
  [1, 3, 7, 1],
  [1, 5, 7, -1],
  [2, 3, 7, -1],
  [2, 6, 7, 1],
  [4, 5, 7, 1],
  [4, 6, 7, -1],
] as const;

function polygonise(cell: number): AvatarMesh {
  const low = [-0.25, -0.42, -0.06];
  const count = [0.55, 0.84, 1.9].map((size) => Math.ceil(size / cell) + 1);
  const [nx, ny, nz] = count;
  const values = new Float64Array(nx * ny * nz);
  const corner = (i: number) => [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))];
  for (let i = 0; i < values.length; i++) {
    const [cx, cy, cz] = corner(i);
    values[i] = body(low[0] + cx * cell, low[1] + cy * cell, low[2] + cz * cell);
  }
  const step = [0, 1, nx, nx + 1, nx * ny, nx * ny + 1, nx * ny + nx, nx * ny + nx + 1];
  const positions: number[] = [];
  const indices: number[] = [];
  const made = new Map<number, number>();

  /** The vertex between two corners, of which the second is `way` (a set of axes) farther. */
  const vertexOn = (i: number, way: number) => {
    const key = 8 * i + way;
    const known = made.get(key);
    if (known !== undefined) return known;
    const a = values[i];
    const b = values[i + step[way]];
    // away from the corners, so that no two vertices coincide
    const t = Math.min(0.9, Math.max(0.1, a / (a - b)));
    corner(i).forEach((c, k) => {
      positions.push(snap(low[k] + cell * (c + ((way >> k) & 1) * t)));
    });
    made.set(key, positions.length / 3 - 1);
    return positions.length / 3 - 1;
  };

  const ways = [0, 0, 0, 0];
  for (let z = 0; z + 1 < nz; z++) {
    for (let y = 0; y + 1 < ny; y++) {
      for (let x = 0; x + 1 < nx; x++) {
        const i = x + nx * (y + ny * z);
        for (const [first, second, third, hand] of WAYS) {
          ways[1] = first;
          ways[2] = second;
          ways[3] = third;
          const edge = (a: number, b: number) => {
            const [from, to] = a < b ? [ways[a], ways[b]] : [ways[b], ways[a]];
            return vertexOn(i + step[from], to - from);
          };
          cutTetrahedron(
            (corner) => values[i + step[ways[corner]]] < 0,
            hand,
            edge,
            (a, b, c) => indices.push(a, b, c),
          );
        }
      }
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** The triangles between the corners of a tetrahedron that are inside and those that are not. */
function cutTetrahedron(
  inside: (corner: number) => boolean,
  hand: 1 | -1,
  edge: (a: number, b: number) => number,
  triangle: (a: number, b: number, c: number) => void,
): void {
  const order = [0, 1, 2, 3].filter(inside);
  const within = order.length;
  if (within === 0 || within === 4) return;
  for (let corner = 0; corner < 4; corner++) if (!inside(corner)) order.push(corner);
  let sign: number = hand;
  for (let i = 0; i < 4; i++) for (let j = i + 1; j < 4; j++) if (order[i] > order[j]) sign = -sign;
  const [a, b, c, d] = order;
  const face = (p: number, q: number, r: number) => (sign > 0 ? triangle(p, q, r) : triangle(p, r, q));
  if (within === 1) face(edge(a, b), edge(a, c), edge(a, d));
  else if (within === 3) face(edge(a, d), edge(b, d), edge(c, d));
  else {
    face(edge(a, c), edge(a, d), edge(b, d));
    face(edge(a, c), edge(b, d), edge(b, c));
  }
}
