/**
 * The next clash of a report, in Chromium: from asking for it until the card has drawn a frame from where it is seen,
 * without the flight there; what that takes of the main thread; and when everything in view is there. The card is
 * usually software.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStoreFile } from '@impinge/model/node';
import { chromium } from 'playwright-core';
import { servePage } from '../../../packages/viewer/test/page-server.mjs';
import { findBrowser, missingBrowserNote } from '../../../scripts/setup-browser.mjs';
import { COMMAND, measureScript } from '../measure/measure-child.mjs';
import { CHROMIUM_ARGS, mainThread, PAGE, VIEWPORT } from './page.mjs';

const CLASHES = 50;
const PLANTS = join(import.meta.dirname, '../../../../shared/data/plants');

export async function clashRow({ figures, quick, kept, repetitions }) {
  const name = quick ? 'duplex' : 'hospital';
  figures.begin('clash', `${name}.glb, ${CLASHES} of its clashes one after the other, the rest as ghosts`);
  const model = join(PLANTS, `${name}.glb`);
  if (!existsSync(model)) {
    figures.note(`SKIPPED: ../shared/data/plants/${name}.glb is not there`);
    return;
  }
  const executablePath = findBrowser();
  if (!executablePath) throw new Error(missingBrowserNote());
  const store = join(kept, `${name}.impinge`);
  if (!existsSync(store)) await measureScript(COMMAND, ['pack', model, '--levels', '-o', store]);
  const report = join(kept, `${name}-report`);
  if (!existsSync(report)) await measureScript(COMMAND, ['check', store, '--tolerance', '5mm', '-o', report]);
  const clashes = await someClashes(store, join(report, 'clashes.jsonl'));
  const server = await servePage(PAGE, { 'model.impinge': store });
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  const runs = [];
  for (let run = 0; run < repetitions; run++) runs.push(await measured(browser, server.url, clashes));
  await browser.close();
  await server.close();
  figures.assert(
    runs.every(({ steps }) => steps.every(({ triangles, isComplete }) => triangles > 0 && isComplete)),
    'a clash was not drawn',
  );
  const at = (share, value) =>
    runs.map(({ steps }) => {
      const sorted = steps.map(value).sort((a, b) => a - b);
      return sorted[Math.floor(share * (sorted.length - 1))];
    });
  figures.add(`${name}, ${clashes.length} clashes`, {
    'main thread': { value: at(0.5, ({ busy }) => busy), unit: 'ms' },
    'main thread, 95 %': { value: at(0.95, ({ busy }) => busy), unit: 'ms' },
    'framed and drawn': { value: at(0.5, ({ drawn }) => drawn), unit: 'ms' },
    'framed and drawn, 95 %': { value: at(0.95, ({ drawn }) => drawn), unit: 'ms' },
    'all at 1 pixel': { value: at(0.5, ({ complete }) => complete), unit: 'ms' },
    triangles: { value: Math.max(...at(1, ({ triangles }) => triangles)), unit: '' },
  });
}

/** Evenly over the report, as the page asks for them. */
async function someClashes(store, file) {
  const model = await openStoreFile(store);
  const numbers = new Map();
  for (let i = 0; i < model.objectCount; i++) numbers.set(model.text(i, 'id'), i);
  await model[Symbol.asyncDispose]();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const step = Math.max(1, Math.floor(lines.length / CLASHES));
  return lines
    .filter((_, i) => i % step === 0)
    .slice(0, CLASHES)
    .map((line) => {
      const { a, b, box } = JSON.parse(line);
      const room = 0.4 + 0.6 * Math.hypot(...box.max.map((x, k) => x - box.min[k]));
      const shown = { min: box.min.map((x) => x - room), max: box.max.map((x) => x + room) };
      return { objects: [numbers.get(a.id), numbers.get(b.id)], contact: box, shown };
    });
}

async function measured(browser, url, clashes) {
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  page.on('pageerror', (error) => console.error(error));
  await page.goto(url);
  await page.waitForFunction(() => 'createPicture' in globalThis);
  await page.evaluate(open);
  const taken = await mainThread(page);
  const steps = [];
  for (const clash of clashes) {
    const before = await taken();
    const step = await page.evaluate(next, clash);
    const busy = (await taken()) - before;
    const { complete, isComplete } = await page.evaluate(settled);
    steps.push({ ...step, busy, complete: step.drawn + complete, isComplete });
  }
  await page.close();
  return { steps };
}

/** In the page: the model, all of it. */
async function open() {
  const picture = await globalThis.createPicture(document.getElementById('stage'), 'model.impinge', {
    onFailure: console.error,
  });
  globalThis.picture = picture;
  for (let i = 0; i < 1200 && !picture.stats.sharp; i++) await new Promise((r) => setTimeout(r, 50));
}

/** In the page: until the camera stands there, and the card has drawn a frame; then until everything is there. */
async function next({ objects, contact, shown }) {
  const { picture } = globalThis;
  const gl = picture.canvas.getContext('webgl2');
  const began = performance.now();
  const ofObject = new Uint8Array(picture.objectCount).fill(2);
  objects.forEach((object, i) => {
    ofObject[object] = i;
  });
  picture.setStyles([{ colour: 0xe8700c }, { colour: 0x1f78d8 }, { ghost: true }], ofObject);
  await picture.seeClash(objects, { contact, shown }, [], true);
  await new Promise((resolve) => {
    const end = picture.onFrame(() => {
      end();
      resolve();
    });
  });
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  return { drawn: performance.now() - began, triangles: picture.stats.triangles };
}

/** In the page: until all that is in view is there; how long that took, and whether it came to that. */
async function settled() {
  const { picture } = globalThis;
  const began = performance.now();
  while (!picture.stats.complete && performance.now() - began < 30_000) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { complete: performance.now() - began, isComplete: picture.stats.complete };
}
