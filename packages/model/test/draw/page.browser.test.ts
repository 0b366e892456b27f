/** The example page, as its server serves it: a small plant with levels, read part by part. */
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plant } from '@impinge/scenes/plant';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../../examples/draw/serve.mjs';
import { findBrowser, missingBrowserNote } from '../../../../scripts/setup-browser.mjs';
import { sharedBrowser } from '../../../../test/shared-browser.mjs';
import { StoreWriter } from '../../src/index.js';
import { FileSink } from '../../src/node/index.js';
import { META } from '../store/fixtures.js';

const hasBrowser = findBrowser() !== undefined;
if (!hasBrowser) process.stderr.write(`\n*** SKIPPED: browser tests; ${missingBrowserNote()} ***\n`);

const PATIENCE_MS = 400_000;

describe.skipIf(!hasBrowser)('the example page', { timeout: PATIENCE_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-draw-'));
  const store = join(folder, 'plant.impinge');
  let page: Page;
  let served: { url: string; close: () => void };
  const problems: string[] = [];
  const parts: string[] = [];

  beforeAll(async () => {
    const file = await open(store, 'w');
    const writer = new StoreWriter(new FileSink(file), { levels: true });
    for (const shape of plant({ triangles: 10_000 }).shapes()) await writer.add(shape);
    await writer.finish({ ...META, title: 'a small plant' });
    await file.close();
    served = await serve(store);
    page = await (await sharedBrowser()).newPage({ viewport: { width: 480, height: 360 } });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on(
      'request',
      (request) => request.url().endsWith('.impinge') && parts.push(request.headers()['range']),
    );
    await page.goto(served.url);
    await settled();
  }, PATIENCE_MS);
  afterAll(async () => {
    await page?.close();
    served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Until a frame was drawn with everything that it needs. */
  async function settled(): Promise<void> {
    await page.evaluate(`(async () => {
      const { view } = await page;
      const frame = () => new Promise(requestAnimationFrame);
      do await frame();
      while (!view.front?.complete || view.loading > 0);
      await frame();
    })()`);
  }

  async function set(id: string, value: number): Promise<void> {
    await page.locator(`#${id}`).fill(String(value));
    await settled();
  }
  const number = async (id: string) =>
    Number((await page.locator(`#${id}`).textContent())!.replace(/[^\d.]/g, ''));

  test('shows the model, and says what it shows', async () => {
    expect(await page.locator('#title').textContent()).toBe('a small plant');
    expect(await number('of')).toBeGreaterThan(8_000);
    expect(await number('triangles')).toBeGreaterThan(1_000);
    expect(await number('triangles')).toBeLessThan(await number('of'));
    expect(await number('error')).toBe(1);
    expect(await number('to-load')).toBe(0);
    const shown = await page.locator('canvas').screenshot();
    await page.locator('#by-level').check();
    await settled();
    expect(await page.locator('#legend span').count()).toBe(9);
    expect((await page.locator('canvas').screenshot()).equals(shown)).toBe(false);
    expect(problems).toEqual([]);
  });

  test('follows its controls', async () => {
    const before = await number('triangles');
    await set('pixel-error', 4);
    expect(await number('error')).toBe(16);
    const coarser = await number('triangles');
    expect(coarser).toBeLessThan(before);
    await set('pixel-error', -2);
    expect(await number('triangles')).toBeGreaterThan(before);
    const loads = parts.length;
    await set('pixel-error', 4);
    expect(await number('triangles')).toBe(coarser);
    expect(parts.length).toBe(loads); // what is there is not read again
    expect(problems).toEqual([]);
  });

  test('reads parts of the store only, and little pieces together', async () => {
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.length).toBeLessThan((await number('pieces')) / 2);
    expect(parts.every((range) => /^bytes=\d+-\d+$/.test(range))).toBe(true);
  });
});
