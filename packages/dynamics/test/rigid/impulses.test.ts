/** The kernels that solve contacts against plain vectors and matrices. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { BodyTable } from '../../src/rigid/body-table.js';
import { ContactSet } from '../../src/rigid/contact-set.js';
import { ImpulseSystem } from '../../src/rigid/impulse-system.js';
import * as layout from '../../src/rigid/layout.generated.js';
import { solid } from './rigid-scenes.js';

type Vec = readonly number[];
const add = (a: Vec, b: Vec, s = 1): Vec => a.map((x, k) => x + s * b[k]);
const dot = (a: Vec, b: Vec): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
const cross = (a: Vec, b: Vec): Vec =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
const times = (m: Vec, v: Vec): Vec => [0, 3, 6].map((r) => dot(m.slice(r, r + 3), v));
const unit = (a: Vec): Vec => a.map((x) => x / Math.hypot(...a));

const FRICTION = 0.4;
const ROUGH = { friction: FRICTION, restitution: 0 };
const TARGET = 0.01;

interface Body {
  v: Vec;
  w: Vec;
  readonly place: Vec;
  readonly matrix: Vec;
  readonly inverseMass: number;
  readonly inverseInertia: Vec;
}

interface Row {
  readonly a: Body;
  readonly b: Body;
  readonly ra: Vec;
  readonly rb: Vec;
  /** The normal and two directions across it. */
  readonly axes: readonly Vec[];
  readonly left: number;
  impulses: number[];
}

/** How fast b leaves a at the point of a row. */
const leaving = ({ a, b, ra, rb }: Row): Vec => add(add(b.v, cross(b.w, rb)), add(a.v, cross(a.w, ra)), -1);

function push(row: Row, p: Vec): void {
  for (const [body, r, sign] of [
    [row.a, row.ra, -1],
    [row.b, row.rb, 1],
  ] as const) {
    body.v = add(body.v, p, sign * body.inverseMass);
    body.w = add(body.w, times(body.inverseInertia, cross(r, p)), sign);
  }
}

/** What a push along one axis does to the speed along another, found by pushing. */
function answer(row: Row, i: number, j: number): number {
  const [a, b] = [{ ...row.a }, { ...row.b }];
  const copy = { ...row, a, b };
  const before = dot(leaving(copy), row.axes[j]);
  push(copy, row.axes[i]);
  return dot(leaving(copy), row.axes[j]) - before;
}

/** One row after the other: friction by the push that is known, then the push. */
function plainSweep(rows: readonly Row[], h: number, backward: boolean, rough: boolean): void {
  for (const row of backward ? [...rows].reverse() : rows) {
    const before = row.impulses[0];
    if (rough) {
      const [ss, st, tt] = [answer(row, 1, 1), answer(row, 1, 2), answer(row, 2, 2)];
      const [us, ut] = [dot(leaving(row), row.axes[1]), dot(leaving(row), row.axes[2])];
      const determinant = ss * tt - st * st;
      const [s, t] = row.impulses.slice(1);
      let p = [s - (tt * us - st * ut) / determinant, t - (ss * ut - st * us) / determinant];
      const most = FRICTION * before;
      if (Math.hypot(...p) > most) {
        const step = 1 / (Math.max(ss, tt) + Math.abs(st));
        p = [s - step * us, t - step * ut];
        const length = Math.hypot(...p);
        if (length > most) p = p.map((x) => (x * most) / length);
      }
      push(
        row,
        add(
          row.axes[1].map((x) => x * (p[0] - s)),
          row.axes[2],
          p[1] - t,
        ),
      );
      row.impulses = [before, ...p];
    }
    const speed = dot(leaving(row), row.axes[0]);
    const bias = row.left > 0 ? row.left / h : 0;
    const after = Math.max(0, before - (speed + bias) / answer(row, 0, 0));
    push(
      row,
      row.axes[0].map((x) => x * (after - before)),
    );
    row.impulses[0] = after;
  }
}

