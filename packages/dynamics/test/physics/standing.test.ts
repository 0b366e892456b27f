/** What stands, and what does not, by statics: arches, leaning cards, loads a thousand times as heavy as their base. */
import { describe, expect, test } from 'vitest';
import { every } from '../../../../test/budget.js';
import { type RigidBody, rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ended } from './apart.js';

const G = 9.81;
const FLOOR = { name: 'floor', min: [-20, -1, -5], max: [20, 0, 5] };

/** How far bodies have come from where they were, at most. */
function farthest(bodies: readonly RigidBody[], places: readonly (readonly number[])[]): number {
  return Math.max(...bodies.map((b, i) => Math.hypot(...b.position.map((x, k) => x - places[i][k]))));
}

/** A half circle of stones about a radius of 1, as far apart as the thickness. */
function arch(count: number, depth: number): { simulation: Simulation; stones: RigidBody[] } {
  const thickness = 0.0005;
  const simulation = new Simulation({ dt: 1 / 120, thickness, friction: 0.7, sleeping: false });
  simulation.add(fixedBody(FLOOR));
  const stones = Array.from({ length: count }, (_, i) => {
    const points = [0, 1].flatMap((end) => {
      const angle = (Math.PI * (i + end)) / count;
      const off = (0.5 - end) * thickness;
      return [1 - depth / 2, 1 + depth / 2].flatMap((r) =>
        [-0.25, 0.25].flatMap((z) => [
          r * Math.cos(angle) - off * Math.sin(angle),
          r * Math.sin(angle) + off * Math.cos(angle) + 0.5 * thickness,
          z,
        ]),
      );
    });
    return rigidBody({ name: `stone ${i}`, points }, { density: 2000 });
  });
  for (const stone of stones) simulation.add(stone);
  return { simulation, stones };
}

// Milankovitch: half a circle stands from a depth of 0.1075 of its radius on
describe.each(every([9, 15], 2))('an arch of %d stones', (count) => {
  test.each([0.115, 0.15])('stands with a depth of %d', (depth) => {
    const { simulation, stones } = arch(count, depth);
    ended(simulation, () => {
      const places = stones.map(({ position }) => position);
      for (let step = 0; step < 240; step++) simulation.step();
      expect(farthest(stones, places)).toBeLessThan(count * simulation.thickness);
      expect(stones.reduce((sum, stone) => sum + stone.energy(), 0)).toBeLessThan(1e-4);
    });
  });

  test('falls with one of 0.1', () => {
    const { simulation, stones } = arch(count, 0.1);
    ended(simulation, () => {
      const places = stones.map(({ position }) => position);
      for (let step = 0; step < 120; step++) simulation.step();
      expect(farthest(stones, places)).toBeGreaterThan(0.2);
    });
  });
});

const CARD = { min: [-0.0005, -0.045, -0.03], max: [0.0005, 0.045, 0.03] };
const GAP = 0.0002;

/** Two cards that lean against each other with an angle from upright, on a height. */
function leaning(angle: number, [x, y]: readonly number[] = [0, 0]): RigidBody[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [-1, 1].map((side) => {
    const position = [x + side * (0.045 * s + 0.0005 * c + GAP / 2), y + 0.045 * c + 0.0005 * s + GAP, 0];
    const orientation = [0, 0, Math.sin((side * angle) / 2), Math.cos(angle / 2)];
    return rigidBody({ ...CARD, name: `card ${side}` }, { mass: 0.002, position, orientation });
  });
}

function cards(friction: number, bodies: readonly RigidBody[]): Simulation {
  const simulation = new Simulation({ dt: 1 / 120, thickness: GAP, friction, sleeping: false });
  simulation.add(fixedBody(FLOOR));
  for (const body of bodies) simulation.add(body);
  return simulation;
}

describe('cards', () => {
  // each pushes the other with half its weight · tan, which friction at its foot has to hold
  test.each(every([0.2, 0.4, 0.6], 3))('lean on each other up to tan = 2 μ, with μ = %d', (friction) => {
    for (const share of [0.95, 1.05]) {
      const bodies = leaning(Math.atan(2 * friction * share));
      ended(cards(friction, bodies), (simulation) => {
        const places = bodies.map(({ position }) => position);
        for (let step = 0; step < 240; step++) simulation.step();
        if (share < 1) expect(farthest(bodies, places)).toBeLessThan(1e-5);
        else expect(farthest(bodies, places)).toBeGreaterThan(0.02);
      });
    }
  });

  test('make a house of three storeys, which stands', () => {
    const angle = 0.35;
    const [high, wide] = [0.09 * Math.cos(angle) + 0.001 * Math.sin(angle), 0.07];
    const bodies: RigidBody[] = [];
    for (let storey = 0; storey < 3; storey++) {
      const y = storey * (high + 0.001 + 2 * GAP);
      for (let i = 0; i < 3 - storey; i++) {
        const x = (i - (2 - storey) / 2) * wide;
        bodies.push(...leaning(angle, [x, y]));
        const across = { min: [-0.034, -0.0005, -0.03], max: [0.034, 0.0005, 0.03], name: 'across' };
        const isBetween = i < 2 - storey;
        const position = [x + wide / 2, y + high + 2 * GAP + 0.0005, 0];
        if (isBetween) bodies.push(rigidBody(across, { mass: 0.002, position }));
      }
    }
    ended(cards(0.5, bodies), (simulation) => {
      const places = bodies.map(({ position }) => position);
      for (let step = 0; step < 360; step++) simulation.step();
      expect(farthest(bodies, places)).toBeLessThan(5e-4);
    });
  });
});

test.each(every([1, 1000], 2))(
  'a load %d times as heavy stands on a box, and the floor bears both',
  (ratio) => {
    const law = { friction: 0.5, contactEvents: true, sleeping: false };
    ended(new Simulation({ dt: 1 / 60, thickness: 0.001, ...law }), (simulation) => {
      const cube = { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };
      const [low, high] = [
        rigidBody({ ...cube, name: 'low' }, { mass: 1, position: [0, 0.501, 0] }),
        rigidBody({ ...cube, name: 'high' }, { mass: ratio, position: [0.1, 1.502, 0] }),
      ];
      const floor = fixedBody(FLOOR);
      for (const body of [floor, low, high]) simulation.add(body);
      let borne = 0;
      for (let step = 0; step < 300; step++) {
        simulation.step();
        if (step >= 240) borne += simulation.contacts(floor)[0].impulse[1];
      }
      const [off, way] = ratio > 1 ? [1e-3, 2e-3] : [1e-4, 1e-5];
      expect(Math.abs(borne / ((1 + ratio) * G) - 1)).toBeLessThan(off);
      const moved = [high.position[0] - 0.1, high.position[1] - 1.502, high.position[2]];
      expect(Math.hypot(...moved)).toBeLessThan(way);
    });
  },
);
