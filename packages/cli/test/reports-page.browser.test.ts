import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { executablePath, launch, tellSkipped } from '../../viewer/test/chromium.js';
import { UNDECIDED } from '../src/reports/review/decision.js';
import { parseReview } from '../src/reports/review/review-file.js';
import { grouped, plantClashes } from './reports-clashes.js';
import { crossedPage, hostile, withBaseline, writtenPage } from './written-page.js';

tellSkipped('report.html in a browser');

describe.skipIf(!executablePath)('report.html in a browser', () => {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  /** Opens a page at this size; the test fails on any error or request. */
  async function opened(path: string, width = 1280, hash = ''): Promise<{ page: Page; faults: string[] }> {
    browser ??= await launch();
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

  test('filters, sorts, turns pages and opens issues', async () => {
    const { clashes, resolved } = withBaseline();
    const { path } = await writtenPage('browser', clashes, resolved);
    const { page, faults } = await opened(path);
    const shown = () => page.textContent('#shown');
    const rows = () => page.locator('#rows .clash').count();
    expect(await shown()).toBe(`${clashes.length} shown`);
    expect(await rows()).toBe(50);
    await page.click('#page-next');
    expect(await page.textContent('#pager-text')).toBe('51–100 of 350');
    await page.click('[data-kind=inside]');
    expect(await shown()).toBe(`${clashes.filter(({ kind }) => kind === 'inside').length} shown`);
    await page.click('#clear');
    await page.click('[data-status=resolved]');
    expect(await shown()).toBe('50 shown');
    await page.click('#clear');
    const cell = page.locator('[data-pair]').first();
    await cell.click();
    expect(await shown()).toBe(`${await cell.textContent()} shown`);
    await page.click('#clear');
    // every figure counts what is shown, and what its own click would show
    await page.click('[data-kind=clearance]');
    const near = clashes.filter(({ kind }) => kind === 'clearance');
    expect(await page.textContent('#total')).toBe(String(near.length));
    expect(await page.textContent('[data-kind=hard] b')).toBe(
      String(clashes.filter(({ kind }) => kind === 'hard').length),
    );
    const sum = async (selector: string) =>
      (await page.locator(selector).allTextContents()).reduce((total, text) => total + Number(text), 0);
    expect(await sum('#matrix-0 [data-pair]')).toBe(near.length);
    expect(await sum('[data-range^=distance] b')).toBe(near.length);
    expect(await sum('[data-range^=depth] b')).toBe(0);
    expect(await page.textContent('[data-status=new] b')).toBe(
      String(near.filter(({ status }) => status === 'new').length),
    );
    await page.click('[data-matrix="1"]');
    expect(await page.locator('#matrix-0').isVisible()).toBe(false);
    expect(await page.locator('#matrix-1').isVisible()).toBe(true);
    await page.click('#clear');
    await page.fill('#search', `${clashes[0].a.name} ${clashes[0].b.name}`);
    await expect.poll(shown).toMatch(/^[1-9]\d? shown$/);
    await page.click('#clear');
    await page.click('th[data-sort=a] button');
    const names = await page.locator('#rows td:nth-child(3) .name').allTextContents();
    expect(names).toEqual([...names].sort());
    await page.locator('.clash').first().click();
    expect(await page.locator('.detail').count()).toBe(1);
    await page.locator('.issue summary').first().click();
    await page.locator('.issue .plain').first().click();
    expect(await page.locator('.filter-tag').count()).toBe(1);
    expect(faults).toEqual([]);
    await page.close();
  });

  test('decisions are made for a clash or an issue, and saved as a file that the check reads', async () => {
    const { clashes } = withBaseline();
    const said = { author: 'ann', date: '2026-11-02T10:00:00Z', text: 'look <b>here</b>' };
    const decided = clashes.map((one, i) =>
      i === 0 ? { ...one, review: { ...UNDECIDED, status: 'active' as const, comments: [said] } } : one,
    );
    const { path } = await writtenPage('browser-review', decided);
    const { page, faults } = await opened(path);
    expect(await page.locator('#save-review').isVisible()).toBe(false);
    const row = page.locator('.clash').first();
    await row.click();
    await page.locator('.detail .review select').selectOption('approved');
    await page.locator('.detail .review input[type=text]').first().fill('bob');
    await page.locator('.detail .review input[type=date]').fill('2026-12-24');
    await page.locator('.detail .review input[type=date]').blur();
    expect(await row.locator('.status.review').textContent()).toBe('approved');
    const one = (await row.locator('.copy').textContent())!;
    const issue = page.locator('.issue').nth(1);
    await issue.locator('summary').click();
    const members = await issue.locator('.issue-body li').count();
    await issue.locator('.review input[type=text]').nth(1).fill('sleeve "planned"');
    await issue.locator('.review input[type=text]').nth(1).blur();
    await expect.poll(() => page.textContent('#save-review')).toMatch(/^Save review.json \(\d+ changed\)$/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-review')]);
    expect(download.suggestedFilename()).toBe('review.json');
    const saved = parseReview(readFileSync((await download.path())!, 'utf8'), 'review.json');
    expect(saved.get(one)).toMatchObject({ status: 'approved', assignee: 'bob', due: '2026-12-24' });
    expect(saved.get(clashes[0].id)?.comments).toContainEqual(said);
    const commented = [...saved.values()].filter(({ comments }) =>
      comments.some(({ text }) => text === 'sleeve "planned"'),
    );
    expect(commented.length).toBeGreaterThanOrEqual(members);
    expect(faults).toEqual([]);
    await page.close({ runBeforeUnload: false });
  });

  test('prints all rows of the table, whichever page is shown', async () => {
    const { clashes } = withBaseline();
    const { path } = await writtenPage('browser-print', clashes);
    const { page, faults } = await opened(path);
    await page.click('#page-next');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await page.locator('#rows .clash').count()).toBe(clashes.length);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('#rows .clash').count()).toBe(50);
    expect(await page.textContent('#pager-text')).toMatch(/^51–100 of/);
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
    await page.locator('.issue summary').first().click();
    const model = '.issue .model canvas';
    await expect.poll(async () => (await colours(model)).blue, { timeout: 20_000 }).toBeGreaterThan(300);
    expect((await colours(model)).orange).toBeGreaterThan(300);
    await page.locator(model).press('ArrowLeft');
    const before = await page.locator(model).screenshot();
    await page.locator(model).press('ArrowUp');
    await expect.poll(async () => before.equals(await page.locator(model).screenshot())).toBe(false);
    expect(await page.locator('.issue .side').allTextContents()).toEqual([
      clashes[0].a.name,
      clashes[0].b.name,
    ]);
    // more of the plan is coloured from near
    const whole = await page.locator('#plan').screenshot();
    await page.click('[data-map=plan][data-zoom=in]');
    expect(whole.equals(await page.locator('#plan').screenshot())).toBe(false);
    await page.click('[data-map=plan][data-zoom=all]');
    expect(whole.equals(await page.locator('#plan').screenshot())).toBe(true);
    // what the test's own reading of pixels costs
    expect(faults.filter((fault) => !/ReadPixels|getImageData/.test(fault))).toEqual([]);
    await page.close();
  });

  test('keeps filters and theme in its address', async () => {
    const { clashes } = withBaseline();
    const { path } = await writtenPage('browser-address', clashes);
    const { page, faults } = await opened(path);
    await page.click('[data-kind=hard]');
    await page.selectOption('#storey', { label: 'Level 2' });
    await page.click('#theme');
    const shown = await page.textContent('#shown');
    expect(page.url()).toMatch(/#kind=hard&storey=Level\+2&theme=dark$/);
    const again = await opened(path, 1280, new URL(page.url()).hash);
    expect(await again.page.textContent('#shown')).toBe(shown);
    expect(await again.page.getAttribute('[data-kind=hard]', 'aria-pressed')).toBe('true');
    expect(await again.page.getAttribute('html', 'data-theme')).toBe('dark');
    await again.page.click('#clear');
    expect(again.page.url()).toMatch(/#theme=dark$/);
    const odd = await opened(path, 1280, '#kind=odd&pair=9,9,9&range=depth,x,y&storey=nowhere');
    expect(await odd.page.textContent('#shown')).toBe(`${clashes.length} shown`);
    expect([...faults, ...again.faults, ...odd.faults]).toEqual([]);
    for (const one of [page, again.page, odd.page]) await one.close();
  });

  test('runs nothing that a name says', async () => {
    const { path } = await writtenPage('browser-injection', hostile());
    const { page, faults } = await opened(path);
    for (let i = 0; i < (await page.locator('.issue').count()); i++)
      await page.locator('.issue summary').nth(i).click();
    await page.locator('.clash').first().click();
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test.each([0, 40])('fits a phone with %i clashes, in letters that can be read', async (count) => {
    const { path } = await writtenPage(`phone-${count}`, grouped(plantClashes(count, 35)));
    const { page, faults } = await opened(path, 360);
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
