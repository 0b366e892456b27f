/** Obstacles near a box, and what a body is told among many of them, against each of them by itself. */
import { Mesh, Scene } from 'impinge';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { IDENTITY } from 'impinge/internal/math/pose.js';
import { describe, expect, test } from 'vitest';
import { box } from '../../../lab/scenes/index.mjs';
import { FreeSpace } from '../src/free-space.js';
import { NearObstacles } from '../src/near-obstacles.js';
import { readObstacles } from '../src/obstacles.js';

const COUNT = 200;

function scattered(seed: number): Scene {
  const random = new SeededRandom(seed);
  const scene = new Scene();
  const mesh = Mesh.from(box(1, 1, 1));
  for (let i = 0; i < COUNT; i++) {
    const translation = [0, 1, 2].map(() => 20 * random.next()) as [number, number, number];
    scene.add(mesh, { pose: { translation } });
  }
  return scene;
}

describe.each([1, 2, 3])('among %s', (seed) => {
  const obstacles = readObstacles(scattered(seed)).map((obstacle) => ({ obstacle }));
  const alone = obstacles.map(({ obstacle: { mesh, pose } }) => {
    const scene = new Scene();
    scene.add(mesh, { pose });
    return scene;
  });

  test('none that is near is left out, and few that are not come along', () => {
    const random = new SeededRandom(seed);
    const near = new NearObstacles(obstacles);
    for (let i = 0; i < 50; i++) {
      const low = [0, 1, 2].map(() => 20 * random.next());
      const asked = Float64Array.of(...low, ...low.map((x) => x + 3 * random.next()));
      const distance = 2 * random.next();
      const found = near.within(asked, distance);
      const wanted = obstacles.filter(({ obstacle: { box: own } }) =>
        [0, 1, 2].every((k) => own[k] - asked[3 + k] <= distance && asked[k] - own[3 + k] <= distance),
      );
      expect(found).toEqual(wanted);
    }
    expect(near.within(Float64Array.of(0, 0, 0, 1, 1, 1), Infinity)).toEqual(obstacles);
  });

  test('poses, distances and motions are those of every obstacle by itself', () => {
    const random = new SeededRandom(seed);
    const body = Mesh.from(box(0.5, 0.5, 0.5));
    const clearance = 0.1;
    const all = new FreeSpace(body, scattered(seed), { clearance });
    const each = alone.map((one) => new FreeSpace(body, one, { clearance }));
    const verdicts = new Set<string>();
    for (let i = 0; i < 30; i++) {
      const [from, to] = [IDENTITY, IDENTITY].map((pose) => Float64Array.from(pose));
      for (let k = 9; k < 12; k++) {
        from[k] = 20 * random.next();
        to[k] = from[k] + 4 * (random.next() - 0.5);
      }
      expect(all.isFree(from)).toBe(each.every((one) => one.isFree(from)));
      const least = Math.min(...each.map((one) => one.nearest(from)!.distance));
      expect(all.nearest(from)!.distance).toBe(least);
      const [found, ...others] = [all, ...each].map((one) => one.firstHit(from, to));
      expect(found.time).toBeCloseTo(Math.min(...others.map(({ time }) => time)), 9);
      verdicts.add(found.verdict);
    }
    expect([...verdicts].sort()).toEqual(['free', 'hit']);
  });
});
