/** The picture on its own page: known scenes, and movements of the camera. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { createPicture } from '../src/picture/create-picture.js';
import type { Picture } from '../src/picture/picture.js';
import type { Mark, ObjectStyle, PictureOptions, Point, SectionPlane, View } from '../src/picture/types.js';
import { executablePath, openBrowser, type Pages, tellSkipped } from './chromium.js';
// @ts-expect-error a script without declarations
import { servePage } from './page-server.mjs';
import { ball, box, moved, type StoreShape, storeBytes } from './small-model.js';

tellSkipped('the picture in a browser');

const PATIENCE_MS = 120_000;
const FAR: Point = [5e6, -4e6, 300];
const ORANGE = 0xff8800;
const BLUE = 0x0055cc;
/** Of a snapshot. */
const SIZE = 120;
const BACKGROUND = [0xf2, 0xf4, 0xf6];
const CUT = [0x4b, 0x5a, 0x6b];

/** In the page. */
declare const picture: Picture;
declare const window: Window & {
  picture: Picture;
  createPicture: typeof createPicture;
  failures: string[];
  most: number;
  requestAnimationFrame: typeof requestAnimationFrame;
};

/** Towards +x, at both boxes: the small one in front of the large one. */
function front([x, y, z]: Point): View {
  return {
    eye: [x - 6, y + 0.5, z + 0.5],
    target: [x, y + 0.5, z + 0.5],
    up: [0, 0, 1],
    fieldOfView: 40,
    height: 4,
  };
}

