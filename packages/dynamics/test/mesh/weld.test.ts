/** Welding against brute force, and round primitives of three.js, which are closed but for their seams. */
import fc from 'fast-check';
import { isClosed, Mesh, pointInMesh, weld } from 'impinge';
import * as three from 'three';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { cloth, Simulation } from '../../src/index.js';

/** The first of those that stand for themselves within the tolerance, by looking at all of them. */
function bruteForce(positions: Float32Array, tolerance: number): number[] {
  const first: number[] = [];
  for (let v = 0; 3 * v < positions.length; v++) {
    const near = (w: number) =>
      first[w] === w &&
      Math.hypot(...[0, 1, 2].map((k) => positions[3 * v + k] - positions[3 * w + k])) <= tolerance;
    first.push(Array.from({ length: v }, (_, w) => w).find(near) ?? v);
  }
  return first;
}

describe('weld', () => {
  test('joins what brute force joins, moves nothing farther than the tolerance (seed 18)', () => {
    const coordinate = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -3, max: 3, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 3, maxLength: 40 }),
        fc.array(fc.nat(), { minLength: 3, maxLength: 30 }),
        fc.constantFrom(0, 1e-300, 0.1, 0.5, 1, 1.7, 30),
        fc.constantFrom(1, 1e-30, 1e30),
        (vertices, picks, part, scale) => {
          const positions = Float32Array.from(vertices.flat(), (x) => scale * x);
          const whole = picks.slice(0, picks.length - (picks.length % 3));
          const indices = Uint32Array.from(whole, (pick) => pick % vertices.length);
          const mesh = Mesh.from({ positions, indices });
          const tolerance = part * scale;
          const first = bruteForce(positions, tolerance);
          const kept = first.flatMap((w, v) => (w === v ? [v] : []));
          const corners = Array.from(indices, (v) => kept.indexOf(first[v]));
          const left = Array.from({ length: indices.length / 3 }, (_, t) => t).filter(
            (t) => new Set(corners.slice(3 * t, 3 * t + 3)).size === 3,
          );
          if (left.length === 0) {
            expect(() => weld(mesh, { tolerance })).toThrow(/leaves no triangles/);
            return;
          }
          const welded = weld(mesh, { tolerance });
          expect([...welded.vertices]).toEqual(first.map((w) => kept.indexOf(w)));
          expect([...welded.triangles]).toEqual(left);
          expect([...welded.mesh.indices]).toEqual(left.flatMap((t) => corners.slice(3 * t, 3 * t + 3)));
          expect([...welded.mesh.positions]).toEqual(
            kept.flatMap((v) => [...positions.subarray(3 * v, 3 * v + 3)]),
          );
          expect(welded.mesh.box.max.every(Number.isFinite)).toBe(true);
          if (tolerance > 0) expect(isClosed(mesh, { tolerance })).toBe(isClosed(welded.mesh));
          mesh.dispose();
          welded.mesh.dispose();
        },
      ),
      { seed: 18, numRuns: runs(300) },
    );
  });

  test('keeps name, origin and named parts', () => {
    const far = new three.BoxGeometry().translate(1, 0, 0);
    const positions = Float64Array.from(far.attributes.position.array, (x) => x + 1e7 / 3);
    const mesh = Mesh.from({
      positions,
      indices: far.index!.array,
      name: 'box',
      namedParts: [{ name: 'a', first: 2, count: 3 }],
    });
    const welded = weld(mesh).mesh;
    expect([welded.vertexCount, welded.name, welded.origin]).toEqual([8, 'box', mesh.origin]);
    expect(welded.box).toEqual(mesh.box);
    expect(welded.namedParts).toEqual(mesh.namedParts);
    expect(weld(mesh, { name: 'other' }).mesh.name).toBe('other');
  });
});

const ROUND = {
  sphere: new three.SphereGeometry(),
  cylinder: new three.CylinderGeometry(),
  cone: new three.ConeGeometry(),
  torus: new three.TorusGeometry(),
  capsule: new three.CapsuleGeometry(),
};

describe.each(Object.entries(ROUND))('a %s of three.js', (_, geometry) => {
  const mesh = Mesh.from(geometry);

  test('is open at its seam, and the error says what to call', () => {
    expect(isClosed(mesh)).toBe(false);
    expect(() => pointInMesh(mesh, [0, 0, 0])).toThrow(/it is open at edge .* take weld\(mesh\)\.mesh$/);
  });

  test('is closed once it is welded', () => {
    expect(isClosed(mesh, { tolerance: 1e-6 })).toBe(true);
    const solid = weld(mesh).mesh;
    expect(isClosed(solid)).toBe(true);
    expect(pointInMesh(solid, solid.box.max)).toBe('outside');
  });
});

test('an open mesh stays open, and nobody is sent to weld it', () => {
  const tube = Mesh.from(new three.CylinderGeometry(1, 1, 1, 12, 1, true));
  expect(isClosed(weld(tube).mesh)).toBe(false);
  expect(() => pointInMesh(tube, [0, 0, 0])).toThrow(/open at edge \d of triangle \d+$/);
});

test('cloth of a geometry in single triangles is told to weld, and then hangs together', () => {
  const sheet = new three.PlaneGeometry(1, 1, 4, 4).toNonIndexed();
  const fall = (surface: Parameters<typeof cloth>[0]) => {
    using simulation = new Simulation({ dt: 0.01, thickness: 0.002 });
    simulation.add(cloth(surface));
    return simulation.step().step;
  };
  expect(() => fall(sheet)).toThrow(
    /the start is not free: .*; its vertices 1 and 3 are at the same place: weld\(mesh\)\.mesh joins them/,
  );
  const { mesh } = weld(Mesh.from(sheet));
  expect(cloth(mesh).vertexCount).toBe(25);
  expect(fall(mesh)).toBe(1);
  expect(cloth(new three.PlaneGeometry(1, 1, 4, 4)).vertexCount).toBe(25);
});
