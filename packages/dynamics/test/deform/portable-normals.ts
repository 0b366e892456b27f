/**
 * Twin of kernels/deform/normal.ts and rings.ts: triangles with a common vertex or edge, and the proof that they meet
 * nowhere else during the step. The arguments are there; here is the same arithmetic in float32, in the same order.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { Ctx, MOTION_BYTES } from '../../src/deform/layout.generated.js';

type Vector = readonly [number, number, number];

const f = Math.fround;
/** How often a direction is turned towards the vector that misses it most. */
const TURNS = 3;
const TINY = f(1e-30);
const PRODUCT_ERROR = f(4e-6);

/** Where vertices are, and by how much differences of positions may be off. */
export interface Motions {
  readonly off: number;
  /** Vertex v less vertex a at T0 (0) or T1 (1). */
  from(a: number, v: number, end: 0 | 1): Vector;
}

export function motionsOf(ctx: number): Motions {
  const floats = arena().f32();
  const at = arena().u32()[(ctx >>> 2) + Ctx.motions] >>> 2;
  return {
    off: 2 ** (arena().i32()[(ctx >>> 2) + Ctx.range] - 22),
    from: (a, v, end) => {
      const p = at + (MOTION_BYTES / 4) * a + 4 * end;
      const q = at + (MOTION_BYTES / 4) * v + 4 * end;
      return minus([floats[q], floats[q + 1], floats[q + 2]], [floats[p], floats[p + 1], floats[p + 2]]);
    },
  };
}

/** Whether a plane through the common vertex a parts b, c from d, e all the time. */
export function partedAtVertex(m: Motions, a: number, b: number, c: number, d: number, e: number): boolean {
  const at = (end: 0 | 1) => [
    m.from(a, b, end),
    m.from(a, c, end),
    times(m.from(a, d, end), -1),
    times(m.from(a, e, end), -1),
  ];
  return isOneSided([...at(0), ...at(1)], f(8 * m.off));
}

/** Whether c and d lie on different sides of the common edge ab, seen from one direction, all the time. */
export function unfoldedAtEdge(m: Motions, a: number, b: number, c: number, d: number): boolean {
  const [e0, e1] = [m.from(a, b, 0), m.from(a, b, 1)];
  const [s0, s1] = [m.from(a, c, 0), m.from(a, c, 1)];
  const [r0, r1] = [m.from(a, d, 0), m.from(a, d, 1)];
  const [s00, s01, s11] = normals(e0, e1, s0, s1);
  const [r00, r01, r11] = normals(r0, r1, e0, e1);
  const edge = extentOf([e0, e1]);
  const side = extentOf([s0, s1, r0, r1]);
  const error = f(f(f(4 * m.off) * f(edge + side)) + f(f(PRODUCT_ERROR * edge) * side));
  return isOneSided([s00, s01, s11, s11, r00, r01, r11, r11], error);
}

/**
 * Whether the triangles around vertex a, a closed fan with these neighbours, have no more in common than their common
 * vertices and edges all the time (`clear`), and whether their opposite edges keep out of reach of each other (`room`).
 */
export function verdictOnFan(
  m: Motions,
  a: number,
  neighbours: readonly number[],
  reach: number,
): { clear: boolean; room: boolean } {
  const edges = neighbours.map((v) => [m.from(a, v, 0), m.from(a, v, 1)] as const);
  const coefficients = edges.map((edge, i) => normals(...edges.at(i - 1)!, ...edge));
  const normal = coefficients.reduce<Vector>((sum, [n0, , n1]) => plus(sum, plus(n0, n1)), [0, 0, 0]);
  const e = extentOf(edges.flat());
  const off = f(f(f(8 * m.off) * e) + f(f(PRODUCT_ERROR * e) * e));
  const limit = f(sizeOf(normal) * off);
  const across = acrossFrom(normal);
  const near = f(sizeOf(normal) * f(f(4 * m.off) + f(f(2e-6) * e)));
  const product = Math.min(...coefficients.flat().map((n) => dotInFan(n, normal)));
  const sides = edges.map(([p]) => dotAcross(p, across));
  const changes = sides.filter((side, i) => side < 0 !== sides.at(i - 1)! < 0).length;
  const clear = product > limit && sides.every((side) => Math.abs(side) > near) && changes === 2;
  const extents = ([0, 1, 2] as const).map((c) => extentOf(edges.flat().map((v) => [v[c], 0, 0])));
  const squares = extents.map((x) => f(x * x));
  const longest = f(f(Math.sqrt(f(f(squares[0] + squares[2]) + squares[1]))) + f(2 * m.off));
  const reached = f(f(reach * f(Math.sqrt(dotInFan(normal, normal)))) * longest);
  return { clear, room: clear && f(product - limit) > f(f(1.00001) * reached) };
}

