/** Zones: what is above, beside and in the way of doors, compared with closed formulas and with whole zones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import type { Arrays } from '../../../impinge/test/query/solid/solids.js';
import { MeasureStats, measurePair } from '../../src/check/measure-pair.js';
import { measureZone, zoneParts } from '../../src/check/zones/measure-zone.js';
import { readZone } from '../../src/check/zones/zone.js';
import {
  type CheckOptions,
  type CheckRule,
  check,
  ObjectCheck,
  openStore,
  type Zone,
} from '../../src/index.js';
import type { ShapeArrays, SourceObject } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';
import { block, placed, poseOf } from './support.js';

type Corners = readonly [min: readonly number[], max: readonly number[]];

const sizes = (zone: Zone) =>
  readZone(zone, (why) => {
    throw new Error(why);
  });
const joined = (all: readonly Arrays[]): Arrays => {
  let first = 0;
  const indices = all.flatMap((one) => {
    const own = Array.from(one.indices, (i) => first + i);
    first += one.positions.length / 3;
    return own;
  });
  return {
    positions: Float32Array.from(all.flatMap(({ positions }) => Array.from(positions))),
    indices: Uint32Array.from(indices),
  };
};
const steps = (boxes: readonly Corners[]) => joined(boxes.map(([min, max]) => block(min, max)));
const EVERYWHERE = Float64Array.of(-1e3, -1e3, -1e3, 1e3, 1e3, 1e3);

/** Asks about b in the zone of a, both turned alike. */
function asked(a: Arrays, b: Arrays, zone: Zone, tolerance = 0, pose = poseOf([0, 0, 1], 0)) {
  const owner = { placed: placed(a, pose), own: undefined, operation: '' };
  return measureZone(owner, placed(b, pose), { zone: sizes(zone), tolerance }, new MeasureStats());
}

const eighths = (most: number) => fc.integer({ min: 0, max: 8 * most }).map((n) => n / 8);
const boxes = fc
  .tuple(eighths(4), eighths(2), eighths(6), fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 16 }))
  .map(
    ([x, y, z, w, h]): Corners => [
      [x - 1, y - 1, z - 2],
      [x - 1 + w / 8, y - 1 + w / 8, z - 2 + h / 8],
    ],
  );
/** Four steps of height 0.5, each of which stands on the ground. */
const STAIR = [0, 1, 2, 3].map(
  (i): Corners => [
    [i / 2, 0, 0],
    [(i + 1) / 2, 1, (i + 1) / 2],
  ],
);

/** How far one gets above the steps until there is a box, if that is in the way. */
function headroom(
  treads: readonly Corners[],
  [min, max]: Corners,
  from: number,
  to: number,
): number | undefined {
  const free = treads.flatMap(([low, high]) => {
    const isOver = [0, 1].every((k) => Math.min(high[k], max[k]) > Math.max(low[k], min[k]));
    const isIn = isOver && max[2] > high[2] + from && min[2] < high[2] + to;
    return isIn ? [Math.max(from, min[2] - high[2])] : [];
  });
  return free.length === 0 ? undefined : Math.min(...free);
}