/** Three boxes and a floor, with contacts at random places of them. */
function randomSystem(seed: number) {
  const random = new SeededRandom(seed);
  const vector = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random.next() - 1));
  const table = new BodyTable();
  table.resize(4);
  for (let i = 0; i < 3; i++) {
    const body = solid(box(1 + random.next(), 1, 0.5), vector(1), {
      orientation: unit([...vector(1), 1]),
      velocity: vector(1),
      spin: vector(2),
    });
    table.load(i, body.state, [0, -9.81, 0]);
  }
  table.turn[15] = 1;
  table.orient(3);
  const bodies: Body[] = [0, 1, 2, 3].map((i) => ({
    v: [...table.velocity.slice(3 * i, 3 * i + 3)],
    w: [...table.spin.slice(3 * i, 3 * i + 3)],
    place: [...table.place.slice(3 * i, 3 * i + 3)],
    matrix: [...table.matrix.slice(9 * i, 9 * i + 9)],
    inverseMass: table.inverseMass[i],
    inverseInertia: [...table.inverseInertia.slice(9 * i, 9 * i + 9)],
  }));
  const impulses = new ImpulseSystem();
  impulses.open(4, 3, 9);
  for (let i = 0; i < 4; i++) impulses.addBody(table, i);
  const rows: Row[] = [];
  for (const [i, j] of [
    [0, 1],
    [1, 2],
    [2, 3],
  ]) {
    const [a, b] = [bodies[i], bodies[j]];
    const set = new ContactSet();
    const first = Float64Array.from({ length: 9 }, (_, k) => (k % 3 === 0 ? 100 * random.next() : 0));
    for (let c = 0; c < 3; c++) {
      const [pointA, normal] = [vector(0.5), unit(vector(1))];
      // b's point beyond a's along the normal, and a little beside
      const world = add(a.place, times(a.matrix, add(add(pointA, normal, TARGET + 0.002 * c), vector(1e-3))));
      const back = [0, 1, 2].flatMap((k) => [0, 1, 2].map((r) => b.matrix[3 * r + k]));
      const pointB = times(back, add(world, b.place, -1));
      const at = set.open(c);
      set.data.set([...pointA, ...pointB, ...normal, 0], at);
      const gap = add(world, add(a.place, times(a.matrix, pointA)), -1);
      const middle = add(world, gap, -0.5);
      const n = times(a.matrix, normal);
      const [nx, ny, nz] = normal;
      const sign = nz < 0 ? -1 : 1;
      const scale = -1 / (sign + nz);
      const s = [1 + sign * nx * nx * scale, sign * nx * ny * scale, -sign * nx];
      const t = [nx * ny * scale, sign + ny * ny * scale, -ny];
      rows.push({
        a,
        b,
        ra: add(middle, a.place, -1),
        rb: add(middle, b.place, -1),
        axes: [n, times(a.matrix, s), times(a.matrix, t)],
        left: dot(n, gap) - TARGET,
        impulses: [first[3 * c], 0, 0],
      });
    }
    impulses.addPair(i, j, { ...ROUGH, set, renewals: 0, target: TARGET, impulses: first }, 1);
  }
  impulses.kernel.openIsland(0, 4, 0, 3);
  return { impulses, bodies, rows };
}

describe.each([1, 2, 3, 4])('a random system, seed %d', (seed) => {
  test('sweeps give bodies and contacts what plain arithmetic gives them', () => {
    const { impulses, bodies, rows } = randomSystem(seed);
    const { kernel } = impulses;
    const h = 1 / 240;
    kernel.writeRows(true);
    kernel.warmStart();
    for (const row of rows)
      push(
        row,
        row.axes[0].map((x) => x * row.impulses[0]),
      );
    kernel.measure(h, false);
    for (const [backward, rough] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
      [false, true],
    ]) {
      kernel.sweep(backward, rough);
      plainSweep(rows, h, backward, rough);
    }
    expect(rows.some(({ impulses: [n, s] }) => n > 0 && s !== 0)).toBe(true);
    for (const [i, body] of bodies.entries()) {
      const at = impulses.bodyAt(i);
      const found = impulses.numbers.slice(at, at + 6);
      for (const [k, x] of [...body.v, ...body.w].entries()) expect(found[k]).toBeCloseTo(x, 9);
    }
    for (const [i, row] of rows.entries()) {
      const at = impulses.rowAt(i) + layout.IMPULSES;
      for (const [k, x] of row.impulses.entries()) expect(impulses.numbers[at + k]).toBeCloseTo(x, 7);
    }
    impulses.dispose();
  });

  test('impulses are what angular momenta change by', () => {
    const { impulses, bodies, rows } = randomSystem(seed);
    const { kernel, numbers } = impulses;
    kernel.writeRows(true);
    const angular = () =>
      [0, 1, 2].map((i) => [
        ...numbers.slice(impulses.bodyAt(i) + layout.ANGULAR, impulses.bodyAt(i) + layout.ANGULAR + 3),
      ]);
    const before = angular();
    kernel.warmStart();
    kernel.measure(1 / 240, false);
    for (let k = 0; k < 6; k++) {
      kernel.sweep(k % 2 === 1, false);
      if (k % 2 === 1) kernel.goOn(k === 1, false);
    }
    for (let k = 0; k < 6; k++) {
      kernel.sweep(k % 2 === 1, true);
      if (k % 2 === 1) kernel.goOn(k === 1, true);
    }
    kernel.countMoments();
    const after = angular();
    const spins = [0, 1, 2].map((i) => [...numbers.slice(impulses.bodyAt(i) + 3, impulses.bodyAt(i) + 6)]);
    for (const [i, { w, inverseInertia }] of bodies.slice(0, 3).entries()) {
      const expected = add(w, times(inverseInertia, add(after[i], before[i], -1)));
      for (const [k, x] of expected.entries()) expect(spins[i][k]).toBeCloseTo(x, 9);
    }
    expect(rows).toHaveLength(9);
    impulses.dispose();
  });
});

