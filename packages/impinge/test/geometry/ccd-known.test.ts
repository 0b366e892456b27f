/** Continuous contacts whose answer can be worked out by hand, each with its neighbours one rounding away. */
import { describe, expect, it } from 'vitest';
import { exactEdgeEdge } from '../../src/geometry/ccd/exact-edge-edge.js';
import { exactVertexFace } from '../../src/geometry/ccd/exact-vertex-face.js';

type Point = readonly [number, number, number];
type Answer = { t: number; u: number; v: number; normal: number[] } | undefined;

function run(
  test: (p: Float64Array, out: Float64Array) => boolean,
  start: readonly Point[],
  end: readonly Point[],
): Answer {
  const out = new Float64Array(6);
  if (!test(Float64Array.from([...start, ...end].flat()), out)) return undefined;
  // adding 0 takes the sign from zeros
  const [t, u, v, ...normal] = Array.from(out, (x) => x + 0) as [number, number, number];
  return { t, u, v, normal };
}
const vf = (start: readonly Point[], end: readonly Point[] = start) => run(exactVertexFace, start, end);
const ee = (start: readonly Point[], end: readonly Point[] = start) => run(exactEdgeEdge, start, end);

const TINY = 2 ** -1074;
const HALF_ULP = 2 ** -53;
/** In the plane z = 0. */
const FACE: readonly Point[] = [
  [0, 0, 0],
  [4, 0, 0],
  [0, 4, 0],
];
const fall = (x: number, y: number, from: number, to: number) =>
  vf([[x, y, from], ...FACE], [[x, y, to], ...FACE]);

describe('a vertex that falls on a face', () => {
  it('passes it', () => {
    expect(fall(1, 2, 3, -1)).toEqual({ t: 0.75, u: 0.25, v: 0.5, normal: [0, 0, 1] });
    expect(fall(1, 2, -3, 1)).toEqual({ t: 0.75, u: 0.25, v: 0.5, normal: [0, 0, -1] });
    expect(fall(1, 2, 2, -1)?.t).toBe(0.6666666666666666);
  });
  it('reaches it at the very end, or not quite', () => {
    expect(fall(1, 1, 1, 0)?.t).toBe(1);
    expect(fall(1, 1, 1, TINY)).toBeUndefined();
    expect(fall(1, 1, 1, -TINY)?.t).toBe(1 - HALF_ULP);
  });
  it('leaves it at the very start, or had left', () => {
    expect(fall(1, 1, 0, 1)).toMatchObject({ t: 0, normal: [0, 0, -1] });
    expect(fall(1, 1, 0, -1)).toMatchObject({ t: 0, normal: [0, 0, 1] });
    expect(fall(1, 1, TINY, 1)).toBeUndefined();
  });
  it('hits corners and borders, and misses next to them', () => {
    for (const [x, y] of [
      [0, 0],
      [4, 0],
      [0, 4],
      [2, 2],
      [0, 3],
      [3, 0],
    ] as const)
      expect(fall(x, y, 1, -1)?.t).toBe(0.5);
    expect(fall(-TINY, 2, 1, -1)).toBeUndefined();
    expect(fall(2, -TINY, 1, -1)).toBeUndefined();
    expect(fall(2, 2 + 2 ** -51, 1, -1)).toBeUndefined();
    expect(fall(2, 2 - 2 ** -51, 1, -1)?.t).toBe(0.5);
  });
});

describe('a vertex and a face at rest', () => {
  it.each([
    ['inside', [1, 1, 0], true],
    ['a corner', [0, 4, 0], true],
    ['a border', [2, 2, 0], true],
    ['above', [1, 1, TINY], false],
    ['beside', [-TINY, 1, 0], false],
  ] as const)('%s', (_, vertex, touches) => {
    expect(vf([vertex, ...FACE]) !== undefined).toBe(touches);
  });
  it('has a normal even so', () => {
    expect(vf([[1, 1, 0], ...FACE])?.normal.map(Math.abs)).toEqual([0, 0, 1]);
  });
});

