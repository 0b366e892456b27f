import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
// @ts-expect-error a script without declarations
import { findBrowser, missingBrowserNote } from '../../../scripts/setup-browser.mjs';
import { compareWithBaseline } from '../src/reports/baseline.js';
import { groupClashes } from '../src/reports/group-clashes.js';
import type { PageData } from '../src/reports/page-data.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { writeReports } from '../src/reports/write-reports.js';
import { temporaryFolder } from './files.js';
import { clash, grouped, manyClashes, plantClashes, plantObject, reportInput } from './reports-clashes.js';

const root = temporaryFolder();

async function writtenPage(name: string, clashes: readonly ReportClash[], resolved?: readonly ReportClash[]) {
  const [path] = await writeReports(join(root, name), reportInput(clashes, ['html'], resolved));
  const html = readFileSync(path, 'utf8');
  const json = /<script type="application\/json" id="report-data">(.*?)<\/script>/s.exec(html)![1];
  return { path: path, html, data: JSON.parse(json) as PageData };
}

function withBaseline() {
  const all = plantClashes(400, 31);
  return compareWithBaseline(groupClashes(all.slice(50)), grouped(all.slice(0, 300)));
}

const INJECTION = `"><img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script><!--`;

function hostile(): ReportClash[] {
  const text = { id: INJECTION, name: INJECTION, path: INJECTION, type: INJECTION, file: INJECTION };
  const a = { ...plantObject(0, 1, 1), ...text, discipline: INJECTION, storey: INJECTION };
  return grouped([
    clash({ a, b: { ...plantObject(1, 1, 1), name: 'n'.repeat(100_000) }, rule: INJECTION }),
    ...plantClashes(30, 32),
  ]);
}

describe('report.html', () => {
  test('asks for nothing and lets only its own script and style run', async () => {
    const { html } = await writtenPage('own', grouped(plantClashes(50, 33)));
    expect(html).not.toMatch(/https?:\/\/|@import|url\(/);
    expect(html).not.toMatch(/ style="| on[a-z]+="/);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1];
    expect(policy).toContain("default-src 'none'");
    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ]) {
      const content = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)![1];
      const hash = createHash('sha256').update(content).digest('base64');
      expect(policy).toContain(`${directive} 'sha256-${hash}'`);
    }
  });

  test('keeps names where they belong', async () => {
    const { html, data } = await writtenPage('injection', hostile());
    expect(html).not.toContain('<img');
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(data.objects.some(([, path]) => path.includes('<img src=x'))).toBe(true);
    expect(html.length).toBeLessThan(200_000);
  });

  test('the figures agree with the clashes', async () => {
    const { clashes, resolved } = withBaseline();
    const { html, data } = await writtenPage('figures', clashes, resolved);
    const side = (object: number) => data.objects[object][5];
    const open = data.clashes.id
      .map((_, i) => i)
      .filter((i) => data.statuses[data.clashes.status[i]] !== 'resolved');
    expect(open).toHaveLength(clashes.length);
    expect(data.clashes.id.length - open.length).toBe(resolved.length);
    const cells = [...html.matchAll(/data-pair="(\d+),(\d+)"[^>]*>([\d,]+)</g)];
    expect(cells.length).toBeGreaterThan(5);
    for (const [, p, q, n] of cells) {
      const meet = open.filter((i) => {
        const pair = [side(data.clashes.a[i]), side(data.clashes.b[i])].sort((s, t) => t - s);
        return pair.join() === `${p},${q}`;
      });
      expect(meet).toHaveLength(Number(n.replace(',', '')));
    }
    const bars = [...html.matchAll(/data-range="depth,([^,]*),([^"]*)".*?<b>([\d,]+)<\/b>/g)];
    const overlaps = clashes.filter(({ kind }) => kind === 'hard' || kind === 'inside');
    expect(bars.reduce((sum, [, , , n]) => sum + Number(n), 0)).toBe(overlaps.length);
    for (const [, from, below, n] of bars) {
      const within = overlaps.filter(({ depth }) => depth >= Number(from) && depth < Number(below));
      expect(within).toHaveLength(Number(n));
    }
    expect(html).toContain(
      `<b>${clashes.filter(({ status }) => status === 'new').length}</b><span>new</span>`,
    );
    expect(html).toContain(`<b>${resolved.length}</b><span>resolved</span>`);
  });

  test('lists the worst of too many and says so', async () => {
    const { html, data } = await writtenPage('many', manyClashes(100_050));
    expect(data.clashes.id).toHaveLength(100_000);
    expect(data.clashes.id[0]).toBe('100049');
    expect(html).toContain('Only the worst 100,000 clashes are listed here');
    expect(html).toContain('<b>100,050</b>');
  });
});

const executablePath: string | undefined = findBrowser();
if (!executablePath)
  process.stderr.write(`\n*** SKIPPED: report.html in a browser; ${missingBrowserNote()} ***\n`);

describe.skipIf(!executablePath)('report.html in a browser', () => {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  /** Opens a page at this size; the test fails on any error or request. */
  async function opened(path: string, width = 1280): Promise<{ page: Page; faults: string[] }> {
    browser ??= await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) faults.push(request.url());
    });
    await page.goto(pathToFileURL(path).href);
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