test.each([
  ['before the move', false, 1e-3],
  ['after it', true, 1e-3],
  ['again after friction', false, 1e-9],
])('all sweeps of an island in one call are the same sweeps, %s', (_, settle, settled) => {
  const enough = settle ? Infinity : 1e-6;
  const [smooth, rough, smoothAgain, roughAgain] = [7.5, 4, 3, 2];
  const counts: number[] = [];
  for (const seed of [1, 2, 3, 4]) {
    const [one, other] = [randomSystem(seed), randomSystem(seed)];
    for (const { impulses } of [one, other]) {
      // a system is where kernels last opened one
      impulses.openAgain();
      const { kernel } = impulses;
      kernel.openIsland(0, 4, 0, 3);
      kernel.beginRows(1);
      kernel.writeRows(true);
      kernel.warmStart();
      kernel.countSweeps();
      const until = (least: number, most: number, isRough: boolean) => {
        let first = 0;
        for (let k = 0; k < most; k++) {
          made++;
          const change = kernel.sweep(k % 2 === 1, isRough);
          if (k === 0) first = change;
          if (change <= least) break;
          if (k % 2 === 1 && k + 1 < most) kernel.goOn(k === 1, isRough);
        }
        return first;
      };
      let made = 0;
      if (impulses === one.impulses) {
        kernel.sweepFree(1 / 240, settle, settled, enough, smooth, rough, smoothAgain, roughAgain);
        made = kernel.countSweeps();
        expect(kernel.countSweeps()).toBe(0);
      } else {
        kernel.measure(1 / 240, settle);
        until(settled, smooth, false);
        if (until(settled, rough, true) > enough && until(enough, smoothAgain, false) > enough)
          until(enough, roughAgain, true);
        kernel.countMoments();
      }
      counts.push(made);
    }
    const state = ({ impulses }: typeof one) => [
      ...[0, 1, 2, 3].flatMap((body) => {
        const at = impulses.bodyAt(body);
        return [...impulses.numbers.slice(at, at + layout.ANGULAR + 3)];
      }),
      ...Array.from({ length: 9 }, (_, i) => impulses.rowAt(i) + layout.IMPULSES).flatMap((row) => [
        ...impulses.numbers.slice(row, row + 3),
      ]),
    ];
    expect(state(one)).toEqual(state(other));
    expect(counts.at(-1)).toBe(counts.at(-2));
    expect(counts.at(-1)).toBeGreaterThan(4);
    for (const { impulses } of [one, other]) impulses.dispose();
  }
});

