/**
 * The picture of a plant in Chromium: how soon it is there, what a frame costs the main thread while it turns, draw
 * calls, memory, and what a section plane costs. The card is usually software here, so how long whole frames take says
 * little of others; their ratio does. It also takes cores that the main thread would have: its own processor time
 * counts.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { servePage } from '../../../packages/viewer/test/page-server.mjs';
import { findBrowser, missingBrowserNote } from '../../../scripts/setup-browser.mjs';

const PAGE = join(import.meta.dirname, '../../../packages/viewer/test/page');
const VIEWPORT = { width: 1440, height: 900 };
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Mouse drags that turn the model around about once. */
const DRAGS = 4;
const DRAG_PIXELS = 400;
const DRAG_STEPS = 60;
const DRAG_MS = 2000;

export async function pictureRow({ figures, plant, size, repetitions }) {
  figures.begin('picture', `in Chromium, ${VIEWPORT.width} × ${VIEWPORT.height}`);
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(missingBrowserNote());
  const server = await servePage(PAGE, { 'model.impinge': await plant() });
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  const runs = [];
  for (let run = 0; run < repetitions; run++) runs.push(await measured(browser, server.url));
  await browser.close();
  await server.close();
  const [{ stats }] = runs;
  const each = (value) => runs.map(value);
  const most = Math.max(...each(({ most, orbit }) => Math.max(most, orbit.most)));
  figures.assert(stats.triangles > 1000, 'nothing was drawn');
  figures.add(`plant, ${size}`, {
    'first picture': { value: each(({ first }) => first), unit: 'ms' },
    'all at 1 pixel': { value: each(({ all }) => all), unit: 'ms' },
    'drawn with all samples': { value: each(({ sharp }) => sharp), unit: 'ms' },
    read: { value: stats.bytesRead / 2 ** 20, unit: 'MiB' },
    triangles: { value: stats.triangles, unit: '' },
    'draw calls': { value: Math.max(...each(({ orbit }) => orbit.calls)), unit: '' },
    'main thread': { value: each(({ orbit }) => orbit.busy / orbit.frames), unit: 'ms' },
    'frame, main thread': { value: each(({ orbit }) => orbit.median), unit: 'ms' },
    'frame, main thread, 95 %': { value: each(({ orbit }) => orbit.p95), unit: 'ms' },
    'frames a second': { value: each(({ orbit }) => orbit.frames / orbit.seconds), unit: '' },
    memory: { value: most / 2 ** 20, unit: 'MiB' },
    frame: { value: each(({ sections }) => sections.without), unit: 'ms' },
    'frame with a plane': { value: each(({ sections }) => sections.uncut), unit: 'ms' },
    'frame cut in half': { value: each(({ sections }) => sections.cut), unit: 'ms' },
  });
}

/** Milliseconds of processor time of a page's main thread so far. */
async function mainThread(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
  };
}

async function measured(browser, url) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  page.on('pageerror', (error) => console.error(error));
  await page.goto(url);
  await page.waitForFunction(() => 'createPicture' in globalThis);
  // the first context starts the GPU process, which is the browser's time
  await page.evaluate(() => document.createElement('canvas').getContext('webgl2').getParameter(7938));
  const loading = await page.evaluate(load);
  const taken = await mainThread(page);
  const before = await taken();
  await page.evaluate(watchFrames);
  await turnByMouse(page);
  const orbit = await page.evaluate(framesSeen);
  orbit.busy = (await taken()) - before;
  const sections = await page.evaluate(cutting);
  await page.close();
  return { ...loading, orbit, sections };
}

/** In the page: time until something is drawn, and until everything is loaded at a pixel's error. */
async function load() {
  const began = performance.now();
  const picture = await globalThis.createPicture(document.getElementById('stage'), 'model.impinge', {
    onFailure: console.error,
  });
  globalThis.picture = picture;
  const opened = performance.now() - began;
  let [first, most] = [0, 0];
  await new Promise((resolve) => {
    picture.onFrame(() => {
      const { triangles, complete, gpuBytes, memoryBytes } = picture.stats;
      most = Math.max(most, gpuBytes + memoryBytes);
      if (first === 0 && triangles > 0) first = performance.now() - began;
      if (complete) resolve();
    });
  });
  const [all, { stats }] = [performance.now() - began, picture];
  while (!picture.stats.sharp) await new Promise((resolve) => setTimeout(resolve, 20));
  return { opened, first, all, sharp: performance.now() - began, most, stats };
}

/**
 * Drags the model around like a user. Events go to the browser directly, and waits are here: Playwright's own would use
 * the page's main thread.
 */
async function turnByMouse(page) {
  const session = await page.context().newCDPSession(page);
  const [middle, y] = [VIEWPORT.width / 2, VIEWPORT.height / 2];
  const mouse = (type, share) =>
    session.send('Input.dispatchMouseEvent', {
      type,
      x: middle + DRAG_PIXELS * (share - 0.5),
      y,
      button: 'left',
      buttons: type === 'mouseReleased' ? 0 : 1,
      clickCount: 1,
    });
  for (let drag = 0; drag < DRAGS; drag++) {
    await mouse('mousePressed', 0);
    for (let i = 1; i <= DRAG_STEPS; i++) {
      await mouse('mouseMoved', i / DRAG_STEPS);
      await delay(DRAG_MS / DRAG_STEPS);
    }
    await mouse('mouseReleased', 1);
  }
  await session.detach();
}

/** In the page: records every frame from now on. */
function watchFrames() {
  const { picture } = globalThis;
  const seen = { times: [], calls: 0, most: 0, began: performance.now(), end: undefined };
  seen.end = picture.onFrame(() => {
    const { frameMs, drawCalls, gpuBytes, memoryBytes } = picture.stats;
    seen.times.push(frameMs);
    seen.calls = Math.max(seen.calls, drawCalls);
    seen.most = Math.max(seen.most, gpuBytes + memoryBytes);
  });
  globalThis.seen = seen;
}

/** In the page: the recorded frames. */
function framesSeen() {
  const { times, calls, most, began, end } = globalThis.seen;
  end();
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))];
  return { median: at(0.5), p95: at(0.95), frames: times.length, seconds, calls, most };
}

/**
 * In the page: time until a change is on the screen with all samples, including the GPU's work, without and with a
 * section plane.
 */
async function cutting() {
  const { picture } = globalThis;
  const { box } = picture;
  const gl = picture.canvas.getContext('webgl2');
  const whole = async () => {
    const times = [];
    for (let i = 0; i < 5; i++) {
      const began = performance.now();
      picture.invalidate();
      do await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      while (!picture.stats.sharp);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      times.push(performance.now() - began);
    }
    return times.sort((a, b) => a - b)[2];
  };
  picture.fit(box, [0.5, 0.7, -0.4]);
  for (let i = 0; i < 600 && !picture.stats.complete; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const without = await whole();
  // beyond the box: everything is drawn, and everything is tested
  picture.setSections([{ normal: [0, 0, 1], offset: box.max[2] + 1 }]);
  const uncut = await whole();
  picture.setSections([{ normal: [0, 0, 1], offset: (box.min[2] + box.max[2]) / 2 }]);
  const cut = await whole();
  picture.setSections([]);
  return { without, uncut, cut };
}
