/** The page without a mouse: names of all controls, contrast, dialogs and lists by keyboard, walking. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restingView, viewOf } from './canvas-pixels.js';
import { executablePath, openBrowser, openPage, type Pages, tellSkipped } from './opened-page.js';
import { type Served, serveBuilding } from './served-building.js';

tellSkipped('the viewer by keys and screen readers');

/** Roles that need a name. */
const NAMED = new Set(
  'application button checkbox combobox dialog link listbox option searchbox slider spinbutton textbox toolbar tree treeitem'.split(
    ' ',
  ),
);

/** In the page: texts with too little contrast to their background, in a theme. */
function faintTexts(theme: string): string[] {
  const { dataset } = document.documentElement;
  const before = dataset['theme'];
  dataset['theme'] = theme;
  const rgba = (text: string) => {
    const [r, g, b, alpha] = (text.replace('srgb', '').match(/[\d.]+/g) ?? []).map(Number);
    const unit = text.startsWith('color(') ? 255 : 1;
    return [unit * r, unit * g, unit * b, alpha ?? 1];
  };
  const part = (x: number) => (x <= 10.31 ? x / 3294.6 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]: number[]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const over = (top: number[], bottom: number[]) => {
    const alpha = top[3];
    return [0, 1, 2].map((k) => alpha * top[k] + (1 - alpha) * bottom[k]);
  };
  const behind = (element: Element | null): number[] => {
    if (!element) return [255, 255, 255];
    const colour = rgba(getComputedStyle(element).backgroundColor);
    return colour[3] === 0 ? behind(element.parentElement) : over(colour, behind(element.parentElement));
  };
  const faint = new Set<string>();
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    const { width, height } = element.getBoundingClientRect();
    if (!own || width < 2 || height < 2 || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('.mark-labels, :disabled, .is-hidden, .is-ghost')) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const [p, q] = [light(over(rgba(style.color), ground)), light(ground)];
    const ratio = (Math.max(p, q) + 0.05) / (Math.min(p, q) + 0.05);
    const isLarge = Number.parseFloat(style.fontSize) >= 24;
    if (ratio < (isLarge ? 3 : 4.5))
      faint.add(
        `${element.className || element.tagName}: ${ratio.toFixed(2)} ${element.textContent?.slice(0, 20)}`,
      );
  }
  dataset['theme'] = before;
  return [...faint];
}

