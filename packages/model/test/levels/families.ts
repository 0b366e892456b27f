/** Meshes of many kinds, good and bad, to try levels on; none of more than a few thousand triangles. */
import type { Random } from '@impinge/scenes/random';

export interface Shape {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

type Point = readonly [number, number, number];

function shapeOf(points: readonly Point[], triangles: readonly (readonly number[])[]): Shape {
  return { positions: Float32Array.from(points.flat()), indices: Uint32Array.from(triangles.flat()) };
}

/** A surface over (u, v), closed in u or in v where asked; cells are two triangles. */
function sheet(
  columns: number,
  rows: number,
  place: (u: number, v: number) => Point,
  closed: { u?: boolean; v?: boolean } = {},
): Shape {
  const across = closed.u ? columns : columns + 1;
  const along = closed.v ? rows : rows + 1;
  const points: Point[] = [];
  for (let j = 0; j < along; j++) for (let i = 0; i < across; i++) points.push(place(i / columns, j / rows));
  const at = (i: number, j: number) => (j % along) * across + (i % across);
  const triangles: number[][] = [];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
  }
  return shapeOf(points, triangles);
}

function joined(...shapes: readonly Shape[]): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const shape of shapes) {
    const first = positions.length / 3;
    positions.push(...shape.positions);
    indices.push(...Array.from(shape.indices, (v) => v + first));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

function torus(n: number, radius: number, bump: number): Shape {
  return sheet(
    2 * n,
    n,
    (u, v) => {
      const r = radius * (1 + bump * Math.sin(40 * u) * Math.cos(30 * v));
      const angle = 2 * Math.PI * u;
      const ring = 1 + r * Math.cos(2 * Math.PI * v);
      return [ring * Math.cos(angle), ring * Math.sin(angle), r * Math.sin(2 * Math.PI * v)];
    },
    { u: true, v: true },
  );
}

/** Every triangle with corners of its own. */
function unwelded({ positions, indices }: Shape): Shape {
  const out = new Float32Array(3 * indices.length);
  indices.forEach((v, i) => {
    out.set(positions.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return { positions: out, indices: Uint32Array.from(indices, (_, i) => i) };
}

/** The families by name; `n` sets the size, about 4 n² triangles. */
export const FAMILIES: Readonly<Record<string, (n: number, random: Random) => Shape>> = {
  torus: (n) => torus(n, 0.4, 0.05),
  terrain: (n, random) => {
    const phase = 10 * random.next();
    return sheet(n, n, (u, v) => [
      u,
      v,
      0.1 * Math.sin(9 * u + phase) * Math.cos(7 * v) + 0.002 * random.next(),
    ]);
  },
  flat: (n) => sheet(n, n, (u, v) => [u, v, 0]),
  needles: (n, random) => sheet(n, n, (u, v) => [1000 * u, 0.01 * v, 0.01 * random.next()]),
  unwelded: (n) => unwelded(torus(n, 0.3, 0.1)),
  fan: (n) => {
    const rim = 3 * n;
    const points: Point[] = [[0, 0, 0.3]];
    for (let i = 0; i < rim; i++)
      points.push([Math.cos((2 * Math.PI * i) / rim), Math.sin((2 * Math.PI * i) / rim), 0]);
    return shapeOf(
      points,
      Array.from({ length: rim }, (_, i) => [0, 1 + i, 1 + ((i + 1) % rim)]),
    );
  },
  soup: (n, random) => {
    const points: Point[] = [];
    const triangles: number[][] = [];
    for (let t = 0; t < n * n; t++) {
      const centre = [random.next(), random.next(), random.next()];
      for (let k = 0; k < 3; k++) {
        points.push([0, 1, 2].map((c) => centre[c] + 0.05 * random.next()) as unknown as Point);
      }
      triangles.push([3 * t, 3 * t + 1, 3 * t + 2]);
    }
    return shapeOf(points, triangles);
  },
  shells: (n) => joined(torus(n >> 1, 0.4, 0), torus(n >> 1, 0.399, 0), torus(n >> 1, 0.35, 0)),
  terraces: (n) =>
    joined(
      ...[0, 1, 2, 3, 4].map((k) =>
        sheet(n >> 1, n >> 1, (u, v) => [u + 0.02 * k, v, 0.001 * k + 0.05 * Math.sin(4 * u)]),
      ),
    ),
  doubled: (n) => {
    const one = torus(n >> 1, 0.4, 0.1);
    return {
      positions: one.positions,
      indices: Uint32Array.from([...one.indices, ...one.indices.slice().reverse()]),
    };
  },
  book: (n) => {
    // three pages on one spine: every edge there has three triangles
    const pages = [0, 2, 4].map((angle) =>
      sheet(n >> 1, n >> 1, (u, v) => [u * Math.cos(angle), u * Math.sin(angle), v]),
    );
    return joined(...pages);
  },
  flaps: (n, random) => {
    const ground = sheet(n >> 1, n >> 1, (u, v) => [u, v, 0.05 * Math.sin(8 * u)]);
    const extra: number[] = [];
    for (let i = 0; i < n; i++) {
      const t = 3 * random.integer(0, ground.indices.length / 3 - 1);
      extra.push(ground.indices[t], ground.indices[t + 2], ground.indices[t + 1]);
    }
    return { positions: ground.positions, indices: Uint32Array.from([...ground.indices, ...extra]) };
  },
  crumbs: (n, random) => {
    // a sheet among triangles that cannot be collapsed: a little more than half of all can go
    const ground = sheet(n >> 1, n >> 1, (u, v) => [u, v, 0.05 * Math.sin(8 * u)]);
    const points: Point[] = [];
    for (let i = 0; i < 3 * Math.round(0.315 * ground.indices.length); i++) {
      points.push([random.next(), random.next(), random.next()]);
    }
    return joined(
      ground,
      shapeOf(
        points,
        Array.from({ length: points.length / 3 }, (_, t) => [3 * t, 3 * t + 1, 3 * t + 2]),
      ),
    );
  },
  point: (n) =>
    shapeOf(
      [[1, 2, 3]],
      Array.from({ length: n }, () => [0, 0, 0]),
    ),
  single: () =>
    shapeOf(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [[0, 1, 2]],
    ),
};

/** A sheet of many small hills: levels are flat. */
export function hills(n: number, random: Random): Shape {
  const { positions, indices } = FAMILIES['flat'](n, random);
  return { positions: positions.map((x, i) => (i % 3 === 2 ? 0.02 * random.next() : x)), indices };
}

/** Of the sizes of a family, the smallest that has levels. */
export function withLevels(make: (n: number) => Shape): Shape {
  let shape = make(6);
  for (let n = 7; n < 40 && shape.indices.length < 3 * 90; n++) shape = make(n);
  return shape;
}

/** Corners of all triangles, one after the other. */
export function trianglesOf({
  positions,
  indices,
}: Pick<Shape, 'positions'> & { readonly indices: ArrayLike<number> }): Float64Array {
  return Float64Array.from(
    { length: 3 * indices.length },
    (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
  );
}
