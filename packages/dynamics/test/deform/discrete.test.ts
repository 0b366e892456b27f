/** Triangles that meet or are close at the end of the step, against plain loops over all pairs. */
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import type { TrianglePairs } from '../../src/index.js';
import {
  crumpled,
  detectorOf,
  type Moving,
  ofAllKinds,
  patch,
  scaled,
  soup,
  translated,
} from './surfaces.js';

/** The answer by definition: surfaces as they were added, static ones first. */
function closeByDefinition(surfaces: readonly Moving[], distance: number): string[] {
  const order = surfaces.map((_, s) => s).sort((s, t) => rank(surfaces[s]) - rank(surfaces[t]) || s - t);
  const triangles = order.flatMap((s) =>
    Array.from({ length: surfaces[s].indices.length / 3 }, (_, t) => ({
      s,
      t,
      ...cornersOf(surfaces[s], t),
    })),
  );
  const found: string[] = [];
  for (let i = 0; i < triangles.length; i++) {
    for (let j = i + 1; j < triangles.length; j++) {
      const [a, b] = [triangles[i], triangles[j]];
      const [sa, sb] = [surfaces[a.s], surfaces[b.s]];
      if (a.s === b.s && (!(sa.self ?? (sa.kind ?? 'deforming') === 'deforming') || sa.kind === 'static'))
        continue;
      if (
        a.s !== b.s &&
        ((sa.kind === 'static' && sb.kind === 'static') ||
          (sa.collisionGroup && sa.collisionGroup === sb.collisionGroup))
      )
        continue;
      if (a.s === b.s && a.vertices.some((v) => b.vertices.includes(v))) continue;
      const close =
        distance === 0
          ? intersectsTriangleTriangle(a.points, 0, b.points, 0)
          : Math.sqrt(distanceSqTriangleTriangle(a.points, 0, b.points, 0)) <= distance;
      if (close) found.push(`${a.s}:${a.t} ${b.s}:${b.t}`);
    }
  }
  return found;
}

const rank = (surface: Moving) => (surface.kind === 'static' ? 0 : 1);

function cornersOf(surface: Moving, t: number) {
  const vertices = surface.indices.slice(3 * t, 3 * t + 3);
  const places = surface.end ?? surface.positions;
  return { vertices, points: Float64Array.from(vertices.flatMap((v) => places.slice(3 * v, 3 * v + 3))) };
}

function listOf({ count, surfaces, triangles }: TrianglePairs): string[] {
  return Array.from(
    { length: count },
    (_, i) => `${surfaces[2 * i]}:${triangles[2 * i]} ${surfaces[2 * i + 1]}:${triangles[2 * i + 1]}`,
  );
}

const random = seededRandom(31);
const { end: _, ...ground } = crumpled(random, 8, 0.3, 0);
const grid = (list: number[]) => list.map((x) => Math.round(4 * x));
const loose = soup(random, 40, 1, 1);
const scenes: [string, Moving[]][] = [
  ['loose triangles', [soup(random, 80, 0.4, 0.3)]],
  ['a crumpled cloth', [crumpled(random, 12, 0.6, 2)]],
  ['a flat cloth', [patch(9, (u, v) => [u, v, 0])]],
  ['surfaces of all kinds', ofAllKinds(random, ground)],
  ['triangles on a grid', [{ ...loose, positions: grid(loose.positions), end: grid(loose.end!) }]],
  ['far away', [translated(soup(random, 60, 0.4, 0.3), [1e6, -2e6, 3e6])]],
  ['sizes from 1 to 1000', [soup(random, 150, 0.01, 0.02), scaled(soup(random, 5, 1, 0.1), 10)]],
];

describe.each(scenes)('%s, seed 31', (_, surfaces) => {
  test.each(['hash', 'brute'] as const)('by %s', (broadPhase) => {
    const detector = detectorOf(surfaces, { broadPhase, thickness: 0.013 });
    expect(listOf(detector.intersecting())).toEqual(closeByDefinition(surfaces, 0));
    for (const distance of [1e-4, 0.05]) {
      expect(listOf(detector.within({ distance }))).toEqual(closeByDefinition(surfaces, distance));
    }
    expect(listOf(detector.within())).toEqual(closeByDefinition(surfaces, 0.013));
    expect(listOf(detector.within({ distance: 0 }))).toEqual(listOf(detector.intersecting()));
    detector.dispose();
  });
});

test('the scenes hold something to find', () => {
  const counts = scenes.map(([, surfaces]) => closeByDefinition(surfaces, 0.05).length);
  expect(counts.filter((count) => count > 20).length).toBeGreaterThanOrEqual(5);
});
