/** No pair is missed and none is invented on WebGPU. Some hundred configurations: drivers in software are slow. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { LONG } from '../../../test/budget.js';
import { VisibilityCuller } from '../src/index.js';
import { describeOnNodeGpu } from './devices.js';
import { Examiner, GPU_WAYS, gpuCases, summaryOf } from './examiner.js';
import { integer, type Random, type Triple } from './shapes.js';

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

/** Corners of a triangle, often thin or edge-on, and points up to `distance` from it, many of them just as far. */
function pointsAbout(random: Random, distance: number): { corners: Triple[]; points: Triple[] } {
  const shape = random();
  const size = 10 ** (-4 * random());
  const thin = integer(random, 0, 2);
  const middle = [0, 1, 2].map(() => 1.6 * random() - 0.8);
  const corners = [0, 1, 2].map(
    () =>
      middle.map((c, k) => {
        const extent = k === thin && shape < 0.6 ? 1e-5 : 1;
        return Math.fround(c + size * (random() - 0.5) * extent);
      }) as Triple,
  );
  if (shape < 0.1) corners[2] = corners[1];
  if (shape > 0.9) for (const corner of corners) corner[thin] = corners[0][thin]; // edge-on
  const points = Array.from({ length: 40 }, () => {
    const weights = corners.map(() => -Math.log(1 - random()) * (random() < 0.3 ? 0 : 1));
    const sum = weights.reduce((a, b) => a + b, 0) || (weights[0] = 1);
    const off = (distance - 3e-7) * (random() < 0.5 ? Math.sign(random() - 0.5) : 2 * random() - 1);
    const axis = integer(random, 0, 2);
    return [0, 1, 2].map((k) => {
      const on = corners.reduce((at, corner, c) => at + (corner[k] * weights[c]) / sum, 0);
      return Math.fround(on + (k === axis ? off : 0));
    }) as Triple;
  });
  return { corners, points };
}

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

  test.each([1, 7, 64, 256, 800])('points near a triangle, at %i pixels', async (resolution) => {
    const random = seededRandom(resolution);
    for (const method of ['queries', 'split-tree'] as const) {
      const options = {
        method,
        resolution,
        stages: ['triangles'],
        randomDirections: 1,
        partSize: 16,
      } as const;
      for (let i = 0; i < (LONG ? 12 : 3); i++) {
        const distance = [1e-6, 1e-4, 0.03][i % 3];
        const { corners, points } = pointsAbout(random, distance);
        const culler = new VisibilityCuller(device, options);
        culler.add({ positions: corners.flat() });
        for (const point of [...points, [-1, -1, -1], [1, 1, 1]]) {
          culler.add({ positions: [...point, ...point, ...point] });
        }
        const { objects, stats } = await culler.within({ distance });
        const near = new Set(objects.filter((_, k) => k % 2 === 1 && objects[k - 1] === 0));
        expect([method, distance, near.size, stats.stages[0].kept]).toEqual([method, distance, 40, 41]);
        culler.dispose();
      }
    }
  });

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
