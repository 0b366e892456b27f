/**
 * Slides without friction over flat ground, held to closed formulas: however it is cut into triangles, turned, and far
 * away.
 */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/random.mjs';
import {
  arc,
  GROUNDS,
  placed,
  randomFrame,
  randomSlide,
  SLIDERS,
  slideOutcome,
} from '../../../../lab/scenes/slides.mjs';
import { box } from '../../../../lab/scenes/solids.mjs';
import { every, FAST, full, runs, some } from '../../../../test/budget.js';
import { rigidBody } from '../../src/bodies/rigid-body.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { ended } from '../physics/apart.js';

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

full.each(
  some([
    [40, 4],
    [400, 40],
  ]),
)('a ball keeps its speed on a turned plane of %d × %d squares', (columns, rows) => {
  const random = seededRandom(31);
  const what = randomSlide(random, { ground: 'regular', slider: 'ball', length: 5, columns, rows });
  expectSlide(what, { speed: 5, seconds: 1 }, `${columns} × ${rows}`);
});

full('on any ground, anything keeps its speed and does not hop, seed 41', () => {
  const random = seededRandom(41);
  const pairs = Object.keys(GROUNDS).flatMap((ground) =>
    Object.keys(SLIDERS).map((slider) => [ground, slider]),
  );
  for (const [i, [ground, slider]] of some(pairs).entries()) {
    const what = randomSlide(random, { ground, slider, length: 2, far: i % 3 === 0 ? 100 : 0 });
    expectSlide(what, { speed: 4, seconds: 0.5 }, `${slider} on ${ground}, ${i}`);
  }
});

full('over a flat face of a body, cut into triangles, seed 43', () => {
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
    ended(simulation, () => {
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

/** A ball or a cube at an angle from the middle of an arc (slides.mjs), in the frame of the world. */
function onArc(radius: number, segments: number, dt: number, slider: 'ball' | 'cube', random: () => number) {
  const { at, back, orientation } = randomFrame(random, 5);
  const body =
    slider === 'ball'
      ? SLIDERS['ball']
      : placed(box(0.1, 0.1, 0.1), ([x, y, z]: readonly number[]) => [x, y + 0.05, z]);
  const gravity = at([0, -G, 0], false);
  const simulation = new Simulation({ dt, thickness: THICKNESS, friction: 0, gravity, sleeping: false });
  simulation.add(fixedBody({ name: 'ground', ...placed(arc(radius, 0.5, segments, random), at) }));
  const height = rigidBody({ name: 'slider', ...body }).position[1] + 1.2 * THICKNESS;
  const place = (angle: number, speed: number, above = 0) => {
    const [sine, cosine, up] = [Math.sin(angle), Math.cos(angle), Math.sign(radius)];
    const start = [
      Math.abs(radius) * sine - up * height * sine,
      radius * (1 - cosine) + height * cosine + above,
      0.03,
    ];
    const moving = rigidBody(
      { name: 'slider', ...body },
      {
        position: at(start),
        velocity: at([speed * cosine, up * speed * sine, 0], false),
        orientation: orientation([0, 0, Math.sin((up * angle) / 2), Math.cos((up * angle) / 2)]),
      },
    );
    simulation.add(moving);
    return moving;
  };
  const energyOf = (moving: ReturnType<typeof place>) =>
    moving.energy() / moving.mass + G * back([...moving.position])[1];
  return { simulation, place, energyOf, height };
}

describe.each([
  ['valley', 5, [40, 400, 2000]],
  // where segments are longer, what leaves one hops higher than the thickness
  ['hill', -5, [100, 1000]],
] as const)('through a %s of many segments', (_, radius, all) => {
  full.each(some(all))('of which there are %d, energy stays, seed 44', (segments) => {
    const random = seededRandom(44);
    for (const dt of every([1 / 60, 1 / 240], 2)) {
      for (const slider of ['ball', 'cube'] as const) {
        const { simulation, place, energyOf } = onArc(radius, segments, dt, slider, random);
        ended(simulation, () => {
          const moving = place(-0.4, 4);
          const before = energyOf(moving);
          for (let step = 0; step < 0.5 / dt; step++) {
            simulation.step();
            expect((energyOf(moving) - before) / 8, slider).toBeLessThan(1e-9);
          }
          expect((before - energyOf(moving)) / 8, `${slider}, 1/${Math.round(1 / dt)}`).toBeLessThan(1e-3);
          expect(simulation.intersections()).toBe(0);
        });
      }
    }
  });
});

full.each(some([100, 400]))(
  'a ball swings in a valley of %d segments as a pendulum does, seed 45',
  (segments) => {
    const { simulation, place, energyOf, height } = onArc(5, segments, 1 / 60, 'ball', seededRandom(45));
    ended(simulation, () => {
      const [angle, length] = [0.3, 5 - height];
      const moving = place(-angle, 0);
      const bottom = energyOf(moving) - G * length * (1 - Math.cos(angle));
      const period = 2 * Math.PI * Math.sqrt(length / G) * (1 + angle ** 2 / 16 + (11 * angle ** 4) / 3072);
      // through the bottom after a quarter, where all of the energy is motion
      for (let step = 0; step < Math.round(60 * (FAST ? 0.25 : 2.25) * period); step++) simulation.step();
      const full = Math.sqrt(2 * G * length * (1 - Math.cos(angle)));
      expect(Math.abs(Math.hypot(...moving.velocity) / full - 1)).toBeLessThan(3e-3);
      // it begins a fifth of the thickness above the ground
      const fall = 0.2 * THICKNESS * G;
      const off = Math.abs(energyOf(moving) - bottom - 0.5 * full * full);
      expect(off).toBeLessThan(0.5e-3 * full * full + fall);
    });
  },
);

full('what runs into a steep bend loses what goes across it, seed 46', () => {
  const { simulation, place, energyOf } = onArc(5, 3, 1 / 60, 'ball', seededRandom(46));
  ended(simulation, () => {
    // three segments of a third of a radian each: at a bend, the speed is v sin β across
    const moving = place(0, 4, 5 * (1 - Math.cos(1 / 6)));
    const before = energyOf(moving);
    for (let step = 0; step < 24; step++) simulation.step();
    const share = (before - energyOf(moving)) / (8 * Math.sin(1 / 3) ** 2);
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(1.1);
  });
});

test('down a slope of 400 strips, speed grows as it should, seed 42', () => {
  const random = seededRandom(42);
  for (const slider of some(Object.keys(SLIDERS), runs(1))) {
    const what = randomSlide(random, { ground: 'regular', slider, length: 4, columns: 400, rows: 1 });
    expectSlide(what, { speed: 2, seconds: 0.8, pull: 4 }, slider);
  }
});
