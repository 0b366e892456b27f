import { ImpingeError } from 'impinge/internal/base/errors.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';
import { describe, expect, test } from 'vitest';
import { torus } from '../../../../lab/scenes/solids.mjs';
import { full, runs } from '../../../../test/budget.js';
import { CLOTH_DEFAULTS, cloth } from '../../src/bodies/cloth.js';
import { MassSpringBody } from '../../src/bodies/mass-spring.js';
import type { ShapeMatchingBody } from '../../src/bodies/shape-matching.js';
import { softVolume } from '../../src/bodies/soft-volume.js';
import { acrossSprings, edgeSprings, inwardSprings } from '../../src/bodies/springs.js';
import {
  GRAVITY,
  kick,
  lattice,
  momentum,
  NO_GRAVITY,
  rotated,
  run,
  sheet,
  slantedRotation,
} from './model-runs.js';

const ring = () => torus(0.3, 0.12, 12, 8);
const DT = 1 / 100;

type Model<Of = MassSpringBody | ShapeMatchingBody> = [
  string,
  (options?: object) => Of,
  stiff: object,
  loose: object,
];
const SPRINGS: Model<MassSpringBody>[] = [
  [
    'cloth',
    (options) => cloth(sheet(10, 1), { damping: 0, ...options }),
    { stretchStiffness: 4000, bendStiffness: 20 },
    { iterations: 1 },
  ],
  [
    'a soft volume',
    (options) => softVolume(ring(), { damping: 0, ...options }),
    { stiffness: 20_000 },
    { iterations: 1 },
  ],
];
const MODELS: Model[] = [...SPRINGS, ['a lattice', lattice, { stiffness: 2e6 }, { halfWidth: 0 }]];

describe('springs', () => {
  test('of a square: four sides and a diagonal along edges, the other diagonal across', () => {
    const edges = edgeSprings([0, 1, 2, 1, 3, 2]);
    expect([...edges]).toEqual([0, 1, 0, 2, 1, 2, 1, 3, 2, 3]);
    expect([...acrossSprings([0, 1, 2, 1, 3, 2], edges)]).toEqual([0, 3]);
  });
  test('of a closed surface: every vertex is joined through the inside', () => {
    const { positions, indices } = ring();
    const ends = inwardSprings(positions, indices);
    expect(new Set(ends).size).toBe(positions.length / 3);
    const edges = new Set([...edgeSprings(indices)].join(' ').match(/\d+ \d+/g));
    const along = Array.from({ length: ends.length / 2 }, (_, s) =>
      edges.has(`${ends[2 * s]} ${ends[2 * s + 1]}`),
    );
    expect(along).not.toContain(true);
  });
});

describe.each(MODELS)('%s', (_, make, stiff, loose) => {
  test('at rest stays at rest', () => {
    const body = make();
    const start = body.positions.slice();
    run(body, runs(100), DT, NO_GRAVITY);
    const moved = body.positions.reduce((most, x, k) => Math.max(most, Math.abs(x - start[k])), 0);
    expect(moved).toBeLessThan(1e-12);
  });

  test('keeps linear and angular momentum over 300 steps, seed 1', () => {
    const body = make();
    kick(body, DT, 0.01, 1);
    const before = momentum(body);
    const scale = Math.hypot(...before);
    run(body, runs(300), DT, NO_GRAVITY);
    const after = momentum(body);
    for (let k = 0; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-10 * scale);
  });

  test('falls as gravity says', () => {
    const body = make({ velocity: [1, 2, 3] });
    const mass = momentum(body)[0];
    run(body, 50, DT, GRAVITY);
    const after = momentum(body);
    expect(after[0]).toBeCloseTo(mass, 9);
    expect(after[1] / mass).toBeCloseTo(2 - 9.81 * 50 * DT, 9);
    expect(after[2] / mass).toBeCloseTo(3, 9);
  });

  test('never gains energy without damping, over 2 000 steps, seed 2', () => {
    const body = make();
    kick(body, DT, 0.02, 2);
    let last = body.energy();
    const start = last;
    run(body, runs(2000), DT, NO_GRAVITY, () => {
      const now = body.energy();
      const most = last * (1 + 1e-12) + body.energyNoise;
      if (!(now <= most)) expect(now).toBeLessThanOrEqual(most);
      last = now;
    });
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(start);
  });

  test.each([
    ['ten times the stiffness', stiff, DT],
    ['four times the step', {}, 4 / 60],
    ['one iteration, or small regions', loose, 1 / 60],
  ])('is stable with %s', (_, options, dt) => {
    const body = make(options);
    kick(body, dt, 0.03, 3);
    let last = body.energy();
    run(body, runs(300), dt, NO_GRAVITY, () => {
      const now = body.energy();
      const most = last * (1 + 1e-12) + body.energyNoise;
      if (!(now <= most)) expect(now).toBeLessThanOrEqual(most);
      last = now;
    });
  });

  test('a step that is not finished leaves no trace', () => {
    const [one, other] = [make(), make()];
    for (const body of [one, other]) kick(body, DT, 0.02, 5);
    one.propose(DT, GRAVITY);
    one.push(0, 1, 1, 1);
    run(one, 20, DT, GRAVITY);
    run(other, 20, DT, GRAVITY);
    expect(one.positions).toEqual(other.positions);
  });
});

