/** A real Chromium with software rendering. */
import { type Browser, chromium } from 'playwright-core';
// @ts-expect-error a script without declarations
import { findBrowser, missingBrowserNote, WITHOUT_CARD } from '../../../scripts/setup-browser.mjs';

export const executablePath: string | undefined = findBrowser();

export function tellSkipped(what: string): void {
  if (!executablePath) process.stderr.write(`\n*** SKIPPED: ${what}; ${missingBrowserNote()} ***\n`);
}

export function launch(...more: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath!, args: [...WITHOUT_CARD, ...more] });
}
