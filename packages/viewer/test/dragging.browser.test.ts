/** Moves an object in the page of `impinge view`: by pointer, by typing, to a free place, and back. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executablePath, openBrowser, openPage, type Pages, tellSkipped } from './opened-page.js';
import { type Served, serveStore } from './served-building.js';
import { ball, box, modelOf, moved, storeBytes } from './small-model.js';

tellSkipped('moving in a browser');

describe.skipIf(!executablePath)('moving an object', () => {
  let browser: Pages;
  let served: Served;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    const { bytes } = await modelOf([
      { solid: box(1, 1, 1, 3), pose: moved(0, 0, 0) },
      { solid: box(0.5, 4, 3, 3), pose: moved(2, 0, 0) },
    ]);
    served = await serveStore(bytes, 'model');
    browser = await openBrowser();
    // large enough that the card does not cover the centre of the picture
    ({ page, faults } = await openPage(browser, served.address, { viewport: { width: 1440, height: 900 } }));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const verdict = () => page.locator('.verdict').textContent();
  const field = (name: string) => page.getByLabel(`${name}, millimetres`);
  const cursor = () => page.locator('canvas').evaluate((element) => getComputedStyle(element).cursor);
  async function type(name: string, value: string) {
    const input = name.startsWith('Turned') ? page.getByLabel(`${name}, degrees`) : field(name);
    await input.fill(value);
    await input.press('Enter');
  }

  test('typed, dragged, freed and put back', async () => {
    await page.getByRole('textbox').first().or(page.getByRole('searchbox').first()).fill('thing 0');
    await page.getByText('thing 0', { exact: true }).first().click();
    await page.locator('canvas').focus();
    await page.keyboard.press('f');
    await page.keyboard.press('o');
    await expect.poll(verdict).toBe('Free here.');
    await type('Moved X', '1500');
    await expect.poll(verdict).toBe('It clashes with 1 object.');
    await expect
      .poll(() => page.getByText('A free place is').textContent())
      .toMatch(/is 300 mm away|is 30\d mm away/);
    await page.getByRole('button', { name: 'Move to the free place' }).click();
    await expect.poll(verdict).toBe('Free here.');
    expect(Number(await field('Moved X').inputValue())).toBeLessThan(1200.1);

    await type('Clearance', '400');
    await expect.poll(verdict).toBe('It is too close to 1 object.');
    await type('Moved X', '0');
    await expect.poll(verdict).toBe('Free here.');

    // a turned corner reaches farther than a face: 500 mm · √2, and the wall is 650 mm away
    await type('Clearance', '0');
    await type('Moved X', '1100');
    await expect.poll(verdict).toBe('Free here.');
    const turned = page.getByLabel('Turned Z, degrees');
    await type('Turned Z', '45');
    await expect.poll(verdict).toBe('It clashes with 1 object.');
    await page.locator('canvas').focus();
    await page.keyboard.press('Shift+Period');
    await page.keyboard.press('Comma');
    expect(await turned.inputValue()).toBe('31');
    await type('Turned Z', '0');
    await type('Moved X', '0');
    await expect.poll(verdict).toBe('Free here.');

    // the object fills the picture
    const canvas = (await page.locator('canvas').boundingBox())!;
    const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
    const before = await page.screenshot();
    await expect
      .poll(async () => {
        await page.mouse.move(x + Math.random(), y);
        return cursor();
      })
      .toBe('move');
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20, { steps: 6 });
    await page.mouse.up();
    const gone = async () => Math.abs(Number(await field('Moved X').inputValue()));
    await expect.poll(gone).toBeGreaterThan(20);
    expect(Number(await field('Moved Z').inputValue())).toBe(0);
    await expect.poll(async () => (await page.screenshot()).equals(before)).toBe(false);

    // around its centre
    await page.getByRole('button', { name: 'Turn', exact: true }).click();
    await expect
      .poll(async () => {
        await page.mouse.move(x + 60 + Math.random(), y + 60);
        return cursor();
      })
      .toBe('move');
    const went = await field('Moved X').inputValue();
    await page.mouse.down();
    await page.mouse.move(x + 120, y + 40, { steps: 6 });
    await page.mouse.up();
    await expect.poll(async () => Math.abs(Number(await turned.inputValue()))).toBeGreaterThan(2);
    expect(await field('Moved X').inputValue()).toBe(went);

    await page.getByRole('button', { name: 'Put back' }).click();
    await expect.poll(() => page.getByText('Pick the object to move').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  test('in a model with levels: from levels while it moves, exactly when it rests', async () => {
    const levels = await serveStore(
      await storeBytes(
        [
          { solid: ball(0.5, 40), poses: [moved(0, 0, 0)] },
          { solid: box(0.5, 4, 3, 9), poses: [moved(2, 0, 0)] },
        ],
        { levels: true },
      ),
      'model',
    );
    const viewport = { width: 1440, height: 900 };
    const { page: other, faults: wrong } = await openPage(browser, levels.address, { viewport });
    await other.getByRole('textbox').first().or(other.getByRole('searchbox').first()).fill('thing 0');
    await other.getByText('thing 0', { exact: true }).first().click();
    await other.locator('canvas').focus();
    await other.keyboard.press('f');
    await other.keyboard.press('o');
    const said = () => other.locator('.verdict').textContent();
    await expect.poll(said).toBe('Free here.');
    // notes everything that is said until it rests
    await other.evaluate(() => {
      const notes: string[] = [];
      Object.assign(globalThis, { notes });
      const note = () => notes.push(document.querySelector('.card')?.textContent ?? '');
      new MutationObserver(note).observe(document.querySelector('.stage')!, {
        ...{ subtree: true, childList: true, characterData: true },
      });
    });
    for (const millimetres of ['1000', '1210', '1300']) {
      const input = other.getByLabel('Moved X, millimetres');
      await input.fill(millimetres);
      await input.press('Enter');
      await expect.poll(said).toMatch(/^(Free here|It clashes|It is too close)/);
    }
    // what was said before may be there for a moment
    await expect.poll(said).toBe('It clashes with 1 object.');
    const notes = await other.evaluate(() => (globalThis as unknown as { notes: string[] }).notes);
    const live = notes.filter((text) => text.includes('While it moves, within'));
    expect(live.some((text) => text.includes('It is too close to 1 object.'))).toBe(true);
    expect(live.some((text) => text.includes('It may touch 1 object.'))).toBe(true);
    // the ball is 40 mm from the wall, up to a pixel
    expect(live.some((text) => /thing 1≥ (38|39|40)(\.\d+)? mm \(± [\d.]+ mm\)/.test(text))).toBe(true);
    expect(wrong).toEqual([]);
    await other.close();
    levels.stop();
  });

  test('the same model with levels waits until the object is put back', async () => {
    const manifest = (await (await fetch(new URL('view.json', served.address))).json()) as { store: string };
    let isReady = false;
    const asked: string[] = [];
    const other = await browser.newPage({
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: 0.5,
    });
    // the server announces changes repeatedly
    const told = { contentType: 'text/event-stream', body: 'retry: 100\nevent: view\ndata: {}\n\n' };
    await other.route('**/events', (route) => route.fulfill(told));
    await other.route('**/view.json', (route) =>
      route.fulfill({ json: isReady ? { ...manifest, store: `levels-${manifest.store}` } : manifest }),
    );
    await other.route('**/levels-*', (route) => {
      asked.push(route.request().url());
      return route.continue({ url: route.request().url().replace('levels-', '') });
    });
    await other.goto(served.address);
    await other.getByRole('searchbox').or(other.getByRole('textbox')).first().fill('thing 0');
    await other.getByText('thing 0', { exact: true }).first().click();
    await other.locator('canvas').focus();
    await other.keyboard.press('o');
    const field = other.getByLabel('Moved X, millimetres');
    await field.fill('700');
    await field.press('Enter');
    await expect.poll(() => other.locator('.verdict').textContent()).toContain('Free');
    isReady = true;
    await other.waitForTimeout(1500);
    expect([await field.inputValue(), asked]).toEqual(['700', []]);
    await other.getByRole('button', { name: 'Put back' }).click();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await other.close();
  });
});
