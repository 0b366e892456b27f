/** No pair is missed and none is invented on WebGPU. Some hundred configurations: drivers in software are slow. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { describeOnNodeGpu } from './devices.js';
import { Examiner, GPU_WAYS, gpuCases, summaryOf } from './examiner.js';

/** Drivers in software are slow, and so are machines that have nothing else. */
const PATIENCE_MS = 400_000;
const CASES = gpuCases(
  LONG ? { 64: 10, 256: 12, 800: 3, 7: 12, 1: 12 } : { 64: 1, 256: 1, 800: 1, 7: 6, 1: 6 },
);
/**
 * Parts of one size, that of most tests in this process: for another, pipelines would be compiled for this file alone,
 * and compiling is most of its work. Parts of 64 are asked for in Chromium.
 */
const WAYS = LONG ? GPU_WAYS : GPU_WAYS.map((way) => ({ ...way, partSize: 16 }));
/** For pairs within a distance. */
const WAYS_OF_FEW = LONG ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : [0, 5, 9];

await describeOnNodeGpu('on WebGPU in Node', ({ shared }) => {
  let device: GPUDevice;
  let examiner: Examiner;
  beforeAll(async () => {
    device = await shared();
  });
  beforeEach(() => {
    examiner = new Examiner(device, WAYS);
    return () => examiner.dispose();
  });

  for (const resolution of [64, 256, 800, 7, 1]) {
    const cases = CASES.filter(([, way]) => GPU_WAYS[way].resolution === resolution);
    test(`${cases.length} configurations at ${resolution} × ${resolution}`, {
      timeout: PATIENCE_MS,
    }, async () => {
      for (const [number, way] of cases) await examiner.meeting(number, way);
      process.stdout.write(`webgpu at ${resolution} × ${resolution}: ${summaryOf(examiner.findings)}\n`);
      expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
    });
  }

  test('within a distance, and the closest', { timeout: PATIENCE_MS }, async () => {
    for (const way of WAYS_OF_FEW) await examiner.near(30_001 + 5 * way, way);
    expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
  });

  test('objects that pass through themselves', { timeout: PATIENCE_MS }, async () => {
    for (const way of [0, 5, 10, 11]) await examiner.folded(way, way);
    expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
    expect(examiner.findings.pairs).toBeGreaterThan(100);
  });
});
