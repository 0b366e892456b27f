/**
 * The example pages, built and opened: each does what it is for, without an error and without a request to elsewhere.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { PerspectiveCamera, Vector3 } from 'three';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, missingBrowserNote } from '../scripts/setup-browser.mjs';
import { sharedBrowser } from './shared-browser.mjs';

const hasBrowser = findBrowser() !== undefined;
if (!hasBrowser) process.stderr.write(`\n*** SKIPPED: browser tests; ${missingBrowserNote()} ***\n`);

const PATIENCE_MS = 400_000;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

describe.skipIf(!hasBrowser)('the example pages', { timeout: PATIENCE_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-examples-'));
  let server: Server;
  let origin = '';

  beforeAll(async () => {
    const root = fileURLToPath(new URL('../examples/web', import.meta.url));
    await build({
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: folder, minify: false, emptyOutDir: true },
    });
    server = createServer((request, response) => {
      const path = join(folder, new URL(request.url!, 'http://localhost').pathname);
      try {
        response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' });
        response.end(readFileSync(path));
      } catch {
        response.end();
      }
    }).listen(0);
    origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  }, PATIENCE_MS);
  afterAll(() => {
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens a page, does something there, and expects that nothing went wrong and nothing was asked for elsewhere. */
  async function opened(name: string, work: (page: Page) => Promise<void>): Promise<void> {
    const page = await (await sharedBrowser()).newPage({ viewport: { width: 480, height: 360 } });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        problems.push(request.url());
    });
    try {
      await page.goto(`${origin}/${name}`);
      await page.waitForFunction('Number(document.body.dataset.drawn) > 0', undefined, {
        timeout: PATIENCE_MS,
      });
      await work(page);
      expect(problems).toEqual([]);
    } finally {
      await page.close();
    }
  }
  const said = (page: Page, id: string) => page.locator(`#${id}`).textContent();

  test('a thing that is dragged into another meets it', () =>
    opened('drag/index.html', async (page) => {
      expect(await said(page, 'meets')).toBe('nothing');
      expect(await said(page, 'nearest')).toMatch(/^\w+, 0\.\d+$/);
      await page.mouse.move(...placeOf(1.2, 1.8)); // the box
      await page.mouse.down();
      await page.mouse.move(...placeOf(-2.2, -0.4), { steps: 4 }); // the ball
      await expect.poll(() => said(page, 'meets')).toMatch(/ball/);
      await page.mouse.up();
    }));

  test('rays of both libraries hit the same', () =>
    opened('raycast/index.html?triangles=5000', async (page) => {
      await page.mouse.move(180, 120);
      await expect.poll(() => said(page, 'hits')).toMatch(/[1-9]/);
      const hits = await said(page, 'hits');
      await page.check('input[value=three-mesh-bvh]');
      await expect.poll(() => said(page, 'built')).toMatch(/ms/);
      expect(await said(page, 'hits')).toBe(hits);
      expect(await said(page, 'triangles')).toBe('4,760');
    }));

  test('clay is moved where it is pressed, and the brush stays on it', () =>
    opened('sculpt/index.html?triangles=4000', async (page) => {
      await page.mouse.move(240, 180);
      await page.mouse.down();
      await page.mouse.move(260, 190, { steps: 3 });
      await page.mouse.up();
      expect(Number(await said(page, 'moved'))).toBeGreaterThan(5);
      expect(await said(page, 'brush')).toBe('on the surface');
      await page.mouse.move(20, 340);
      await expect.poll(() => said(page, 'brush')).toBe('closest point');
    }));

  test('a person walks, stands on the floor, and is stopped by what is in the way', () =>
    opened('character/index.html', async (page) => {
      await expect.poll(() => said(page, 'ground')).toBe('something');
      const place = async () => (await said(page, 'place'))!.split(' ').map(Number);
      const before = await place();
      await page.keyboard.down('w');
      await expect.poll(async () => Math.abs((await place())[1] - before[1])).toBeGreaterThan(0.5);
      // a corner of the plant is in the way
      let last = before;
      await expect
        .poll(
          async () => {
            const [now, then] = [await place(), last];
            last = now;
            return Math.hypot(now[0] - then[0], now[1] - then[1]);
          },
          { interval: 1000, timeout: PATIENCE_MS },
        )
        .toBeLessThan(0.01);
      await page.keyboard.up('w');
      expect(Math.abs(last[2] - before[2])).toBeLessThan(1);
    }));

  /** Where a place of the page with things to drag is on the screen. */
  function placeOf(x: number, z: number): [number, number] {
    const camera = new PerspectiveCamera(45, 480 / 360);
    camera.position.set(0, 3.5, 8);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    const place = new Vector3(x, 0, z).project(camera);
    return [240 * (1 + place.x), 180 * (1 - place.y)];
  }
});
