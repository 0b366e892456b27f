/** The clashes of a report in the page: lists, filters, stepping, decisions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportForViewer } from '../../cli/src/wire/report.js';
import { executablePath, openBrowser, openPage, type Pages, tellSkipped } from './opened-page.js';
import { type Served, serveBuilding } from './served-building.js';

tellSkipped('the clashes of the viewer in a browser');

describe.skipIf(!executablePath)('the page of a report', () => {
  let served: Served;
  let browser: Pages;
  let page: Page;
  let faults: string[];
  let report: ReportForViewer;
  let count: number;
  beforeAll(async () => {
    served = await serveBuilding('report');
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address));
    report = (await (await fetch(new URL('report.json', served.address))).json()) as ReportForViewer;
    count = report.data.clashes.id.length;
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const rows = () => page.locator('.clash-row');
  const listed = () => page.textContent('.clash-foot span');
  const title = () => page.textContent('.details .eyebrow');
  const hash = (of: Page) => new URLSearchParams(new URL(of.url()).hash.slice(1));
  const press = (key: string) => page.keyboard.press(key);
  const kindsAre = (kind: string) =>
    report.data.clashes.kind.filter((k) => report.data.kinds[k] === kind).length;

  test('lists all clashes, worst first', async () => {
    expect(count).toBeGreaterThan(6);
    expect(await listed()).toBe(`${count} clashes`);
    const link = page.getByRole('link', { name: 'Open the report' });
    const there = await fetch(new URL((await link.getAttribute('href'))!, served.address));
    expect(await there.text()).toContain('data-viewer');
    const [first] = await rows().allTextContents();
    expect(first).toContain(report.data.kinds[report.data.clashes.kind[0]]);
    expect(first).toContain(report.data.objects[report.data.clashes.a[0]][0]);
  });

  test('goes through them by keys, and shows each', async () => {
    await press('n');
    expect(await title()).toBe(`Clash 1 of ${count}`);
    await press('n');
    expect(await title()).toBe(`Clash 2 of ${count}`);
    expect(await page.locator('.clash-row.selected').getAttribute('id')).toBe('clashes-1');
    await expect.poll(() => hash(page).get('clash')).toBe(report.data.clashes.id[1]);
    // the exact curve, or the line of the distance, has a label
    await expect.poll(() => page.locator('.mark-label').count(), { timeout: 20_000 }).toBeGreaterThan(0);
    await press('p');
    await press('p');
    expect(await title()).toBe(`Clash 1 of ${count}`);
    await page.locator('#clashes').focus();
    await press('End');
    expect(await title()).toBe(`Clash ${count} of ${count}`);
    await press('ArrowUp');
    expect(await title()).toBe(`Clash ${count - 1} of ${count}`);
  });

  test('filters: kind, type, storey, words, matrix; and takes them back', async () => {
    await page.click('[aria-label=Filters]');
    const kind = report.data.kinds[report.data.clashes.kind[0]];
    await page.click(`.chip >> text=${kind}`);
    await expect
      .poll(listed)
      .toBe(kindsAre(kind) === count ? `${count} clashes` : `${kindsAre(kind)} of ${count} clashes`);
    await page.click('.filter-tag');
    const { a, b } = report.data.clashes;
    const beams = [...a.keys()].filter((i) =>
      [a[i], b[i]].some((o) => report.data.objects[o][3] === 'IfcBeam'),
    ).length;
    await page.selectOption('[aria-label="Type of either object"]', 'IfcBeam');
    await expect.poll(listed).toBe(`${beams} of ${count} clashes`);
    await expect.poll(() => hash(page).get('type')).toBe('IfcBeam');
    await page.click('.filter-tag');
    await page.selectOption('[aria-label=Storey]', 'Level 2');
    const above = report.data.clashes.storey.filter((s) => report.data.storeys[s] === 'Level 2').length;
    await expect.poll(listed).toBe(`${above} of ${count} clashes`);
    await page.click('.filter-tag');
    await page.fill('#clash-search', 'ifcbeam');
    await expect.poll(listed).toBe(`${beams} of ${count} clashes`);
    await page.fill('#clash-search', '');
    await page.click('[aria-label=Filters]');
    await press('Escape');
    await page.locator('#clashes').focus();
    await press('b');
    const cell = page.locator('.matrix td button').first();
    const inCell = (await cell.textContent())!;
    await cell.click();
    await expect.poll(listed).toBe(`${inCell} of ${count} clashes`);
    await page.click('.filter-tag');
    await expect.poll(listed).toBe(`${count} clashes`);
  });

  test('under their issues', async () => {
    await page.check('text=by issue');
    const issues = new Set(report.data.clashes.group).size;
    expect(await page.locator('.issue-row').count()).toBeGreaterThan(0);
    await page.locator('.issue-row').first().click();
    await expect.poll(() => page.locator('.issue-row').count()).toBeLessThanOrEqual(issues);
    await page.uncheck('text=by issue');
  });

  test('a decision is saved, and a second page sees it', async () => {
    const { page: second, faults: others } = await openPage(
      browser,
      `${served.address}#clash=${report.data.clashes.id[1]}`,
    );
    expect(await second.textContent('.details .eyebrow')).toBe(`Clash 2 of ${count}`);
    await page.locator('.clash-row').nth(1).click();
    await page.locator('#clashes').focus();
    await press('Shift+Digit2');
    await expect.poll(() => page.inputValue('.decision select')).toBe('active');
    await page.getByLabel('Assignee', { exact: true }).fill('Ada');
    await page.getByLabel('Your name').fill('Bo');
    await page.getByLabel('Comment', { exact: true }).fill('move the pipe');
    await press('Control+Enter');
    await expect.poll(() => page.textContent('.decision .saving')).toBe('Decisions saved');
    await expect.poll(() => second.textContent('.comments'), { timeout: 20_000 }).toContain('move the pipe');
    await expect.poll(() => second.inputValue('.decision select')).toBe('active');
    expect(await second.getByLabel('Assignee', { exact: true }).inputValue()).toBe('Ada');
    // concurrent changes
    await second.getByLabel('Due').fill('2026-12-24');
    await page.selectOption('.decision select', 'reviewed');
    await expect.poll(() => page.getByLabel('Due').inputValue(), { timeout: 20_000 }).toBe('2026-12-24');
    await expect.poll(() => second.inputValue('.decision select'), { timeout: 20_000 }).toBe('reviewed');
    const written = readFileSync(join(served.folder, 'review.json'), 'utf8');
    for (const text of [report.data.clashes.id[1], 'reviewed', 'Ada', '2026-12-24', 'move the pipe', 'Bo']) {
      expect(written).toContain(text);
    }
    expect(others).toEqual([]);
    await second.close();
  });

  test('without a word of complaint', () => expect(faults).toEqual([]));
});
