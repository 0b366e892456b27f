/** Bodies of shapes given by numbers, held to closed formulas. */
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/solids.mjs';
import { every } from '../../../../test/budget.js';
import { type RigidBody, rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SimulationOptions } from '../../src/bodies/simulation-options.js';
import type { SolidShape } from '../../src/rigid/shapes/read-solid.js';
import { ended } from '../physics/apart.js';
import { disposed, FLOOR, wholeEnergy } from './rigid-scenes.js';

const G = 9.81;
const [RADIUS, THICKNESS] = [0.1, 0.001];
const BALL = { centre: [0, 0, 0], radius: RADIUS };

function simulate(
  options: Partial<SimulationOptions>,
  bodies: readonly RigidBody[],
  floor = fixedBody(FLOOR),
) {
  const simulation = new Simulation({ dt: 1 / 60, thickness: THICKNESS, sleeping: false, ...options });
  simulation.add(floor);
  for (const body of bodies) simulation.add(body);
  return simulation;
}

/** A grid over a height, its squares cut one way. */
function ground(count: number, size: number, height: (x: number, z: number) => number) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= count; i++) {
    for (let j = 0; j <= count; j++) {
      const [x, z] = [(i / count - 0.5) * size, (j / count - 0.5) * size];
      positions.push(x, height(x, z), z);
      const a = i * (count + 1) + j;
      const b = a + count + 1;
      if (i < count && j < count) indices.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  return { name: 'ground', positions, indices };
}

describe('mass', () => {
  const solids: [string, SolidShape, number, number[]][] = [
    ['sphere', BALL, (4 / 3) * Math.PI * 1e-3, [0.4e-2, 0.4e-2, 0.4e-2]],
    ['box', { min: [0, 0, 0], max: [1, 2, 3] }, 6, [13 / 12, 10 / 12, 5 / 12]],
    [
      'capsule along y',
      { from: [0, 1, 0], to: [0, 2, 0], radius: 0.5 },
      Math.PI / 4 + Math.PI / 6,
      (() => {
        const [shaft, balls, r] = [Math.PI / 4, Math.PI / 6, 0.5];
        const across = shaft * (r ** 2 / 4 + 1 / 12) + balls * ((2 / 5) * r ** 2 + 1 / 4 + (3 / 8) * r);
        const along = (shaft * r ** 2) / 2 + (2 / 5) * balls * r ** 2;
        return [across, along, across].map((x) => x / (shaft + balls));
      })(),
    ],
    [
      'cylinder along x',
      { bottom: [1, 0, 0], top: [3, 0, 0], radius: 0.5 },
      Math.PI / 2,
      [0.125, 0.0625 + 1 / 3, 0.0625 + 1 / 3],
    ],
    ['hull', { points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] }, 1 / 6, [0.075, 0.075, 0.075]],
  ];

  test.each(solids)('of a %s is that of the formula', (_, shape, volume, perMass) => {
    const { mass, state } = rigidBody(shape, { density: 2 });
    expect(mass / (2 * volume)).toBeCloseTo(1, 6);
    for (let k = 0; k < 3; k++) expect(state.inertia[4 * k] / (mass * perMass[k])).toBeCloseTo(1, 5);
  });

  test('may be given, with or without inertia', () => {
    const given = rigidBody(BALL, { mass: 5 });
    expect(given.mass).toBe(5);
    expect(given.state.inertia[0]).toBeCloseTo(0.4 * 5 * RADIUS ** 2, 12);
    const hollow = rigidBody(BALL, { mass: 3, inertia: [0.02, 0.02, 0.02] });
    expect(hollow.state.inertia[4]).toBeCloseTo(0.02, 12);
    const turned = rigidBody(box(1, 1, 1), { inertia: [300, 300, 400, 0, 0, 50] });
    expect(Array.from(turned.state.inertia)).toEqual([300, 0, 50, 0, 300, 0, 50, 0, 400]);
    // of a hoop
    expect(rigidBody(BALL, { inertia: [1, 2, 1] }).state.inertia[4]).toBeCloseTo(2, 6);
  });

  test.each([[[1, 1, 2.1]], [[0, 1, 1]], [[1, 1, -1]], [[1, 1, 1, 2, 0, 0]], [[1, 1]], [[1, 1, Number.NaN]]])(
    'is refused where no body has it: %j',
    (inertia) => {
      expect(() => rigidBody(BALL, { inertia })).toThrow();
    },
  );

  test('is about a given centre', () => {
    const body = rigidBody(BALL, { mass: 2, centre: [0.01, 0.02, 0.03], inertia: [1, 1, 1] });
    expect(body.position).toEqual([0.01, 0.02, 0.03]);
    // the ball is around its own middle all the same
    body.position = [0, 0, 0];
    const middle = [0, 1, 2].map((k) => {
      const own = body.positions.filter((_, i) => i % 3 === k);
      return (Math.min(...own) + Math.max(...own)) / 2;
    });
    [-0.01, -0.02, -0.03].forEach((x, k) => {
      expect(middle[k]).toBeCloseTo(x, 6);
    });
    expect(() => rigidBody(BALL, { mass: 2, centre: [0, 0, 0] })).toThrow(/needs the inertia/);
  });

  test('of an open surface is given as a whole, and then it collides from both sides', () => {
    const lid = { positions: [-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1], indices: [0, 1, 2, 0, 2, 3] };
    const whole = { mass: 3, centre: [0, 0, 0], inertia: [1, 2, 1] };
    for (const left of ['mass', 'centre'] as const)
      expect(() => rigidBody(lid, { ...whole, [left]: undefined })).toThrow(/closed|open/);
    const simulation = new Simulation({ dt: 1 / 60, thickness: THICKNESS });
    simulation.add(fixedBody({ min: [-2, -1, -2], max: [2, 0, 2] }));
    const bodies = [lid, { ...lid, indices: [0, 2, 1, 0, 3, 2] }].map((surface, i) =>
      rigidBody(surface, { ...whole, position: [0, 0.1 + 0.1 * i, 0] }),
    );
    for (const body of bodies) simulation.add(body);
    for (let step = 0; step < 60; step++) {
      simulation.step();
      expect(simulation.intersections()).toBe(0);
    }
    bodies.forEach(({ position }, i) => {
      expect(position[1] / (THICKNESS * (i + 1))).toBeCloseTo(1, 1);
    });
  });

  test('is refused where it is not positive, or comes with a density', () => {
    expect(() => rigidBody(BALL, { mass: 0 })).toThrow(/mass/);
    expect(() => rigidBody(BALL, { mass: 1, density: 1 })).toThrow(/not both/);
  });
});