test('pushes between balls, which do not turn, are those of any other bodies', () => {
  const random = new SeededRandom(5);
  const shape = rigidBody({ centre: [0, 0, 0], radius: 1, name: 'ball' });
  for (let trial = 0; trial < 20; trial++) {
    const vector = () => [0, 1, 2].map(() => 2 * random.next() - 1) as unknown as [number, number, number];
    const turn = unit([...vector(), 1]) as unknown as [number, number, number, number];
    const velocities = [vector(), vector()];
    const spins = [vector(), vector()];
    const way = unit(vector()).map((x) => 2.0005 * x) as unknown as [number, number, number];
    const [known, other] = [true, false].map((areBalls) => {
      const table = new BodyTable();
      table.resize(2);
      [[0, 0, 0] as const, way].forEach((position, i) => {
        const body = shape.copy({ position, orientation: turn, velocity: velocities[i], spin: spins[i] });
        table.load(i, body.state, [0, 0, 0]);
      });
      const set = new ContactSet();
      const at = set.open(0, 1, 1);
      const m = table.matrix;
      const normal = [0, 1, 2].map((k) => (m[k] * way[0] + m[3 + k] * way[1] + m[6 + k] * way[2]) / 2.0005);
      set.data.set([0, 0, 0, 0, 0, 0, ...normal, 0, 0], at);
      const impulses = new ImpulseSystem();
      impulses.open(2, 1, 1);
      for (const i of [0, 1]) impulses.addBody(table, i);
      const first = new Float64Array(3);
      impulses.addPair(0, 1, { ...ROUGH, areBalls, set, renewals: 0, target: 0.001, impulses: first }, 1);
      const { kernel } = impulses;
      kernel.openIsland(0, 2, 0, 1);
      kernel.writeRows(false);
      kernel.measure(1 / 240, false);
      for (let k = 0; k < 4; k++) {
        kernel.sweep(k % 2 === 1, false);
        if (k % 2 === 1) kernel.goOn(k === 1, false);
      }
      const bodies = [0, 1].flatMap((i) => [
        ...impulses.numbers.slice(impulses.bodyAt(i), impulses.bodyAt(i) + layout.PUSHED + 1),
      ]);
      const row = impulses.rowAt(0) + layout.IMPULSES;
      const result = [...bodies, ...impulses.numbers.slice(row, row + 3)];
      impulses.dispose();
      return result;
    });
    for (const [k, x] of other.entries()) expect(known[k]).toBeCloseTo(x, 9);
  }
});

test.each([
  ['among free bodies', false],
  ['on scenery', true],
])('pushes that add energy are slowed down again, %s', (_, onScenery) => {
  for (const seed of [1, 2, 3, 4]) {
    const { impulses, bodies } = randomSystem(seed);
    const { kernel, numbers } = impulses;
    kernel.openIsland(0, onScenery ? 4 : 3, 0, onScenery ? 3 : 2);
    const motions = () =>
      bodies.slice(0, 3).map(({ inverseMass }, i) => {
        const at = impulses.bodyAt(i);
        const v = [...numbers.slice(at, at + 3)];
        const w = [...numbers.slice(at + layout.SPIN, at + layout.SPIN + 3)];
        const l = [...numbers.slice(at + layout.ANGULAR, at + layout.ANGULAR + 3)];
        return { v, w, l, m: 1 / inverseMass };
      });
    const energy = () =>
      motions().reduce((sum, { v, w, l, m }) => sum + 0.5 * (m * dot(v, v) + dot(w, l)), 0);
    const momenta = () =>
      motions().reduce<Vec>(
        (sum, { v, l, m }, i) => add(sum, [...v.map((x) => m * x), ...add(l, cross(bodies[i].place, v), m)]),
        [0, 0, 0, 0, 0, 0],
      );
    kernel.writeRows(true);
    kernel.accelerate(0, true);
    const before = energy();
    kernel.warmStart();
    const [pushed, kept] = [energy(), momenta()];
    expect(pushed).toBeGreaterThan(1.01 * before);
    kernel.keepEnergy(0, false);
    expect(energy() / before).toBeCloseTo(1, 9);
    if (!onScenery) for (const [k, x] of momenta().entries()) expect(x).toBeCloseTo(kept[k], 9);
    impulses.dispose();
  }
});