describe('above', () => {
  test('a stair, by formula (seed 41)', () => {
    const stair = steps(STAIR);
    fc.assert(
      fc.property(boxes, fc.constantFrom(0, 0.25, 1), fc.constantFrom(1.5, 2), (other, from, above) => {
        const expected = headroom(STAIR, other, from, above);
        const found = asked(stair, block(...other), { above, from });
        expect(found?.kind).toBe(expected === undefined ? undefined : 'obstruction');
        if (found) expect(found.distance).toBeCloseTo(expected!, 6);
      }),
      { seed: 41, numRuns: runs(400) },
    );
  });

  test('below is above, upside down (seed 42)', () => {
    const flip = ([min, max]: Corners): Corners => [
      [min[0], min[1], -max[2]],
      [max[0], max[1], -min[2]],
    ];
    const hanging = steps(STAIR.map(flip));
    fc.assert(
      fc.property(boxes, (other) => {
        const expected = headroom(STAIR, other, 0, 2);
        const found = asked(hanging, block(...flip(other)), { below: 2 });
        expect(found === undefined).toBe(expected === undefined);
        if (found) expect(found.distance).toBeCloseTo(expected!, 6);
      }),
      { seed: 42, numRuns: runs(200) },
    );
  });

  test('the part near the other object says what the whole zone says (seed 43)', () => {
    // a rough floor of many faces
    const floor = hills(24);
    const owner = { placed: placed(floor), own: undefined, operation: '' };
    const whole = zoneParts(owner, sizes({ above: 2 }), EVERYWHERE);
    expect(whole).toHaveLength(1);
    const solid = placed({ positions: Float32Array.from(whole[0].positions), indices: whole[0].indices });
    expect(solid.parts.closed).toBe(true);
    fc.assert(
      fc.property(boxes, fc.double({ min: 0, max: 6, noNaN: true }), (other, angle) => {
        const b = placed(block(...other), poseOf([1, 2, 3], angle, [1, 1, 0.4]));
        const options = { clearance: 0, tolerance: 0, kinds: 7 };
        const overlap = measurePair(solid, b, options);
        const found = measureZone(owner, b, { zone: sizes({ above: 2 }), tolerance: 0 }, new MeasureStats());
        if (overlap && overlap.depth > 1e-5) expect(found?.kind).toBe('obstruction');
        if (!overlap) expect(found === undefined || found.depthBound < 1e-5).toBe(true);
      }),
      { seed: 43, numRuns: runs(40) },
    );
  });

  test('a ramp that winds is under itself', () => {
    const ramp = helix(3, 48);
    for (const angle of [0, 1, 2.5]) {
      const pose = poseOf([0, 0, 1], angle);
      // a pipe that crosses two metres over the first turn, one under the second
      const pipe = block([4, -0.1, 2], [6, 0.1, 2.2]);
      const found = asked(ramp, pipe, { above: 2.5, from: 0.1 }, 0, pose);
      expect(found?.distance).toBeGreaterThan(1.9);
      expect(found?.distance).toBeLessThan(2.1);
      expect(asked(ramp, pipe, { above: 1.8, from: 0.1 }, 0, pose)).toBeUndefined();
    }
  });

  test('what is shallow at its side is permitted by the tolerance', () => {
    const floor = block([0, 0, -0.2], [4, 4, 0]);
    const wall = block([3.99, 0, 0], [4.2, 4, 3]);
    expect(asked(floor, wall, { above: 2 })).toMatchObject({ kind: 'obstruction', distance: 0 });
    expect(asked(floor, wall, { above: 2 }, 0.02)).toBeUndefined();
    expect(asked(floor, block([4, 0, 0], [4.2, 4, 3]), { above: 2 })).toBeUndefined();
  });
});