function acrossFrom([x, y, z]: Vector): Vector {
  const slant = (value: number) => f(f(0.59) * value);
  if (Math.abs(y) >= Math.max(Math.abs(x), Math.abs(z))) return [y, f(slant(z) - x), -slant(y)];
  if (Math.abs(x) >= Math.abs(z)) return [f(slant(z) - y), x, -slant(x)];
  return [z, -slant(z), f(slant(y) - x)];
}

/** Bernstein coefficients of the cross product of two moving vectors. */
function normals(p0: Vector, p1: Vector, q0: Vector, q1: Vector): [Vector, Vector, Vector] {
  return [cross(p0, q0), times(plus(cross(p0, q1), cross(p1, q0)), 0.5), cross(p1, q1)];
}

/** Whether a direction is found that has a positive product with all eight vectors, off by `error` per component. */
function isOneSided(vectors: readonly Vector[], error: number): boolean {
  const inverse = vectors.map((v) => f(1 / f(Math.sqrt(f(TINY + dot(v, v))))));
  const units = vectors.map((v, i) => times(v, inverse[i]));
  const mean = (c: 0 | 1 | 2) => {
    const lane = (i: number) => f(units[i][c] + units[i + 4][c]);
    return f(f(lane(0) + lane(2)) + f(lane(1) + lane(3)));
  };
  let m: Vector = [mean(0), mean(1), mean(2)];
  for (let turns = 0; ; turns++) {
    const products = vectors.map((v) => dot(v, m));
    const limit = f(error * f(f(Math.abs(m[0]) + Math.abs(m[1])) + Math.abs(m[2])));
    if (products.every((p) => p > limit)) return true;
    if (turns === TURNS) return false;
    const turned = products.map((p, i) => f(p * inverse[i]));
    const worst = Math.min(...turned);
    const length = f(Math.sqrt(dot(m, m)));
    const by = f(f(f(0.05) * length) - f(f(1.5) * worst));
    m = plus(m, times(units[turned.indexOf(worst)] ?? [0, 0, 0], by));
  }
}

const plus = (a: Vector, b: Vector): Vector => [f(a[0] + b[0]), f(a[1] + b[1]), f(a[2] + b[2])];
const minus = (a: Vector, b: Vector): Vector => [f(a[0] - b[0]), f(a[1] - b[1]), f(a[2] - b[2])];
const times = (a: Vector, s: number): Vector => [f(a[0] * s), f(a[1] * s), f(a[2] * s)];
const dot = (a: Vector, b: Vector): number => f(f(f(a[0] * b[0]) + f(a[1] * b[1])) + f(a[2] * b[2]));
/** Summed as the lanes lie in rings.ts: z, x, y. */
const dotInFan = (a: Vector, b: Vector): number => f(f(f(a[2] * b[2]) + f(a[1] * b[1])) + f(a[0] * b[0]));
const dotAcross = (a: Vector, b: Vector): number => f(f(f(a[0] * b[0]) + f(a[2] * b[2])) + f(a[1] * b[1]));
const cross = (a: Vector, b: Vector): Vector => [
  f(f(a[1] * b[2]) - f(a[2] * b[1])),
  f(f(a[2] * b[0]) - f(a[0] * b[2])),
  f(f(a[0] * b[1]) - f(a[1] * b[0])),
];
const sizeOf = (a: Vector): number => f(f(Math.abs(a[2]) + Math.abs(a[1])) + Math.abs(a[0]));
const extentOf = (vectors: readonly Vector[]): number => Math.max(...vectors.flat().map(Math.abs));
