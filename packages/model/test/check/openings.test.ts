/** Openings that are too large, compared with sums of intervals: of walls anywhere, with boxes and pipes in them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { type CheckRule, type Clash, check, openStore } from '../../src/index.js';
import type { StoreOpening } from '../../src/store/layout.js';
import { MemorySink, MemorySource } from '../../src/store/page-source.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { META, named } from '../store/fixtures.js';
import { block, poseOf } from './support.js';

type Corners = readonly [min: readonly number[], max: readonly number[]];
type Thing = readonly [path: string, type: string, shape: ShapeArrays | Corners];

const NOTHING = { byteLength: 0, modified: '', objects: 0, triangles: 0 };
/** A wall along x, a fifth of a metre thick. */
const WALL: Thing = [
  'wall',
  'IfcWall',
  [
    [-3, -0.1, 0],
    [3, 0.1, 3],
  ],
];
function arraysOf(shape: Thing[2]): ShapeArrays {
  if ('positions' in shape) return shape;
  const { positions, indices } = block(...shape);
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A tube or bar of this radius along y. */
function pipe(x: number, z: number, radius: number, sides = 64, [from, to] = [-1, 1]): ShapeArrays {
  const ring = (y: number) =>
    Array.from({ length: sides }, (_, i) => {
      const angle = (2 * Math.PI * i) / sides;
      return [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)];
    });
  const indices = Array.from({ length: sides }, (_, i) => {
    const j = (i + 1) % sides;
    return [
      i,
      sides + i,
      j,
      j,
      sides + i,
      sides + j,
      ...(i > 0 ? [0, i, j, sides, sides + j, sides + i] : []),
    ];
  });
  return {
    positions: Float32Array.from([...ring(from), ...ring(to)].flat()),
    indices: Uint32Array.from(indices.flat()),
  };
}

const opening = (shape: Thing[2], host = 'wall', name = 'hole'): StoreOpening => {
  const { positions, indices } = arraysOf(shape);
  return { name, host, positions: Array.from(positions), indices: Array.from(indices) };
};
const hole = (x: number, z: number, width: number, height: number, name = 'hole') =>
  opening(
    [
      [x - width / 2, -0.2, z - height / 2],
      [x + width / 2, 0.2, z + height / 2],
    ],
    'wall',
    name,
  );

/** The clashes of kind `oversized`, all things and openings turned alike. */
async function oversized(
  things: readonly Thing[],
  openings: readonly StoreOpening[],
  rule: CheckRule = {},
  pose = poseOf([0, 0, 1], 0),
  metresPerUnit = 1,
): Promise<Clash[]> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink, {});
  for (const [path, type, shape] of things)
    await writer.add({ geometry: arraysOf(shape), objects: [{ ...named(path, pose), type }] });
  const turned = openings.map(({ positions, ...one }) => {
    const at = (i: number, k: number) =>
      [0, 1, 2].reduce((sum, j) => sum + pose[3 * k + j] * positions[i + j], pose[9 + k]);
    return { ...one, positions: positions.map((_, i) => at(i - (i % 3), i % 3)) };
  });
  await writer.finish({ ...META, metresPerUnit, files: [{ ...NOTHING, name: 'test', openings: turned }] });
  const run = check(await openStore(new MemorySource(sink.bytes())), { rules: [rule] });
  const found: Clash[] = [];
  for await (const clash of run) if (clash.kind === 'oversized') found.push(clash);
  expect(run.stats.checked).toBe(run.stats.pairs);
  return found;
}
const excess = async (...asked: Parameters<typeof oversized>) =>
  (await oversized(...asked)).map(({ distance }) => Number(distance.toFixed(6)));

const PIPE: Thing = ['pipe', 'IfcPipeSegment', pipe(0, 1, 0.1)];