describe('a vertex that slides in the plane of a face', () => {
  it('over a border, with a normal against the motion', () => {
    const answer = vf([[-3, 1, 0], ...FACE], [[1, 1, 0], ...FACE]);
    expect(answer).toEqual({ t: 0.75, u: 0, v: 0.25, normal: [-1, 0, 0] });
  });
  it('along a border', () => {
    expect(vf([[-1, 0, 0], ...FACE], [[7, 0, 0], ...FACE])).toMatchObject({ t: 0.125, u: 0, v: 0 });
    expect(vf([[-1, -TINY, 0], ...FACE], [[7, -TINY, 0], ...FACE])).toBeUndefined();
  });
  it('past a corner', () => {
    expect(vf([[-1, 5, 0], ...FACE], [[1, 3, 0], ...FACE])?.t).toBe(0.5);
    expect(vf([[-1, 5, 0], ...FACE], [[1, 3 + 2 ** -50, 0], ...FACE])).toBeUndefined();
  });
  it('starts inside and leaves', () => {
    expect(vf([[1, 1, 0], ...FACE], [[9, 9, 0], ...FACE])?.t).toBe(0);
  });
  it('while the plane turns', () => {
    // all on the plane z = t·x; the face slides along y, by 4 − 8t
    const start: readonly Point[] = [
      [1, 1, 0],
      [0, 4, 0],
      [4, 4, 0],
      [0, 8, 0],
    ];
    const end: readonly Point[] = [
      [1, 1, 1],
      [0, -4, 0],
      [4, -4, 4],
      [0, 0, 0],
    ];
    expect(vf(start, end)).toMatchObject({ t: 0.375, u: 0.25, v: 0, normal: [0, -1, 0] });
  });
});

/** The face on the plane z = slope·t·x with |y| ≤ x ≤ 4. */
const turning = (slope: number): readonly [readonly Point[], readonly Point[]] => [
  [
    [0, 0, 0],
    [4, -4, 0],
    [4, 4, 0],
  ],
  [
    [0, 0, 0],
    [4, -4, 4 * slope],
    [4, 4, 4 * slope],
  ],
];

describe('a face that turns', () => {
  it('meets at √½: the double below it', () => {
    const [start, end] = turning(1);
    const answer = vf([[0, 0, 1], ...start], [[2, 0, 1], ...end])!;
    expect(answer.t).toBe(0.7071067811865475);
    expect(answer.u).toBeCloseTo(Math.SQRT2 / 8, 12);
    expect(answer.v).toBeCloseTo(Math.SQRT2 / 8, 12);
    expect(answer.normal[0]).toBeCloseTo(-Math.sqrt(1 / 3), 12);
    expect(answer.normal[2]).toBeCloseTo(Math.sqrt(2 / 3), 12);
  });
  it('grazes: a double root at ½', () => {
    const [start, end] = turning(4);
    const graze = (z: number) => vf([[1, 0, z], ...start], [[0, 0, z], ...end]);
    expect(graze(1)).toMatchObject({ t: 0.5 });
    expect(graze(1)!.normal[2]).toBeGreaterThan(0);
    expect(graze(1 + 2 ** -52)).toBeUndefined();
    const before = graze(1 - HALF_ULP)!.t;
    expect(before).toBeLessThan(0.5);
    expect(before).toBeCloseTo(0.5 - Math.sqrt(HALF_ULP) / 2, 14);
  });
  it('grazes at a third', () => {
    // x = ⅔ − t and the slope 9t give a height of 1 − (3t − 1)²; all times 3
    const [start, end] = turning(9);
    const graze = (z: number) => vf([[2, 0, z], ...scaled(start)], [[-1, 0, z], ...scaled(end)]);
    const scaled = (points: readonly Point[]) => points.map((p): Point => [3 * p[0], 3 * p[1], 3 * p[2]]);
    expect(graze(3)?.t).toBe(0.3333333333333333);
    expect(graze(3 + 2 ** -51)).toBeUndefined();
    expect(graze(3 - 2 ** -51)?.t).toBeLessThan(1 / 3);
  });
});

