/** No step ends in an intersection: checked by queries that know nothing of the simulation. */
import { describe, expect, test } from 'vitest';
import { every, FAST, full, LONG, stride } from '../../../../test/budget.js';
import { kinematicBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ball, floor, meetings, type Shape, SpringBody, scenery, sheet, turned } from './contact-bodies.js';

/** Steps; the detector looks at every one of them, the exact query at every n-th. */
function runFree(simulation: Simulation, steps: number, every: number) {
  let rolledBack = 0;
  let detections = 0;
  for (let step = 1; step <= steps; step++) {
    const report = simulation.step();
    rolledBack += report.rolledBackVertices;
    detections += report.detections.length;
    expect(report.detections.at(-1)!.events, `events left in step ${step}`).toBe(0);
    if (step % every === 0) expect(meetings(simulation.bodies), `after step ${step}`).toBe(0);
  }
  return { rolledBack, detections };
}

function drape(n: number): Simulation {
  const simulation = new Simulation({ dt: 0.01, thickness: 0.2 / n });
  simulation.add(new SpringBody(sheet(n, 1, 0.35), { name: 'cloth', mass: 1 / n ** 2 }));
  simulation.add(scenery(ball(0.3, Math.ceil(n / 2), [0, 0, 0]), 'ball'));
  simulation.add(scenery(floor(2, -0.4), 'floor'));
  return simulation;
}

test('the query for meetings sees one', () => {
  const crossing = sheet(4, 1, 0);
  const bodies = [scenery(sheet(3, 1, 0)), scenery({ ...crossing, positions: turned(crossing, 1) })];
  expect(meetings(bodies)).toBeGreaterThan(0);
});

test.skipIf(FAST)('a cloth on a sphere: 2 000 steps', () => {
  const simulation = drape(14);
  const { rolledBack, detections } = runFree(simulation, 2000, 10);
  expect(rolledBack).toBe(0);
  expect(detections).toBeLessThan(2.2 * 2000);
  const cloth = simulation.bodies[0] as SpringBody;
  expect(cloth.energy()).toBeLessThan(1e-3);
  expect(cloth.centre(1)).toBeGreaterThan(-0.1);
});

test.skipIf(!LONG)('a larger cloth on a sphere: 2 000 steps', () => {
  runFree(drape(60), 2000, 1);
});

describe('sheets that fly through each other', () => {
  full.each(every([300, 30, 1], 2))('at %d m/s', (speed) => {
    const simulation = new Simulation({ dt: 0.01, thickness: 0.01, gravity: [0, 0, 0] });
    const down = sheet(10, 0.9, 0.25);
    const a = new SpringBody(sheet(12, 1, 0), { name: 'a', velocity: [0, speed, 0] });
    const b = new SpringBody(
      { positions: turned(down, 0.2), indices: down.indices },
      { name: 'b', velocity: [0, -speed, 0] },
    );
    simulation.add(a);
    simulation.add(b);
    runFree(simulation, FAST ? 10 : 20, FAST ? 5 : 1);
    expect(a.energy() + b.energy()).toBeLessThan(0.5 * speed ** 2 * (a.vertexCount + b.vertexCount));
  });
});

test('a cloth torn at in all directions crumples without meeting itself', () => {
  const simulation = new Simulation({ dt: 0.01, thickness: 0.005 });
  const cloth = new SpringBody(sheet(12, 1, 0.2), { name: 'cloth' });
  for (let i = 0; i < cloth.velocities.length; i++) cloth.velocities[i] = 60 * Math.sin(1 + 7 * i * i);
  simulation.add(cloth);
  simulation.add(scenery(floor(5), 'floor'));
  runFree(simulation, 40, FAST ? 8 : 1);
});

describe('a press', () => {
  const soft = () => ball(0.2, FAST ? 3 : 5, [0, 0.22, 0]);

  function squeeze(soft: Shape, speed: number, steps: number) {
    const simulation = new Simulation({ dt: 0.01, thickness: 0.01 });
    const descending = (time: number) => ({ translation: [0, (-speed * time) / 0.01, 0] });
    const press = kinematicBody({ ...floor(1, 0.5), name: 'press' }, descending);
    simulation.add(new SpringBody(soft, { name: 'soft' }));
    simulation.add(scenery(floor(1), 'floor'));
    simulation.add(press);
    let waited = 0;
    for (let s = 0; s < steps; s++) {
      waited += simulation.step().waiting.filter((name) => name === 'press').length;
      if (s % stride === 0) expect(meetings(simulation.bodies)).toBe(0);
    }
    return { waited, height: press.positions[1] };
  }

  full('waits rather than crush what has nowhere to go', () => {
    const { waited, height } = squeeze(soft(), 0.01, 60);
    expect(waited).toBeGreaterThan(5);
    expect(height).toBeGreaterThan(0);
    expect(height).toBeLessThan(0.1);
  });
  full('that comes down in one step waits from the first', () => {
    const { waited, height } = squeeze(soft(), 0.6, 3);
    expect(waited).toBe(3);
    expect(height).toBe(0.5);
  });
});

full('a fall that the response cannot resolve is stopped, and nothing meets', () => {
  // a light sheet between two heavy ones that close on it a hundred times faster than its thickness allows
  const simulation = new Simulation({ dt: 0.02, thickness: 0.02, gravity: [0, 0, 0], friction: 1 });
  [-0.05, 0, 0.05].forEach((height, i) => {
    const shape = sheet(7 + i, 1, height);
    simulation.add(
      new SpringBody(
        { positions: turned(shape, 0.05 * (i - 1)), indices: shape.indices },
        { name: `sheet ${i}`, mass: i === 1 ? 1e-3 : 10, velocity: [10 * i, -100 * (i - 1), 5] },
      ),
    );
  });
  let rolledBack = 0;
  for (let s = 0; s < 10; s++) {
    rolledBack += simulation.step().rolledBackVertices;
    expect(meetings(simulation.bodies)).toBe(0);
  }
  expect(rolledBack).toBeGreaterThan(0);
});
