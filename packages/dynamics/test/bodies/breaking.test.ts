import { isClosed } from 'impinge/internal/mesh/closed.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { selfIntersect } from 'impinge/internal/query/pair/self-intersect.js';
import { describe, expect, test } from 'vitest';
import { box, torus } from '../../../../lab/scenes/solids.mjs';
import { FAST, full, runs } from '../../../../test/budget.js';
import { type BreakableBody, breakable } from '../../src/bodies/breaking.js';
import { fixedBody } from '../../src/bodies/scenery.js';
import { shatter } from '../../src/bodies/shatter.js';
import { Simulation } from '../../src/bodies/simulation.js';
import { GRAVITY, hashOf, momentum, NO_GRAVITY, run } from './model-runs.js';

const DT = 1 / 200;
const slab = (options: object = {}) =>
  breakable(shatter({ ...box(1, 0.2, 0.6), name: 'slab' }, { pieces: 10, seed: 2 }), options);

/** A step in which the vertices beyond `x` are pushed down by `depth`. */
function strike(body: BreakableBody, x: number, depth: number): void {
  body.propose(DT, NO_GRAVITY);
  for (let v = 0; v < body.vertexCount; v++) if (body.positions[3 * v] > x) body.push(v, 0, -depth, 0);
  body.relax();
  body.settle();
  body.finish(body.proposed.map(Math.fround), DT);
}

const meshOf = ({ positions, indices }: BreakableBody) => Mesh.from({ positions, indices });
const key = (positions: Float64Array, v: number) => [0, 1, 2].map((k) => positions[3 * v + k]).join(' ');

describe('a breakable body', () => {
  test('has the skin of the solid, closed, before it breaks', () => {
    const mesh = meshOf(slab());
    expect(isClosed(mesh)).toBe(true);
    expect(selfIntersect(mesh).count).toBe(0);
    expect(mesh.box).toEqual(Mesh.from(box(1, 0.2, 0.6)).box);
  });

  test('holds together at rest, in free fall and under gentle pushes', () => {
    const body = slab({ velocity: [0, 1, 0] });
    run(body, runs(200), DT, GRAVITY, () => expect(body.broken()).toBeUndefined());
    strike(body, 0.3, 1e-4);
    expect(body.broken()).toBeUndefined();
  });

  test('breaks where it is struck; parts are closed, apart, and have the skin they had', () => {
    const body = slab();
    const old = new Set(Array.from({ length: body.vertexCount }, (_, v) => v));
    strike(body, 0.35, 0.08);
    const parts = body.broken()!;
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap((part) => part.pieces).sort((a, b) => a - b)).toEqual([...body.pieces]);
    const meshes = parts.map(meshOf);
    for (const mesh of meshes) {
      expect(isClosed(mesh)).toBe(true);
      expect(selfIntersect(mesh).count).toBe(0);
    }
    for (let i = 0; i < meshes.length; i++) {
      for (let j = 0; j < i; j++)
        expect(collide(meshes[i], meshes[j], { mode: 'any' }).colliding).toBe(false);
    }
    const places = new Set([...old].map((v) => key(body.positions, v)));
    const kept = parts.flatMap((part) =>
      Array.from({ length: part.vertexCount }, (_, v) => places.has(key(part.positions, v))),
    );
    expect(kept.filter(Boolean).length).toBeGreaterThan(0.3 * kept.length);
    for (const part of parts) expect(part.positions.every((x) => x === Math.fround(x))).toBe(true);
  });

  full('keeps momentum when it breaks and when parts break further', () => {
    const body = slab({ velocity: [0.3, 0.2, -0.1] });
    strike(body, 0.35, 0.08);
    const before = momentum(body);
    const total = (bodies: readonly BreakableBody[]) => {
      const sum = new Float64Array(6);
      for (const one of bodies) for (const [k, x] of momentum(one).entries()) sum[k] += x;
      return sum;
    };
    let parts: readonly BreakableBody[] = body.broken()!;
    const scale = Math.hypot(...before);
    for (let step = 0; step < 40; step++) {
      for (const part of parts) run(part, 1, DT, NO_GRAVITY);
      parts = parts.flatMap((part) => part.broken() ?? [part]);
    }
    for (const [k, x] of total(parts).entries()) expect(Math.abs(x - before[k])).toBeLessThan(1e-9 * scale);
  });

  test('parts share what a blow without rebound loses, the struck one flies', () => {
    const body = slab();
    strike(body, 0.35, 0.08);
    const whole = body.energy();
    const parts = body.broken()!;
    const energy = parts.reduce((sum, part) => sum + part.energy(), 0);
    expect(energy).toBeGreaterThan(whole);
    expect(energy).toBeLessThan(1.5 * whole + 1e-9);
    const speeds = parts.map((part) => -momentum(part)[1] / part.mass);
    const fastest = parts[speeds.indexOf(Math.max(...speeds))];
    expect(Math.max(...fastest.positions.filter((_, k) => k % 3 === 0))).toBeGreaterThan(0.35);
  });

  test('stands and falls on a floor from a little height without breaking', () => {
    const simulation = new Simulation({ dt: DT, thickness: 0.001 });
    simulation.add(fixedBody({ positions: [-9, 0, -9, 9, 0, -9, 0, 0, 9], indices: [0, 2, 1] }));
    const lifted = box(1, 0.2, 0.6).positions.map((y: number, k: number) => (k % 3 === 1 ? y + 0.105 : y));
    const solid = { ...box(1, 0.2, 0.6), positions: lifted, name: 'slab' };
    const body = breakable(shatter(solid, { pieces: 10, seed: 2 }));
    simulation.add(body);
    for (let step = 0; step < (FAST ? 30 : 60); step++) expect(simulation.step().broken).toEqual([]);
    expect(simulation.bodies).toContain(body);
    expect(body.energy()).toBeLessThan(1e-3);
    simulation.dispose();
  });

  full('breaks on a floor when it falls from high, and what is left is free', () => {
    const simulation = new Simulation({ dt: DT, thickness: 0.001 });
    simulation.add(fixedBody({ positions: [-9, 0, -9, 9, 0, -9, 0, 0, 9], indices: [0, 2, 1] }));
    const lifted = box(1, 0.2, 0.6).positions.map((y: number, k: number) => (k % 3 === 1 ? y + 0.2 : y));
    const solid = { ...box(1, 0.2, 0.6), positions: lifted, name: 'slab' };
    simulation.add(breakable(shatter(solid, { pieces: 10, seed: 2 }), { velocity: [0, -6, 0] }));
    const broken: string[] = [];
    for (let step = 0; step < (FAST ? 25 : 60); step++) {
      const report = simulation.step();
      broken.push(...report.broken);
      expect(report.heldTogether).toEqual([]);
    }
    expect(broken[0]).toBe('slab');
    expect(simulation.bodies.length).toBeGreaterThan(3);
    expect(simulation.intersections()).toBe(0);
    simulation.dispose();
  });

  test('a ring falls apart at more than one place, the same in two runs', () => {
    const hashes = [0, 1].map(() => {
      const ring = breakable(shatter(torus(0.5, 0.1, 24, 10), { pieces: 12, seed: 4 }), { strength: 100 });
      strike(ring, 0.3, 0.03);
      const parts = ring.broken()!;
      expect(parts.length).toBeGreaterThan(1);
      return parts.map((part) => `${part.name} ${hashOf(part.positions)}`).join();
    });
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('refuses options outside their domain', () => {
    expect(() => slab({ strength: 0 })).toThrow(/slab: strength is 0/);
    expect(() => slab({ density: Number.NaN })).toThrow(/density is NaN/);
  });
});
