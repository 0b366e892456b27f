/** Cloth pressed on something: its shape does not depend on the step, and the residual counts what contacts leave. */
import { expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { cloth } from '../../src/bodies/cloth.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ball, sheet } from './contact-bodies.js';
import { NO_GRAVITY } from './model-runs.js';

const THICKNESS = 0.005;
const SIDE = 17;

/** Over a ball, held along two sides that are lower than its top, for a second. */
function pressed(steps: number) {
  const pinned = Array.from({ length: SIDE }, (_, i) => [SIDE * i, SIDE * i + SIDE - 1]).flat();
  const simulation = new Simulation({ dt: 1 / steps, friction: 0, thickness: THICKNESS, sleeping: false });
  simulation.add(fixedBody(ball(0.3, 10, [0.013, -0.32, 0.007])));
  const body = cloth(sheet(SIDE, 1, 0), { pinned, damping: 10 });
  simulation.add(body);
  let residual = 0;
  for (let step = 0; step < steps; step++) residual = simulation.step().residual;
  return { positions: body.positions.slice(), stored: body.storedEnergy(body.positions), residual };
}

full('has one shape at 1/30, 1/60 and 1/200 s, to 0.6 of the thickness', () => {
  const ends = [200, 60, 30].map(pressed);
  for (const { positions, stored, residual } of ends) {
    expect(Math.max(...positions.map((x, k) => Math.abs(x - ends[0].positions[k])))).toBeLessThan(
      0.6 * THICKNESS,
    );
    expect(Math.abs(stored / ends[0].stored - 1)).toBeLessThan(0.06);
    expect(residual).toBeLessThan(40);
  }
});

test('the residual is that of springs, loads and pushes, as by the slope of the energy', () => {
  const dt = 1 / 60;
  const body = cloth(sheet(5, 1, 0), { damping: 0 });
  body.propose(dt, NO_GRAVITY);
  const pushed = 12;
  const push = 0.02;
  body.push(pushed, 0, push, push);
  body.settle();
  const given = (push * body.inverseMass(pushed)) / body.inverseMassFelt(pushed);
  const before = body.positions.slice();
  body.finish(Float64Array.from(body.proposed), dt);
  const x = Float64Array.from(body.positions);
  let [square, mass] = [0, 0];
  for (let k = 0; k < x.length; k++) {
    const m = 1 / body.inverseMass(Math.floor(k / 3));
    const [there, step] = [x[k], 1e-6];
    const slope = [step, -step].map((by) => {
      x[k] = there + by;
      return body.storedEnergy(x);
    });
    x[k] = there;
    const aim = before[k] + (Math.floor(k / 3) === pushed && k % 3 > 0 ? given : 0);
    const open = (m * (x[k] - aim)) / dt ** 2 + (slope[0] - slope[1]) / (2 * step);
    square += open ** 2 / m;
    mass += m / 3;
  }
  expect(body.residual / Math.sqrt(square / mass)).toBeCloseTo(1, 4);
});