test.each<[string, object]>([
  ['a sphere without a radius', { centre: [0, 0, 0], radius: 0 }],
  ['a flat box', { min: [0, 0, 0], max: [1, 0, 1] }],
  ['a flat hull', { points: [0, 0, 0, 1, 0, 0, 0, 0, 1] }],
  ['a half-space', { normal: [0, 1, 0], offset: 0 }],
  ['no parts', { parts: [] }],
  ['a name that is none', { ...BALL, name: 3 }],
])('%s is refused', (_, shape) => {
  expect(() => rigidBody(shape as SolidShape)).toThrow();
});

test('balls that overlap at the start are refused, though their triangles do not meet', () => {
  // towards the middle of a face
  const [up, round] = [Math.PI / 16, Math.PI / 16];
  const towards = [Math.cos(up) * Math.cos(round), Math.sin(up), Math.cos(up) * Math.sin(round)];
  const bodies = [0, 0.1999].map((way) =>
    rigidBody(BALL, { position: towards.map((x, k) => way * x + (k === 1 ? 1 : 0)) }),
  );
  disposed(simulate({}, bodies), (simulation) => {
    expect(simulation.intersections()).toBe(1);
    expect(() => simulation.step()).toThrow(/the start is not free/);
  });
});

const ROLLING: [string, SolidShape, number | undefined][] = [
  ['sphere', BALL, undefined],
  ['hollow sphere', BALL, 2 / 3],
  ['capsule', { from: [0, 0, -0.2], to: [0, 0, 0.2], radius: RADIUS }, undefined],
  ['cylinder', { bottom: [0, 0, -0.2], top: [0, 0, 0.2], radius: RADIUS }, undefined],
];