describe('what is too large', () => {
  test('more than 200 mm beyond the pipe, or what a rule allows', async () => {
    expect(await excess([WALL, PIPE], [hole(0, 1, 0.39, 0.39)])).toEqual([]);
    expect(await excess([WALL, PIPE], [hole(0, 1, 0.41, 0.39)])).toEqual([0.21]);
    expect(await excess([WALL, PIPE], [hole(0, 1, 0.39, 0.41)])).toEqual([0.21]);
    expect(await excess([WALL, PIPE], [hole(0, 1, 0.39, 0.39)], { allowance: 0.1 })).toEqual([0.19]);
    expect(await excess([WALL, PIPE], [hole(0, 1, 0.39, 0.39)], { allowance: 0.2 })).toEqual([]);
    // the clearance is needed on both sides
    expect(await excess([WALL, PIPE], [hole(0, 1, 0.51, 0.4)], { clearance: 0.05 })).toEqual([0.21]);
    expect(await excess([WALL, PIPE], [hole(0, 1, 0.49, 0.4)], { clearance: 0.05 })).toEqual([]);
  });

  test('in millimetres', async () => {
    const inMm = (shape: Thing[2]): ShapeArrays => {
      const { positions, indices } = arraysOf(shape);
      return { positions: positions.map((x) => 1000 * x), indices };
    };
    const things = [WALL, PIPE].map(([path, type, shape]): Thing => [path, type, inMm(shape)]);
    const big = hole(0, 1, 0.41, 0.3);
    const openings = [{ ...big, positions: big.positions.map((x) => 1000 * x) }];
    expect(await excess(things, openings, {}, poseOf([0, 0, 1], 0), 1e-3)).toEqual([expect.closeTo(210, 3)]);
  });

  test('a round one, by the circle around what goes through', async () => {
    const round = (radius: number) => opening(pipe(0, 1, radius, 64, [-0.2, 0.2]));
    expect(await excess([WALL, PIPE], [round(0.19)])).toEqual([]);
    expect(await excess([WALL, PIPE], [round(0.21)])).toEqual([0.22]);
    const duct: Thing = [
      'duct',
      'IfcDuctSegment',
      [
        [-0.1, -1, 0.9],
        [0.1, 1, 1.1],
      ],
    ];
    // its diagonal is 283 mm
    expect(await excess([WALL, duct], [round(0.24)])).toEqual([]);
    expect(await excess([WALL, duct], [round(0.25)])).toEqual([expect.closeTo(0.5 - 0.2 * Math.SQRT2, 5)]);
  });

  test('with all that goes through it', async () => {
    const other: Thing = ['other', 'IfcCableCarrierSegment', pipe(0.3, 1, 0.05)];
    const wide = hole(0.1, 1, 0.6, 0.3);
    expect(await excess([WALL, PIPE], [wide])).toEqual([0.4]);
    expect(await excess([WALL, PIPE, other], [wide])).toEqual([]);
    // what no rule selects takes its place all the same, and is not named
    const rule = { a: 'pipe', b: 'wall', allowance: 0.1 };
    expect(await excess([WALL, PIPE, other], [wide], rule)).toEqual([0.15]);
    const found = await oversized([WALL, other, PIPE], [wide], rule);
    expect(found.map(({ a, b }) => [a.path, b.path])).toEqual([['wall', 'pipe']]);
  });

  test('two openings for one pair are two clashes, whatever their names', async () => {
    const bent: Thing = ['pipe', 'IfcPipeSegment', joined(pipe(0, 1, 0.1), pipe(2, 1, 0.1))];
    for (const name of ['hole', 'other']) {
      const found = await oversized([WALL, bent], [hole(0, 1, 0.5, 0.5), hole(2, 1, 0.6, 0.5, name)]);
      expect(found.map(({ distance }) => Number(distance.toFixed(6)))).toEqual([0.3, 0.4]);
      expect(new Set(found.map(({ id }) => id)).size).toBe(2);
    }
  });
});

describe('what is not judged', () => {
  const wide = hole(0, 1, 0.9, 0.9);
  test.each<[string, readonly Thing[], readonly StoreOpening[], CheckRule?]>([
    ['nothing goes through', [WALL], [wide]],
    ['what goes through is no service', [WALL, ['bar', 'IfcMember', pipe(0, 1, 0.1)]], [wide]],
    ['it passes beside', [WALL, ['pipe', 'IfcPipeSegment', pipe(1, 1, 0.1)]], [wide]],
    ['it ends in the wall', [WALL, ['pipe', 'IfcPipeSegment', pipe(0, 1, 0.1, 64, [-1, 0])]], [wide]],
    ['a shaft', [WALL, PIPE], [hole(0, 1, 1.2, 0.9)]],
    [
      'a recess',
      [WALL, PIPE],
      [
        opening([
          [-0.4, -0.2, 0.6],
          [0.4, 0.05, 1.4],
        ]),
      ],
    ],
    [
      'a notch at the edge',
      [WALL, PIPE],
      [
        opening([
          [-0.4, -0.2, -0.5],
          [0.4, 0.2, 1.2],
        ]),
      ],
    ],
    [
      'a slot from side to side',
      [WALL, PIPE],
      [
        opening([
          [-4, -0.2, 0.95],
          [4, 0.2, 1.05],
        ]),
      ],
    ],
    ['too small the other way', [WALL, PIPE], [hole(0, 1, 0.9, 0.19)]],
    ['too tight the other way', [WALL, PIPE], [hole(0, 1, 0.9, 0.25)], { clearance: 0.03 }],
    ['of another host', [WALL, PIPE], [opening(wideShape(), 'beam')]],
    ['proposed', [WALL, PIPE], [opening(wideShape(), '')]],
    ['a rule that does not ask', [WALL, PIPE], [wide], { kinds: ['hard'] }],
    ['a rule that ignores', [WALL, PIPE], [wide], { ignore: true }],
  ])('%s', async (_, things, openings, rule = {}) => {
    expect(
      await excess(
        [
          ...things,
          [
            'else',
            'IfcWall',
            [
              [8, 8, 8],
              [9, 9, 9],
            ],
          ],
        ],
        openings,
        rule,
      ),
    ).toEqual([]);
  });

  test('but the same, a little different, is', async () => {
    expect(await excess([WALL, PIPE], [wide])).toEqual([0.7]);
    const halves: Thing[] = [
      ['one', 'IfcPipeSegment', pipe(0, 1, 0.1, 64, [-1, 0])],
      ['two', 'IfcPipeSegment', pipe(0, 1, 0.1, 64, [0, 1])],
    ];
    expect(await excess([WALL, ...halves], [wide])).toEqual([0.7]);
  });
});