test('contacts that stay where they lie are what they would be if they were laid out anew', () => {
  const random = new SeededRandom(5);
  const table = new BodyTable();
  table.resize(2);
  const body = solid(box(1, 1, 1), [0, 0, 0]);
  for (let i = 0; i < 2; i++) table.load(i, body.state, [0, 0, 0]);
  const pairs = Array.from({ length: 6 }, () => ({
    ...ROUGH,
    set: new ContactSet(),
    renewals: 0,
    target: 0,
    impulses: new Float64Array(12),
  }));
  const renew = (pair: (typeof pairs)[number]) => {
    pair.renewals++;
    pair.set.clear();
    for (let c = Math.floor(1 + 3 * random.next()); c > 0; c--) {
      const at = pair.set.open(c);
      for (let k = 0; k < 10; k++) pair.set.data[at + k] = random.next();
    }
  };
  pairs.forEach(renew);
  const kept = new ImpulseSystem();
  for (let step = 0; step < 60; step++) {
    for (const pair of pairs) {
      if (random.next() < 0.2) renew(pair);
      pair.target = random.next();
    }
    const chosen = random.next() < 0.3 ? pairs.filter(() => random.next() < 0.7) : pairs;
    const scale = random.next() < 0.3 ? 0.5 : 1;
    const fresh = new ImpulseSystem();
    const [ofKept, ofFresh] = [kept, fresh].map((one) => {
      one.open(2, 6, 18 + step);
      for (let i = 0; i < 2; i++) one.addBody(table, i);
      for (const pair of chosen) one.addPair(0, 1, pair, scale);
      one.kernel.openIsland(0, 2, 0, one.pairsHeld);
      one.kernel.writeRows(false);
      one.kernel.measure(1, false);
      const all = Array.from({ length: one.rowsHeld }, (_, row) => row);
      const numbers = (at: number, count: number) => [...one.numbers.slice(at, at + count)];
      // what sweeps leave behind is not among them
      return all.map((row) => [...numbers(one.rowAt(row), 27), ...numbers(one.contactAt(row), 10)]);
    });
    expect(ofKept).toEqual(ofFresh);
    // as if they were solved
    let row = 0;
    for (const { set, impulses } of chosen) {
      for (let c = 0; c < set.count; c++, row++) {
        for (let k = 0; k < 3; k++) {
          impulses[3 * c + k] = random.next();
          kept.numbers[kept.rowAt(row) + layout.IMPULSES + k] = impulses[3 * c + k];
        }
      }
    }
    fresh.dispose();
  }
  kept.dispose();
});

test.each([1, 2, 3])(
  'two balls push each other along the line of their centres, wherever they are, seed %d',
  (seed) => {
    const random = new SeededRandom(seed);
    const vector = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random.next() - 1));
    const radii = [0.5 + random.next(), 0.5 + random.next()];
    const table = new BodyTable();
    table.resize(2);
    for (const [i, radius] of radii.entries()) {
      const ball = rigidBody(
        { centre: [0, 0, 0], radius, name: `ball ${i}` },
        { orientation: unit([...vector(1), 1]) },
      );
      table.load(i, ball.state, [0, 0, 0]);
    }
    const set = new ContactSet();
    // found where they were before
    const at = set.open(0, radii[0], radii[1]);
    set.data.set([0, 0, 0, 0, 0, 0, ...unit(vector(1)), 0], at);
    const impulses = new ImpulseSystem();
    impulses.open(2, 1, 1);
    impulses.addBody(table, 0);
    impulses.addBody(table, 1);
    const pair = {
      ...ROUGH,
      areBalls: true,
      set,
      renewals: 0,
      target: TARGET,
      impulses: new Float64Array(3),
    };
    impulses.addPair(0, 1, pair, 1);
    const { kernel, numbers } = impulses;
    kernel.openIsland(0, 2, 0, 1);
    for (const again of [false, true, true]) {
      for (const i of [0, 1]) {
        table.place.set(vector(3), 3 * i);
        impulses.writeBody(i, table, i);
      }
      kernel.writeRows(again);
      kernel.measure(1, false);
      const way = add([...table.place.slice(3, 6)], [...table.place.slice(0, 3)], -1);
      const row = impulses.rowAt(0);
      const n = unit(way);
      for (let k = 0; k < 3; k++) {
        expect(numbers[row + layout.ROW_NORMAL + k]).toBeCloseTo(n[k], 12);
        for (const across of [0, 1])
          expect(
            dot(
              n,
              [0, 1, 2].map((j) => numbers[row + layout.ACROSS + 2 * j + across]),
            ),
          ).toBeCloseTo(0, 12);
        // pushed at one point of the line
        const [p, q] = [0, 1].map((side) => [0, 1, 2].map((j) => numbers[row + 2 * j + side]));
        expect(p[k] - q[k]).toBeCloseTo(way[k], 12);
        expect(cross(p, n)[k]).toBeCloseTo(0, 12);
      }
      const left = numbers[impulses.contactAt(0) + layout.CONTACT_NORMAL + 3];
      expect(left).toBeCloseTo(Math.hypot(...way) - radii[0] - radii[1] - TARGET, 12);
    }
    impulses.dispose();
  },
);