describe.each(ROLLING)('a %s', (_, shape, ratio) => {
  const make = (options: object) => {
    const [mass, moment] = [2, 2 * (ratio ?? 0) * RADIUS ** 2];
    const inertia = ratio ? { inertia: [moment, moment, moment] } : {};
    return rigidBody(shape, { mass, ...inertia, position: [0, RADIUS + THICKNESS, 0], ...options });
  };

  test.each(['the slope', 'the body'])(
    'rolls down a slope with g sin / (1 + I / m r²), %s first',
    (first) => {
      const angle = 0.3;
      const gravity = [G * Math.sin(angle), -G * Math.cos(angle), 0] as const;
      const body = make({});
      const simulation = new Simulation({
        dt: 1 / 60,
        thickness: THICKNESS,
        friction: 0.6,
        gravity,
        sleeping: false,
      });
      ended(simulation, () => {
        for (const one of first === 'the body' ? [body, fixedBody(FLOOR)] : [fixedBody(FLOOR), body])
          simulation.add(one);
        for (let step = 0; step < 120; step++) simulation.step();
        const moment = body.state.inertia[8] / (body.mass * RADIUS ** 2);
        if (ratio === undefined && 'centre' in shape) expect(moment).toBeCloseTo(0.4, 12);
        if ('bottom' in shape) expect(moment).toBeCloseTo(0.5, 6);
        const pull = (G * Math.sin(angle)) / (1 + moment);
        expect(Math.abs(body.position[0] / (2 * pull) - 1)).toBeLessThan(1e-6);
        expect(Math.abs(body.velocity[0] / (2 * pull) - 1)).toBeLessThan(1e-6);
        expect(Math.abs(body.velocity[0] + RADIUS * body.spin[2])).toBeLessThan(1e-6);
        expect(Math.abs(body.position[1] - RADIUS - THICKNESS)).toBeLessThan(1e-8);
      });
    },
  );

  test('rolls over flat ground of many triangles without a change of speed or height', () => {
    const body = make({
      position: [-3, RADIUS + THICKNESS, 0.013],
      velocity: [2, 0, 0],
      spin: [0, 0, -2 / RADIUS],
    });
    const floor = fixedBody(ground(40, 8, () => 0));
    ended(simulate({ friction: 0.5 }, [body], floor), (simulation) => {
      for (let step = 0; step < 160; step++) {
        simulation.step();
        expect(Math.abs(body.position[1] - RADIUS - THICKNESS)).toBeLessThan(1e-7);
      }
      expect(Math.abs(body.velocity[0] - 2)).toBeLessThan(1e-6);
      expect(Math.abs(body.velocity[0] + RADIUS * body.spin[2])).toBeLessThan(1e-6);
    });
  });

  test('that slides comes to roll with the share of its speed that its moment leaves', () => {
    const body = make({ velocity: [2, 0, 0] });
    ended(simulate({ friction: 0.3 }, [body]), (simulation) => {
      for (let step = 0; step < 90; step++) simulation.step();
      const moment = body.state.inertia[8] / (body.mass * RADIUS ** 2);
      expect(body.velocity[0] * (1 + moment)).toBeCloseTo(2, 3);
      expect(Math.abs(body.velocity[0] + RADIUS * body.spin[2])).toBeLessThan(1e-6);
    });
  });
});

test.each(every([1, 0.8, 0.5], 3))('a ball comes back with %d of its speed', (restitution) => {
  const body = rigidBody(BALL, { position: [0, 0.6, 0] });
  ended(simulate({ dt: 1 / 240, restitution, friction: 0 }, [body]), (simulation) => {
    let highest = 0;
    for (let step = 0; step < 200; step++) {
      simulation.step();
      if (simulation.steps > 100) highest = Math.max(highest, body.position[1]);
    }
    const rest = RADIUS + THICKNESS;
    expect((highest - rest) / (0.6 - rest)).toBeCloseTo(restitution ** 2, 3);
  });
});

test('a capsule on its end tips over, never gains energy, and lies', () => {
  const shape = { from: [0, -0.2, 0], to: [0, 0.2, 0], radius: RADIUS };
  const body = rigidBody(shape, { position: [0, 0.2 + RADIUS + THICKNESS, 0], spin: [0, 0, 0.3] });
  ended(simulate({ dt: 1 / 240, friction: 0.5 }, [body]), (simulation) => {
    const before = wholeEnergy([body]);
    for (let step = 0; step < 400; step++) {
      simulation.step();
      expect(wholeEnergy([body])).toBeLessThan(before * (1 + 1e-9));
    }
    expect(body.position[1]).toBeCloseTo(RADIUS + THICKNESS, 5);
  });
});

