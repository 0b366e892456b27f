/** The pages of the service in a browser, from a new project to the viewer of its run. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Files } from '../../cli/test/files.js';
import { executablePath, openBrowser, type Pages, tellSkipped } from '../../viewer/test/chromium.js';
import {
  databaseServer,
  dataFolder,
  HAS_POSTGRES,
  overlappingBoxes,
  Served,
  settingsFor,
} from './service-client.js';

tellSkipped('the pages of the service');

describe.skipIf(!executablePath || !HAS_POSTGRES)('pages of impinge serve', () => {
  const files = new Files();
  const folder = dataFolder();
  const newDatabase = databaseServer();
  let served: Served;
  let browser: Pages;

  beforeAll(async () => {
    served = await Served.start(settingsFor(join(folder, 'd'), { database: await newDatabase() }));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.service.stop();
  });

  test.each([1440, 390])('lead from the login to what was found, %i pixels wide', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 844 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const fits = () =>
      page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
    await page.goto(served.service.address);
    await page.fill('input[name=token]', served.token('run'));
    await page.click('text=Log in >> nth=-1');
    const name = 'A very long name of a project, <b>with</b> Rohrleitungen-und-Tragwerk-ohne-Leerzeichen';
    await page.fill('input[name=name]', name);
    await page.click('text=Create');
    expect(await page.textContent('h1')).toBe(name);
    await page.setInputFiles('input[type=file]', files.write('boxes.obj', overlappingBoxes(3)));
    await page.click('form[data-upload] button');
    await page.click('text=Start');
    // the page reloads itself when the run has ended
    await page.waitForSelector('.tile.active');
    expect(await page.textContent('.tile.active b')).toBe('3');
    expect(await fits()).toBe(true);
    await page.click('.path a >> nth=-1');
    expect(await page.locator('.plot .dot').count()).toBe(1);
    expect(await fits()).toBe(true);
    // the viewer's own tests cover other widths
    if (width > 1000) {
      await page.click('td a');
      await page.click('text=Viewer');
      await page.waitForSelector('text=left0');
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  test('save decisions at once, show those of others, and disable them for readers', async () => {
    const project = await served.projectOf(3);
    const run = await served.start(project);
    await served.finished(run);
    const problems: string[] = [];
    const opened = async (name: string, role: 'read' | 'run', path: string) => {
      const { token } = await served.service.parts.tokens.create(name, role);
      const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      await page.goto(served.service.address);
      await page.fill('input[name=token]', token);
      await page.click('text=Log in >> nth=-1');
      await page.goto(new URL(path, served.service.address).href);
      return page;
    };
    const { clashes } = (await served.ask(`/runs/${run}/view/report.json`)).json.data;
    const at = `#clash=${clashes.id[0]}`;
    const ann = await opened('Ann', 'run', `/runs/${run}/report.html${at}`);
    const bob = await opened('Bob', 'run', `/runs/${run}/view/${at}`);
    const guest = await opened('Guest', 'read', `/runs/${run}/report.html${at}`);
    await ann.selectOption('.decision select', 'reviewed');
    await ann.fill('.decision input[list=people]', 'mep@example.com');
    await ann.press('.decision input[list=people]', 'Tab');
    await ann.fill('#comment', 'sleeve is missing');
    await ann.press('#comment', 'Control+Enter');
    await ann.waitForSelector('.saving.saved');
    expect(await ann.locator('#save-review').count()).toBe(0);
    expect(await ann.textContent('.said-by')).toContain('Ann');
    for (const page of [bob, guest]) {
      await page.waitForSelector('text=sleeve is missing');
      expect(await page.inputValue('.decision select')).toBe('reviewed');
    }
    await bob.waitForSelector('text=as Bob');
    await bob.selectOption('.decision select', 'active');
    await expect.poll(() => ann.inputValue('.decision select')).toBe('active');
    expect(await guest.textContent('.saving')).toBe('The role read cannot decide');
    expect(await guest.locator('.decision select:disabled, .decision input:disabled').count()).toBe(3);
    expect(await guest.locator('#comment').count()).toBe(0);
    const { decisions } = (await served.ask(`/api/v1/projects/${project}/decisions`)).json;
    expect(decisions).toMatchObject([{ status: 'active', assignee: 'mep@example.com', changedBy: 'Bob' }]);
    await ann.goto(new URL(`/projects/${project}`, served.service.address).href);
    expect(await ann.textContent('main')).toContain('mep@example.com');
    expect(problems).toEqual([]);
    await Promise.all([ann, bob, guest].map((page) => page.close()));
  });
});
