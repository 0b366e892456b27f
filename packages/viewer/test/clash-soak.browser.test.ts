/** Going through clashes, one after the other, keeps nothing of those that were looked at. */
import { MemorySink, StoreWriter } from 'impinge/store';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../impinge/test/budget.js';
import { executablePath, launch, openPage, settled, tellSkipped } from './opened-page.js';
import { type Served, serveStore } from './served-building.js';
import { box, moved } from './small-model.js';

tellSkipped('a soak of clashes in a browser');

/** So many beams cross so many pipes. */
const EACH = 8;
/** `--mode long` goes through a thousand. */
const STEPS = LONG ? 1000 : EACH * EACH - 4;
/** Until everything has been compiled and made once. */
const WARM = 20;
/** Less than a contact curve and a row per step. */
const BYTES_PER_STEP = 8 << 10;
const SLACK = 1 << 20;

async function grid(): Promise<Uint8Array> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  const add = async (name: string, size: [number, number, number], at: [number, number, number]) => {
    const words = { type: 'IfcBeam', storey: 'Level 1', discipline: '', file: 'grid.ifc' };
    await writer.add({
      geometry: box(...size, 6),
      objects: [{ id: name, name, path: `grid/${name}`, ...words, pose: moved(...at) }],
    });
  };
  for (let i = 0; i < EACH; i++) {
    await add(`beam ${i}`, [EACH, 0.2, 0.3], [EACH / 2, i + 0.5, 0.01 * i]);
    await add(`pipe ${i}`, [0.1, EACH, 0.1], [i + 0.5, EACH / 2, 0.003 * i]);
  }
  await writer.finish({ title: 'grid', metresPerUnit: 1, files: [], recipe: '' });
  return sink.bytes();
}

describe.skipIf(!executablePath)('a soak', () => {
  let served: Served;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    served = await serveStore(await grid(), 'report');
    browser = await launch('--enable-blink-features=ForceEagerMeasureMemory');
    ({ page, faults } = await openPage(browser, served.address, {
      viewport: { width: 1100, height: 500 },
      reducedMotion: 'reduce',
    }));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  /** Bytes of the page and its workers after a collection, and what it says of buffers on the card and in memory. */
  async function memory(): Promise<{ heap: number; counted: number }> {
    await settled(page);
    const heap = await page.evaluate(async () => {
      const measured = performance as unknown as {
        measureUserAgentSpecificMemory(): Promise<{ bytes: number }>;
      };
      return (await measured.measureUserAgentSpecificMemory()).bytes;
    });
    const text = (await page.locator('.status-line b').nth(2).textContent())!;
    return { heap, counted: Number.parseFloat(text) };
  }

  /** To the next one, and on until its curve is drawn. At the end it begins anew. */
  async function step(): Promise<void> {
    const title = await page.locator('.details .eyebrow').textContent();
    const [, at, of] = /(\d+) of (\d+)/.exec(title ?? '') ?? [];
    const isLast = at !== undefined && at === of;
    if (isLast) await page.locator('#clashes').focus();
    await page.keyboard.press(isLast ? 'Home' : 'n');
    await page.waitForFunction(
      (before) =>
        document.querySelector('.details .eyebrow')?.textContent !== before &&
        document.querySelector('.mark-label') !== null,
      title,
    );
  }

  test(`${STEPS} clashes, and no more memory than after ${WARM}`, { timeout: 1_200_000 }, async () => {
    for (let i = 0; i < WARM; i++) await step();
    const before = await memory();
    for (let i = WARM; i < STEPS; i++) await step();
    const after = await memory();
    console.log(before, after);
    expect(after.heap - before.heap).toBeLessThan(SLACK + BYTES_PER_STEP * (STEPS - WARM));
    expect(after.counted).toBeLessThanOrEqual(before.counted + 1);
    expect(faults).toEqual([]);
  });
});