describe('a face that degenerates', () => {
  it('to a segment just when the vertex passes', () => {
    // f2 crosses the line f0 f1 at ½, when the vertex is at z = 0
    const at = (x: number) =>
      vf(
        [
          [x, 0, 1],
          [0, 0, 0],
          [4, 0, 0],
          [2, 4, 0],
        ],
        [
          [x, 0, -1],
          [0, 0, 0],
          [4, 0, 0],
          [2, -4, 0],
        ],
      );
    expect(at(1)).toMatchObject({ t: 0.5, u: 0.25, v: 0 });
    expect(at(4)?.t).toBe(0.5);
    expect(at(4 + 2 ** -50)).toBeUndefined();
    expect(at(-TINY)).toBeUndefined();
  });
  it('is a segment, a needle, a point', () => {
    const onto = (face: readonly Point[], x: number, y: number) =>
      vf([[x, y, 1], ...face], [[x, y, -1], ...face]);
    const segment: readonly Point[] = [
      [0, 0, 0],
      [4, 4, 0],
      [1, 1, 0],
    ];
    expect(onto(segment, 2, 2)?.t).toBe(0.5);
    expect(onto(segment, 2, 2 + 2 ** -51)).toBeUndefined();
    const needle: readonly Point[] = [
      [0, 0, 0],
      [4, 0, 0],
      [2, TINY, 0],
    ];
    expect(onto(needle, 2, TINY)?.t).toBe(0.5);
    expect(onto(needle, 1, 0)?.t).toBe(0.5);
    expect(onto(needle, 1, TINY)).toBeUndefined();
    const point: readonly Point[] = [
      [1, 2, 0],
      [1, 2, 0],
      [1, 2, 0],
    ];
    expect(onto(point, 1, 2)).toMatchObject({ t: 0.5, normal: [0, 0, 1] });
    expect(onto(point, 1, 2 + 2 ** -51)).toBeUndefined();
    expect(vf([[1, 2, 0], ...point])).toEqual({ t: 0, u: 0, v: 0, normal: [0, 0, 1] });
  });
  it('sweeps the vertex as a thin triangle would be missed by its normal alone', () => {
    // the face folds over: it is a segment through the vertex's path at one instant only
    const face0: readonly Point[] = [
      [0, 0, -1],
      [1, 0, -1],
      [0, 2 ** -40, 1],
    ];
    const face1: readonly Point[] = [
      [0, 0, 1],
      [1, 0, 1],
      [0, 2 ** -40, -1],
    ];
    expect(vf([[0.25, 0, 0], ...face0], [[0.25, 0, 0], ...face1])).toMatchObject({ t: 0.5, u: 0.25 });
  });
});

const X: readonly Point[] = [
  [-1, 0, 0],
  [3, 0, 0],
];
const alongY = (x: number, z: number): readonly Point[] => [
  [x, -1, z],
  [x, 1, z],
];

