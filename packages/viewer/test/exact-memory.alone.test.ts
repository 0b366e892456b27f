/** Exact queries keep to their memory limit while they measure, drag and walk through a larger model. */
import { Random } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { expect } from 'vitest';
import { full } from '../../../test/budget.js';
import { ExactModel } from '../src/exact/exact-model.js';
import { box, modelOf, turned } from './small-model.js';

const MEMORY = 2 * 2 ** 20;

full('memory stays under the cap', async () => {
  const random = new Random(1);
  const things = Array.from({ length: 80 }, () => ({
    solid: box(0.3 + random.next(), 0.3 + random.next(), 0.5 + random.next(), 12),
    pose: turned(6 * random.next(), 8 * random.next(), 8 * random.next(), random.next()),
  }));
  const { model, bytes } = await modelOf(things, 512);
  expect(bytes.length).toBeGreaterThan(MEMORY);
  const exact = new ExactModel(model, { memory: MEMORY });
  await exact.take(0, 0.1);
  const options = { radius: 0.25, height: 1.75, fall: 0.1, ledge: 0.2 };
  let at: Vec3 = [0, 0, 3];
  let violations = 0;
  for (let i = 0; i < 10; i++) {
    violations += (await exact.drag(turned(i, 0.5 * i, 0.5 * i, 0.5), 0.1)).violations.length;
    at = (await exact.walk(at, [at[0] + 0.5, at[1] + 0.4, at[2]], options)).at;
    await exact.around(i, 0.2);
    await exact.distance(i, 79 - i);
  }
  await exact.nearestFree(0.1);
  expect(violations).toBeGreaterThan(0);
  expect(exact.peakBytes).toBeGreaterThan(MEMORY / 2);
  expect(exact.peakBytes).toBeLessThanOrEqual(MEMORY);
  await exact.dispose();
});