describe.each(SPRINGS)('%s', (model, make) => {
  test('does the same wherever it is and however it is turned', () => {
    const rotation = slantedRotation(1.1);
    const one = make();
    const surface = { positions: rotated(rotation, one.positions), indices: one.indices };
    // the turned one is rounded: it starts off by 1e-7, and may end off by a little more
    const other = model === 'cloth' ? cloth(surface, { damping: 0 }) : softVolume(surface, { damping: 0 });
    const push = rotated(rotation, [0.02, 0.01, -0.015]);
    for (const [body, way] of [
      [one, [0.02, 0.01, -0.015]],
      [other, push],
    ] as const) {
      body.propose(DT, NO_GRAVITY);
      for (const v of [0, 5, 17]) body.push(v, way[0], way[1], way[2]);
      body.settle();
      body.finish(body.proposed.map(Math.fround), DT);
      run(body, 30, DT, NO_GRAVITY);
    }
    const expected = rotated(rotation, one.positions);
    const worst = other.positions.reduce((most, x, k) => Math.max(most, Math.abs(x - expected[k])), 0);
    expect(worst).toBeLessThan(2e-5);
    expect(other.energy()).toBeCloseTo(one.energy(), 3);
  });

  test('takes a push where it is made, and its momentum', () => {
    const body = make();
    body.propose(DT, NO_GRAVITY);
    body.push(3, 0.01, 0, 0);
    body.push(3, 0.01, 0.02, 0);
    body.settle();
    const x = body.positions[9];
    expect(body.proposed[9] - x).toBeCloseTo(0.02, 12);
    body.finish(body.proposed.map(Math.fround), DT);
    const [px, py] = momentum(body);
    expect(px * body.inverseMassFelt(3) * DT).toBeCloseTo(0.02, 12);
    expect(py * body.inverseMassFelt(3) * DT).toBeCloseTo(0.02, 12);
  });
});

/** Per second. */
const STEPS = [30, 60, 200, 500, 1000];

describe.each(STEPS)('a hanging chain, in steps of 1/%d s', (steps) => {
  test.each([50, 1000, 100_000])('of springs of %d N/m is as long as they say', (stiffness) => {
    const n = 20;
    const mass = 0.01;
    const positions = Float64Array.from({ length: 3 * n }, (_, k) =>
      k % 3 === 1 ? Math.fround((1 - k) / 60) : 0,
    );
    const chain = new MassSpringBody({
      ...{ name: 'chain', positions, indices: [0, 1, 2], self: true, bulkModulus: 0 },
      masses: new Float64Array(n).fill(mass).fill(0, 0, 1),
      springs: [{ ends: Uint32Array.from({ length: 2 * n - 2 }, (_, e) => (e + 1) >> 1), stiffness }],
      ...{ damping: 8, iterations: CLOTH_DEFAULTS.iterations },
    });
    run(chain, 4 * steps, 1 / steps, GRAVITY);
    for (let i = 1; i < n; i++) {
      // n − i masses hang by this spring
      const longer = ((n - i) * mass * 9.81) / stiffness;
      const rest = positions[3 * i - 2] - positions[3 * i + 1];
      const length = chain.positions[3 * i - 2] - chain.positions[3 * i + 1];
      expect(Math.abs(length - rest - longer), `spring ${i}`).toBeLessThan(0.005 * longer + 1e-6);
    }
  });
});

