/** Scenes that change every frame, on WebGL2: right answers all along, and nothing left behind. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LONG } from '../budget.js';
import { describeInBrowser } from './browser-page.js';
import type { GlResources } from './culling-page.js';

const LEVELS = ['boxes', 'parts', 'triangles'] as const;
/** Drivers in software are slow, and so are machines that have nothing else. */
const PATIENCE_MS = 400_000;

const entry = fileURLToPath(new URL('./culling-page.ts', import.meta.url));
describeInBrowser('on WebGL2 in Chromium', entry, (page) => {
  test.each([
    { method: 'split-tree', levels: LEVELS, frames: LONG ? 300 : 20 },
    { method: 'queries', levels: LEVELS, frames: LONG ? 100 : 10 },
  ] as const)('%o', { timeout: PATIENCE_MS }, async ({ frames, ...options }) => {
    const { wrong, early, late, left, events } = await page.run<{
      wrong: string[];
      early: GlResources;
      late: GlResources;
      left: GlResources;
      events: Record<string, number>;
    }>('play', options, frames, frames / 10);
    expect(wrong).toEqual([]);
    for (const times of Object.values(events)) expect(times).toBeGreaterThan(frames / 20);
    expect(late.others).toBeLessThanOrEqual(early.others);
    // as many as the largest scene so far needed
    expect(late.queries).toBeLessThanOrEqual(2 * early.queries);
    expect(left).toEqual({ queries: 0, others: 0 });
  });
});
