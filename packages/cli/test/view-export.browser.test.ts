/** The built page in a browser, from the command's server and from an exported folder on a plain web host. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { openStoreFile } from '@impinge/model/node';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { executablePath, openBrowser, type Pages, tellSkipped } from '../../viewer/test/chromium.js';
import { readRecord } from '../src/reports/read-report-record.js';
import { readPageFiles } from '../src/server/page-files.js';
import { ShownReport } from '../src/server/shown-report.js';
import { View } from '../src/server/view.js';
import { temporaryFolder } from './files.js';
import { boxesObj, impinge } from './run-impinge.js';

tellSkipped('the viewer in a browser');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** Files of a folder and parts of them, without anything that `impinge view` adds. */
function plainHost(folder: string): Server {
  return createServer(({ url = '', headers }, response) => {
    const name = url.split('?')[0].replace(/^\/sub\/folder\//, '') || 'index.html';
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(folder, name));
    } catch {
      response.writeHead(404).end();
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    response.setHeader('Content-Type', TYPES[extname(name)] ?? 'application/octet-stream');
    if (from === undefined) response.end(bytes);
    else {
      response.setHeader('Content-Range', `bytes ${from}-${to}/${bytes.length}`);
      response.writeHead(206).end(bytes.subarray(Number(from), Number(to) + 1));
    }
  });
}

describe.skipIf(!executablePath)('the viewer in a browser', () => {
  const root = temporaryFolder();
  const report = join(root, 'report');
  let browser: Pages;

  beforeAll(async () => {
    const model = join(root, 'boxes.obj');
    writeFileSync(model, boxesObj(['beam', [0, 2], [0, 1], [0, 1]], ['pipe', [1, 3], [0, 1], [0, 1]]));
    await impinge('check', model, '-o', report);
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens an address and waits until the model is drawn; what went wrong, and where requests went. */
  async function opened(address: string): Promise<{ page: Page; faults: string[]; hosts: Set<string> }> {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, deviceScaleFactor: 0.5 });
    page.setDefaultTimeout(100_000);
    const faults: string[] = [];
    const hosts = new Set<string>();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith('http')) hosts.add(host);
    });
    await page.goto(address);
    await page.getByText('24 triangles').waitFor();
    return { page, faults, hosts };
  }

  /** From the page of the report to the clash in the viewer. */
  async function throughReport(page: Page): Promise<void> {
    await page.goto(new URL('report.html', page.url()).href);
    await page.click('[data-clash]');
    const id = await page.locator('.details dt:text-is("Id") + dd').textContent();
    await page.getByText('Show it in the whole model').click();
    await page.locator('.clash-row.selected').waitFor();
    expect(new URL(page.url()).hash).toContain(`clash=${id}`);
  }

  test('from the command: isolated, and nothing from elsewhere', async () => {
    const model = await openStoreFile(join(report, 'model.impinge'));
    const shown = await ShownReport.open(report, (await readRecord(report))!, model);
    const errors: unknown[] = [];
    const view = await View.start({
      ...{ page: await readPageFiles(), model, report: shown, levels: undefined, port: 0 },
      onError: (error) => errors.push(error),
    });
    try {
      const { page, faults, hosts } = await opened(view.address);
      expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
      expect(await page.getByText('beam').count()).toBeGreaterThan(0);
      await throughReport(page);
      expect([...hosts]).toEqual([new URL(view.address).host]);
      expect(faults).toEqual([]);
      await page.close();
    } finally {
      await view.stop();
      await model.dispose();
    }
    expect(errors).toEqual([]);
  });

  test('from a folder that was exported, on a host that only sends files and parts of them', async () => {
    const target = join(root, 'export');
    expect(await impinge('view', report, '--export', target)).toMatchObject({ code: 0, err: '' });
    const host = plainHost(target);
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = host.address() as AddressInfo;
      const { page, faults, hosts } = await opened(`http://127.0.0.1:${port}/sub/folder/`);
      expect(await page.getByText('beam').count()).toBeGreaterThan(0);
      await throughReport(page);
      expect([...hosts]).toEqual([`127.0.0.1:${port}`]);
      expect(faults).toEqual([]);
      await page.close();
    } finally {
      host.closeAllConnections();
      host.close();
    }
  });
});
