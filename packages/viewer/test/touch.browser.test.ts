/** The page on a phone: the sheet at the bottom; touch on the picture, and dragging an object. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restingView, viewOf } from './canvas-pixels.js';
import {
  executablePath,
  expectDrawn,
  openBrowser,
  openPage,
  type Pages,
  settled,
  still,
  tellSkipped,
} from './opened-page.js';
import { type Served, serveBuilding } from './served-building.js';

tellSkipped('the viewer under fingers');

type Finger = readonly [x: number, y: number];

describe.skipIf(!executablePath)('fingers', () => {
  let served: Served;
  let browser: Pages;
  let page: Page;
  let faults: string[];
  let middle: Finger;
  /** Moves each finger from its first position to its last, in a few steps. */
  let slide: (...ways: readonly (readonly [from: Finger, to: Finger])[]) => Promise<void>;
  beforeAll(async () => {
    served = await serveBuilding('report');
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    }));
    const session = await page.context().newCDPSession(page);
    slide = async (...ways) => {
      const at = (share: number) =>
        ways.map(([from, to], id) => ({
          id,
          x: from[0] + share * (to[0] - from[0]),
          y: from[1] + share * (to[1] - from[1]),
        }));
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: ReturnType<typeof at>) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints });
      await send('touchStart', at(0));
      for (const share of [0.25, 0.5, 0.75, 1]) await send('touchMove', at(share));
      await send('touchEnd', []);
    };
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const beside = (dx: number, dy: number): Finger => [middle[0] + dx, middle[1] + dy];
  const toTarget = () => {
    const { eye, target } = viewOf(page)!;
    return target.map((x, k) => x - eye[k]);
  };
  const unit = (way: readonly number[]) => way.map((x) => x / Math.hypot(...way));
  /** The cosine between two directions. */
  const cosine = (p: readonly number[], q: readonly number[]) =>
    unit(p).reduce((sum, x, k) => sum + x * unit(q)[k], 0);

  test('a clash and its decision are in the sheet, and nothing is beside the screen', async () => {
    expect(await page.locator('.panel').count()).toBe(0);
    await page.locator('.clash-row').first().tap();
    await page.waitForSelector('.sheet .decision');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const sheet = (await page.locator('.sheet').boundingBox())!;
    expect(sheet.y + sheet.height).toBeCloseTo(844, 0);
    expect((await page.locator('canvas').boundingBox())!.height).toBeGreaterThan(250);
    await page.keyboard.press('Escape');
    await page.keyboard.press('F');
    await page.tap('[aria-label=Lower]');
    const { x, y, width, height } = (await page.locator('canvas').boundingBox())!;
    middle = [x + width / 2, y + height / 2];
  });

  test('one turns, two move and pinch', async () => {
    await restingView(page);
    const first = { way: toTarget(), eye: viewOf(page)!.eye };
    await slide([middle, beside(90, 0)]);
    await expect.poll(() => cosine(toTarget(), first.way)).toBeLessThan(0.95);

    await restingView(page);
    const turned = { way: toTarget(), eye: viewOf(page)!.eye };
    await slide([beside(-40, 0), beside(-40, 80)], [beside(40, 0), beside(40, 80)]);
    await expect
      .poll(() => Math.hypot(...viewOf(page)!.eye.map((x, k) => x - turned.eye[k])))
      .toBeGreaterThan(0.5);
    await restingView(page);
    expect(cosine(toTarget(), turned.way)).toBeGreaterThan(0.9999);

    const far = Math.hypot(...toTarget());
    await slide([beside(-40, 0), beside(-120, 0)], [beside(40, 0), beside(120, 0)]);
    await expect.poll(() => Math.hypot(...toTarget())).toBeLessThan(far / 2);
    await restingView(page);
    expect(cosine(toTarget(), turned.way)).toBeGreaterThan(0.9999);
  });

  test('a tap selects, and a slide does not', async () => {
    await still(page.locator('canvas'));
    // the result of the slides, and so the object in the centre, depends on the event rate
    const places = [middle, beside(0, 60), beside(60, 0), beside(-60, 0), beside(0, -60)];
    for (const place of places) {
      await page.touchscreen.tap(...place);
      await page.waitForTimeout(1000);
      if (new URL(page.url()).hash.includes('object=')) break;
    }
    await expect.poll(() => new URL(page.url()).hash).toContain('object=');
    const chosen = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('object');
    await slide([middle, beside(0, 60)]);
    await settled(page);
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('object')).toBe(chosen);
  });

  test('one on the object that is moved takes it along; one beside it turns', async () => {
    await page.goto('about:blank');
    await page.goto(served.address);
    await settled(page);
    await page.tap('.sheet >> text=Objects');
    await page.fill('#object-search', 'slab 2');
    await page.locator('.tree-row', { hasText: 'Slab 2' }).tap();
    await page.waitForSelector('.sheet .details >> text=Slab 2');
    // nothing else is in the centre
    await page.getByRole('button', { name: 'Isolate', exact: true }).tap();
    await page.tap('[aria-label=Lower]');
    await expectDrawn(page, 12);
    await page.keyboard.press('f');
    await page.tap('[aria-label^="Move an object"]');
    const moved = (axis: string) => page.getByLabel(`Moved ${axis}, millimetres`).inputValue().then(Number);
    await expect.poll(() => page.locator('.verdict').count()).toBe(1);
    // the card leaves room for it
    const card = (await page.locator('.card').boundingBox())!;
    expect(card.y + card.height).toBeLessThan(middle[1]);
    const before = await restingView(page);
    await slide([middle, beside(50, 10)]);
    await expect.poll(async () => Math.hypot(await moved('X'), await moved('Y'))).toBeGreaterThan(100);
    expect(await moved('Z')).toBe(0);
    expect(viewOf(page)).toEqual(before);
    const went = await moved('X');
    const corner: Finger = beside(-150, 300);
    await slide([corner, [corner[0] + 80, corner[1]]]);
    await expect.poll(() => viewOf(page)!.eye[0]).not.toBe(before.eye[0]);
    expect(await moved('X')).toBe(went);
    expect(faults).toEqual([]);
  });
});