/** A closed plate with a wavy top of n × n squares, from (0, 0) to (3, 3). */
function hills(n: number): Arrays {
  const positions: number[] = [];
  const at = (i: number, j: number, top: boolean) => (top ? 0 : (n + 1) ** 2) + i * (n + 1) + j;
  for (const top of [true, false])
    for (let i = 0; i <= n; i++)
      for (let j = 0; j <= n; j++)
        positions.push((3 * i) / n, (3 * j) / n, top ? 0.3 * Math.sin(i) * Math.cos(j) : -1);
  const indices: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const quad = (top: boolean) => [
        at(i, j, top),
        at(i + 1, j, top),
        at(i + 1, j + 1, top),
        at(i, j + 1, top),
      ];
      const [p, q] = [quad(true), quad(false)];
      indices.push(p[0], p[1], p[2], p[0], p[2], p[3], q[0], q[2], q[1], q[0], q[3], q[2]);
    }
  const wall = (i: number, j: number, k: number, l: number) =>
    indices.push(
      at(i, j, true),
      at(i, j, false),
      at(k, l, false),
      at(i, j, true),
      at(k, l, false),
      at(k, l, true),
    );
  for (let i = 0; i < n; i++) {
    wall(i, 0, i + 1, 0);
    wall(n, i, n, i + 1);
    wall(i + 1, n, i, n);
    wall(0, i + 1, 0, i);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A sheet of two turns between the radii 4 and 6. */
function helix(pitch: number, sides: number): Arrays {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= 2 * sides; i++) {
    // begins half a turn before x
    const angle = (2 * Math.PI * i) / sides - Math.PI;
    for (const r of [4, 6])
      positions.push(r * Math.cos(angle), r * Math.sin(angle), pitch * (i / sides - 0.5));
    const v = 2 * i;
    if (i < 2 * sides) indices.push(v, v + 1, v + 3, v, v + 3, v + 2);
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Objects by name: a box with corners at these points in its own frame, and where it is. */
type Thing = readonly [name: string, corners: Corners, extra?: Partial<SourceObject>];

async function modelOf(things: readonly Thing[]) {
  return openStore(
    await storeOf(
      things.map(([name, corners, extra]) => ({
        geometry: block(...corners) as ShapeArrays,
        objects: [{ ...named(name, moved(0, 0, 0)), ...extra }],
      })),
    ),
  );
}

async function clashes(things: readonly Thing[], rules: readonly CheckRule[], options: CheckOptions = {}) {
  const found: string[] = [];
  const run = check(await modelOf(things), { rules, ...options });
  for await (const { kind, a, b, rule, distance } of run)
    found.push(`${rule}: ${kind} ${a.name} / ${b.name} ${distance.toFixed(3)}`);
  return found.sort();
}

describe('in a check', () => {
  const PANEL: Thing = [
    'panel',
    [
      [0, 0, 0],
      [1, 0.25, 2],
    ],
  ];

  test.each<[string, Zone, Corners, string | undefined]>([
    [
      'in front is −y',
      { front: 1 },
      [
        [0.25, -0.5, 1],
        [0.5, -0.25, 1.25],
      ],
      '0.250',
    ],
    [
      'not behind',
      { front: 1 },
      [
        [0.25, 0.5, 1],
        [0.5, 0.75, 1.25],
      ],
      undefined,
    ],
    [
      'behind',
      { back: 1 },
      [
        [0.25, 0.5, 1],
        [0.5, 0.75, 1.25],
      ],
      '0.250',
    ],
    [
      'beyond',
      { front: 1 },
      [
        [0.25, -1.5, 1],
        [0.5, -1, 1.25],
      ],
      undefined,
    ],
    [
      'left',
      { left: 0.5 },
      [
        [-0.25, 0, 1],
        [-0.125, 0.25, 1.25],
      ],
      '0.125',
    ],
    [
      'right',
      { right: 0.5 },
      [
        [1.25, 0, 1],
        [1.375, 0.25, 1.25],
      ],
      '0.250',
    ],
    [
      'a corner of what is around',
      { around: 0.5 },
      [
        [1.25, -0.4, 1],
        [1.375, -0.25, 1.25],
      ],
      '0.250',
    ],
    [
      'no corner of front',
      { front: 0.5 },
      [
        [1.25, -0.4, 1],
        [1.375, -0.25, 1.25],
      ],
      undefined,
    ],
    [
      'wider',
      { front: 0.5, width: 2 },
      [
        [1.25, -0.4, 1],
        [1.375, -0.25, 1.25],
      ],
      '0.250',
    ],
    [
      'over it',
      { front: 0.5 },
      [
        [0.25, -0.4, 2.25],
        [0.5, -0.25, 2.5],
      ],
      undefined,
    ],
    [
      'higher',
      { front: 0.5, height: 3 },
      [
        [0.25, -0.4, 2.25],
        [0.5, -0.25, 2.5],
      ],
      '0.250',
    ],
    [
      'lower',
      { front: 0.5, height: 1 },
      [
        [0.25, -0.4, 1.25],
        [0.5, -0.25, 1.5],
      ],
      undefined,
    ],
    [
      'under it, where it stands',
      { front: 1 },
      [
        [-9, -9, -1],
        [9, 9, 0],
      ],
      undefined,
    ],
  ])('%s', async (_, zone, corners, free) => {
    const expected = free === undefined ? [] : [`access: obstruction panel / thing ${free}`];
    const rules = [{ name: 'access', a: 'panel', zone }];
    expect(await clashes([['thing', corners], PANEL], rules)).toEqual(expected);
  });

  test('own axes: of the pose, and of the object', async () => {
    const rules = [{ name: 'access', a: 'panel', zone: { front: 1 } }];
    // a quarter turn: front is now +x
    const pose = poseOf([0, 0, 1], Math.PI / 2);
    const thing: Thing = [
      'thing',
      [
        [0.25, 0.25, 1],
        [0.5, 0.5, 1.25],
      ],
    ];
    const half = Math.SQRT1_2;
    const expected = ['access: obstruction panel / thing 0.250'];
    expect(await clashes([thing, [PANEL[0], PANEL[1], { pose }]], rules)).toEqual(expected);
    const lying: Thing = [
      'panel',
      [
        [-0.25, 0, 0],
        [0, 1, 2],
      ],
      { axes: [0, 0, half, half] },
    ];
    expect(await clashes([thing, lying], rules)).toEqual(expected);
    // an axis of its own that the pose turns further
    const turned: Thing = [
      'panel',
      [
        [-1, -0.25, 0],
        [0, 0, 2],
      ],
      { axes: [0, 0, 1, 0], pose: poseOf([0, 0, 1], -Math.PI / 2) },
    ];
    expect(await clashes([thing, turned], rules)).toEqual(expected);
  });

  test('doors sweep by their operation, and not beside that', async () => {
    const rules = [{ name: 'swing', a: 'door', zone: { swing: true } }];
    const door = (operation: string): Thing => [
      'door',
      [
        [0, 0, 0],
        [1, 0.125, 2],
      ],
      { labels: { operation: [operation] } },
    ];
    const near: Record<string, Corners> = {
      // near the hinge of a left door, behind it, and where only a right one comes
      left: [
        [0.05, 0.8, 1],
        [0.1, 0.9, 1.1],
      ],
      right: [
        [0.9, 0.8, 1],
        [0.95, 0.9, 1.1],
      ],
      behind: [
        [0.05, -0.9, 1],
        [0.1, -0.8, 1.1],
      ],
    };
    const swept = async (operation: string) => {
      const things = Object.entries(near).map(([name, corners]): Thing => [name, corners]);
      const found = await clashes([...things, door(operation)], rules);
      return found.map((text) => text.split(' ').at(-2));
    };
    expect(await swept('SINGLE_SWING_LEFT')).toEqual(['left']);
    expect(await swept('SINGLE_SWING_RIGHT')).toEqual(['right']);
    expect(await swept('DOUBLE_SWING_LEFT')).toEqual(['behind', 'left']);
    expect(await swept('DOUBLE_DOOR_SINGLE_SWING')).toEqual([]);
    expect(await swept('SLIDING_TO_LEFT')).toEqual([]);
  });

  test('beside the rule that decides about the pair; ignored pairs and related ones are left out', async () => {
    const floor: Thing = [
      'floor',
      [
        [0, 0, -1],
        [4, 4, 0],
      ],
    ];
    const duct: Thing = [
      'duct',
      [
        [1, 1, 1.5],
        [2, 2, 3],
      ],
    ];
    const beam: Thing = [
      'beam',
      [
        [1.5, 1, 1.75],
        [3, 2, 2.5],
      ],
      { relations: { partOf: ['floor'] } },
    ];
    const things = [floor, duct, beam];
    const headroom = { name: 'headroom', a: 'floor', zone: { above: 2 } };
    expect(await clashes(things, [headroom, {}])).toEqual([
      'headroom: obstruction floor / duct 1.500',
      'rule 2: hard duct / beam 0.000',
    ]);
    expect(await clashes(things, [headroom], { exclusions: false })).toHaveLength(2);
    expect(await clashes(things, [{ a: 'duct', ignore: true }, headroom])).toEqual([]);
    expect(await clashes(things, [headroom, { a: 'duct', ignore: true }])).toHaveLength(1);
    expect(await clashes(things, [{ ...headroom, b: 'beam' }], { exclusions: false })).toEqual([
      'headroom: obstruction floor / beam 1.750',
    ]);
    expect(await clashes(things, [headroom], { kinds: ['hard'] })).toEqual([]);
  });

  test('a zone is its owner’s: two objects may be in the zones of each other', async () => {
    const rules = [{ name: 'access', a: '*', zone: { around: 1 } }];
    const run = check(
      await modelOf([
        PANEL,
        [
          'other',
          [
            [1.5, 0, 0],
            [2, 1, 1],
          ],
        ],
      ]),
      { rules },
    );
    const ids = new Map<string, string>();
    for await (const { id, a, b } of run) ids.set(id, `${a.name} ${b.name}`);
    expect([...ids.values()].sort()).toEqual(['other panel', 'panel other']);
    expect(run.stats).toMatchObject({ pairs: 2, checked: 2, clashes: 2 });
  });

  test('a moved object takes its zone along, and enters those of others', async () => {
    const model = await modelOf([
      PANEL,
      [
        'box',
        [
          [5, 0, 0],
          [6, 1, 1],
        ],
      ],
    ]);
    await using moving = await ObjectCheck.open(model, {
      rules: [{ name: 'access', a: 'panel', zone: { front: 1 } }],
    });
    const other = (pose: Float64Array, object: number) =>
      moving.clashesOf(object, { pose }).then((all) => all.map(({ kind, distance }) => [kind, distance]));
    expect(await other(moved(0, 0, 0), 0)).toEqual([]);
    expect(await other(moved(-5, -1.5, 0), 1)).toEqual([['obstruction', 0.5]]);
    expect(await other(moved(5, 1.5, 0), 0)).toEqual([['obstruction', 0.5]]);
    expect(await other(moved(5, 2.5, 0), 0)).toEqual([]);
  });

  test.each<[CheckRule, string]>([
    [{ zone: {} }, 'it has no size'],
    [{ zone: { above: -1 } }, 'above is -1, not a length'],
    [{ zone: { above: 1, from: 1 } }, 'it begins (from) where it ends'],
    [{ zone: { over: 1 } as Zone }, 'unknown field "over"'],
    [{ zone: { above: 1 }, clearance: 1 }, 'it has a zone, and so neither clearance nor kinds'],
    [{ zone: { swing: 1 } as unknown as Zone }, 'swing is 1, not true or false'],
  ])('%j: %s', async (rule, why) => {
    await expect(clashes([PANEL], [rule])).rejects.toThrow(why);
  });
});
