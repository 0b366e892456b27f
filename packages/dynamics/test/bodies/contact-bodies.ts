/** Small bodies to try contact response with: particles on springs, and scenery. */
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { selfIntersect } from 'impinge/internal/query/pair/self-intersect.js';
import type { Body } from '../../src/bodies/body.js';
import { fixedBody } from '../../src/bodies/scenery.js';

export interface Shape {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

const onGrid = (positions: ArrayLike<number>) => Float64Array.from(positions, Math.fround);

export interface SpringOptions {
  readonly name?: string;
  readonly velocity?: readonly [number, number, number];
  /** Mass of each particle. */
  readonly mass?: number;
  /** 0 … 1 of what a spring is off is put right, each time round; 0 for no springs. */
  readonly stiffness?: number;
  readonly rounds?: number;
  /** Springs besides the edges: pairs of vertices. */
  readonly braces?: ArrayLike<number>;
  readonly pinned?: readonly number[];
  readonly self?: boolean;
}

/** Equal particles at the vertices, springs along the edges, relaxed one after the other. */
export class SpringBody implements Body {
  readonly name: string;
  readonly kind = 'dynamic';
  readonly self: boolean;
  readonly indices: Uint32Array;
  readonly positions: Float64Array;
  readonly proposed: Float64Array;
  readonly velocities: Float64Array;
  readonly #mass: number;
  readonly #stiffness: number;
  readonly #rounds: number;
  readonly #springs: number[] = [];
  readonly #lengths: number[] = [];
  readonly #pushes: Float64Array;
  readonly #pinned: Set<number>;

  constructor(shape: Shape, options: SpringOptions = {}) {
    this.name = options.name ?? 'springs';
    this.self = options.self ?? true;
    this.indices = Uint32Array.from(shape.indices);
    this.positions = onGrid(shape.positions);
    this.proposed = this.positions.slice();
    this.#pushes = new Float64Array(this.positions.length);
    const velocity = options.velocity ?? [0, 0, 0];
    this.velocities = this.positions.map((_, i) => velocity[i % 3]);
    this.#mass = options.mass ?? 1;
    this.#stiffness = options.stiffness ?? 0.9;
    this.#rounds = options.rounds ?? 4;
    this.#pinned = new Set(options.pinned);
    const seen = new Set<string>();
    const join = (a: number, b: number) => {
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      if (a === b || seen.has(key)) return;
      seen.add(key);
      this.#springs.push(a, b);
      this.#lengths.push(this.#distance(this.positions, a, b));
    };
    for (let i = 0; i < this.indices.length; i += 3)
      for (let k = 0; k < 3; k++) join(this.indices[i + k], this.indices[i + ((k + 1) % 3)]);
    const braces = options.braces ?? [];
    for (let i = 0; i < braces.length; i += 2) join(braces[i], braces[i + 1]);
  }

  get vertexCount(): number {
    return this.positions.length / 3;
  }

