/** `collideAll` with a culler on WebGPU equals `collideAll` without. */
import { expect, test } from 'vitest';
import { describeOnNodeGpu } from './devices.js';
import { live, loudly } from './scene-life.js';

await describeOnNodeGpu('a scene with a culler on WebGPU', ({ shared }) => {
  test('answers as collideAll does, seed 9', async () => {
    const options = { engine: 'culler', resolution: 32, stages: ['boxes'], partSize: 16, ...loudly } as const;
    expect(await live(await shared(), 9, 4, options, 12)).toBeGreaterThan(10);
  });
});
