/** The deformables with a culler on WebGPU equal the deformables without. */
import { expect, test } from 'vitest';
import { detectorOf } from '../../dynamics/test/deform/surfaces.js';
import { DeformableCuller } from '../src/index.js';
import { CULLER, liveOn, plain, scenes } from './deforming-life.js';
import { describeOnNodeGpu } from './devices.js';

await describeOnNodeGpu('surfaces with a culler on WebGPU', ({ shared }) => {
  const options = { ...CULLER, resolution: 32, stages: ['boxes'], partSize: 16 } as const;

  test('answer as the detector does, seed 8', async () => {
    expect(await liveOn(await shared(), 8, 4, options)).toBeGreaterThan(10);
  });

  test.each(scenes.filter(([title]) => title.startsWith('corners')))('%s, seed 41', async (_, surfaces) => {
    const detector = detectorOf(surfaces, {});
    const culler = new DeformableCuller(detector, await shared(), options);
    expect(plain(await culler.intersecting())).toEqual(plain(detector.intersecting()));
    culler.dispose();
    detector.dispose();
  });
});
