/** Moving an object in the page of `impinge view`: by pointer, by typing, to a free place, and back. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPageFiles } from '../../cli/src/server/page-files.js';
import { View } from '../../cli/src/server/view.js';
import { executablePath, launch, tellSkipped } from './chromium.js';
import { box, modelOf, moved } from './small-model.js';

tellSkipped('moving in a browser');

const PAGE = join(import.meta.dirname, '../../cli/dist/viewer');
/** Where to keep pictures for people. */
const SHOTS = process.env['IMPINGE_SHOTS'];

describe.skipIf(!executablePath)('moving an object', () => {
  let browser: Browser;
  let view: View;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    const { model } = await modelOf([
      { solid: box(1, 1, 1, 3), pose: moved(0, 0, 0) },
      { solid: box(0.5, 4, 3, 3), pose: moved(2, 0, 0) },
    ]);
    const onError = (error: unknown) => faults.push(String(error));
    view = await View.start({
      page: await readPageFiles(PAGE),
      model,
      report: undefined,
      levels: undefined,
      port: 0,
      onError,
    });
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(view.address);
  });
  afterAll(async () => {
    await browser?.close();
    await view?.stop();
  });

  const verdict = () => page.locator('.verdict').textContent();
  const field = (name: string) => page.getByLabel(`${name}, millimetres`);
  async function shot(name: string) {
    if (SHOTS === undefined) return;
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}.png`) });
  }

  test('typed, dragged, freed and put back', async () => {
    await page.getByRole('textbox').first().or(page.getByRole('searchbox').first()).fill('thing 0');
    await page.getByText('thing 0', { exact: true }).first().click();
    await page.locator('canvas').first().focus();
    await page.keyboard.press('f');
    await page.keyboard.press('o');
    await expect.poll(verdict).toBe('Free here.');
    await field('Moved X').fill('1500');
    await field('Moved X').press('Enter');
    await expect.poll(verdict).toBe('It clashes with 1 object.');
    await expect
      .poll(() => page.getByText('A free place is').textContent())
      .toMatch(/is 300 mm away|is 30\d mm away/);
    await shot('met');
    await page.getByRole('button', { name: 'Go to the free place' }).click();
    await expect.poll(verdict).toBe('Free here.');
    expect(Number(await field('Moved X').inputValue())).toBeLessThan(1200.1);

    await field('Clearance').fill('400');
    await field('Clearance').press('Enter');
    await expect.poll(verdict).toBe('It is too near to 1 object.');
    await shot('too-near');
    await field('Moved X').fill('0');
    await field('Moved X').press('Enter');
    await expect.poll(verdict).toBe('Free here.');

    // a corner of the box reaches farther than its faces: 500 mm · √2, where a wall is 650 mm away
    await field('Clearance').fill('0');
    await field('Clearance').press('Enter');
    await field('Moved X').fill('1100');
    await field('Moved X').press('Enter');
    await expect.poll(verdict).toBe('Free here.');
    const turned = page.getByLabel('Turned Z, degrees');
    await turned.fill('45');
    await turned.press('Enter');
    await expect.poll(verdict).toBe('It clashes with 1 object.');
    await page.locator('canvas').first().focus();
    await page.keyboard.press('Shift+Period');
    await page.keyboard.press('Comma');
    expect(await turned.inputValue()).toBe('31');
    await turned.fill('0');
    await turned.press('Enter');
    await field('Moved X').fill('0');
    await field('Moved X').press('Enter');
    await expect.poll(verdict).toBe('Free here.');

    // the object fills the picture
    const canvas = (await page.locator('canvas').first().boundingBox())!;
    const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
    const before = await page.screenshot();
    await expect
      .poll(async () => {
        await page.mouse.move(x + Math.random(), y);
        return page
          .locator('canvas')
          .first()
          .evaluate((element) => getComputedStyle(element).cursor);
      })
      .toBe('move');
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20, { steps: 6 });
    await page.mouse.up();
    const gone = async () => Math.abs(Number(await field('Moved X').inputValue()));
    await expect.poll(gone).toBeGreaterThan(20);
    expect(Number(await field('Moved Z').inputValue())).toBe(0);
    await expect.poll(async () => (await page.screenshot()).equals(before)).toBe(false);
    await shot('dragged');

    // around its middle
    await page.getByRole('button', { name: 'Turn', exact: true }).click();
    await expect
      .poll(async () => {
        await page.mouse.move(x + 60 + Math.random(), y + 60);
        return page
          .locator('canvas')
          .first()
          .evaluate((element) => getComputedStyle(element).cursor);
      })
      .toBe('move');
    const went = await field('Moved X').inputValue();
    await page.mouse.down();
    await page.mouse.move(x + 120, y + 40, { steps: 6 });
    await page.mouse.up();
    await expect.poll(async () => Math.abs(Number(await turned.inputValue()))).toBeGreaterThan(2);
    expect(await field('Moved X').inputValue()).toBe(went);
    await shot('turned');

    await page.getByRole('button', { name: 'Put it back' }).click();
    await expect.poll(() => page.getByText('Pick the object to move').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('the same model with levels waits until the object is put back', async () => {
    const manifest = (await (await fetch(new URL('view.json', view.address))).json()) as { store: string };
    let isReady = false;
    const asked: string[] = [];
    const other = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    // the server says again and again that there is something new
    const told = { contentType: 'text/event-stream', body: 'retry: 100\nevent: view\ndata: {}\n\n' };
    await other.route('**/events', (route) => route.fulfill(told));
    await other.route('**/view.json', (route) =>
      route.fulfill({ json: isReady ? { ...manifest, store: `levels-${manifest.store}` } : manifest }),
    );
    await other.route('**/levels-*', (route) => {
      asked.push(route.request().url());
      return route.continue({ url: route.request().url().replace('levels-', '') });
    });
    await other.goto(view.address);
    await other.getByRole('searchbox').or(other.getByRole('textbox')).first().fill('thing 0');
    await other.getByText('thing 0', { exact: true }).first().click();
    await other.locator('canvas').first().focus();
    await other.keyboard.press('o');
    const field = other.getByLabel('Moved X, millimetres');
    await field.fill('700');
    await field.press('Enter');
    await expect.poll(() => other.locator('.verdict').textContent()).toContain('Free');
    isReady = true;
    await other.waitForTimeout(1500);
    expect([await field.inputValue(), asked]).toEqual(['700', []]);
    await other.getByRole('button', { name: 'Put it back' }).click();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await other.close();
  });
});
