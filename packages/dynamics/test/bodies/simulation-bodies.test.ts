/** The shipped bodies in contact: piles come to rest, stay free, and contacts do not feed them. */
import { describe, expect } from 'vitest';
import { FAST, full } from '../../../../test/budget.js';
import type { Body } from '../../src/bodies/body.js';
import { cloth } from '../../src/bodies/cloth.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { ShapeMatchingBodies } from '../../src/bodies/shape-matching-bodies.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { softVolume } from '../../src/bodies/soft-volume.js';
import { ball, floor, meetings, sheet } from './contact-bodies.js';

const OPTIONS = { dt: 0.01, thickness: 0.008 };

const LATTICE = {
  ...ball(0.2, 5, [0, 0, 0]),
  name: 'lattice ball',
  lattice: {
    origin: [-0.2, -0.2, -0.2],
    cellSize: 0.2,
    cells: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1],
  },
};

/** Mass · g · height, summed up. */
function potential(body: Body): number {
  let sum = 0;
  for (let v = 0; v < body.vertexCount; v++) {
    const share = body.frame
      ? body.frame.masses.reduce((all, mass) => all + mass, 0) / body.vertexCount
      : 1 / body.inverseMass(v);
    if (body.kind === 'dynamic') sum += 9.81 * share * body.positions[3 * v + 1];
  }
  return sum;
}

describe.each([
  [
    'cloth on a ball',
    () => [
      cloth({ ...sheet(14, 1, 0.35), name: 'cloth' }),
      fixedBody({ ...ball(0.3, 8, [0, 0, 0]), name: 'ball' }),
      fixedBody({ ...floor(2, -0.4), name: 'floor' }),
    ],
  ],
  [
    'soft balls',
    () => [
      ...[0, 1].map((i) =>
        softVolume({ ...ball(0.2, 5, [0.03 * i, 0.25 + 0.45 * i, 0]), name: `soft ${i}` }),
      ),
      fixedBody({ ...floor(2), name: 'floor' }),
    ],
  ],
  [
    'balls on lattices',
    () => [
      ...new ShapeMatchingBodies(
        [LATTICE],
        [0, 1, 2].map((i) => ({ shape: 0, pose: { translation: [0.05 * i, 0.25 + 0.45 * i, 0.02 * i] } })),
      ).bodies,
      fixedBody({ ...floor(2), name: 'floor' }),
    ],
  ],
])('%s', (_, bodies) => {
  full('fall, and neither meet nor gain energy', () => {
    const simulation = new Simulation(OPTIONS);
    for (const body of bodies()) simulation.add(body);
    const energy = () =>
      simulation.bodies.reduce((sum, body) => sum + body.energy() + potential(body), 0) + 10;
    const start = energy();
    let last = start;
    let contacts = 0;
    for (let step = 1; step <= (FAST ? 75 : 150); step++) {
      const report = simulation.step();
      contacts += report.events;
      const now = energy();
      const { rolledBackVertices, detections } = report;
      // the springs and fits of bodies answer to contacts in a few sweeps; what these leave is stored
      if (rolledBackVertices > 0 || detections.length >= 5 || now - last >= 0.03 * start) {
        expect.fail(
          `step ${step}: ${rolledBackVertices} back, ${detections.length} rounds, ${now - last} J gained`,
        );
      }
      last = now;
      if (step % (FAST ? 25 : 5) === 0) expect(meetings(simulation.bodies)).toBe(0);
    }
    expect(contacts).toBeGreaterThan(FAST ? 100 : 1000);
    expect(last).toBeLessThan(start);
  });
});

full('bodies on lattices keep momentum in a free collision', () => {
  const simulation = new Simulation({ ...OPTIONS, gravity: [0, 0, 0] });
  const { bodies } = new ShapeMatchingBodies(
    [LATTICE],
    [
      { shape: 0, pose: { translation: [-0.3, 0, 0] }, velocity: [2, 0, 0] },
      { shape: 0, pose: { translation: [0.3, 0.1, 0.05] }, velocity: [-1, 0, 0] },
    ],
  );
  const momentum = () => {
    const out = new Float64Array(6);
    const sum = [0, 0, 0];
    for (const body of bodies) {
      body.momentum(out);
      for (let k = 0; k < 3; k++) sum[k] += out[k];
    }
    return sum;
  };
  for (const body of bodies) simulation.add(body);
  const before = momentum();
  const energy = bodies[0].energy() + bodies[1].energy();
  let contacts = 0;
  for (let s = 0; s < 40; s++) contacts += simulation.step().events;
  expect(contacts).toBeGreaterThan(10);
  const after = momentum();
  for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(1e-6 * Math.abs(before[0]));
  expect(bodies[0].energy() + bodies[1].energy()).toBeLessThan(energy);
});
