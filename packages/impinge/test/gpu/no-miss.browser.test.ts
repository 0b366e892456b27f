/** No pair is missed and none is invented on WebGL2, and on WebGPU as browsers have it; all backends agree. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LONG } from '../budget.js';
import { describeInBrowser } from './browser-page.js';
import { type Case, Examiner, type Findings, GPU_WAYS, gpuCases, summaryOf } from './examiner.js';
import type { Row } from './oracle.js';

const entry = fileURLToPath(new URL('./culling-page.ts', import.meta.url));
/** Drivers in software are slow, and so are machines that have nothing else. */
const PATIENCE_MS = 400_000;
/** WebGPU of Node is asked in all ways with parts of 16; these have parts of 64 and few levels: little to compile. */
const ONE_PART_SIZE = [3, 9, 20];
const CASES = {
  webgl2: gpuCases(LONG ? { 64: 12, 256: 9, 800: 3, 7: 12, 1: 12 } : { 64: 1, 256: 1, 800: 1, 7: 3, 1: 3 }),
  webgpu: LONG ? gpuCases({ 64: 2, 256: 1, 7: 6, 1: 6 }) : gpuCases({ 64: 4, 1: 4 }, ONE_PART_SIZE),
};
/** For the other queries. */
const WAYS_OF_FEW = {
  webgl2: LONG ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : [0, 5, 9],
  webgpu: [3, 9],
};

for (const kind of ['webgl2', 'webgpu'] as const) {
  const cases = CASES[kind];
  const ways = new Set(cases.map(([, way]) => way)).size;
  describeInBrowser(`on ${kind} in Chromium`, entry, (page) => {
    test(`${cases.length} configurations, ${ways} ways to ask; the CPU agrees`, {
      timeout: PATIENCE_MS,
    }, async () => {
      const { findings, rows } = await page.run<{ findings: Findings; rows: Row[][] }>(
        'meeting',
        kind,
        cases,
      );
      process.stdout.write(`${kind} in Chromium: ${summaryOf(findings)}\n`);
      expect(findings.wrong.slice(0, 5)).toEqual([]);
      expect(findings.kept).toBeLessThan(findings.objects);
      const examiner = new Examiner('cpu', GPU_WAYS);
      for (let i = 0; i < cases.length; i++) expect(await examiner.meeting(...cases[i])).toEqual(rows[i]);
      examiner.dispose();
    });

    test('within a distance, and the closest', { timeout: PATIENCE_MS }, async () => {
      const near = WAYS_OF_FEW[kind].map((way): Case => [30_001 + 5 * way, way]);
      const findings = await page.run<Findings>('near', kind, near);
      expect(findings.wrong.slice(0, 5)).toEqual([]);
    });

    test('objects that pass through themselves', { timeout: PATIENCE_MS }, async () => {
      const folded = WAYS_OF_FEW[kind].map((way): Case => [way, way]);
      const findings = await page.run<Findings>('folded', kind, folded);
      expect(findings.wrong.slice(0, 5)).toEqual([]);
      expect(findings.pairs).toBeGreaterThan(100);
    });
  });
}
