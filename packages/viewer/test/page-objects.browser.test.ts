/** The page of a model: objects, sections, plans, measurements, keys, colours. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  drawn,
  executablePath,
  expectDrawn,
  openBrowser,
  openPage,
  type Pages,
  settled,
  still,
  tellSkipped,
} from './opened-page.js';
import { HOSTILE, PARTS, type Served, serveBuilding } from './served-building.js';

tellSkipped('the objects of the viewer in a browser');

const ALL = 12 * PARTS.length;

describe.skipIf(!executablePath)('the page of a model', () => {
  let served: Served;
  let browser: Pages;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    served = await serveBuilding('model');
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const rows = () => page.locator('#tree .tree-row');
  const row = (name: string) => rows().filter({ hasText: name });
  const names = () => rows().evaluateAll((all) => all.map((one) => one.textContent));
  const press = (key: string) => page.keyboard.press(key);

  test('a tree of storeys, types and objects, with counts; a click selects, frames and shows properties', async () => {
    expect(await page.title()).toBe('house – impinge');
    await expectDrawn(page, ALL);
    expect(await names()).toEqual(['Level 17', 'Level 27']);
    await row('Level 1').click();
    expect(await names()).toEqual([
      'Level 17',
      'IfcBeam1',
      'IfcPipeSegment3',
      'IfcSlab1',
      'IfcWall2',
      'Level 27',
    ]);
    await row('IfcWall').click();
    const before = new URL(page.url()).hash;
    await row('Wall 11').click();
    await page.waitForSelector('.details >> text=F90');
    const details = (await page.textContent('.details'))!;
    for (const text of [
      'IfcWall',
      'id of Wall 11',
      'Pset_WallCommon',
      'FireRating',
      'closed',
      '8 m × 300 mm × 2.6 m',
    ]) {
      expect(details).toContain(text);
    }
    await expect.poll(() => new URL(page.url()).hash).toContain('object=id+of+Wall+11');
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('view')).not.toBe(
      new URLSearchParams(before.slice(1)).get('view'),
    );
    await page.click('.segments >> text=Type');
    await expect.poll(() => row('Wall 11').count()).toBe(1);
    expect(await row('Level 1').count()).toBe(0);
    await page.click('.segments >> text=Storey');
  });

  test('names are text', async () => {
    await page.fill('#object-search', 'onerror');
    await expect.poll(() => page.textContent('.panel-foot')).toBe('1 object found');
    expect(await rows().last().textContent()).toBe(HOSTILE);
    expect(await page.locator('img').count()).toBe(0);
    await page.fill('#object-search', '');
  });

  test('searches names, types, ids and properties', async () => {
    for (const [text, count] of [
      ['pipe', 6],
      ['ifcwall', 4],
      ['f90', 2],
      ['id of slab 2', 1],
      ['wall f30 level', 2],
      ['nothing of that kind', 0],
    ] as const) {
      await page.fill('#object-search', text);
      await expect
        .poll(() => page.textContent('.panel-foot'))
        .toBe(`${count} object${count === 1 ? '' : 's'} found`);
    }
    await page.fill('#object-search', '');
    await expect.poll(() => page.textContent('.panel-foot')).toBe(`${PARTS.length} objects`);
  });

  test('hides, isolates, ghosts and shows again', async () => {
    await press('Escape');
    await press('F');
    await page.getByRole('treeitem', { name: 'Level 2' }).hover();
    await page.click('[aria-label="Hide Level 2"]');
    await expectDrawn(page, ALL / 2);
    await page.click('[aria-label="Show Level 2"]');
    await expectDrawn(page, ALL);
    await page.fill('#object-search', 'pipe 11');
    await row('Pipe 11').click();
    await page.click('[aria-label^="Isolate the selection"]');
    await expectDrawn(page, 12);
    await page.click('[aria-label^="Show all"]');
    await press('g');
    expect(await row('Pipe 11').getAttribute('class')).toContain('is-ghost');
    await press('u');
    expect(await row('Pipe 11').getAttribute('class')).not.toContain('is-ghost');
    await press('F');
    await expectDrawn(page, ALL);
    await page.fill('#object-search', '');
  });

  test('cuts by a box and by planes', async () => {
    await press('Escape');
    const canvas = page.locator('canvas');
    const whole = await still(canvas);
    await press('x');
    await page.click('.card >> text=Planes');
    const halved = await still(canvas);
    expect(halved.equals(whole)).toBe(false);
    await page.getByLabel('Z at, metres').fill('0.5');
    await press('Enter');
    await expect.poll(async () => (await canvas.screenshot()).equals(halved)).toBe(false);
    await page.click('.card >> text=Box');
    await page.getByLabel('X to, metres').fill('2');
    await press('Enter');
    await expect
      .poll(() => page.getByLabel('X to', { exact: true }).inputValue().then(Number))
      .toBeCloseTo(2, 1);
    await page.click('.card >> text=Off');
    await press('Escape');
    expect(await page.locator('.card').count()).toBe(0);
    await settled(page);
    await expect.poll(async () => (await canvas.screenshot()).equals(whole)).toBe(true);
  });

  test('shows a storey from above', async () => {
    await press('l');
    await page.waitForSelector('.choices');
    expect(await page.locator('.choices button').allTextContents()).toEqual(['Level 2+3 m', 'Level 1±0 m']);
    await page.click('.choices >> text=Level 2');
    const hash = () => new URLSearchParams(new URL(page.url()).hash.slice(1));
    await expect.poll(() => hash().get('plan')).toBe('Level 2');
    await expect.poll(() => hash().get('view')?.split('_')[9]).toBe('0');
    const link = page.url();
    await press('Escape');
    await press('Escape');
    await expect.poll(() => hash().get('plan')).toBe(null);
    const { page: second } = await openPage(browser, link);
    await expect.poll(() => new URL(second.url()).hash).toContain('plan=Level+2');
    await second.close();
  });

  test('measures exactly: distance, clearance, angle, point', async () => {
    // from above and orthographic, so that positions are known
    await press('l');
    await page.click('.choices >> text=Level 1');
    await press('Escape');
    await page.waitForTimeout(600);
    await settled(page);
    const { x, y, width, height } = (await page.locator('canvas').boundingBox())!;
    const view = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('view')!.split('_').map(Number);
    const pick = async (px: number, py: number) => {
      const scale = height / view[10];
      await page.mouse.click(x + width / 2 + (px - view[3]) * scale, y + height / 2 - (py - view[4]) * scale);
    };
    await press('m');
    await pick(6.5, 0);
    await page.waitForSelector('.picked >> text=Wall 11');
    await pick(6.5, 6);
    await expect.poll(() => page.textContent('.measured'), { timeout: 20_000 }).toContain('5.7 m');
    await page.click('.card >> text=Clearance');
    await pick(6.5, 0);
    await expect.poll(() => page.textContent('.card'), { timeout: 20_000 }).toMatch(/\d within 100 mm/);
    expect(await page.locator('.near li').allTextContents()).toContain('Pipe 11touching');
    await page.click('.card >> text=Angle');
    await pick(6.5, 0);
    await pick(6.5, 6);
    await expect.poll(() => page.textContent('.card'), { timeout: 20_000 }).toMatch(/parallel|°/);
    await page.click('.card >> text=Point');
    await pick(6.5, 1.5);
    await expect
      .poll(() => page.textContent('.card'), { timeout: 20_000 })
      .toMatch(/6\.\d+, 1\.\d+, -0\.050/);
    await press('Escape');
    await press('Escape');
  });

  test('dark where the system is, unless somebody chooses', async () => {
    const { page: dark } = await openPage(browser, served.address, { colorScheme: 'dark' });
    const theme = () => dark.evaluate(() => document.documentElement.dataset['theme']);
    expect(await theme()).toBe('dark');
    const background = () => dark.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await background()).toBe('rgb(21, 24, 28)');
    await dark.keyboard.press('t');
    expect(await theme()).toBe('light');
    await expect.poll(() => new URL(dark.url()).hash).toContain('theme=light');
    await dark.close();
  });

  test('without a word of complaint', async () => {
    expect(await drawn(page)).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