describe('cloth', () => {
  full.each([
    ['a point', (_x: number, _k: number) => 0.25],
    ['a line', (x: number, k: number) => (k === 0 ? x : 0)],
    ['a fold', (x: number, k: number) => (k === 0 ? Math.abs(x - 0.5) : x)],
  ])('collapsed to %s does not blow up', (_, collapse) => {
    const flat = sheet(8, 1);
    const positions = flat.positions.map((x, i) => collapse(x, i % 3));
    const body = cloth({ ...flat, positions }, { rest: flat.positions, damping: 0 });
    body.propose(DT, NO_GRAVITY);
    let last = body.energy();
    run(body, 300, DT, NO_GRAVITY, () => {
      expect(body.energy()).toBeLessThanOrEqual(last * (1 + 1e-12));
      last = body.energy();
    });
    expect(body.positions.every((x) => Math.abs(x) < 1e3)).toBe(true);
  });

  test('hangs where tension and weight balance', () => {
    // a triangle held at two corners: the third hangs by two equal springs
    const positions = [0, 0, 0, 1, 0, 0, 0.5, -1, 0];
    const stretchStiffness = 8;
    const body = cloth(
      { positions, indices: [0, 1, 2] },
      { stretchStiffness, pinned: [0, 1], damping: 3, density: 2 },
    );
    const weight = 9.81 / body.inverseMass(2);
    run(body, 1500, DT, GRAVITY);
    const depth = -body.positions[7];
    const length = Math.hypot(0.5, depth);
    const tension = stretchStiffness * (length - Math.hypot(0.5, 1));
    expect((2 * tension * depth) / length / weight).toBeCloseTo(1, 3);
  });

  test.each(STEPS)('pinned along one edge hangs as its springs say, in steps of 1/%d s', (steps) => {
    const n = 10;
    const flat = sheet(n, 1);
    // held at x = 0, and hung
    const positions = flat.positions.map((_, k) =>
      k % 3 === 1 ? -flat.positions[k - 1] : k % 3 === 0 ? 0 : _,
    );
    const pinned = Array.from({ length: n }, (_, i) => i);
    const body = cloth({ ...flat, positions }, { pinned, bendStiffness: 0, damping: 10 });
    run(body, 2 * steps, 1 / steps, GRAVITY);
    expect(body.residual).toBeLessThanOrEqual(0.002 * 9.81);
    const edges = edgeSprings(flat.indices);
    for (let row = 1; row < n; row++) {
      // what springs from above this row carry, and what hangs by them
      let pull = 0;
      for (let e = 0; e < edges.length; e += 2) {
        const [v, w] = [edges[e], edges[e + 1]];
        if (v >= n * row || w < n * row) continue;
        const way = [0, 1, 2].map((k) => body.positions[3 * v + k] - body.positions[3 * w + k]);
        const rest = Math.hypot(...[0, 1, 2].map((k) => positions[3 * v + k] - positions[3 * w + k]));
        pull += (400 * (Math.hypot(...way) - rest) * way[1]) / Math.hypot(...way);
      }
      let weight = 0;
      for (let v = n * row; v < n * n; v++) weight += 9.81 / body.inverseMass(v);
      expect(pull / weight, `row ${row}`).toBeGreaterThan(0.995);
      expect(pull / weight, `row ${row}`).toBeLessThan(1.005);
    }
  });

  full('held at two corners comes to hang, hardly stretched', () => {
    const n = 15;
    const body = cloth(sheet(n, 1), { pinned: [0, n - 1], damping: 2 });
    run(body, 600, DT, GRAVITY);
    const before = body.positions.slice();
    run(body, 50, DT, GRAVITY);
    const moved = body.positions.reduce((most, x, k) => Math.max(most, Math.abs(x - before[k])), 0);
    expect(moved).toBeLessThan(0.01);
    const lowest = Math.min(...body.positions.filter((_, k) => k % 3 === 1));
    expect(lowest).toBeLessThan(-0.95);
    expect(lowest).toBeGreaterThan(-1.25);
    expect([...body.positions.subarray(0, 3)]).toEqual([0, 0, 0]);
  });

  test('refuses what it cannot be made of', () => {
    const flat = sheet(3, 1);
    const code = (make: () => unknown) => {
      try {
        make();
      } catch (error) {
        return [(error as ImpingeError).code, (error as Error).message];
      }
      return undefined;
    };
    expect(
      code(() => cloth({ ...flat, positions: flat.positions.map((x, k) => (k === 7 ? Number.NaN : x)) })),
    ).toEqual(['non-finite', 'cloth: vertex 2 has y = NaN']);
    expect(code(() => cloth({ ...flat, indices: [0, 1, 9] }))?.[0]).toBe('index-out-of-range');
    expect(code(() => cloth({ ...flat, indices: [] }))?.[0]).toBe('empty-mesh');
    expect(code(() => cloth(flat, { pinned: [9] }))?.[0]).toBe('index-out-of-range');
    expect(code(() => cloth(flat, { density: 0 }))?.[0]).toBe('bad-option');
    expect(code(() => cloth(flat, { stretchStiffness: Number.NaN }))?.[0]).toBe('non-finite');
    expect(code(() => cloth({ positions: [0, 0, 0, 1, 1, 1, 2, 2, 2], indices: [0, 1, 2] }))?.[0]).toBe(
      'bad-input',
    );
  });
});

