/**
 * Triangles along a ray, without kernels: all that it meets are among them, and few others; also once vertices have
 * moved.
 */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/random.mjs';
import { runs } from '../../../../../test/budget.js';
import { Mesh, raycast } from '../../../src/index.js';
import { trianglesAlong } from '../../../src/query/ray/triangle-runs.js';
import { sphere } from '../solid/solids.js';

/** A bumpy ball, and one with its triangles in no order. */
function balls(random: () => number): Mesh[] {
  const { positions, indices } = sphere(1, 8);
  const bumpy = Float32Array.from(positions, (x) => x * (1 + 0.1 * random()));
  const order = Array.from({ length: indices.length / 3 }, (_, t) => t).sort(() => random() - 0.5);
  const shuffled = order.flatMap((t) => [0, 1, 2].map((k) => indices[3 * t + k]));
  return [
    Mesh.from({ positions: bumpy, indices }),
    Mesh.from({ positions: bumpy, indices: Uint32Array.from(shuffled) }),
  ];
}

test('hold all that it meets, before and after a change (seed 31)', () => {
  const random = seededRandom(31);
  const about = () => [0, 1, 2].map(() => 4 * random() - 2) as [number, number, number];
  for (const mesh of balls(random)) {
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < runs(200); i++) {
        const ray = { origin: about(), direction: about() };
        const met = raycast(mesh, ray, { mode: 'all' }).map(({ triangle }) => triangle);
        const seen = new Set<number>();
        const numbers = [...ray.origin.map((x, k) => x - mesh.origin[k]), ...ray.direction, 0, Infinity];
        trianglesAlong(
          mesh,
          Float64Array.from(numbers),
          () => Infinity,
          (t) => seen.add(t),
        );
        for (const triangle of met) expect(seen).toContain(triangle);
      }
      mesh.setPositions(Float64Array.from(mesh.positions, (x) => 1.5 * x + 0.3));
    }
    mesh.dispose();
  }
});

test('are few where triangles lie in order', () => {
  const [mesh, shuffled] = balls(seededRandom(32));
  const seen: number[] = [];
  const ray = Float64Array.of(3, 0.1, 0.2, -1, 0.01, 0.02, 0, Infinity);
  trianglesAlong(
    mesh,
    ray,
    () => Infinity,
    (t) => seen.push(t),
  );
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.length).toBeLessThan(mesh.triangleCount / 5);
  mesh.dispose();
  shuffled.dispose();
});
