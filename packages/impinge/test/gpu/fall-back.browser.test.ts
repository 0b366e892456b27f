/** A WebGL2 context that goes away: the CPU takes over, and that is said once. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeInBrowser } from './browser-page.js';

const entry = fileURLToPath(new URL('./culling-page.ts', import.meta.url));
describeInBrowser('on WebGL2 in Chromium', entry, (page) => {
  test('the context is lost while a query is under way', async () => {
    const { wrong, said, before, after } = await page.run<Record<string, unknown>>('loseContext');
    expect({ wrong, before, after }).toEqual({ wrong: [], before: 'webgl2', after: 'cpu' });
    expect(said).toEqual([expect.stringMatching(/webgl2.*lost.*cpu/i)]);
  });
});
