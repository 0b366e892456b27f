/** A real Chromium with software rendering. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
// @ts-expect-error a script without declarations
import { findBrowser, missingBrowserNote } from '../../../scripts/setup-browser.mjs';
// @ts-expect-error a script without declarations
import { sharedBrowser } from '../../../test/shared-browser.mjs';

export const executablePath: string | undefined = findBrowser();

export function tellSkipped(what: string): void {
  if (!executablePath) process.stderr.write(`\n*** SKIPPED: ${what}; ${missingBrowserNote()} ***\n`);
}

/** Pages of the browser that all tests share; each has cookies and storage of its own. */
export interface Pages {
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Of all that were opened here. */
  close(): Promise<void>;
}

export async function openBrowser(): Promise<Pages> {
  const browser: Browser = await sharedBrowser();
  const pages: Page[] = [];
  return {
    async newPage(options) {
      const page = await browser.newPage(options);
      pages.push(page);
      return page;
    },
    async close() {
      for (const page of pages) await page.close();
    },
  };
}