describe('edges', () => {
  it('cross', () => {
    expect(ee([...X, ...alongY(0, -3)], [...X, ...alongY(0, 1)])).toEqual({
      t: 0.75,
      u: 0.25,
      v: 0.5,
      normal: [0, 0, 1],
    });
    expect(ee([...X, ...alongY(0, 3)], [...X, ...alongY(0, -1)])?.normal).toEqual([0, 0, -1]);
  });
  it('touch at the ends of the step, or not quite', () => {
    expect(ee([...X, ...alongY(0, -1)], [...X, ...alongY(0, 0)])?.t).toBe(1);
    expect(ee([...X, ...alongY(0, -1)], [...X, ...alongY(0, -TINY)])).toBeUndefined();
    expect(ee([...X, ...alongY(0, 0)], [...X, ...alongY(0, 1)])?.t).toBe(0);
    expect(ee([...X, ...alongY(0, TINY)], [...X, ...alongY(0, 1)])).toBeUndefined();
  });
  it('pass exactly through an end', () => {
    expect(ee([...X, ...alongY(3, -1)], [...X, ...alongY(3, 1)])).toMatchObject({ t: 0.5, u: 1 });
    expect(ee([...X, ...alongY(3 + 2 ** -51, -1)], [...X, ...alongY(3 + 2 ** -51, 1)])).toBeUndefined();
    const corner: readonly Point[] = [
      [3, 0, -1],
      [3, 1, -1],
    ];
    expect(ee([...X, ...corner], [...X, [3, 0, 1], [3, 1, 1]])).toMatchObject({ t: 0.5, u: 1, v: 0 });
    expect(ee([...X, [3, TINY, -1], [3, 1, -1]], [...X, [3, TINY, 1], [3, 1, 1]])).toBeUndefined();
  });
  it('are parallel throughout, and meet, with a normal against the motion', () => {
    const parallel = (z: number, x = 0): readonly Point[] => [
      [x, 0, z],
      [x + 8, 0, z],
    ];
    const answer = ee([...X, ...parallel(1)], [...X, ...parallel(-1)])!;
    expect(answer.t).toBe(0.5);
    expect(answer.normal).toEqual([0, 0, -1]);
    expect(answer.u * 4 - 1).toBe(answer.v * 8);
    expect(ee([...X, ...parallel(1, 3)], [...X, ...parallel(-1, 3)])).toMatchObject({ t: 0.5, u: 1, v: 0 });
    expect(ee([...X, ...parallel(1, 3 + 2 ** -51)], [...X, ...parallel(-1, 3 + 2 ** -51)])).toBeUndefined();
    expect(ee([...X, ...parallel(1)], [...X, ...parallel(TINY)])).toBeUndefined();
  });
  it('slide along a common line', () => {
    const slid = (x: number): readonly Point[] => [
      [x, 0, 0],
      [x + 1, 0, 0],
    ];
    expect(ee([...X, ...slid(5)], [...X, ...slid(1)])).toMatchObject({
      t: 0.5,
      u: 1,
      v: 0,
      normal: [-1, 0, 0],
    });
    expect(ee([...X, ...slid(5)], [...X, ...slid(3)])?.t).toBe(1);
    expect(ee([...X, ...slid(5)], [...X, ...slid(3 + 2 ** -51)])).toBeUndefined();
    expect(ee([...X, ...slid(0)], [...X, ...slid(9)])?.t).toBe(0);
  });
  it('slide in a common plane', () => {
    const b = (x: number): readonly Point[] => [
      [x, 0, 0],
      [x + 1, 2, 0],
    ];
    expect(ee([...X, ...b(5)], [...X, ...b(1)])).toMatchObject({ t: 0.5, u: 1, v: 0 });
    const c = (x: number): readonly Point[] => [
      [x, TINY, 0],
      [x + 1, 2, 0],
    ];
    expect(ee([...X, ...c(5)], [...X, ...c(1)])).toBeUndefined();
  });
  it('become parallel just when they meet', () => {
    // b turns from +45° to −45° while it falls through a
    const turn = (x: number) => ee([...X, [x, -1, 1], [x + 2, 1, 1]], [...X, [x, 1, -1], [x + 2, -1, -1]]);
    expect(turn(0)?.t).toBe(0.5);
    expect(turn(3)).toMatchObject({ t: 0.5, u: 1, v: 0 });
    expect(turn(3 + 2 ** -51)).toBeUndefined();
  });
  it('are points', () => {
    const a: readonly Point[] = [
      [1, 1, 1],
      [1, 1, 1],
    ];
    expect(ee([...a, ...a])).toEqual({ t: 0, u: 0, v: 0, normal: [0, 0, 1] });
    const b = (z: number): readonly Point[] => [
      [1, 1, z],
      [1, 1, z],
    ];
    expect(ee([...a, ...b(3)], [...a, ...b(-1)])).toMatchObject({ t: 0.5, normal: [0, 0, -1] });
    expect(ee([...a, ...b(3)], [...a, ...b(1 + 2 ** -52)])).toBeUndefined();
    expect(ee([...X, [1, 0, 1], [1, 0, 1]], [...X, [1, 0, -1], [1, 0, -1]])).toMatchObject({
      t: 0.5,
      u: 0.5,
    });
  });
});

describe('numbers of very different size', () => {
  it('keeps what is lost in float64', () => {
    expect(fall(1e-300, 1e-300, 1e300, -1e-300)?.t).toBe(1 - HALF_ULP);
    expect(fall(1e-300, 1e-300, 1e300, 1e-300)).toBeUndefined();
    expect(fall(1, 1, 1e-300, -1e300)).toMatchObject({ t: 0, normal: [0, 0, 1] });
  });
  it('meets far from the origin', () => {
    const far = (points: readonly Point[]) =>
      points.map((p): Point => [p[0] + 2 ** 40, p[1] - 2 ** 41, p[2]]);
    expect(vf(far([[1, 2, 3], ...FACE]), far([[1, 2, -1], ...FACE]))).toEqual(fall(1, 2, 3, -1));
  });
});
