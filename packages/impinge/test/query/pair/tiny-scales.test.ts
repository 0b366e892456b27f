/**
 * Models of 10⁻³⁰ to 10⁻⁴⁴, where float32 runs out of digits: all pairs of triangles, and for lengths the same model
 * larger by a power of two, which is exact.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom, soup } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import * as library from '../../../src/index.js';

const { Mesh, Scene, collide, collideAll, distance, within, raycast, closestPoint } = library;

/** Quarter turns, which round nothing. */
const TURNS = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0, -1, 0, 1, 0, 0, 0, 0, 1],
  [0, 0, 1, 0, 1, 0, -1, 0, 0],
];

interface Tiny {
  readonly scale: number;
  /** Makes 1 of about the scale. */
  readonly factor: number;
  readonly a: Float32Array;
  readonly b: Float32Array;
  readonly rotation: readonly number[];
}

function tiny(seed: number, exponent: number, count: number, turn: number): Tiny {
  const scale = 10 ** exponent;
  const sized = (own: number) => Float32Array.from(soup(own, count, 0.3).positions, (x: number) => scale * x);
  const factor = 2 ** Math.round(-exponent * Math.log2(10));
  return { scale, factor, a: sized(seed), b: sized(seed + 1), rotation: TURNS[turn] };
}

const larger = (numbers: Float32Array, factor: number) => Float32Array.from(numbers, (x) => factor * x);

function turned(positions: Float32Array, r: readonly number[]): Float64Array {
  return Float64Array.from(positions, (_, i) => {
    const [row, first] = [i % 3, i - (i % 3)];
    return [0, 1, 2].reduce((sum, k) => sum + r[3 * row + k] * positions[first + k], 0);
  });
}

const cases = fc.tuple(
  fc.nat(1e6),
  fc.integer({ min: -44, max: -30 }),
  fc.constantFrom(3, 40),
  fc.nat(TURNS.length - 1),
);

describe('models smaller than float32 has digits for', () => {
  it('collide, alone and in scenes, as every pair of triangles does (seed 126)', () => {
    let met = 0;
    fc.assert(
      fc.property(cases, (given) => {
        const { a, b, rotation } = tiny(...given);
        const meshes = [a, b].map((positions) => Mesh.from({ positions }));
        const places = turned(b, rotation);
        const expected: number[] = [];
        for (let s = 0; s < a.length; s += 9) {
          for (let t = 0; t < b.length; t += 9) {
            if (intersectsTriangleTriangle(Float64Array.from(a), s, places, t)) expected.push(s / 9, t / 9);
          }
        }
        met += expected.length;
        expect([...collide(meshes[0], meshes[1], { pose: { rotation } }).pairs]).toEqual(expected);
        const scene = new Scene();
        scene.add(meshes[0]);
        scene.add(meshes[1], { pose: { rotation } });
        expect(collideAll(scene).count).toBe(expected.length > 0 ? 1 : 0);
        for (const mesh of meshes) mesh.dispose();
      }),
      { seed: 126, numRuns: runs(200) },
    );
    expect(met).toBeGreaterThan(0);
  });

  it('are as far apart as when they are larger (seed 127)', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { a, b, rotation, scale, factor } = tiny(...given);
        const random = seededRandom(given[0]);
        const own = [a, b].map((positions) => Mesh.from({ positions }));
        const large = [a, b].map((positions) => Mesh.from({ positions: larger(positions, factor) }));
        const place = [0, 0, 0].map(() => scale * (2 + 2 * random()));
        const at = (times: number) => ({ rotation, translation: place.map((x) => times * x) });
        const found = distance(own[0], own[1], { pose: at(1) }).distance;
        const expected = distance(large[0], large[1], { pose: at(factor) }).distance;
        expect(Math.abs(factor * found - expected)).toBeLessThanOrEqual(1e-12 * expected);
        for (const share of [0.99, 1.01]) {
          const near = { pose: at(1), distance: share * found };
          expect(within(own[0], own[1], near).within).toBe(share > 1);
        }
        for (let i = 0; i < 5; i++) {
          const from = [0, 0, 0].map(() => scale * random());
          const direction = [0, 0, 0].map(() => random() - 0.5);
          const up = from.map((x) => factor * x);
          const hit = raycast(own[0], { origin: from, direction });
          expect(hit?.triangle).toBe(raycast(large[0], { origin: up, direction })?.triangle);
          const [here, there] = [closestPoint(own[0], from)!, closestPoint(large[0], up)!];
          expect(Math.abs(factor * here.distance - there.distance)).toBeLessThanOrEqual(
            1e-12 * there.distance,
          );
        }
        for (const mesh of [...own, ...large]) mesh.dispose();
      }),
      { seed: 127, numRuns: runs(100) },
    );
  });
});
