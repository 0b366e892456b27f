/** Slides without friction over flat ground, held to closed formulas: however it is cut into triangles, turned, and far away. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../scenes/random.mjs';
import {
  arc,
  GROUNDS,
  placed,
  randomFrame,
  randomSlide,
  SLIDERS,
  slideOutcome,
} from '../../../../../scenes/slides.mjs';
import { box } from '../../../../../scenes/solids.mjs';
import { rigidBody } from '../../../src/dynamics/rigid-body.js';
import { fixedBody } from '../../../src/dynamics/scenery.js';
import { Simulation } from '../../../src/dynamics/simulation.js';
import { runs, some } from '../../budget.js';
import { disposed } from './rigid-scenes.js';

const G = 9.81;
const THICKNESS = 0.001;
/** Metres: how far anything may leave the ground. */
const HOP = 1e-4;

const DYNAMICS = { Simulation, fixedBody, rigidBody };
type Course = Parameters<typeof slideOutcome>[2];

function expectSlide(
  what: ReturnType<typeof randomSlide>,
  course: Omit<Course, 'thickness'>,
  told: string,
): void {
  const { off, speed, hop, sunk, meeting } = slideOutcome(DYNAMICS, what, {
    ...course,
    thickness: THICKNESS,
  });
  expect(Math.abs(speed - 1), `${told}: speed`).toBeLessThan(1e-3);
  expect(off, `${told}: way`).toBeLessThan(1e-3);
  expect(hop, `${told}: hop`).toBeLessThan(HOP);
  expect(sunk, `${told}: sunk`).toBeLessThan(0.5 * THICKNESS);
  expect(meeting, told).toBe(0);
}

test.each([
  [40, 4],
  [400, 40],
])('a ball keeps its speed on a turned plane of %d × %d squares', (columns, rows) => {
  const random = seededRandom(31);
  const what = randomSlide(random, { ground: 'regular', slider: 'ball', length: 5, columns, rows });
  expectSlide(what, { speed: 5, seconds: 1 }, `${columns} × ${rows}`);
});

test('on any ground, anything keeps its speed and does not hop, seed 41', () => {
  const random = seededRandom(41);
  const pairs = Object.keys(GROUNDS).flatMap((ground) =>
    Object.keys(SLIDERS).map((slider) => [ground, slider]),
  );
  for (const [i, [ground, slider]] of some(pairs).entries()) {
    const what = randomSlide(random, { ground, slider, length: 2, far: i % 3 === 0 ? 100 : 0 });
    expectSlide(what, { speed: 4, seconds: 0.5 }, `${slider} on ${ground}, ${i}`);
  }
});

test('over a flat face of a body, cut into triangles, seed 43', () => {
  const random = seededRandom(43);
  for (const slider of some(Object.keys(SLIDERS))) {
    const frame = randomFrame(random, 10);
    const { at, back, orientation } = frame;
    const place = ([u, y, w]: readonly number[]) => at([4 * u - 1, y, 2 * w]);
    const slab = placed(GROUNDS['slab'](random, 40, 9), place);
    const rock = placed(GROUNDS['uneven'](random, 9, 4), ([u, , w]: readonly number[]) =>
      place([u, -0.3 - THICKNESS, w]),
    );
    const simulation = new Simulation({
      dt: 1 / 60,
      thickness: THICKNESS,
      friction: 0,
      gravity: at([0, -G, 0], false),
      sleeping: false,
    });
    disposed(simulation, () => {
      const body = SLIDERS[slider];
      const height = rigidBody({ name: 'slider', ...body }).position[1] + THICKNESS;
      const ground = rigidBody({ name: 'slab', ...slab });
      const velocity = at([3, 0, 0.2], false);
      const options = { position: at([0, height, 0]), velocity, orientation: orientation([0, 0, 0, 1]) };
      const moving = rigidBody({ name: 'slider', ...body }, options);
      simulation.add(fixedBody({ name: 'rock', ...rock }));
      simulation.add(ground);
      simulation.add(moving);
      let [lowest, hop] = [Infinity, 0];
      for (let step = 0; step < 45; step++) {
        simulation.step();
        const y = back([...moving.position])[1];
        lowest = Math.min(lowest, y);
        hop = Math.max(hop, y - lowest);
      }
      expect(Math.abs(Math.hypot(...moving.velocity) / Math.hypot(3, 0.2) - 1), slider).toBeLessThan(1e-3);
      expect(hop, slider).toBeLessThan(HOP);
      expect(simulation.intersections()).toBe(0);
    });
  }
});

describe.each([
  ['valley', 5],
  ['hill', -5],
] as const)('through a %s of many segments', (_, radius) => {
  test.each(some([40, 400, 2000]))('of which there are %d, energy stays, seed 44', (segments) => {
    const random = seededRandom(44);
    for (const slider of ['ball', 'cube']) {
      const { at, back, orientation } = randomFrame(random, 5);
      const body =
        slider === 'ball'
          ? SLIDERS['ball']
          : placed(box(0.1, 0.1, 0.1), ([x, y, z]: readonly number[]) => [x, y + 0.05, z]);
      const simulation = new Simulation({
        dt: 1 / 240,
        thickness: THICKNESS,
        friction: 0,
        gravity: at([0, -G, 0], false),
        sleeping: false,
      });
      disposed(simulation, () => {
        simulation.add(fixedBody({ name: 'ground', ...placed(arc(radius, 0.5, segments, random), at) }));
        const angle = -0.4;
        const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
        const up = Math.sign(radius);
        const height = rigidBody({ name: 'slider', ...body }).position[1] + 1.2 * THICKNESS;
        const start = [
          Math.abs(radius) * sine - up * height * sine,
          radius * (1 - cosine) + height * cosine,
          0.03,
        ];
        const moving = rigidBody(
          { name: 'slider', ...body },
          {
            position: at(start),
            velocity: at([4 * cosine, up * 4 * sine, 0], false),
            orientation: orientation([0, 0, Math.sin((up * angle) / 2), Math.cos((up * angle) / 2)]),
          },
        );
        simulation.add(moving);
        const energy = () => moving.energy() / moving.mass + G * back([...moving.position])[1];
        const before = energy();
        for (let step = 0; step < 120; step++) simulation.step();
        // at each bend, what goes across it is lost; and speeds are those at the end of a part of a step
        const bends = (0.8 * 1) / segments;
        const parts = (G * Math.sin(0.4)) / 240 / 4;
        expect(Math.abs(energy() - before) / 8, slider).toBeLessThan(2 * (bends + parts));
        expect(simulation.intersections()).toBe(0);
      });
    }
  });
});

test('down a slope of 400 strips, speed grows as it should, seed 42', () => {
  const random = seededRandom(42);
  for (const slider of some(Object.keys(SLIDERS), runs(1))) {
    const what = randomSlide(random, { ground: 'regular', slider, length: 4, columns: 400, rows: 1 });
    expectSlide(what, { speed: 2, seconds: 0.8, pull: 4 }, slider);
  }
});