test('cylinders stand on their ends, lie, and carry each other', () => {
  const upright = { bottom: [0, -0.15, 0], top: [0, 0.15, 0], radius: RADIUS };
  const bodies = [
    rigidBody(upright, { position: [0, 0.15 + THICKNESS, 0] }),
    rigidBody(upright, { position: [0, 0.45 + 2 * THICKNESS, 0] }),
    rigidBody({ bottom: [-0.3, 0, 0], top: [0.3, 0, 0], radius: 0.2 }, { position: [2, 0.2 + THICKNESS, 0] }),
    rigidBody(
      { bottom: [0, 0, -0.3], top: [0, 0, 0.3], radius: RADIUS },
      { position: [2, 0.5 + 2 * THICKNESS, 0] },
    ),
  ];
  const places = bodies.map(({ position }) => position);
  ended(simulate({ friction: 0.5, sleeping: true }, bodies), (simulation) => {
    for (let step = 0; step < 90; step++) simulation.step();
    for (const [i, { position, asleep }] of bodies.entries()) {
      for (let k = 0; k < 3; k++) expect(Math.abs(position[k] - places[i][k])).toBeLessThan(0.1 * THICKNESS);
      expect(asleep).toBe(true);
    }
    expect(simulation.intersections()).toBe(0);
  });
});

test('a ball swings in a bowl of triangles, and its surface stays above them', () => {
  const bowl = ground(30, 2.4, (x, z) => (x * x + z * z) / 2);
  const body = rigidBody({ centre: [0, 0, 0], radius: 0.15 }, { position: [0.6, 0.4, 0.1] });
  ended(simulate({ dt: 1 / 120, friction: 0.9 }, [body], fixedBody(bowl)), (simulation) => {
    const before = wholeEnergy([body]);
    let farthest = 0;
    for (let step = 0; step < 240; step++) {
      simulation.step();
      farthest = Math.min(farthest, body.position[0]);
      // by brute force
      expect(distanceToTriangles(body.position, bowl)).toBeGreaterThan(0.15);
    }
    expect(farthest).toBeLessThan(-0.4);
    expect(wholeEnergy([body])).toBeLessThan(before);
    expect(simulation.intersections()).toBe(0);
  });
});

test('balls, capsules, cylinders and boxes fall into a heap; none overlaps another, and energy is lost', () => {
  const kinds = [
    rigidBody(BALL),
    rigidBody({ from: [-0.1, 0, 0], to: [0.1, 0, 0], radius: 0.07 }),
    rigidBody({ min: [-0.08, -0.08, -0.08], max: [0.08, 0.08, 0.08] }),
    rigidBody({ bottom: [0, -0.08, 0], top: [0, 0.08, 0], radius: 0.08 }),
  ];
  const bodies = Array.from({ length: 36 }, (_, i) =>
    kinds[i % 4].copy({
      name: `body ${i}`,
      position: [
        0.36 * ((i % 3) - 1) + 0.01 * Math.sin(i),
        0.3 + 0.25 * Math.floor(i / 9),
        0.36 * ((Math.floor(i / 3) % 3) - 1),
      ],
    }),
  );
  const cup = fixedBody(ground(8, 3, (x, z) => (x * x + z * z) / 2 - 0.2));
  ended(simulate({ friction: 0.4, sleeping: true }, bodies, cup), (simulation) => {
    const before = wholeEnergy(bodies);
    for (let step = 0; step < 90; step++) simulation.step();
    expect(simulation.intersections()).toBe(0);
    expect(wholeEnergy(bodies)).toBeLessThan(before);
    for (const body of bodies) expect(body.position[1]).toBeGreaterThan(-0.2);
    const balls = bodies.filter((_, i) => i % 4 === 0);
    for (const [i, a] of balls.entries()) {
      for (const b of balls.slice(i + 1))
        expect(Math.hypot(...a.position.map((x, k) => x - b.position[k]))).toBeGreaterThan(2 * RADIUS);
    }
  });
});

