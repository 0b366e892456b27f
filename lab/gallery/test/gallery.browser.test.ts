/** Every demo of the gallery runs in a browser, under the content policy of the viewer. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  executablePath,
  openBrowser,
  type Pages,
  tellSkipped,
} from '../../../packages/viewer/test/chromium.js';
// @ts-expect-error a script without declarations
import { servePage } from '../../../packages/viewer/test/page-server.mjs';
import { DEMOS } from '../src/demos/list.js';

tellSkipped('the gallery');

describe.skipIf(!executablePath)('the gallery', () => {
  let served: Awaited<ReturnType<typeof servePage>>;
  let browser: Pages;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    served = await servePage(join(import.meta.dirname, '..'), {});
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 0.5 });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(served.url);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  const figure = (name: string) => page.locator('dl div', { hasText: name }).locator('dd').textContent();

  /** Sets a slider to its minimum, which restarts the demo. */
  async function least(label: string): Promise<void> {
    await page.getByRole('slider', { name: label }).press('Home');
  }

  test.each([
    ['tori', 'Rings', 'Time'],
    ['cloth', 'Vertices a side', 'Time'],
    ['breaking', 'Pieces', 'Time'],
    ['nut-bolt', 'Corners around', 'Time'],
    ['spoon-cup', 'Triangles', 'Time'],
    ['torus-peg', 'Triangles', 'Time'],
    ['culling', 'Objects', 'Objects that meet'],
    ['levels', 'Triangles', 'Distance of the ball'],
    ['puzzle', 'Seed', 'Distance here'],
  ])('%s runs, and shows what it does', async (id, slider, changing) => {
    const { title } = DEMOS.find((demo) => demo.id === id)!;
    await page.getByRole('button', { name: title, exact: true }).click();
    await least(slider);
    await expect.poll(() => page.locator('.stages tr').count(), { timeout: 60_000 }).toBeGreaterThan(1);
    const before = await figure(changing);
    await expect.poll(() => figure(changing), { timeout: 60_000 }).not.toBe(before);
    await page.getByRole('button', { name: 'Pause' }).click();
    // more than a single colour
    const picture = await page.locator('.picture canvas').screenshot();
    expect(picture.length).toBeGreaterThan(3000);
    expect(await page.locator('[role=alert]').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test.each(['spoon-cup', 'torus-peg'])('the error permitted chooses the levels: %s', async (id) => {
    const { title } = DEMOS.find((demo) => demo.id === id)!;
    await page.getByRole('button', { name: title, exact: true }).click();
    await least('Triangles');
    /** The mean of all patches; NaN without any. */
    const level = async () => {
      const rows = page.locator('dl div', { hasText: 'Patches of level' });
      const counts = (await rows.locator('dd').allTextContents()).map(Number);
      return counts.reduce((sum, n, i) => sum + i * n, 0) / counts.reduce((sum, n) => sum + n, 0);
    };
    const error = page.getByLabel('Error permitted');
    await error.press('Home');
    await expect.poll(level, { timeout: 60_000 }).toBeLessThan(0.4);
    await error.press('End');
    await expect.poll(level, { timeout: 60_000 }).toBeGreaterThan(0.6);
    await error.press('Home');
    await expect.poll(level, { timeout: 60_000 }).toBeLessThan(0.4);
    expect(faults).toEqual([]);
  });

  test('an error permitted leaves fewer triangles, while it runs', async () => {
    await page.getByRole('button', { name: 'Levels of detail', exact: true }).click();
    await page.getByLabel('Error permitted').press('Home');
    await expect.poll(() => figure('Drawn and asked'), { timeout: 30_000 }).toMatch(/^([\d,]+) of \1 /);
    expect(await figure('Distance of the ball')).toMatch(/^[\d.]+ mm$/);
    await page.getByLabel('Error permitted').press('End');
    await expect.poll(() => figure('Drawn and asked'), { timeout: 30_000 }).not.toMatch(/^([\d,]+) of \1 /);
    expect(await figure('Distance of the ball')).toMatch(/^[\d.]+ mm to [\d.]+ mm$/);
  });

  test('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(faults).toEqual([]);
  });
});