describe('a cube that is nearer to the floor than it should be', () => {
  const [h, g] = [1 / 240, 9.81];

  /** Moves it through a part of a step; returns how it was lifted, and its energy before and after. */
  function afterPart(velocity: Vec, friction: number) {
    const table = new BodyTable();
    table.resize(2);
    const body = solid(box(1, 1, 1), [0, 0.5 + 0.3 * TARGET, 0], { velocity });
    table.load(0, body.state, [0, -g, 0]);
    table.turn[7] = 1;
    table.orient(1);
    const set = new ContactSet();
    for (const [x, z] of [
      [0.5, 0.5],
      [0.5, -0.5],
      [-0.5, 0.5],
      [-0.5, -0.5],
    ]) {
      const at = set.open(at4(x, z));
      set.data.set([x, 0, z, x, -0.5, z, 0, 1, 0, 0], at);
    }
    const first = Float64Array.from({ length: 12 }, (_, k) => (k % 3 === 0 ? (body.mass * g * h) / 4 : 0));
    const impulses = new ImpulseSystem();
    impulses.open(2, 1, 4);
    for (let i = 0; i < 2; i++) impulses.addBody(table, i);
    impulses.addPair(1, 0, { ...ROUGH, friction, set, renewals: 0, target: TARGET, impulses: first }, 1);
    const { kernel } = impulses;
    const energy = () => 0.5 * body.mass * dot(speed(), speed()) + body.mass * g * height();
    const speed = () => [...impulses.numbers.slice(impulses.bodyAt(0), impulses.bodyAt(0) + 3)];
    const height = () => impulses.numbers[impulses.frameAt(0) + 1];
    const before = { energy: energy(), height: height() };
    kernel.openIsland(0, 2, 0, 1);
    kernel.writeRows(true);
    kernel.accelerate(h, true);
    kernel.warmStart();
    kernel.measure(h, false);
    for (let k = 0; k < 50; k++) kernel.sweep(k % 2 === 1, true);
    kernel.advance(h, false);
    kernel.measure(h, true);
    for (let k = 0; k < 50; k++) kernel.sweep(k % 2 === 1, true);
    kernel.orient();
    kernel.keepEnergy(0, false);
    const result = { lifted: height() - before.height, before: before.energy, after: energy() };
    impulses.dispose();
    return result;
  }

  test('takes nothing from a body that flies by itself', () => {
    afterPart([1, 0, 0], 0);
    const table = new BodyTable();
    table.resize(1);
    const body = solid(box(1, 0.2, 0.6), [0, 0, 0], { velocity: [1, 0, 0], spin: [9, 5, 3] });
    table.load(0, body.state, [0, 0, 0]);
    const impulses = new ImpulseSystem();
    impulses.open(1, 0, 0);
    impulses.addBody(table, 0);
    const { kernel } = impulses;
    kernel.openIsland(0, 1, 0, 0);
    for (let part = 0; part < 60; part++) {
      kernel.accelerate(h, true);
      kernel.advance(h, false);
      kernel.orient();
      kernel.keepEnergy(0, false);
      expect(impulses.numbers[impulses.bodyAt(0)]).toBe(1);
    }
    impulses.dispose();
  });

  const at4 = (x: number, z: number) => 2 * (x + 0.5) + z + 0.5;

  test('stays where it is while it rests', () => {
    const { lifted, before, after } = afterPart([0, 0, 0], FRICTION);
    expect(Math.abs(lifted)).toBeLessThan(1e-12);
    expect(after).toBeLessThanOrEqual(before * (1 + 1e-12));
  });

  test.each([
    ['while it slides, and gains no energy by that', [1, 0, 0], 1e-5],
    ['as far as its motion pays for it', [0.01, 0, 0], 1e-6],
  ])('is lifted %s', (_, velocity, least) => {
    const { lifted, before, after } = afterPart(velocity, 0);
    expect(lifted).toBeGreaterThan(least);
    expect(after).toBeLessThanOrEqual(before * (1 + 1e-12));
  });
});
