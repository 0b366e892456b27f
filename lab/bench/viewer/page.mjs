/** The page in which pictures are measured, and how much of its main thread they take. */
import { join } from 'node:path';

export const PAGE = join(import.meta.dirname, '../../../packages/viewer/test/page');
export const VIEWPORT = { width: 1440, height: 900 };
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/**
 * Milliseconds of processor time that the main thread of a page has taken so far: not those in which others had its
 * core.
 */
export async function mainThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
}
