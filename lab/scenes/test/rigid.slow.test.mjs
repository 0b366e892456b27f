import { distance, Mesh, selfIntersect } from 'impinge';
import { describe, expect, it } from 'vitest';
import {
  dominoes,
  gears,
  numbersBowl,
  nutBolt,
  pile,
  pyramid,
  spoonCup,
  torusPeg,
} from '../dist/rigid/index.js';
import { expectClosed } from './deform-checks.mjs';

const SCENES = {
  pyramid: (seed) => pyramid({ rows: 3, seed }),
  dominoes: (seed) => dominoes({ count: 5, seed }),
  gears: (seed) => gears({ seed }),
  'nut-bolt': (seed) => nutBolt({ seed }),
  pile: (seed) => pile({ count: 9, seed }),
  'numbers-bowl': (seed) => numbersBowl({ count: 4, seed }),
  'spoon-cup': (seed) => spoonCup({ seed }),
  'torus-peg': (seed) => torusPeg({ seed }),
};

it('the same seed gives the same scene', () => {
  for (const make of [SCENES.pyramid, SCENES.dominoes, SCENES.gears]) {
    const [a, b] = [make(3), make(3)].map(({ bodies }) => JSON.stringify(bodies));
    expect(a).toBe(b);
  }
});

it.each(Object.entries(SCENES))('%s: another one with another seed', (_, make) => {
  const scenes = [1, 2].map(make);
  const starts = scenes.map(({ bodies }) => JSON.stringify(bodies));
  expect(starts[0]).not.toBe(starts[1]);
  const { bodies, shapes, hinges } = scenes[0];
  for (const { shape, turn } of bodies) {
    expect(shapes[shape].density).toBeGreaterThan(0);
    expect(Math.hypot(...turn)).toBeCloseTo(1, 12);
  }
  for (const { body } of hinges) expect(bodies[body]).toBeDefined();
});

describe('shapes', () => {
  it('gears are closed and free of themselves, with a bore and four windows', () => {
    const { shapes, teeth } = gears();
    shapes.forEach((shape, i) => {
      expectClosed(shape, 5);
      expect(selfIntersect(Mesh.from(shape)).count).toBe(0);
      const reach = Math.max(...Array.from(shape.positions, Math.abs));
      expect(reach).toBeCloseTo(0.005 * teeth[i] + 0.01, 4);
    });
  });

  it.each([48, 96])('a nut and a bolt of %i columns are closed, and fit', (columns) => {
    const { shapes, scenery, bodies, thickness } = nutBolt({ columns });
    const [nut, bolt] = [shapes[0], scenery[0]];
    expectClosed(nut, 1);
    expectClosed(bolt);
    const meshes = [bolt, nut].map((mesh) => Mesh.from(mesh));
    for (const mesh of meshes) expect(selfIntersect(mesh).count).toBe(0);
    const { turn, place } = bodies[0];
    const apart = distance(...meshes, { poseB: { rotation: turn, translation: place } }).distance;
    expect(apart).toBeGreaterThan(2 * thickness);
    expect(apart).toBeLessThan(2e-4);
  });

  it('those of the pile are closed and of at least 1 000 triangles', () => {
    const holes = { ring: 1, A: 1, R: 1 };
    for (const shape of pile({ count: 1 }).shapes) {
      expectClosed(shape, holes[shape.name] ?? 0);
      expect(shape.indices.length / 3).toBeGreaterThanOrEqual(1000);
    }
  });

  it('boxes of the pyramid and dominoes are closed', () => {
    for (const scene of [pyramid({ rows: 1 }), dominoes({ count: 1 })]) expectClosed(scene.shapes[0]);
  });
});
