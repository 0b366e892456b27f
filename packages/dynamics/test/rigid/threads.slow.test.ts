/** Rigid bodies on threads: the very same numbers, however many there are. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { nodePool } from 'impinge/node';
import { expect, test } from 'vitest';
import { box, torus } from '../../../../lab/scenes/solids.mjs';
import { type RigidBody, rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import type { SolidShape } from '../../src/rigid/shapes/read-solid.js';
import { jointed, solid } from './rigid-scenes.js';

const RINGS = 64;
const STEPS = 40;

/** Rings, or rings and shapes, that fall onto each other and onto a plate, seed 5. */
function pile(pool?: WorkerPool, shapes: readonly SolidShape[] = []) {
  const random = new SeededRandom(5);
  const simulation = new Simulation({
    dt: 1 / 120,
    thickness: 0.002,
    contactEvents: true,
    ...(pool && { pool }),
  });
  const plate = box(4, 0.2, 4);
  const positions = Array.from(plate.positions, (x, k) => (k % 3 === 1 ? x - 0.1 : x));
  simulation.add(fixedBody({ ...plate, name: 'plate', positions }));
  const kinds = [solid(torus(0.2, 0.05, 12, 8), [0, 0, 0]), ...shapes.map((shape) => rigidBody(shape))];
  const rings = Array.from({ length: RINGS }, (_, i) => {
    const position = [((i % 4) - 1.5) * 0.51, 0.3 + 0.51 * (i >> 4), (((i >> 2) % 4) - 1.5) * 0.51];
    return kinds[i % kinds.length].copy({
      position,
      orientation: [0, 1, 2, 3].map(() => random.next() - 0.5),
    });
  });
  for (const ring of rings) simulation.add(ring);
  return { simulation, rings };
}

const SHAPES = [
  { centre: [0, 0, 0], radius: 0.2 },
  { from: [-0.1, 0, 0], to: [0.1, 0, 0], radius: 0.12 },
  { bottom: [0, -0.1, 0], top: [0, 0.1, 0], radius: 0.15 },
];

test.each([
  ['rings', []],
  ['rings and shapes', SHAPES],
])('1, 2 and 4 threads give what the calling thread gives, bit for bit: %s', async (_, shapes) => {
  const outcomes: number[][] = [];
  for (const size of [0, 1, 2, 4]) {
    const pool = size > 0 ? nodePool(size) : undefined;
    const { simulation, rings } = pile(pool, shapes);
    let contacts = 0;
    for (let step = 0; step < STEPS; step++) {
      contacts += (pool ? await simulation.stepParallel() : simulation.step()).events;
    }
    expect(simulation.intersections()).toBe(0);
    expect(contacts).toBeGreaterThan(RINGS);
    // also in which order bodies touch, and how hard
    const touching = simulation
      .contacts()
      .flatMap(({ a, b, impulse }) => [
        rings.indexOf(a as RigidBody),
        rings.indexOf(b as RigidBody),
        ...impulse,
      ]);
    expect(touching.length).toBeGreaterThan(0);
    outcomes.push([
      contacts,
      ...touching,
      ...rings.flatMap(({ position, orientation }) => [...position, ...orientation]),
    ]);
    simulation.dispose();
    await pool?.dispose();
  }
  for (const other of outcomes.slice(1)) expect(other).toEqual(outcomes[0]);
});

test('joints of every kind, on 1, 2 and 4 threads and from a snapshot in the middle, bit for bit', async () => {
  const outcomes: number[][] = [];
  for (const size of [0, 1, 2, 4]) {
    const pool = size > 0 ? nodePool(size) : undefined;
    let simulation = jointed(pool && { pool });
    let broken = 0;
    for (let step = 0; step < 90; step++) {
      const report = pool ? await simulation.stepParallel() : simulation.step();
      broken += report.brokenJoints.length;
      if (step !== 45) continue;
      // on with another one
      const bytes = simulation.snapshot();
      simulation.dispose();
      simulation = jointed(pool && { pool });
      simulation.restore(bytes);
    }
    expect(broken).toBe(1);
    expect(simulation.intersections()).toBe(0);
    outcomes.push(simulation.bodies.flatMap(({ positions }) => [...positions]));
    simulation.dispose();
    await pool?.dispose();
  }
  const went = jointed();
  for (let step = 0; step < 90; step++) went.step();
  outcomes.push(went.bodies.flatMap(({ positions }) => [...positions]));
  went.dispose();
  for (const other of outcomes.slice(1)) expect(other).toEqual(outcomes[0]);
});

test('a step that is called off moves nobody, and the next goes on', async () => {
  const pool = nodePool(2);
  const { simulation, rings } = pile(pool);
  const other = pile();
  const before = rings.map(({ position }) => position);
  await expect(simulation.stepParallel({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(rings.map(({ position }) => position)).toEqual(before);
  for (let step = 0; step < 3; step++) {
    await simulation.stepParallel();
    other.simulation.step();
  }
  expect(rings.map(({ position }) => position)).toEqual(other.rings.map(({ position }) => position));
  simulation.dispose();
  other.simulation.dispose();
  await pool.dispose();
});
