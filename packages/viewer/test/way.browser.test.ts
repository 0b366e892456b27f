/** Finds a way for an object in the page of `impinge view`, plays it, and gives up when told to. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executablePath, openBrowser, openPage, type Pages, tellSkipped } from './opened-page.js';
import { type Served, serveStore } from './served-building.js';
import { box, modelOf, moved } from './small-model.js';

tellSkipped('ways in a browser');

/** A room with a wall, which has a gap in the middle; thing 0 is on one side. */
const ROOM = [
  { solid: box(0.4, 0.3, 0.8), pose: moved(-1.5, 0, 0) },
  { solid: box(0.1, 1.5, 3), pose: moved(0, 1.25, 0) },
  { solid: box(0.1, 1.5, 3), pose: moved(0, -1.25, 0) },
  { solid: box(6, 4, 0.1), pose: moved(0, 0, 1.5) },
  { solid: box(6, 4, 0.1), pose: moved(0, 0, -1.5) },
  { solid: box(6, 0.1, 3), pose: moved(0, 2, 0) },
  { solid: box(6, 0.1, 3), pose: moved(0, -2, 0) },
  { solid: box(0.1, 4, 3), pose: moved(3, 0, 0) },
  { solid: box(0.1, 4, 3), pose: moved(-3, 0, 0) },
];

describe.skipIf(!executablePath)('the way of an object', () => {
  let browser: Pages;
  let served: Served;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    const { bytes } = await modelOf(ROOM);
    served = await serveStore(bytes, 'model');
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address, { viewport: { width: 1440, height: 900 } }));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const said = () => page.locator('.card [role=status]').textContent();
  async function type(name: string, value: string) {
    const input = page.getByLabel(`${name}, millimetres`);
    await input.fill(value);
    await input.press('Enter');
  }

  test('found, played, forgotten when the goal changes; a search that is cancelled', async () => {
    await page.getByRole('textbox').first().or(page.getByRole('searchbox').first()).fill('thing 0');
    await page.getByText('thing 0', { exact: true }).first().click();
    await page.locator('canvas').focus();
    await page.keyboard.press('y');
    await type('Moved X', '3000');
    const find = page.getByRole('button', { name: 'Find a way here' });
    await find.click();
    await expect.poll(said, { timeout: 60_000 }).toMatch(/A way of \d.* m, proved to keep \d/);
    const place = page.getByLabel('Place on the way');
    expect(Number(await place.getAttribute('max'))).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(async () => Number(await place.inputValue())).toBeGreaterThan(10);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Show all of the way' }).click();

    await type('Moved Y', '100');
    await expect.poll(said).toBe('');

    // the hole is not that much wider
    await type('Clearance', '400');
    await find.click();
    await page.getByText(/Searching, \d+ s/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await find.waitFor();
    expect(await said()).toBe('');
    await page.keyboard.press('Escape');
    expect(faults).toEqual([]);
  });
});

describe.skipIf(!executablePath)('a way out that a check has found', () => {
  const RULES = `rules:
  - name: it comes out
    a: {name: "thing 0"}
    access: {to: [1.5, 0, 0], clearance: 20mm, poses: 300}
`;

  test('is listed, plays through the wall, and is left again', async () => {
    const { bytes } = await modelOf(ROOM);
    const served = await serveStore(bytes, 'report', undefined, (folder) => {
      const rules = join(folder, 'rules.yaml');
      writeFileSync(rules, RULES);
      return ['--rules', rules];
    });
    const browser = await openBrowser();
    try {
      const { page, faults } = await openPage(browser, served.address);
      await page.getByText('Ways out that were proved').click();
      const way = page.getByRole('button', { name: /it comes out: \d.* m long, keeps \d+(\.\d+)? mm/ });
      await way.click();
      const frame = page.getByLabel('Frame', { exact: true });
      await expect.poll(async () => Number(await frame.inputValue()), { timeout: 60_000 }).toBeGreaterThan(3);
      expect(await page.locator('.replay-hits').textContent()).toMatch(/proved to keep \d+(\.\d+)? mm/);
      expect(await way.getAttribute('aria-pressed')).toBe('true');
      await way.click();
      await expect.poll(() => frame.count()).toBe(0);
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      served.stop();
    }
  });
});