test.each(SPRINGS)('%s that answers to pushes keeps their momentum, seed 4', (_, make) => {
  const body = make();
  const random = new SeededRandom(4);
  body.propose(DT, NO_GRAVITY);
  const expected = [0, 0, 0];
  for (let round = 0; round < 3; round++) {
    for (const v of [0, 5, 17, 40]) {
      const push = [0, 1, 2].map(() => 0.01 * (random.next() - 0.5));
      for (let k = 0; k < 3; k++) expected[k] += push[k] / body.inverseMassFelt(v) / DT;
      body.push(v, push[0], push[1], push[2]);
    }
    body.settle();
    body.relax?.();
  }
  body.finish(body.proposed.slice(), DT);
  const after = momentum(body);
  const scale = Math.hypot(...expected);
  for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - expected[k])).toBeLessThan(1e-9 * scale);
});

describe('a soft volume', () => {
  test('lies on the floor under its own weight without being squashed or turned inside out', () => {
    const mesh = ring();
    // lying: the axis of the ring points up
    const positions = mesh.positions.map((x, k) =>
      k % 3 === 0 ? x : k % 3 === 1 ? mesh.positions[k + 1] : -mesh.positions[k - 1],
    );
    const body = softVolume({ positions, indices: mesh.indices });
    const volume = signedVolumeTimes6(body.positions, body.indices);
    const end = new Float64Array(3 * body.vertexCount);
    for (let step = 0; step < 400; step++) {
      body.propose(DT, GRAVITY);
      for (let v = 0; v < body.vertexCount; v++) {
        const below = -0.5 - body.proposed[3 * v + 1];
        if (below > 0) body.push(v, 0, below, 0);
      }
      body.settle();
      for (let k = 0; k < end.length; k++) end[k] = Math.fround(body.proposed[k]);
      body.finish(end, DT);
    }
    const heights = body.positions.filter((_, k) => k % 3 === 1);
    const height = Math.max(...heights) - Math.min(...heights);
    expect(Math.min(...heights)).toBeCloseTo(-0.5, 3);
    expect(height).toBeGreaterThan(0.9 * 0.24);
    expect(height).toBeLessThan(1.05 * 0.24);
    expect(signedVolumeTimes6(body.positions, body.indices) / volume).toBeCloseTo(1, 1);
  });

  test('faces outwards whichever way its mesh does, and must be closed', () => {
    const { positions, indices } = ring();
    const inwards = indices.map((_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
    expect(
      signedVolumeTimes6(positions, softVolume({ positions, indices: inwards }).indices),
    ).toBeGreaterThan(0);
    expect(() => softVolume({ positions, indices: indices.subarray(3), name: 'ring' })).toThrow(ImpingeError);
    expect(() => softVolume({ positions, indices: indices.subarray(3), name: 'ring' })).toThrow(
      /"ring" has no inside/,
    );
  });
});
