/** No pair is missed and none is invented on WebGPU as browsers have it; the CPU agrees. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { describeInBrowser } from './browser-page.js';
import { type Case, Examiner, type Findings, GPU_WAYS, gpuCases, summaryOf } from './examiner.js';
import type { Row } from './oracle.js';

const entry = fileURLToPath(new URL('./culling-page.ts', import.meta.url));
/** Drivers in software are slow, and so are machines that have nothing else. */
const PATIENCE_MS = 400_000;
/** WebGPU of Node is asked in all ways with parts of 16; these have parts of 64 and one stage: little to compile. */
const FEW_WAYS = [21, 22];
const CASES = LONG ? gpuCases({ 64: 2, 256: 1, 7: 6, 1: 6 }) : gpuCases({ 64: 6 }, FEW_WAYS);

describeInBrowser('on WebGPU in Chromium', entry, (page) => {
  const ways = new Set(CASES.map(([, way]) => way)).size;
  test(`${CASES.length} configurations, ${ways} ways to ask; the CPU agrees`, {
    timeout: PATIENCE_MS,
  }, async () => {
    const { findings, rows } = await page.run<{ findings: Findings; rows: Row[][] }>('meeting', CASES);
    process.stdout.write(`WebGPU in Chromium: ${summaryOf(findings)}\n`);
    expect(findings.wrong.slice(0, 5)).toEqual([]);
    expect(findings.kept).toBeLessThan(findings.objects);
    const examiner = new Examiner('cpu', GPU_WAYS);
    for (let i = 0; i < CASES.length; i++) expect(await examiner.meeting(...CASES[i])).toEqual(rows[i]);
    examiner.dispose();
  });

  test('within a distance, and the closest', { timeout: PATIENCE_MS }, async () => {
    const near = FEW_WAYS.map((way): Case => [30_001 + 5 * way, way]);
    const findings = await page.run<Findings>('near', near);
    expect(findings.wrong.slice(0, 5)).toEqual([]);
  });

  test('objects that pass through themselves', { timeout: PATIENCE_MS }, async () => {
    const folded = FEW_WAYS.map((way): Case => [way, way]);
    const findings = await page.run<Findings>('folded', folded);
    expect(findings.wrong.slice(0, 5)).toEqual([]);
    expect(findings.pairs).toBeGreaterThan(100);
  });
});
