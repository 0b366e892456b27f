/** Bodies that fly, turn and slide, compared with closed formulas of mechanics. */
import { fixedBody, rigidBody, Simulation } from '@impinge/dynamics';
import { box, randomDirection } from '@impinge/scenes';
import { oneOf } from '../mutate/choose.mjs';

const G = 9.81;
const STEPS = 200;
const RUNS = 20;
const THICKNESS = 1e-3;
const FLOOR = { name: 'floor', positions: [-90, 0, -90, 90, 0, -90, 0, 0, 90], indices: [0, 2, 1] };

/** Problems found in one round of random bodies. */
export function bodyProblems(random) {
  const problems = [];
  for (let run = 0; run < RUNS; run++) {
    for (const [name, about] of Object.entries({ flight, slide })) {
      const problem = about(random);
      if (problem) problems.push(`${name}: ${problem}`);
    }
  }
  return problems;
}

/**
 * A square bar with random orientation and spin: its position, orientation, energy and angular momentum after each
 * step.
 */
function flight(random) {
  const [length, thick] = [0.1 + random(), 0.01 + 0.5 * random()];
  const dt = oneOf(random, [1 / 20, 1 / 60, 1 / 240, 1 / 1000]);
  const velocity = randomDirection(random).map((x) => 20 * x * random());
  const spin = randomDirection(random).map((x) => (3 * x * random()) / dt);
  const body = rigidBody(
    { ...box(length, thick, thick), name: 'bar' },
    { position: [0, 0, 0], velocity, spin },
  );
  const gravity = [0, oneOf(random, [0, -G]), 0];
  const simulation = new Simulation({ dt, thickness: THICKNESS, gravity });
  try {
    simulation.add(body);
    const momenta = angularOf(body);
    const turning = (one) => one.energy() - 0.5 * one.mass * sumSq(one.velocity);
    const start = turning(body);
    // about the x axis, and across it
    const moments = [momenta[0] / spin[0], Math.hypot(momenta[1], momenta[2]) / Math.hypot(spin[1], spin[2])];
    const own = spin[0] * (1 - moments[0] / moments[1]);
    const rate = Math.sqrt(sumSq(momenta)) / moments[1];
    for (let step = 1; step <= STEPS; step++) {
      simulation.step();
      const t = step * dt;
      const off = Math.abs(turning(body) / start - 1);
      if (!(off < 1e-8)) return `energy off by ${off} after ${step} steps of ${dt}, ${length} × ${thick}`;
      const fall = body.position[1] - velocity[1] * t - (gravity[1] * t * t) / 2;
      if (!(Math.abs(fall) < 1e-9 * (1 + t * t))) return `${fall} beside its parabola after ${t} s`;
      if (angularOf(body).some((x, k) => Math.abs(x - momenta[k]) > 1e-9 * Math.sqrt(sumSq(momenta))))
        return `angular momentum ${angularOf(body)} of ${momenta} after ${step} steps of ${dt}`;
      const half = t / 2;
      const about = momenta.map((x) => (Math.sin(rate * half) * x) / Math.sqrt(sumSq(momenta)));
      const expected = product(
        [...about, Math.cos(rate * half)],
        [Math.sin(own * half), 0, 0, Math.cos(own * half)],
      );
      const cosine = Math.abs(expected.reduce((sum, x, k) => sum + x * body.orientation[k], 0));
      if (!(cosine > 1 - 1e-10)) return `turned otherwise after ${step} steps of ${dt}: ${1 - cosine}`;
    }
    return undefined;
  } finally {
    simulation.dispose();
  }
}

/** A slab that slides over a floor: only friction slows it down, and it stops when its energy is used up. */
function slide(random) {
  const [speed, friction] = [1 + 4 * random(), 0.1 + 0.5 * random()];
  const direction = 2 * Math.PI * random();
  const velocity = [speed * Math.cos(direction), 0, speed * Math.sin(direction)];
  const slab = { ...box(0.6, 0.05, 0.6), name: 'slab' };
  const body = rigidBody(slab, { position: [0, 0.025 + THICKNESS, 0], velocity });
  const dt = oneOf(random, [1 / 60, 1 / 240]);
  const simulation = new Simulation({ dt, thickness: THICKNESS, friction });
  try {
    simulation.add(fixedBody(FLOOR));
    simulation.add(body);
    for (let t = 0; t < speed / (friction * G) + 0.2; t += dt) simulation.step();
    const way = Math.hypot(body.position[0], body.position[2]);
    const expected = speed ** 2 / (2 * friction * G);
    // contacts are solved in substeps of at most 1/240 s, each with the speed at its end
    return Math.abs(way - expected) < 0.01 * expected + speed / 240
      ? undefined
      : `${way} m instead of ${expected} at ${speed} m/s, friction ${friction}, dt ${dt}`;
  } finally {
    simulation.dispose();
  }
}

const sumSq = (v) => v.reduce((sum, x) => sum + x * x, 0);

/** About the centre of mass. */
function angularOf(body) {
  const out = new Float64Array(6);
  body.momentum(out);
  const [p, x] = [out.subarray(0, 3), body.position];
  return [0, 1, 2].map(
    (k) => out[3 + k] - (x[(k + 1) % 3] * p[(k + 2) % 3] - x[(k + 2) % 3] * p[(k + 1) % 3]),
  );
}

function product(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
    a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}
