/**
 * A page whose Content-Security-Policy forbids WebAssembly: answers stay right, and one warning names the directive.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../../gpu/test/browser-page.js';
import type { ask } from './forbidden-page.js';

const entry = fileURLToPath(new URL('./forbidden-page.ts', import.meta.url));
const CAUSE =
  "the Content-Security-Policy of this page forbids WebAssembly: its script-src needs 'wasm-unsafe-eval'";

describeInBrowser(
  "under script-src 'self' in Chromium",
  entry,
  (page) => {
    test('rays, points and picks are answered, and the cause is told once', async () => {
      const told = await page.run<ReturnType<typeof ask>>('ask');
      expect(told.distance).toBeCloseTo(3 - Math.sqrt(1 - 0.05), 2);
      expect(told.picked[0][0]).toBeCloseTo(told.distance!, 6);
      expect(told.picked[0][1]).toBe(told.triangle);
      expect(told.inside).toBe('inside');
      expect(told.refused).toContain(CAUSE);
      expect(told.warnings).toEqual([expect.stringContaining(CAUSE)]);
    });
  },
  "script-src 'self'",
);