test('any boxes in any wall, by intervals (seed 51)', async () => {
  const tenths = (from: number, to: number) => fc.integer({ min: from, max: to }).map((n) => n / 32);
  const service = fc.record({
    at: fc.tuple(tenths(-12, 12), tenths(-12, 12)),
    size: fc.tuple(tenths(1, 8), tenths(1, 8)),
    ends: fc.constantFrom([-1, 1], [-1, 0], [0, 1], [-0.05, 0.05]),
  });
  const asked = fc.record({
    services: fc.array(service, { minLength: 1, maxLength: 4 }),
    size: fc.tuple(tenths(4, 31), tenths(4, 31)),
    clearance: tenths(0, 2),
    allowance: tenths(0, 6),
    axis: fc.tuple(tenths(-9, 9), tenths(-9, 9), tenths(1, 9)),
    angle: fc.double({ min: 0, max: 6, noNaN: true }),
  });
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(asked, async ({ services, size, clearance, allowance, axis, angle }) => {
      const edges = [0, 1].map((k) => [-size[k] / 2, size[k] / 2]);
      const inside = services.flatMap(({ at, size: own, ends }) => {
        const spans = [0, 1].map((k) => [
          Math.max(at[k] - own[k] / 2, edges[k][0]),
          Math.min(at[k] + own[k] / 2, edges[k][1]),
        ]);
        return spans.every(([from, to]) => from < to) ? [{ spans, ends }] : [];
      });
      const reaches = (end: 0 | 1) => inside.some(({ ends }) => Math.abs(ends[end]) >= 0.1);
      const beyond = [0, 1].map((k) => {
        const taken = [0, 1].map((e) => {
          const ends = inside.map(({ spans }) => spans[k][e]);
          return e === 0 ? Math.min(...ends) - clearance : Math.max(...ends) + clearance;
        });
        return size[k] - (taken[1] - taken[0]);
      });
      const most = Math.max(...beyond);
      const isJudged = reaches(0) && reaches(1) && Math.min(...beyond) > 0.002;
      const expected = isJudged && most > allowance ? [expect.closeTo(most, 5)] : [];
      // what only touches the edge, or lies at the limit, may be either
      const touches = services.some(({ at, size: own }) =>
        [0, 1].some((k) => Math.abs(Math.abs(at[k]) - (own[k] + size[k]) / 2) < 1e-9),
      );
      fc.pre(!touches && Math.abs(most - allowance) > 1e-9);
      judged += expected.length;
      const things = services.map(({ at: [x, z], size: [w, h], ends }, i): Thing => {
        const corners: Corners = [
          [x - w / 2, ends[0], 1 + z - h / 2],
          [x + w / 2, ends[1], 1 + z + h / 2],
        ];
        return [`pipe ${i}`, 'IfcPipeSegment', corners];
      });
      const rule = { a: 'wall', b: 'pipe *', clearance, allowance };
      const pose = poseOf(axis, angle, [5, -3, 2]);
      expect(await excess([WALL, ...things], [hole(0, 1, size[0], size[1])], rule, pose)).toEqual(expected);
    }),
    { seed: 51, numRuns: runs(50) },
  );
  expect(judged).toBeGreaterThan(runs(50) / 6);
});

function wideShape(): Corners {
  return [
    [-0.45, -0.2, 0.55],
    [0.45, 0.2, 1.45],
  ];
}

function joined(p: ShapeArrays, q: ShapeArrays): ShapeArrays {
  const first = p.positions.length / 3;
  return {
    positions: Float32Array.from([...p.positions, ...q.positions]),
    indices: Uint32Array.from([...p.indices, ...Array.from(q.indices, (i) => first + i)]),
  };
}
