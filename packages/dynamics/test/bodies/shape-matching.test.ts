import type { ImpingeError } from 'impinge/internal/base/errors.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { latticeShape } from '../../src/bodies/lattice-shape.js';
import type { ShapeMatchingBody } from '../../src/bodies/shape-matching.js';
import { ShapeMatchingBodies } from '../../src/bodies/shape-matching-bodies.js';
import {
  ell,
  GRAVITY,
  kick,
  lattice,
  momentum,
  NO_GRAVITY,
  rotated,
  run,
  slantedRotation,
} from './model-runs.js';

const DT = 1 / 100;

describe('a lattice', () => {
  test('has nodes at the corners of its cells, and the mass of the body in them', () => {
    const shape = latticeShape(ell(), ell().lattice, { mass: 3, halfWidth: 1 });
    expect(shape.particles.count).toBe(20);
    expect(shape.regions.count).toBe(4);
    expect(shape.particles.masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(3, 12);
    expect(shape.regions.masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(3, 12);
  });
  test('refuses vertices outside its cells', () => {
    const surface = ell();
    surface.positions[3 * 7 + 1] = 5;
    const refusal = (() => {
      try {
        latticeShape(surface, surface.lattice, { mass: 1, halfWidth: 0 });
      } catch (error) {
        return error as ImpingeError;
      }
      return undefined;
    })();
    expect([refusal?.code, refusal?.detail['vertex']]).toEqual(['bad-input', 7]);
    expect(() => new ShapeMatchingBodies([ell()], [{ shape: 1 }])).toThrow(
      /placement 0: there is no shape 1/,
    );
  });
});

describe('a body by shape matching', () => {
  test('stands where it is placed', () => {
    const rotation = slantedRotation(2);
    const body = lattice({ pose: { rotation, translation: [1, 2, 3] } });
    const expected = rotated(rotation, ell().positions).map((x, k) => Math.fround(x + [1, 2, 3][k % 3]));
    const worst = body.positions.reduce((most, x, k) => Math.max(most, Math.abs(x - expected[k])), 0);
    expect(worst).toBeLessThan(3e-7);
    expect(body.positions.every((x) => x === Math.fround(x))).toBe(true);
    expect(body.energy()).toBeLessThan(1e-9);
  });

  test('finds back from being mirrored without staying so', () => {
    const body = lattice({ damping: 5 });
    for (let k = 2; k < body.nodes.length; k += 3) body.nodes[k] = 0.1 - body.nodes[k];
    expect(handedness(body)).toBeLessThan(0);
    run(body, 400, DT, NO_GRAVITY);
    expect(handedness(body)).toBeGreaterThan(0);
    expect(body.energy()).toBeLessThan(1e-6);
  });

  test('finds back from any disorder of its nodes, seed 3', () => {
    const body = lattice({ damping: 5, halfWidth: 3 });
    const random = new SeededRandom(3);
    for (let k = 0; k < body.nodes.length; k++) body.nodes[k] += 0.5 * (random.next() - 0.5);
    run(body, 600, DT, NO_GRAVITY);
    expect(handedness(body)).toBeGreaterThan(0);
    const { rest } = body.shape;
    for (const [a, b] of [
      [0, 7],
      [1, 19],
    ]) {
      const way = (x: Float64Array) => Math.hypot(...[0, 1, 2].map((k) => x[3 * a + k] - x[3 * b + k]));
      expect(way(body.nodes)).toBeCloseTo(way(rest), 4);
    }
  });

  test('does the same however it is turned', () => {
    const rotation = slantedRotation(1.3);
    const bodies = [lattice(), lattice({ pose: { rotation } })];
    bodies.forEach((body, i) => {
      const way = i === 0 ? [0.02, 0.01, -0.015] : rotated(rotation, [0.02, 0.01, -0.015]);
      body.propose(DT, NO_GRAVITY);
      for (const v of [0, 9, 30]) body.push(v, way[0], way[1], way[2]);
      body.settle();
      body.finish(body.proposed.map(Math.fround), DT);
      run(body, 60, DT, NO_GRAVITY);
    });
    const expected = rotated(rotation, bodies[0].nodes);
    const worst = bodies[1].nodes.reduce((most, x, k) => Math.max(most, Math.abs(x - expected[k])), 0);
    expect(worst).toBeLessThan(1e-9);
  });

  test('meets one push exactly, as an impulse on that vertex', () => {
    const body = lattice();
    body.propose(DT, NO_GRAVITY);
    body.push(5, 0.003, -0.002, 0.001);
    body.settle();
    const moved = [0, 1, 2].map((k) => body.proposed[15 + k] - body.positions[15 + k]);
    for (const [k, way] of [0.003, -0.002, 0.001].entries()) expect(moved[k]).toBeCloseTo(way, 6);
    body.finish(body.proposed.map(Math.fround), DT);
    const [px, py, pz] = momentum(body);
    const mass = 1 / body.inverseMass(5);
    expect(px * DT).toBeCloseTo(0.003 * 1 * weightSum(body, 5, mass), 9);
    expect(py / px).toBeCloseTo(-2 / 3, 9);
    expect(pz / px).toBeCloseTo(1 / 3, 9);
  });

  test('many equal pushes on one side move it by about as much as one, not by their sum', () => {
    const body = lattice();
    body.propose(DT, NO_GRAVITY);
    for (let v = 0; v < 8; v++) body.push(v, 0.01, 0, 0);
    body.settle();
    for (let v = 0; v < 8; v++) {
      const moved = body.proposed[3 * v] - body.positions[3 * v];
      expect(moved).toBeGreaterThan(0.008);
      expect(moved).toBeLessThan(0.012);
    }
  });

  test('vertices kept back pull their nodes back', () => {
    const body = lattice({ velocity: [1, 0, 0] });
    body.propose(DT, NO_GRAVITY);
    const end = body.proposed.map(Math.fround);
    for (let k = 0; k < 24; k++) end[k] = body.positions[k];
    const before = momentum(body)[0];
    body.finish(end, DT);
    expect(body.positions).toEqual(end);
    expect(momentum(body)[0]).toBeLessThan(0.9 * before);
    expect(momentum(body)[0]).toBeGreaterThan(0);
  });

  test('copies in one memory do what each does alone', () => {
    const poses = [0, 1, 2].map((i) => ({ rotation: slantedRotation(i), translation: [i, 0, 0] }));
    const copies = new ShapeMatchingBodies(
      [ell()],
      poses.map((pose) => ({ shape: 0, pose })),
      { damping: 0 },
    );
    for (const [i, body] of copies.bodies.entries()) kick(body, DT, 0.01, i);
    for (let step = 0; step < 20; step++) for (const body of copies.bodies) run(body, 1, DT, GRAVITY);
    poses.forEach((pose, i) => {
      const alone = lattice({ pose });
      kick(alone, DT, 0.01, i);
      run(alone, 20, DT, GRAVITY);
      expect(copies.bodies[i].nodes).toEqual(alone.nodes);
    });
  });
});

/** Six times the signed volume of the first cell's corner tetrahedron. */
function handedness({ nodes }: ShapeMatchingBody): number {
  const edge = (corner: number) => [0, 1, 2].map((k) => nodes[3 * corner + k] - nodes[k]);
  const [u, v, w] = [edge(1), edge(2), edge(4)];
  return (
    u[0] * (v[1] * w[2] - v[2] * w[1]) +
    u[1] * (v[2] * w[0] - v[0] * w[2]) +
    u[2] * (v[0] * w[1] - v[1] * w[0])
  );
}

/** What a push of one metre on a vertex carries: Σ weight / Σ weight² / mass, which is the mass for one node. */
function weightSum({ shape }: ShapeMatchingBody, vertex: number, mass: number): number {
  const { start, weights } = shape.embedding;
  let sum = 0;
  for (let i = start[vertex]; i < start[vertex + 1]; i++) sum += weights[i];
  return sum * mass;
}