describe('a compound', () => {
  test('has the mass of its parts, and their common centre', () => {
    const body = rigidBody({
      parts: [BALL, { centre: [1, 0, 0], radius: RADIUS }, { min: [0, -0.05, -0.05], max: [1, 0.05, 0.05] }],
    });
    const ball = (4 / 3) * Math.PI * RADIUS ** 3;
    expect(body.mass / (1000 * (2 * ball + 0.01))).toBeCloseTo(1, 6);
    expect(body.position[0]).toBeCloseTo(0.5, 6);
    const across = 2 * ball * (0.4 * RADIUS ** 2 + 0.25) + 0.01 * (1.01 / 12);
    expect(body.state.inertia[4] / (1000 * across)).toBeCloseTo(1, 5);
  });

  test('of a bar between two balls rolls on these, and stands on the bar', () => {
    const bar = { min: [-0.05, -0.05, -0.5], max: [0.05, 0.05, 0.5] };
    const balls = [-0.4, 0.4].map((z) => ({ centre: [0, 0, z], radius: RADIUS }));
    const body = rigidBody(
      { name: 'dumbbell', parts: [bar, ...balls] },
      { position: [0, RADIUS + THICKNESS, 0] },
    );
    body.velocity = [1, 0, 0];
    body.spin = [0, 0, -1 / RADIUS];
    const other = rigidBody(
      {
        parts: [
          { ...bar, min: [-0.05, -0.05, -0.15], max: [0.05, 0.05, 0.15] },
          { ...BALL, radius: 0.04 },
        ],
      },
      { position: [0.3, 0.05 + THICKNESS, 3] },
    );
    ended(simulate({ friction: 0.5 }, [body, other]), (simulation) => {
      for (let step = 0; step < 120; step++) simulation.step();
      expect(body.position[0]).toBeCloseTo(2, 4);
      expect(Math.abs(body.velocity[0] + RADIUS * body.spin[2])).toBeLessThan(1e-6);
      expect(Math.abs(body.position[1] - RADIUS - THICKNESS)).toBeLessThan(1e-6);
      expect(other.position[1]).toBeCloseTo(0.05 + THICKNESS, 5);
      expect(simulation.intersections()).toBe(0);
    });
  });

  test('piles up with others of its kind, and none overlaps another', () => {
    const parts = [-0.1, 0.1].map((x) => ({ centre: [x, 0, 0], radius: 0.08 }));
    const first = rigidBody({ parts: [...parts, { min: [-0.1, -0.04, -0.04], max: [0.1, 0.04, 0.04] }] });
    const bodies = Array.from({ length: 12 }, (_, i) =>
      first.copy({
        name: `body ${i}`,
        position: [0.4 * (i % 2) - 0.2, 0.2 + 0.2 * Math.floor(i / 2), 0.02 * (i % 3)],
      }),
    );
    ended(simulate({ friction: 0.4, sleeping: true }, bodies), (simulation) => {
      const before = wholeEnergy(bodies);
      for (let step = 0; step < 60; step++) simulation.step();
      expect(simulation.intersections()).toBe(0);
      expect(wholeEnergy(bodies)).toBeLessThan(before);
      const centres = bodies.map((body) =>
        [-0.1, 0.1].map((x) => body.turned([x, 0, 0]).map((y, k) => y + body.position[k])),
      );
      centres.forEach((own, i) => {
        for (const p of own) {
          expect(p[1]).toBeGreaterThan(0.08);
          for (const q of centres.slice(i + 1).flat())
            expect(Math.hypot(...p.map((x, k) => x - q[k]))).toBeGreaterThan(0.16);
        }
      });
    });
  });
});

function distanceToTriangles(
  p: readonly number[],
  { positions, indices }: { readonly positions: readonly number[]; readonly indices: readonly number[] },
): number {
  const place = Float64Array.from(p);
  const corners = new Float64Array(9);
  let least = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 9; k++)
      corners[k] = Math.fround(positions[3 * indices[t + Math.floor(k / 3)] + (k % 3)]);
    least = Math.min(least, distanceSqPointTriangle(place, 0, corners, 0));
  }
  return Math.sqrt(least);
}
