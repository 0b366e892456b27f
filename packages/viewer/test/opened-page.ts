/** Pages of the viewer with software rendering. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Pages } from './chromium.js';

export { executablePath, openBrowser, type Pages, tellSkipped } from './chromium.js';

export interface Opened {
  readonly page: Page;
  /** Errors of the page and its console. */
  readonly faults: string[];
}

/**
 * Opens an address and waits until everything in view is drawn. Unless a test looks at pixels, a quarter of them is
 * enough: software rendering is most of the work.
 */
export async function openPage(
  browser: Pages,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 720 },
    deviceScaleFactor: 0.5,
    ...options,
  });
  page.setDefaultTimeout(240_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // warnings about slow software rendering
    if (/GPU stall|software/i.test(message.text())) return;
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  await page.goto(address);
  await settled(page);
  return { page, faults };
}

/** Waits until the picture is complete and nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const line = document.querySelector('.status-line');
    return line?.querySelector('b') && line.querySelector('.waiting')?.textContent === '';
  });
}

/** A screenshot of a picture that no longer changes. */
export async function still(canvas: Locator): Promise<Buffer> {
  for (let before: Buffer | undefined; ; ) {
    await settled(canvas.page());
    await canvas.page().waitForTimeout(300);
    const now = await canvas.screenshot();
    if (before?.equals(now)) return now;
    before = now;
  }
}

/** Number of triangles drawn. */
export async function drawn(page: Page): Promise<number> {
  return Number((await page.textContent('.status-line b'))!.replace(/,/g, ''));
}

/** Waits for a number of triangles. */
export function expectDrawn(page: Page, triangles: number): Promise<void> {
  return expect.poll(() => drawn(page), { timeout: 20_000 }).toBe(triangles);
}
