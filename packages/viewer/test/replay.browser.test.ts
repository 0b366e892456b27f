/** A recorded flight in the page of `impinge view`: played, paused, scrubbed, with what it hits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  executablePath,
  openBrowser,
  openPage,
  type Pages,
  settled,
  still,
  tellSkipped,
} from './opened-page.js';
import { type Served, serveStore } from './served-building.js';
import { ball, box, moved, storeBytes } from './small-model.js';

tellSkipped('flights in a browser');

const STEPS = 12;
/** A ball flies along X; from step 6 on it hits the wall. */
const { positions, indices } = ball(0.3, 8);
const RECORD = {
  ...{ version: 1, model: 'house.impinge', metresPerUnit: 1, interval: 0.02 },
  body: { positions: [...positions], indices: [...indices] },
  steps: Array.from({ length: STEPS }, (_, i) => ({
    pose: [...moved(0.2 * i - 2, 0, 1)],
    hits: i < 6 ? [] : [{ object: 1, point: [0.2 * i - 2, 0, 1], distance: [0, 0] }],
    ...{ collideMs: 0.1 * (i + 1), prefetchMs: 0.01 },
  })),
};

describe.skipIf(!executablePath)('a flight', () => {
  let browser: Pages;
  let served: Served;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    const bytes = await storeBytes(
      [
        { solid: box(8, 8, 0.2, 2), poses: [moved(0, 0, -0.1)] },
        { solid: box(0.2, 4, 3, 2), poses: [moved(0, 0, 1.5)] },
      ],
      { levels: true },
    );
    served = await serveStore(bytes, 'model', (folder) => {
      const path = join(folder, 'flight.json');
      writeFileSync(path, JSON.stringify(RECORD));
      return ['--replay', path];
    });
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const text = (selector: string) => page.locator(selector).textContent();
  const slider = () => page.getByRole('slider', { name: 'Step' });

  test('is played to its end, with the time of drawing each step, and played again', async () => {
    expect(await text('.replay-step')).toBe(`Step 1 of ${STEPS}`);
    expect(await text('.replay-hits')).toBe('no hit');
    expect(await text('.replay-times .render')).toBe('render –');
    expect(await text('.replay-times .collide')).toBe('collide 0.1 ms');
    await page.getByRole('button', { name: 'Play or pause (r)' }).click();
    await expect.poll(() => text('.replay-step')).toBe(`Step ${STEPS} of ${STEPS}`);
    await expect.poll(() => text('.replay-times .render')).toMatch(/^render [\d.]+ ms$/);
    expect(await text('.replay-hits')).toBe('1 object hit');
    const line = await page.locator('.replay-chart .render').getAttribute('d');
    expect(line!.match(/L/g)).toHaveLength(STEPS - 2); // all but the first were drawn while playing
    await page.locator('canvas').focus();
    await page.keyboard.press('r');
    await expect.poll(() => text('.replay-step')).not.toBe(`Step ${STEPS} of ${STEPS}`);
    await expect.poll(() => text('.replay-step')).toBe(`Step ${STEPS} of ${STEPS}`);
    expect(faults).toEqual([]);
  });

  test('is scrubbed; its body moves, and the camera goes along if it should', async () => {
    await page.getByLabel('Follow').uncheck();
    await slider().fill('0');
    const canvas = page.locator('canvas');
    const first = await still(canvas);
    await page.getByRole('button', { name: 'One step forward' }).click();
    expect(await text('.replay-step')).toBe(`Step 2 of ${STEPS}`);
    await settled(page);
    const second = await still(canvas);
    expect(second.equals(first)).toBe(false);
    await slider().fill('6');
    await still(canvas);
    const before = page.url();
    await page.getByLabel('Follow').check();
    await slider().fill('9');
    await expect.poll(() => page.url()).not.toBe(before); // the view is in the address
    await page.getByLabel('Follow').uncheck();
    await slider().fill('0');
    await page.getByRole('button', { name: 'One step back' }).isDisabled();
    expect(faults).toEqual([]);
  });

  test('is in the help', async () => {
    await page.locator('canvas').focus();
    await page.keyboard.press('?');
    await page.getByText('Play or pause').waitFor();
    await page.keyboard.press('Escape');
    expect(faults).toEqual([]);
  });
});