  propose(dt: number, gravity: readonly [number, number, number]): void {
    const { positions, proposed, velocities } = this;
    for (let i = 0; i < proposed.length; i++) {
      const held = this.#pinned.has(Math.floor(i / 3));
      proposed[i] = positions[i] + (held ? 0 : dt * (velocities[i] + dt * gravity[i % 3]));
    }
    for (let round = 0; round < this.#rounds; round++) this.#relax();
  }

  inverseMass(vertex: number): number {
    return this.#pinned.has(vertex) ? 0 : 1 / this.#mass;
  }

  push(vertex: number, dx: number, dy: number, dz: number): void {
    this.#pushes[3 * vertex] += dx;
    this.#pushes[3 * vertex + 1] += dy;
    this.#pushes[3 * vertex + 2] += dz;
  }

  settle(): void {
    for (let i = 0; i < this.proposed.length; i++) this.proposed[i] += this.#pushes[i];
    this.#pushes.fill(0);
  }

  finish(end: Float64Array, dt: number): void {
    for (let i = 0; i < end.length; i++) {
      this.velocities[i] = (end[i] - this.positions[i]) / dt;
      this.positions[i] = end[i];
    }
  }

  energy(): number {
    return this.velocities.reduce((sum, v) => sum + 0.5 * this.#mass * v * v, 0);
  }

  momentum(out: Float64Array): void {
    out.fill(0);
    for (let i = 0; i < this.velocities.length; i++) out[i % 3] += this.#mass * this.velocities[i];
  }

  centre(axis: number): number {
    let sum = 0;
    for (let i = axis; i < this.positions.length; i += 3) sum += this.positions[i];
    return sum / this.vertexCount;
  }

  #distance(x: Float64Array, a: number, b: number): number {
    return Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
  }

  #relax(): void {
    const x = this.proposed;
    for (let s = 0; s < this.#lengths.length; s++) {
      const [a, b] = [this.#springs[2 * s], this.#springs[2 * s + 1]];
      const [wa, wb] = [this.inverseMass(a), this.inverseMass(b)];
      const length = this.#distance(x, a, b);
      if (length === 0 || wa + wb === 0) continue;
      const share = (this.#stiffness * (length - this.#lengths[s])) / (length * (wa + wb));
      for (let k = 0; k < 3; k++) {
        const d = share * (x[3 * b + k] - x[3 * a + k]);
        x[3 * a + k] += wa * d;
        x[3 * b + k] -= wb * d;
      }
    }
  }
}

/** Scenery that stands. */
export function scenery(shape: Shape, name = 'scenery'): Body {
  return fixedBody({ ...shape, name });
}

/** A square cloth of n × n vertices in the plane y = height. */
export function sheet(n: number, side: number, height: number): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      positions.push((i / (n - 1) - 0.5) * side, height, (j / (n - 1) - 0.5) * side);
  for (let i = 0; i + 1 < n; i++)
    for (let j = 0; j + 1 < n; j++) {
      const a = i * n + j;
      if ((i + j) % 2 === 0) indices.push(a, a + 1, a + n + 1, a, a + n + 1, a + n);
      else indices.push(a, a + 1, a + n, a + 1, a + n + 1, a + n);
    }
  return { positions, indices };
}

/** A sphere of `rings` × 2 `rings` quads. */
export function ball(radius: number, rings: number, [x, y, z]: readonly [number, number, number]): Shape {
  const around = 2 * rings;
  const positions = [x, y + radius, z];
  for (let i = 1; i < rings; i++)
    for (let j = 0; j < around; j++) {
      const [theta, phi] = [(Math.PI * i) / rings, (2 * Math.PI * j) / around];
      const r = radius * Math.sin(theta);
      positions.push(x + r * Math.cos(phi), y + radius * Math.cos(theta), z + r * Math.sin(phi));
    }
  positions.push(x, y - radius, z);
  const last = positions.length / 3 - 1;
  const at = (i: number, j: number) => 1 + (i - 1) * around + (j % around);
  const indices: number[] = [];
  for (let j = 0; j < around; j++) {
    indices.push(0, at(1, j + 1), at(1, j), last, at(rings - 1, j), at(rings - 1, j + 1));
    for (let i = 1; i + 1 < rings; i++)
      indices.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
  }
  return { positions, indices };
}

/** A box with corners at ± half sizes about a centre, with braces along its diagonals. */
export function box(
  [hx, hy, hz]: readonly [number, number, number],
  [x, y, z]: readonly [number, number, number],
): Shape & { braces: number[] } {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++)
    positions.push(x + (i & 1 ? hx : -hx), y + (i & 2 ? hy : -hy), z + (i & 4 ? hz : -hz));
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  const braces: number[] = [];
  for (let a = 0; a < 8; a++) for (let b = a + 1; b < 8; b++) braces.push(a, b);
  return { positions, indices: quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]), braces };
}

/** A floor of two triangles. */
export function floor(half: number, height = 0): Shape {
  const positions = [-half, height, -half, half, height, -half, half, height, half, -half, height, half];
  return { positions, indices: [0, 2, 1, 0, 3, 2] };
}

/** The shape turned about the z axis. */
export function turned(shape: Shape, angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const out = Array.from(shape.positions);
  for (let i = 0; i < out.length; i += 3) {
    const [x, y] = [out[i], out[i + 1]];
    out[i] = c * x - s * y;
    out[i + 1] = s * x + c * y;
  }
  return out;
}

/** Pairs of triangles of all bodies that meet, by a query that knows nothing of the simulation. */
export function meetings(bodies: readonly Body[]): number {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const body of bodies) {
    const base = positions.length / 3;
    for (const x of body.positions) positions.push(x);
    for (const i of body.indices) indices.push(base + i);
  }
  const mesh = Mesh.from({ positions, indices });
  const { count } = selfIntersect(mesh);
  mesh.dispose();
  return count;
}
