/** Small shapes, as plain numbers, for configurations of objects. */

export type Random = () => number;
export type Triple = [number, number, number];

export interface Shape {
  readonly positions: number[];
  /** Without it every three vertices are a triangle. */
  readonly indices?: number[];
}

/** An integer in [from, to]. */
export const integer = (random: Random, from: number, to: number): number =>
  from + Math.floor(random() * (to - from + 1));

export const pick = <T>(random: Random, choices: readonly T[]): T =>
  choices[Math.floor(random() * choices.length)]!;

export function trianglesOf(shape: Shape): number {
  return (shape.indices ? shape.indices.length : shape.positions.length / 3) / 3;
}

/** Every vertex through a function. */
export function mapped(shape: Shape, map: (x: number, y: number, z: number) => Triple): Shape {
  const positions: number[] = [];
  const p = shape.positions;
  for (let i = 0; i < p.length; i += 3) positions.push(...map(p[i], p[i + 1], p[i + 2]));
  return { ...shape, positions };
}

export const moved = (shape: Shape, [dx, dy, dz]: Triple, scale = 1): Shape =>
  mapped(shape, (x, y, z) => [scale * x + dx, scale * y + dy, scale * z + dz]);

/** Two shapes as one, as a soup. */
export function joined(...shapes: Shape[]): Shape {
  return { positions: shapes.flatMap((shape) => soupOf(shape).positions) };
}

export function soupOf({ positions, indices }: Shape): Shape {
  if (!indices) return { positions };
  return { positions: indices.flatMap((v) => positions.slice(3 * v, 3 * v + 3)) };
}

/** Triangles of about `size`, scattered about 0 in a cube of side 1. */
export function scatter(random: Random, count: number, size: number): Shape {
  const positions: number[] = [];
  for (let t = 0; t < count; t++) {
    const middle = [random() - 0.5, random() - 0.5, random() - 0.5];
    for (let i = 0; i < 9; i++) positions.push(middle[i % 3] + size * (random() - 0.5));
  }
  return { positions };
}

/** An octahedron about 0 of radius 1, its faces split `rounds` times: 8, 32 triangles. */
export function ball(rounds: number): Shape {
  const positions = [1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1];
  let indices = [0, 1, 2, 1, 3, 2, 3, 4, 2, 4, 0, 2, 1, 0, 5, 3, 1, 5, 4, 3, 5, 0, 4, 5];
  for (let round = 0; round < rounds; round++) {
    const middles = new Map<number, number>();
    const middle = (a: number, b: number): number => {
      const key = Math.min(a, b) * 1000 + Math.max(a, b);
      let v = middles.get(key);
      if (v === undefined) {
        v = positions.length / 3;
        const m = [0, 1, 2].map((k) => positions[3 * a + k] + positions[3 * b + k]);
        const length = Math.hypot(...m);
        positions.push(...m.map((x) => x / length));
        middles.set(key, v);
      }
      return v;
    };
    const split: number[] = [];
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = indices.slice(i, i + 3) as Triple;
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      split.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
    }
    indices = split;
  }
  return { positions, indices };
}

/** A box about 0 with these half sides: 12 triangles. */
export function box(x: number, y: number, z: number): Shape {
  const positions: number[] = [];
  for (let c = 0; c < 8; c++) positions.push(c & 1 ? x : -x, c & 2 ? y : -y, c & 4 ? z : -z);
  const quads = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const indices: number[] = [];
  for (let q = 0; q < 24; q += 4) {
    indices.push(quads[q], quads[q + 1], quads[q + 2], quads[q], quads[q + 2], quads[q + 3]);
  }
  return { positions, indices };
}

/** An n × n grid of squares over [−1, 1]² in the plane z = height(x, y): 2 n² triangles. */
export function sheet(n: number, height: (x: number, y: number) => number = () => 0): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const [x, y] = [(2 * i) / n - 1, (2 * j) / n - 1];
      positions.push(x, y, height(x, y));
    }
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const v = j * (n + 1) + i;
      indices.push(v, v + 1, v + n + 2, v, v + n + 2, v + n + 1);
    }
  }
  return { positions, indices };
}

/** An open tube about z, of radius 1 and length 2: 2 · sides triangles. */
export function tube(sides: number): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < sides; i++) {
    const angle = (2 * Math.PI * i) / sides;
    positions.push(Math.cos(angle), Math.sin(angle), -1, Math.cos(angle), Math.sin(angle), 1);
    const [a, b] = [2 * i, 2 * ((i + 1) % sides)];
    indices.push(a, b, b + 1, a, b + 1, a + 1);
  }
  return { positions, indices };
}

/** A tetrahedron with corners on a small lattice, one of them at 0, the others above the plane z = 0. */
export function latticeTetrahedron(random: Random): Shape {
  const corner = (): Triple => [integer(random, -3, 3), integer(random, -3, 3), integer(random, 1, 4)];
  return {
    positions: [0, 0, 0, ...corner(), ...corner(), ...corner()],
    indices: [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2],
  };
}

/** Any of the above, about 0 and about 1 across. */
export function anyShape(random: Random): Shape {
  const unit = (shape: Shape) => moved(shape, [0, 0, 0], 0.5);
  const stretched = (shape: Shape) => {
    const [a, b, c] = [0.2 + random(), 0.2 + random(), 0.2 + random()];
    return mapped(shape, (x, y, z) => [0.5 * a * x, 0.5 * b * y, 0.5 * c * z]);
  };
  return pick(random, [
    () => scatter(random, integer(random, 1, 20), 0.1 + 0.8 * random()),
    () => scatter(random, integer(random, 20, 60), 0.2),
    () => scatter(random, 1, 1),
    () => unit(ball(integer(random, 0, 1))),
    () => stretched(box(1, 1, 1)),
    () => stretched(ball(1)),
    () => stretched(tube(integer(random, 3, 16))),
    () => unit(sheet(integer(random, 1, 5), (x, y) => 0.3 * x * y)),
  ])();
}
