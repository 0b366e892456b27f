/** The plan of an issue: everything that it is about in view, cut at its height, and no larger than it must be. */
import { seededRandom } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { project } from '../src/reports/camera.js';
import { ASPECT_RATIO, planView } from '../src/reports/view.js';

const SEED = 20261120;
const MODEL = { min: [-60, -60, 0], max: [60, 60, 30] } as const;

test(`shows all contacts in its middle, cut at the point (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let run = 0; run < runs(300); run++) {
    const min: Vec3 = [50 * (random() - 1), 50 * (random() - 1), 10 * random()];
    const size: Vec3 = [40 * random(), 40 * random(), 5 * random()];
    const max: Vec3 = [min[0] + size[0], min[1] + size[1], min[2] + size[2]];
    const at = (axis: number) => min[axis] + random() * size[axis];
    const point: Vec3 = [at(0), at(1), at(2)];
    const { camera, section } = planView(
      { box: { min, max }, point, hubs: [], others: [], contacts: [] },
      MODEL,
    );
    expect(section.max[2]).toBe(point[2]);
    for (let corner = 0; corner < 4; corner++) {
      const [x, y] = [0, 1].map((axis) => ((corner >> axis) & 1 ? max[axis] : min[axis]));
      const [right, up] = project(camera, [x, y, point[2]]);
      expect(Math.abs(right)).toBeLessThan(ASPECT_RATIO);
      expect(Math.abs(up)).toBeLessThan(1);
    }
    // two metres around what is widest for the picture, and no more
    const [width, height] = [0, 1].map((axis) => section.max[axis] - section.min[axis]);
    const least = Math.max(size[0], ASPECT_RATIO * size[1]) + 4;
    expect(width).toBeCloseTo(Math.max(6, least), 9);
    expect(height).toBeCloseTo(width / ASPECT_RATIO, 9);
  }
});
