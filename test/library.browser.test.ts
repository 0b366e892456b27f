/**
 * The library in a real browser: bundled by vite and by esbuild as they come, in a page and in a worker, with and
 * without cross-origin isolation. The answers must be those of Node.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import * as vite from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, missingBrowserNote } from '../scripts/setup-browser.mjs';
import { answers } from './browser/answers.js';
import { sharedBrowser } from './shared-browser.mjs';

const app = fileURLToPath(new URL('./browser/', import.meta.url));
const executablePath = findBrowser() as string | undefined;
if (!executablePath) process.stderr.write(`\n*** SKIPPED: browser tests; ${missingBrowserNote()} ***\n`);

const BUNDLERS: Record<string, (out: string) => Promise<unknown>> = {
  vite: (outDir) =>
    vite.build({ root: app, configFile: false, logLevel: 'error', build: { outDir, emptyOutDir: true } }),
  esbuild: async (outdir) => {
    const entryPoints = [join(app, 'app.js'), join(app, 'worker.js')];
    await esbuild.build({ entryPoints, bundle: true, format: 'esm', outdir, logLevel: 'error' });
    copyFileSync(join(app, 'index.html'), join(outdir, 'index.html'));
  },
};

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Serves a folder on the loopback interface. */
async function serve(folder: string, headers: Record<string, string>): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : request.url!;
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, {
        'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
        ...headers,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe.skipIf(!executablePath)('in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-browser-'));
  let expected: ReturnType<typeof answers>;
  beforeAll(async () => {
    expected = answers();
    expect(expected.crossing.pairs.length).toBeGreaterThan(100);
    expect(expected.near.pairs.length).toBeGreaterThan(100);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Opens the app and waits for what it found out; any error in the page is an error here. */
  async function visit(url: string) {
    const page = await (await sharedBrowser()).newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    // the memories that the page makes, by whether they are shared
    await page.addInitScript(`
      globalThis.memories = [];
      WebAssembly.Memory = class extends WebAssembly.Memory {
        constructor(descriptor) {
          super(descriptor);
          globalThis.memories.push(descriptor.shared === true);
        }
      };
    `);
    await page.goto(url);
    const found = await page.evaluate('finished');
    const memories = await page.evaluate('memories');
    await page.close();
    expect(problems).toEqual([]);
    return { ...(found as Record<string, unknown>), memories };
  }

  for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
    describe(`bundled by ${bundler} without configuration`, () => {
      const out = join(folder, bundler);
      beforeAll(() => bundle(out));

      test.each([
        ['cross-origin isolated, on shared memory', ISOLATION, true],
        ['without SharedArrayBuffer', {}, false],
      ])('%s: the answers of Node, in the page and in a worker', async (_, headers, isolated) => {
        const server = await serve(out, headers);
        try {
          const found = await visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
          expect(found).toEqual({
            isolated,
            sharedArrayBuffer: isolated,
            memories: [isolated],
            page: expected,
            worker: expected,
          });
        } finally {
          server.close();
        }
      });
    });
  }
});
