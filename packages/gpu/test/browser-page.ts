/**
 * Functions of a test, run in a page of headless Chromium: the entry is bundled, served on the loopback interface and
 * opened; what it exports is called by name. Arguments and answers are JSON.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import * as esbuild from 'esbuild';
import { beforeAll, describe } from 'vitest';
import { findBrowser, missingBrowserNote } from '../../../scripts/setup-browser.mjs';
import { sharedGpuBrowser } from '../../../test/shared-browser.mjs';

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export interface BrowserPage {
  /** Calls an export of the entry and awaits its answer; what went wrong in the page is an error here. */
  run<T>(name: string, ...args: unknown[]): Promise<T>;
}

/** One for each entry, until the process ends: they keep what they compiled. */
const pages = new Map<string, Promise<BrowserPage>>();

/** Opens a page with the module `entry` (a path) in it, under a policy. */
async function openPage(entry: string, policy: string | undefined): Promise<BrowserPage> {
  const bundle = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    globalName: 'entry',
    write: false,
    logLevel: 'error',
  });
  const script = bundle.outputFiles[0].text;
  const server = createServer((request, response) => {
    const isScript = request.url === '/entry.js';
    const body = isScript ? script : '<!doctype html><meta charset="utf-8"><script src="/entry.js"></script>';
    response.writeHead(200, {
      'Content-Type': isScript ? 'text/javascript' : 'text/html',
      ...ISOLATION,
      ...(policy && { 'Content-Security-Policy': policy }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await (await sharedGpuBrowser()).newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  return {
    async run<T>(name: string, ...args: unknown[]) {
      const answer = await page.evaluate(`entry[${JSON.stringify(name)}](...${JSON.stringify(args)})`);
      if (problems.length > 0) throw new Error(`${basename(entry)}: ${problems.splice(0).join('; ')}`);
      return answer as T;
    },
  };
}

/** A suite in a page; skipped, with the reason in its title, where there is no browser. */
export function describeInBrowser(
  title: string,
  entry: string,
  suite: (page: BrowserPage) => void,
  policy?: string,
): void {
  if (!findBrowser()) {
    process.stderr.write(`\n*** SKIPPED: ${title}; ${missingBrowserNote()} ***\n`);
    describe.skip(`${title}: SKIPPED, ${missingBrowserNote()}`, () => suite({ run: () => Promise.reject() }));
    return;
  }
  describe(title, () => {
    let page: BrowserPage | undefined;
    beforeAll(async () => {
      const opening = pages.get(entry) ?? openPage(entry, policy);
      pages.set(entry, opening);
      page = await opening;
    });
    suite({ run: (name, ...args) => page!.run(name, ...args) });
  });
}
