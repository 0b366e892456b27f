/** Shows many clashes one after the other: memory must not grow. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { executablePath, openBrowser, openPage, type Pages, settled, tellSkipped } from './opened-page.js';
import { type Served, serveStore } from './served-building.js';
import { box, moved, storeBytes } from './small-model.js';

tellSkipped('a soak of clashes in a browser');

/** Number of beams and of pipes, which all cross each other. */
const EACH = LONG ? 32 : 8;
const STEPS = LONG ? 1000 : 60;
/** Steps until everything has been compiled and allocated once. */
const WARM = LONG ? 100 : 20;
/** Timeout for one clash, even on a busy machine. */
const MOST_MS = 60_000;
/** Less than the two objects or a row of the list: browsers keep some data of addresses and code. */
const BYTES_PER_STEP = 4 << 10;
const BYTES_BESIDES = 512 << 10;
/**
 * Bytes per pixel of the render targets for slow machines, with all pixels and with a quarter, which are allocated on
 * first use.
 */
const TARGET_BYTES = 8 * (1 + 1 / 4);
/** Megabytes are shown with one decimal. */
const ROUNDED = 0.1;
/** Fences come and go. */
const CARD_BESIDES = 16;

function grid(): Promise<Uint8Array> {
  type Triple = [number, number, number];
  const part = (name: string, size: Triple, at: Triple) => ({
    ...{ solid: box(...size, 4), poses: [moved(...at)] },
    words: { id: name, name, storey: 'Level 1' },
  });
  const parts = Array.from({ length: EACH }, (_, i) => [
    part(`beam ${i}`, [EACH, 0.2, 0.3], [EACH / 2, i + 0.5, 0.002 * i]),
    part(`pipe ${i}`, [0.1, EACH, 0.1], [i + 0.5, EACH / 2, 0.003 * i]),
  ]);
  return storeBytes(parts.flat(), { levels: true, title: 'grid' });
}

/** In the page: counts live GPU objects and draw calls from now on. */
function countCard(): void {
  const live = { count: 0, draws: 0 };
  Object.assign(globalThis, { onCard: live });
  const context = WebGL2RenderingContext.prototype as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  for (const kind of [
    'Buffer',
    'Texture',
    'Framebuffer',
    'VertexArray',
    'Program',
    'Shader',
    'Sync',
    'Query',
  ]) {
    const [make, end] = [kind === 'Sync' ? 'fenceSync' : `create${kind}`, `delete${kind}`];
    const [made, ended] = [context[make], context[end]];
    context[make] = function (this: unknown, ...args) {
      live.count++;
      return made.apply(this, args);
    };
    context[end] = function (this: unknown, ...args) {
      if (args[0]) live.count--;
      return ended.apply(this, args);
    };
  }
  for (const name of ['drawArrays', 'drawElements', 'drawElementsInstanced']) {
    const draw = context[name];
    context[name] = function (this: unknown, ...args) {
      live.draws++;
      return draw.apply(this, args);
    };
  }
}

describe.skipIf(!executablePath)('a soak', () => {
  let served: Served;
  let browser: Pages;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    served = await serveStore(await grid(), 'report');
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address, {
      viewport: { width: 760, height: 400 },
      reducedMotion: 'reduce',
    }));
    await page.evaluate(countCard);
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  /**
   * After a garbage collection: bytes of the page and its workers; its own statistics, in megabytes; and GPU objects.
   */
  async function memory(): Promise<{ heap: number; counted: number; card: number }> {
    await settled(page);
    const counted = Number.parseFloat((await page.locator('.status-line b').nth(2).textContent())!);
    return page.evaluate(async (counted) => {
      const measured = performance as unknown as {
        measureUserAgentSpecificMemory(): Promise<{ bytes: number }>;
      };
      const { bytes: heap } = await measured.measureUserAgentSpecificMemory();
      return { heap, counted, card: (globalThis as unknown as { onCard: { count: number } }).onCard.count };
    }, counted);
  }

  /** In the page: steps through clashes, each until its curve and its depth label are drawn. */
  const go = (steps: number) =>
    page.evaluate(
      async ([steps, mostMs]) => {
        const label = () => document.querySelector('.mark-label');
        const { onCard } = globalThis as unknown as { onCard: { draws: number } };
        for (let i = 0; i < steps; i++) {
          const end = performance.now() + mostMs;
          const { draws } = onCard;
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
          if (label()) throw new Error(`there is no clash after ${i} of ${steps}`);
          do {
            if (performance.now() > end) throw new Error(`clash ${i} of ${steps} is not drawn`);
            await new Promise((resolve) => requestAnimationFrame(resolve));
          } while (!label() || onCard.draws === draws);
        }
      },
      [steps, MOST_MS],
    );

  test(`${STEPS} clashes, and no more memory than after ${WARM}`, { timeout: 1_200_000 }, async () => {
    await go(WARM);
    const before = await memory();
    await go(STEPS - WARM);
    // a collector may leave something for the next time
    const grown = async () => (await memory()).heap - before.heap;
    await expect
      .poll(grown, { timeout: 120_000 })
      .toBeLessThan(BYTES_BESIDES + BYTES_PER_STEP * (STEPS - WARM));
    const after = await memory();
    expect(new URL(page.url()).hash).toContain('clash=');
    const pixels = await page.evaluate(() => {
      const { width, height } = document.querySelector('canvas')!;
      return width * height;
    });
    expect(after.counted).toBeLessThanOrEqual(before.counted + (TARGET_BYTES * pixels) / 1e6 + ROUNDED);
    expect(after.card).toBeLessThanOrEqual(before.card + CARD_BESIDES);
    expect(faults).toEqual([]);
  });
});