describe.skipIf(!executablePath)('without a mouse', () => {
  let served: Served;
  let browser: Pages;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    served = await serveBuilding('report');
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address, { reducedMotion: 'reduce' }));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const press = (key: string) => page.keyboard.press(key);
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.ariaLabel);

  async function nameless(): Promise<string[]> {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    await session.detach();
    const text = (value: { readonly value?: unknown } | undefined) => String(value?.value ?? '');
    const controls = nodes.filter(({ ignored, role }) => !ignored && NAMED.has(text(role)));
    expect(controls.length).toBeGreaterThan(1);
    return controls.filter(({ name }) => text(name).trim() === '').map(({ role }) => text(role));
  }

  async function closed(): Promise<void> {
    if ((await page.locator('dialog').count()) > 0) await press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  }
  async function dialog(open: () => Promise<unknown>): Promise<void> {
    await closed();
    await open();
    await page.waitForSelector('dialog[open]');
  }

  /** Everything that the page can show, in turn. */
  const SHOWN: readonly (readonly [what: string, open: () => Promise<unknown>])[] = [
    ['clashes, with their filters', () => page.click('[aria-label=Filters]')],
    ['a clash', () => press('n')],
    ['section', () => press('x')],
    ['storeys', () => press('l')],
    ['measuring', () => press('m')],
    ['moving', () => press('o')],
    ['ways', () => press('y')],
    ['keys', () => dialog(() => press('?'))],
    ['matrix', () => dialog(() => press('b'))],
    ['exchange', () => dialog(() => page.click('[aria-label^="Exchange decisions"]'))],
    [
      'objects',
      async () => {
        await closed();
        await page.click('[aria-label=Filters]');
        await page.click('.tabs >> text=Objects');
        await page.locator('#tree').focus();
        await press('Home');
        await press('Enter');
        await page.waitForSelector('.details h2');
      },
    ],
  ];

  test('every control has a name, and texts stand out from what is behind them, light and dark', async () => {
    const wrong: unknown[] = [];
    for (const [what, open] of SHOWN) {
      await open();
      for (const role of await nameless()) wrong.push([what, role]);
      for (const theme of ['light', 'dark']) {
        const faint = await page.evaluate(faintTexts, theme);
        for (const text of faint) wrong.push([what, theme, text]);
      }
    }
    await press('Escape');
    expect(wrong).toEqual([]);
  });

  test('dialogs keep the focus, close with Escape and give the focus back', async () => {
    await page.click('.tabs >> text=Clashes');
    for (const label of ['Keyboard shortcuts', 'Clash matrix', 'Exchange decisions']) {
      const opener = page.locator(`button[aria-label^="${label}"]`);
      await dialog(() => opener.press('Enter')); // also focuses it
      for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Tab']) {
        await press(key);
        const where = await page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.closest('dialog') ? '' : activeElement?.outerHTML.slice(0, 80);
        });
        expect([label, key, where]).toEqual([label, key, '']);
      }
      // keys of the page have no effect meanwhile
      await press('n');
      expect(await page.locator('dialog').count()).toBe(1);
      await closed();
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test('a list and a tree tell where one is', async () => {
    const list = page.getByRole('listbox', { name: 'Clashes' });
    await list.focus();
    await press('Home');
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
    ] as const) {
      await press(key);
      const option = list.getByRole('option', { selected: true });
      expect(await option.getAttribute('aria-posinset')).toBe(`${at + 1}`);
      expect(Number(await option.getAttribute('aria-setsize'))).toBeGreaterThan(6);
      expect(await list.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    }
    await press('/');
    await expect.poll(focused).toBe('object-search');
    const tree = page.getByRole('tree', { name: 'Objects' });
    await tree.focus();
    await press('Home');
    const storey = page.getByRole('treeitem', { name: 'Level 1', level: 1 });
    const isOpen = () => storey.getAttribute('aria-expanded');
    if ((await isOpen()) === 'true') await press('ArrowLeft');
    await expect.poll(isOpen).toBe('false');
    await press('ArrowRight');
    await expect.poll(isOpen).toBe('true');
    await press('ArrowDown');
    const type = page.getByRole('treeitem', { level: 2 }).first();
    expect(await tree.getAttribute('aria-activedescendant')).toBe(await type.getAttribute('id'));
    await press('ArrowLeft');
    await press('ArrowLeft');
    await expect.poll(() => tree.getAttribute('aria-activedescendant')).toBe(await storey.getAttribute('id'));
  });

  test('walks up to a wall, and along it', async () => {
    await page.locator('canvas').focus();
    // a little away from the wall: the address rounds the position, which must not be inside it
    const lookedAlong = () => {
      const [x, y, z] = viewOf(page)!.eye;
      return [x, y - 0.02, z, x - 1, y + 0.98, z];
    };
    const go = (numbers: readonly number[]) =>
      page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        `#view=${[...numbers, 0, 0, 1, 50, 1].join('_')}`,
      );
    await press('2');
    await go([7, 4, 1.6, 7, 5, 1.6]);
    await expect.poll(() => viewOf(page)?.eye[0]).toBeCloseTo(7, 2);
    await page.locator('canvas').focus();
    await page.keyboard.down('w');
    // half of the wall and of the body away from its centre
    const y = () => viewOf(page)!.eye[1];
    await expect.poll(y).toBeGreaterThan(5.55);
    await page.keyboard.up('w');
    expect(y()).toBeLessThan(5.601);
    await go(lookedAlong());
    await page.locator('canvas').focus();
    await page.keyboard.down('w');
    await expect.poll(() => viewOf(page)!.eye[0]).toBeLessThan(6);
    await page.keyboard.up('w');
    const { eye } = await restingView(page);
    expect(eye[1]).toBeLessThan(5.601);
    expect(eye[1]).toBeGreaterThan(5.55);
    expect(eye[2]).toBeCloseTo(1.6, 1);
    await press('1');
    expect(faults).toEqual([]);
  });
});
