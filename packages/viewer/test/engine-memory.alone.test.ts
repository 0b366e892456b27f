/** The engine keeps to its cap while it measures, drags and walks through a model that is larger. */
import { Random } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { expect } from 'vitest';
import { full } from '../../../test/budget.js';
import { ModelEngine } from '../src/engine/model-engine.js';
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
  const engine = new ModelEngine(model, { memory: MEMORY });
  await engine.take(0, 0.1);
  const options = { radius: 0.25, height: 1.75, fall: 0.1, ledge: 0.2 };
  let at: Vec3 = [0, 0, 3];
  let violations = 0;
  for (let i = 0; i < 10; i++) {
    violations += (await engine.drag(turned(i, 0.5 * i, 0.5 * i, 0.5), 0.1)).violations.length;
    at = (await engine.walk(at, [at[0] + 0.5, at[1] + 0.4, at[2]], options)).at;
    await engine.around(i, 0.2);
    await engine.distance(i, 79 - i);
  }
  await engine.nearestFree(0.1);
  expect(violations).toBeGreaterThan(0);
  expect(engine.peakBytes).toBeGreaterThan(MEMORY / 2);
  expect(engine.peakBytes).toBeLessThanOrEqual(MEMORY);
  await engine.dispose();
});
