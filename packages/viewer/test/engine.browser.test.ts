/** The engine in a worker of a real browser, over HTTP, under the content policy of the viewer. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ModelEngine } from '../src/engine/model-engine.js';
import { executablePath, launch, tellSkipped } from './chromium.js';
import { box, clutter, modelOf, moved } from './small-model.js';

tellSkipped('the engine in a browser');

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; img-src data:; connect-src 'self'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

const small = await modelOf([...clutter(21, 8, 4), { solid: box(9, 9, 0.2), pose: moved(2, 2, -0.1) }]);

/** The built page, and a store of which it sends parts. */
function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : request.url!;
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (path === '/store.impinge' && range) {
      const [from, to] = [Number(range[1]), Number(range[2])];
      const length = small.bytes.length;
      response.writeHead(206, { ...HEADERS, 'Content-Range': `bytes ${from}-${to}/${length}` });
      response.end(small.bytes.slice(from, to + 1));
      return;
    }
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, { ...HEADERS, 'Content-Type': TYPES[extname(path)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404, HEADERS).end();
    }
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe.skipIf(!executablePath)('the engine in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-engine-'));
  let browser: Browser;
  let server: Server;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    await build({
      root: join(import.meta.dirname, 'engine-page'),
      ...{ configFile: false, logLevel: 'error', base: './', worker: { format: 'es' } },
      build: { outDir: folder, emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
    });
    server = await serve(folder);
    browser = await launch();
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('answers as in Node, in its own thread, until it is disposed of', async () => {
    const here = new ModelEngine(small.model);
    await here.take(0, 0.1);
    const pose = small.model.pose(1).slice(); // on top of another
    const { violations } = await here.drag(pose, 0.1);
    const options = { radius: 0.25, height: 1.75, fall: 0.1, ledge: 0.2 };
    const walked = await here.walk([-1, -1, 0.1], [3, 3, 0.1], options);
    const expected = {
      distance: await here.distance(0, 1),
      around: (await here.around(3, 1)).map(({ object, distance }) => [object, distance]),
      violations: violations.map(({ object, kind, distance }) => [object, kind, distance]),
      free: await here.nearestFree(0.1),
      at: walked.at,
    };
    await here.dispose();
    expect(violations.length).toBeGreaterThan(0);
    const found = await page.evaluate(
      async ({ pose, options }) => {
        const engine = window.createEngine('store.impinge', { memory: 2 ** 24 });
        await engine.take(0, 0.1);
        const { violations } = (await engine.drag(Float64Array.from(pose), 0.1))!;
        const walked = await engine.walk([-1, -1, 0.1], [3, 3, 0.1], options);
        const answers = {
          distance: await engine.distance(0, 1),
          around: (await engine.around(3, 1)).map(({ object, distance }) => [object, distance]),
          violations: violations.map(({ object, kind, distance }) => [object, kind, distance]),
          free: await engine.nearestFree(0.1),
          at: walked.at,
        };
        return answers;
      },
      { pose: [...pose], options },
    );
    expect(found).toEqual(expected);
    expect(page.workers()).toHaveLength(1);
    const [refused, missing] = await page.evaluate(async () => {
      const text = (question: Promise<unknown>) => question.then(String, (error: Error) => error.message);
      const engine = window.createEngine('store.impinge');
      const waiting = text(engine.distance(0, 1));
      engine.dispose();
      const lost = window.createEngine('nowhere.impinge');
      const missing = await text(lost.distance(0, 1));
      lost.dispose();
      return [await waiting, missing];
    });
    expect(refused).toBe('the engine was disposed');
    expect(missing).toMatch(/nowhere\.impinge: cannot be read: the server says 404/);
    await expect.poll(() => page.workers().length).toBe(1);
    expect(faults).toEqual([]);
  });
});
