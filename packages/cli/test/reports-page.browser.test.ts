import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { executablePath, openBrowser, type Pages, tellSkipped } from '../../viewer/test/chromium.js';
import { UNDECIDED } from '../src/reports/review/decision.js';
import { parseReview } from '../src/reports/review/review-file.js';
import { grouped, plantClashes } from './reports-clashes.js';
import { crossedPage, hostile, withBaseline, writtenPage } from './written-page.js';

tellSkipped('report.html in a browser');

describe.skipIf(!executablePath)('report.html in a browser', () => {
  let browser: Pages | undefined;
  afterAll(() => browser?.close());

  /** Opens a page at this size; the test fails on any error or request. */
  async function opened(path: string, width = 1280, hash = ''): Promise<{ page: Page; faults: string[] }> {
    browser ??= await openBrowser();
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) faults.push(request.url());
    });
    await page.goto(pathToFileURL(path).href + hash);
    return { page, faults };
  }

  const tile = (page: Page, name: string) => page.locator(`.tile.${name}`);
  const shown = (page: Page) => page.textContent('#shown');
  const flat = (page: Page) => page.uncheck('text=by issue');

  test('figures filter the list and count what their click would show; it sorts, and opens issues', async () => {
    const { clashes, resolved } = withBaseline();
    const { path } = await writtenPage('browser', clashes, resolved);
    const { page, faults } = await opened(path);
    const all = clashes.length;
    const of = (wanted: string) => clashes.filter(({ kind }) => kind === wanted);
    expect(await shown(page)).toBe(`${all} clashes`);
    await tile(page, 'inside').click();
    expect(await shown(page)).toBe(`${of('inside').length} of ${all} clashes`);
    await page.click('.filter-tag');
    await tile(page, 'baseline-gone').click();
    expect(await shown(page)).toBe(`50 of ${all + resolved.length} clashes`);
    await tile(page, 'baseline-gone').click();
    const cell = page.locator('.matrix td button').first();
    await cell.click();
    expect(await shown(page)).toBe(`${await cell.textContent()} of ${all} clashes`);
    await cell.click();
    await tile(page, 'clearance').click();
    const near = of('clearance');
    expect(await tile(page, 'total').locator('b').textContent()).toBe(String(near.length));
    expect(await tile(page, 'hard').locator('b').textContent()).toBe(String(of('hard').length));
    const sum = async (selector: string) =>
      (await page.locator(selector).allTextContents()).reduce((total, text) => total + Number(text), 0);
    expect(await sum('.matrix td button')).toBe(near.length);
    expect(await sum('.bar.distance b')).toBe(near.length);
    expect(await sum('.bar.depth b')).toBe(0);
    expect(await tile(page, 'new').locator('b').textContent()).toBe(
      String(near.filter(({ status }) => status === 'new').length),
    );
    await page.click('text=by storeys');
    expect(await sum('.matrix td button')).toBe(near.length);
    await page.click('.filter-tag');
    await page.fill('#clash-search', `${clashes[0].a.name} ${clashes[0].b.name}`);
    await expect.poll(() => shown(page)).toMatch(/^[1-9]\d? of 350 clashes$/);
    await page.fill('#clash-search', '');
    await page.locator('.issue-row').first().click();
    await page.locator('.clash-row').first().click();
    await page.click('.details dd .link');
    expect(await page.locator('.filter-tag').count()).toBe(1);
    await page.click('.filter-tag');
    await flat(page);
    await page.selectOption('[aria-label="Sort by"]', 'a');
    await page.locator('#clashes').press('Home');
    const names = await page.locator('.clash-row .clash-object:nth-child(2)').allTextContents();
    expect(names.length).toBeGreaterThan(5);
    expect(names).toEqual([...names].sort());
    expect(faults).toEqual([]);
    await page.close();
  });

  test('decisions are made for a clash or an issue, and saved as a file that the check reads', async () => {
    const { clashes } = withBaseline();
    const said = { author: 'ann', date: '2026-11-02T10:00:00Z', text: 'look <b>here</b>' };
    const decided = clashes.map((one, i) =>
      i === 0 ? { ...one, review: { ...UNDECIDED, status: 'active' as const, comments: [said] } } : one,
    );
    const { path, data } = await writtenPage('browser-review', decided);
    const { page, faults } = await opened(path);
    expect(await page.locator('#save-review').count()).toBe(0);
    await flat(page);
    await page.locator('.clash-row').first().click();
    await page.selectOption('.decision select', 'approved');
    await page.getByLabel('Assignee', { exact: true }).fill('bob');
    await page.getByLabel('Due').fill('2026-12-24');
    await page.getByLabel('Due').blur();
    expect(await page.locator('.clash-row').first().locator('.tag').last().textContent()).toBe('approved');
    const { group, id } = data.clashes;
    const many = group.findIndex((one) => group.filter((other) => other === one).length > 2);
    const members = group.filter((one) => one === group[many]).length;
    await page.fill('#clash-search', id[many]);
    await page.locator('.clash-row').first().click();
    await page.check(`text=for all ${members} clashes of this issue`);
    await page.getByLabel('Comment', { exact: true }).fill('sleeve "planned"');
    await page.click('.say .primary');
    await expect.poll(() => page.textContent('#save-review')).toMatch(/^Save review.json \(\d+ changed\)$/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-review')]);
    expect(download.suggestedFilename()).toBe('review.json');
    const saved = parseReview(readFileSync((await download.path())!, 'utf8'), 'review.json');
    expect(saved.get(id[0])).toMatchObject({ status: 'approved', assignee: 'bob', due: '2026-12-24' });
    expect(saved.get(clashes[0].id)?.comments).toContainEqual(said);
    const commented = [...saved.values()].filter(({ comments }) =>
      comments.some(({ text }) => text === 'sleeve "planned"'),
    );
    expect(commented).toHaveLength(members);
    expect(faults).toEqual([]);
    await page.close({ runBeforeUnload: false });
  });

  test('prints all clashes under their issues, whatever is open', async () => {
    const { clashes } = withBaseline();
    const { path } = await writtenPage('browser-print', clashes);
    const { page, faults } = await opened(path);
    expect(await page.locator('.clash-row').count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('.clash-row').count()).toBe(clashes.length);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('.clash-row').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('turns small models of the clashes, and draws the model behind the maps', async () => {
    const { path, clashes } = await crossedPage('browser-models');
    const { page, faults } = await opened(path);
    const colours = (selector: string) =>
      page.locator(selector).evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const pen = (canvas as HTMLCanvasElement).getContext('2d')!;
        const pixels = width > 0 ? pen.getImageData(0, 0, width, height).data : [];
        const count = { orange: 0, blue: 0, any: 0 };
        for (let i = 0; i < pixels.length; i += 4) {
          const [r, g, b, alpha] = [pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]];
          if (alpha > 0) count.any++;
          if (alpha > 100 && r > 1.3 * g && r > 1.6 * b) count.orange++;
          if (alpha > 100 && b > 1.3 * g && b > 1.6 * r) count.blue++;
        }
        return count;
      });
    await page.click('[data-clash]');
    const model = '.model canvas';
    await expect.poll(async () => (await colours(model)).blue, { timeout: 20_000 }).toBeGreaterThan(300);
    expect((await colours(model)).orange).toBeGreaterThan(300);
    await page.locator(model).press('ArrowLeft');
    const before = await page.locator(model).screenshot();
    await page.locator(model).press('ArrowUp');
    await expect.poll(async () => before.equals(await page.locator(model).screenshot())).toBe(false);
    expect(await page.locator('.model .side').allTextContents()).toEqual([
      ` ${clashes[0].a.name}`,
      ` ${clashes[0].b.name}`,
    ]);
    // more of the plan is coloured from near
    const whole = await page.locator('#map-y').screenshot();
    await page.click('[aria-label="Zoom in"] >> nth=0');
    expect(whole.equals(await page.locator('#map-y').screenshot())).toBe(false);
    await page.click('[aria-label="Show all"] >> nth=0');
    expect(whole.equals(await page.locator('#map-y').screenshot())).toBe(true);
    // what the test's own reading of pixels costs
    expect(faults.filter((fault) => !/ReadPixels|getImageData/.test(fault))).toEqual([]);
    await page.close();
  });

  test('keeps filters and theme in its address', async () => {
    const { clashes } = withBaseline();
    const { path } = await writtenPage('browser-address', clashes);
    const { page, faults } = await opened(path);
    await tile(page, 'hard').click();
    await page.click('[aria-label=Filters]');
    await page.selectOption('[aria-label=Storey]', 'Level 2');
    await page.click('#theme');
    const before = await shown(page);
    await expect.poll(() => page.url()).toMatch(/#kinds=hard&storey=Level\+2&theme=dark$/);
    const again = await opened(path, 1280, new URL(page.url()).hash);
    expect(await shown(again.page)).toBe(before);
    expect(await tile(again.page, 'hard').getAttribute('aria-pressed')).toBe('true');
    expect(await again.page.getAttribute('html', 'data-theme')).toBe('dark');
    await again.page.click('text=Clear all');
    await expect.poll(() => again.page.url()).toMatch(/#theme=dark$/);
    const odd = await opened(path, 1280, '#pair=9&range=depth_x_y&clash=nothing&sort=constructor');
    expect(await shown(odd.page)).toBe(`${clashes.length} clashes`);
    expect([...faults, ...again.faults, ...odd.faults]).toEqual([]);
    for (const one of [page, again.page, odd.page]) await one.close();
  });

  test('runs nothing that a name says', async () => {
    const { path } = await writtenPage('browser-injection', hostile());
    const { page, faults } = await opened(path);
    await flat(page);
    await page.locator('.clash-row').first().click();
    await page.locator('.details .decision').waitFor();
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test.each([0, 40])('fits a phone with %i clashes, in letters that can be read', async (count) => {
    const { path } = await writtenPage(`phone-${count}`, grouped(plantClashes(count, 35)));
    const { page, faults } = await opened(path, 360);
    if (count > 0) await page.click('[data-clash]');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('body *')]
        .filter(
          (element) => element.offsetParent && element.tagName !== 'SCRIPT' && element.textContent?.trim(),
        )
        .map((element) => Number.parseFloat(getComputedStyle(element).fontSize))
        .filter((size) => size < 16),
    );
    expect(small).toEqual([]);
    expect(faults).toEqual([]);
    await page.close();
  });
});