describe.skipIf(!executablePath)('the picture', { timeout: PATIENCE_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-picture-'));
  let browser: Pages;
  let page: Page;
  let served: { url: string; close: () => Promise<void> };
  const problems: string[] = [];

  beforeAll(async () => {
    const stores: Record<string, string> = {};
    const store = async (name: string, shapes: readonly StoreShape[], levels = false) => {
      stores[name] = join(folder, name);
      writeFileSync(stores[name], await storeBytes(shapes, { levels, pieceTriangles: 512 }));
    };
    const boxes = ([x, y, z]: Point) => [
      { solid: box(1, 1, 1), poses: [moved(x + 0.5, y + 0.5, z + 0.5)] },
      { solid: box(1, 3, 3), poses: [moved(x + 3.5, y + 0.5, z + 0.5)] },
    ];
    await store('near.impinge', boxes([0, 0, 0]));
    await store('far.impinge', boxes(FAR), true);
    // a millimetre apart
    await store('plates.impinge', [
      { solid: box(0.001, 8, 8), poses: [moved(0.0005, 0, 0)] },
      { solid: box(0.001, 8, 8), poses: [moved(0.0025, 0, 0)] },
    ]);
    const grid = Array.from({ length: 288 }, (_, i) => moved(2.5 * (i % 17), 2.5 * Math.floor(i / 17), 0));
    await store('balls.impinge', [{ solid: ball(1, 36), poses: grid }]);
    await store('level-balls.impinge', [{ solid: ball(1, 36), poses: grid }], true);
    served = await servePage(join(import.meta.dirname, 'page'), stores);
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 320, height: 240 }, hasTouch: true });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(served.url);
    await page.waitForFunction(() => 'createPicture' in window);
  }, PATIENCE_MS);
  afterEach(() => expect(problems).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Replaces the picture by one of this store. */
  async function open(store: string, options: PictureOptions = {}): Promise<void> {
    await page.evaluate(
      async ([store, options]) => {
        window.picture?.dispose();
        window.failures = [];
        window.most = 0;
        const onFailure = (message: string) => window.failures.push(message);
        const element = document.getElementById('stage')!;
        const picture = await window.createPicture(element, store, { ...options, onFailure });
        window.picture = picture;
        picture.onFrame(() => {
          const { gpuBytes, memoryBytes } = picture.stats;
          window.most = Math.max(window.most, gpuBytes + memoryBytes);
        });
      },
      [store, options] as const,
    );
  }
  const settled = () =>
    page.waitForFunction(() => picture.stats.complete, undefined, { timeout: PATIENCE_MS });

  interface Setting {
    readonly styles?: readonly ObjectStyle[];
    readonly sections?: readonly SectionPlane[];
  }
  /** The pixels of a snapshot, row by row from the top; style i for object i. */
  async function seen(view: View, { styles, sections = [] }: Setting = {}): Promise<number[]> {
    return page.evaluate(
      async ([view, styles, sections, size]) => {
        picture.setStyles(
          styles,
          Uint8Array.from(styles, (_, i) => i),
        );
        picture.setSections(sections);
        const image = await createImageBitmap(await picture.snapshot(view, size, size));
        const context = new OffscreenCanvas(size, size).getContext('2d')!;
        context.drawImage(image, 0, 0);
        return [...context.getImageData(0, 0, size, size).data];
      },
      [view, styles ?? [{ colour: ORANGE }, { colour: BLUE }], sections, SIZE] as const,
    );
  }
  /** At a share of the width and the height. */
  const pixel = (pixels: readonly number[], x: number, y: number) => {
    const from = 4 * (Math.floor(y * SIZE) * SIZE + Math.floor(x * SIZE));
    return pixels.slice(from, from + 3);
  };
  const isOrange = ([r, g, b]: readonly number[]) => r > 1.4 * g && g > 2 * b;
  const isBlue = ([r, g, b]: readonly number[]) => b > 1.5 * g && g > 2 * r;
  const pick = (x: number, y: number) => page.evaluate(([x, y]) => picture.pick(x, y), [x, y] as const);
  const look = (view: View) => page.evaluate((view) => picture.look(view), view);

  test('shows a box in front of another, with hidden ones, ghosts, sections and moves', async () => {
    await open('near.impinge');
    await settled();
    const view = front([0, 0, 0]);
    const plain = await seen(view);
    expect(pixel(plain, 0.5, 0.5)).toSatisfy(isOrange);
    expect(pixel(plain, 0.3, 0.5)).toSatisfy(isBlue);
    expect(pixel(plain, 0.5, 0.3)).toSatisfy(isBlue);
    expect(pixel(plain, 0.05, 0.05)).toEqual(BACKGROUND);
    const hidden = await seen(view, { styles: [{ hidden: true }, { colour: BLUE }] });
    expect(pixel(hidden, 0.5, 0.5)).toSatisfy(isBlue);
    // a ghost hides nothing, and is visible in front of the background
    const ghost = await seen(view, { styles: [{ ghost: true, colour: ORANGE }, { colour: BLUE }] });
    expect(pixel(ghost, 0.5, 0.5)).toSatisfy(isBlue);
    const alone = await seen(view, { styles: [{ ghost: true, colour: ORANGE }, { hidden: true }] });
    const [r, , b] = pixel(alone, 0.5, 0.5);
    expect(r - b).toBeGreaterThan(8);
    expect(b).toBeGreaterThan(150);
    // the front half of the small box is cut away, which shows its inside
    const sections = [{ normal: [-1, 0, 0] as Point, offset: -0.5 }];
    const cut = await seen(view, { sections });
    expect(pixel(cut, 0.5, 0.5)).toEqual(CUT);
    expect(pixel(cut, 0.3, 0.5)).toSatisfy(isBlue);
    await page.evaluate((pose) => picture.move(0, Float64Array.from(pose)), [...moved(0.5, 1.9, 0.5)]);
    const elsewhere = await seen(view);
    expect(pixel(elsewhere, 0.5, 0.5)).toSatisfy(isBlue);
    expect(pixel(elsewhere, 0.2, 0.5)).toSatisfy(isOrange);
    await page.evaluate(() => picture.move(0, null));
    expect(await seen(view)).toEqual(plain);
  });

  test('says what is under the pointer, and where', async () => {
    await look(front([0, 0, 0]));
    await settled();
    const middle = (await pick(160, 120))!;
    expect(middle.object).toBe(0);
    expect(middle.point[0]).toBeCloseTo(0, 5);
    expect(middle.point[1]).toBeCloseTo(0.5, 1);
    expect(middle.normal[0]).toBeCloseTo(-1, 5);
    const beside = (await pick(160 - 45, 120))!;
    expect(beside.object).toBe(1);
    expect(beside.point[0]).toBeCloseTo(3, 5);
    expect(await pick(5, 5)).toBeUndefined();
    await page.evaluate(() => picture.setStyles([{ hidden: true }, {}], Uint8Array.of(0, 1)));
    expect((await pick(160, 120))!.object).toBe(1);
    await page.evaluate(() => picture.setStyles([{ ghost: true }, {}], Uint8Array.of(0, 1)));
    expect((await pick(160, 120))!.object).toBe(1);
    await page.evaluate(() => picture.setStyles([{}, {}], Uint8Array.of(0, 1)));
  });

  test('turns around and zooms to what is under the pointer, by mouse and keys', async () => {
    await look(front([0, 0, 0]));
    await settled();
    const before = (await pick(170, 110))!.point;
    const distance = (eye: Point) => Math.hypot(...before.map((x, k) => x - eye[k]));
    const eye = () => page.evaluate(() => picture.view.eye);
    const start = await eye();
    await page.mouse.move(170, 110);
    await page.mouse.down();
    // wait until the point is known
    await pick(170, 110);
    await page.mouse.move(200, 120, { steps: 3 });
    await page.mouse.up();
    const turned = await eye();
    expect(Math.hypot(...turned.map((x, k) => x - start[k]))).toBeGreaterThan(0.5);
    expect(distance(turned)).toBeCloseTo(distance(start), 2);
    await page.evaluate(() => picture.fit(picture.boxOf(0), [1, 0, 0]));
    const far = distance(await eye());
    await page.mouse.move(160, 120);
    await page.mouse.wheel(0, -200);
    await page.waitForFunction((far) => Math.hypot(...picture.view.eye) < far + 10, far);
    expect(distance(await eye())).toBeLessThan(0.9 * far);
    await look(front([0, 0, 0]));
    // keys
    await page.locator('canvas').focus();
    const x = (await eye())[0];
    await page.keyboard.press('+');
    expect((await eye())[0]).toBeGreaterThan(x);
  });

  test('of clashes that are asked for one after the other, the last one is seen, and none but it', async () => {
    await open('near.impinge');
    await settled();
    const { went, frames, far } = await page.evaluate(async () => {
      const boxes = [0, 1].map((object) => picture.boxOf(object));
      const see = (i: number) => picture.seeClash([0, 1], { contact: boxes[i], shown: boxes[i] });
      let frames = 0;
      const end = picture.onFrame(() => frames++);
      picture.setStyles([{}, { ghost: true }], new Uint8Array(picture.objectCount).fill(1));
      const went = await Promise.all([see(0), see(1)]);
      end();
      const { min, max } = boxes[1];
      const { target } = picture.view;
      return { went, frames, far: Math.hypot(...target.map((x, k) => x - (min[k] + max[k]) / 2)) };
    });
    expect(went).toEqual([false, true]);
    expect(frames).toBe(0);
    expect(far).toBeLessThan(1e-6);
    await page.evaluate(() => picture.setStyles([{}], new Uint8Array(picture.objectCount)));
    await settled();
  });

  test('draws nothing while nothing changes', async () => {
    await settled();
    const frames = await page.evaluate(async () => {
      const turn = () => new Promise((resolve) => setTimeout(resolve, 50));
      for (let i = 0; i < 6; i++) await turn();
      let frames = 0;
      const asked = requestAnimationFrame;
      window.requestAnimationFrame = (callback) => {
        frames++;
        return asked(callback);
      };
      for (let i = 0; i < 6; i++) await turn();
      const idle = frames;
      picture.invalidate();
      window.requestAnimationFrame = asked;
      return [idle, frames];
    });
    expect(frames).toEqual([0, 1]);
  });

  test('marks are seen, through what hides them, too', async () => {
    const points = [0.5, 0.5, -1, 0.5, 0.5, 3];
    const marks = (colour: number): Omit<Mark, 'points'>[] => [{ kind: 'line', colour, label: 'here' }];
    await page.evaluate(
      ([marks, points]) =>
        picture.setMarks(marks.map((mark) => ({ ...mark, points: Float64Array.from(points) }))),
      [marks(0x00ff00), points] as const,
    );
    const pixels = await seen(front([0, 0, 0]));
    const green = (y: number) => {
      const [r, g, b] = pixel(pixels, 0.5, y);
      return g > 150 && r < 140 && b < 140;
    };
    // above the box, where nothing hides the mark
    expect(green(0.2)).toBe(true);
    const column = Array.from({ length: 40 }, (_, i) => green(0.38 + (0.24 * i) / 40));
    expect(column).toContain(true); // dashes
    expect(column).toContain(false);
    expect(await page.locator('.mark-label').textContent()).toBe('here');
    await page.evaluate(() => picture.setMarks([]));
    expect(await page.locator('.mark-label').count()).toBe(0);
  });

  test('after the context was lost everything is there again', async () => {
    const view = front([0, 0, 0]);
    const before = await seen(view);
    await page.evaluate(async () => {
      const { canvas } = picture;
      const event = (name: string) => new Promise((resolve) => canvas.addEventListener(name, resolve));
      const loses = canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!;
      const lost = event('webglcontextlost');
      loses.loseContext();
      await lost;
      const restored = event('webglcontextrestored');
      setTimeout(() => loses.restoreContext(), 0);
      await restored;
    });
    await settled();
    expect(await seen(view)).toEqual(before);
    expect((await pick(160, 120)) !== undefined).toBe(true);
    // messages of the browser and of three about the lost context
    const said = problems.splice(0).filter((text) => !/context/i.test(text));
    expect(said).toEqual([]);
  });

  test('looks the same five thousand kilometres from the origin', async () => {
    const near = await seen(front([0, 0, 0]));
    await open('far.impinge');
    await settled();
    const far = await seen(front(FAR));
    const other = near.filter((value, i) => Math.abs(value - far[i]) > 24).length;
    expect(other).toBeLessThan(0.002 * near.length);
    await look(front(FAR));
    await settled();
    const { object, point } = (await pick(160, 120))!;
    expect(object).toBe(0);
    expect(Math.abs(point[0] - FAR[0])).toBeLessThan(1e-4);
  });

  test('what is a millimetre in front hides what is behind, from 400 metres away', async () => {
    await open('plates.impinge');
    await settled();
    const view: View = { eye: [-400, 30, 60], target: [0, 0, 0], up: [0, 0, 1], fieldOfView: 1, height: 8 };
    for (const fieldOfView of [1, 0]) {
      const pixels = await seen({ ...view, fieldOfView });
      const places = Array.from({ length: 400 }, (_, i) => [
        0.3 + 0.02 * (i % 20),
        0.3 + 0.02 * Math.floor(i / 20),
      ]);
      expect(places.every(([x, y]) => isOrange(pixel(pixels, x, y)))).toBe(true);
    }
  });

  test.each([
    ['balls.impinge', false],
    ['level-balls.impinge', true],
  ])('never takes more memory than it was given (%s)', async (store, hasLevels) => {
    // room for one of the slabs that everything would need
    const memory = 70e6;
    await open(store, { memory });
    await page.evaluate(() => picture.fit(picture.box, [0, 0.01, -1]));
    await page.waitForFunction(
      (hasLevels) => (hasLevels ? picture.stats.complete : picture.stats.leftOut > 0),
      hasLevels,
      { timeout: PATIENCE_MS },
    );
    for (const from of [
      [1, 0, -0.2],
      [0, 1, -0.2],
      [-1, 0.5, -1],
    ] as Point[]) {
      await page.evaluate((from) => picture.fit(picture.boxOf(0), from), from);
      await expect
        .poll(async () => (await pick(160, 120))?.object, { timeout: PATIENCE_MS, interval: 200 })
        .toBe(0);
    }
    const { most, failures } = await page.evaluate(() => ({
      most: window.most,
      failures: window.failures,
    }));
    expect(failures).toEqual([]);
    expect(most).toBeGreaterThan(12e6);
    expect(most).toBeLessThanOrEqual(memory);
  });

  test('a card that was too slow while the camera moved shows everything once it rests', {
    timeout: 4 * PATIENCE_MS,
  }, async () => {
    await open('balls.impinge');
    // a quarter of them is too much for software rendering, too
    await page.evaluate(() =>
      picture.setStyles(
        [{}, { hidden: true }],
        Uint8Array.from({ length: picture.objectCount }, (_, i) => (i % 4 === 0 ? 0 : 1)),
      ),
    );
    await settled();
    await page.evaluate(async () => {
      for (let i = 0; i < 6; i++) {
        picture.fit(picture.box, [Math.cos(i), Math.sin(i), -0.7]);
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    await page.waitForFunction(() => picture.stats.sharp, undefined, { timeout: 2 * PATIENCE_MS });
    const differing = await page.evaluate(async () => {
      const { canvas, view } = picture;
      const { width, height } = canvas;
      const pixels = (image: CanvasImageSource) => {
        const context = new OffscreenCanvas(width, height).getContext('2d')!;
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, width, height).data;
      };
      // the screen can be read only while it is drawn: draw once more, in parts as before
      const onScreen = await new Promise<Uint8ClampedArray>((resolve) => {
        picture.invalidate();
        const end = picture.onFrame(() => {
          if (!picture.stats.sharp) return;
          end();
          resolve(pixels(canvas));
        });
        picture.look(view);
      });
      const whole = pixels(await createImageBitmap(await picture.snapshot(view, width, height)));
      return whole.filter((value, i) => value !== onScreen[i]).length;
    });
    expect(differing).toBe(0);
  });

  test('a store that is not there is one line for people', async () => {
    const message = await page.evaluate(() =>
      window.createPicture(document.createElement('div'), 'none.impinge').catch((error) => error.message),
    );
    expect(message).toMatch(/none\.impinge: cannot be read: the server says 404/);
    problems.length = 0; // the browser reports the 404, too
  });
});
