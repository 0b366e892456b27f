// Takes the pictures of docs/viewer.md: the plant of the demonstration, checked and served by the command, and the
// gallery, in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { servePage } from '../packages/viewer/test/page-server.mjs';
import { findBrowser, missingBrowserNote } from './setup-browser.mjs';

const ROOT = join(import.meta.dirname, '..');
const IMPINGE = join(ROOT, 'packages/cli/bin/impinge.js');
const LAB = join(ROOT, 'lab/command/dist/main.js');
const PICTURES = join(ROOT, 'docs/pictures');
const SIZE = { width: 1200, height: 720 };
const QUALITY = 0.82;
const STILL_MS = 2000;
/** What is moved, and how far. */
const MOVED = { name: 'tank U02-L1-0340', axis: 'X', millimetres: 900 };

/** The path of a flight, how many steps of it are played, and the one that is shown. */
const FLIGHT = { steps: 300, seed: 3, played: 210, shown: 191 };

/** The scene of a recording, and the frame that is shown. */
const RECORDING = { scene: 'breaking', shown: 45 };

/** What the gallery shows, and for how long it has run by then. */
const GALLERY = { demo: 'tori', milliseconds: 40_000 };

const executablePath = findBrowser();
if (!executablePath) throw new Error(missingBrowserNote());

const folder = mkdtempSync(join(tmpdir(), 'impinge-pictures-'));
const report = join(folder, 'report');
const store = join(folder, 'plant.impinge');
// with levels from the beginning: what replaces the model while it is looked at would put back what is moved
execFileSync(process.execPath, [IMPINGE, 'generate', '-o', store, '--triangles', '300K', '--levels']);
const check = ['check', store, '--clearance', '50mm', '-o', report, '--fail-on', 'never'];
execFileSync(process.execPath, [IMPINGE, ...check], { stdio: 'pipe' });
const flight = join(folder, 'flight.glb');
const fly = [
  'fly',
  store,
  '--wander',
  String(FLIGHT.steps),
  '--seed',
  String(FLIGHT.seed),
  '--record',
  flight,
];
execFileSync(process.execPath, [LAB, ...fly], { stdio: 'pipe' });
const run = join(folder, 'run.glb');
execFileSync(process.execPath, [LAB, 'simulate', RECORDING.scene, '--record', run], { stdio: 'pipe' });
const gallery = await servePage(join(ROOT, 'lab/gallery'), {});
const served = spawn(process.execPath, [IMPINGE, 'view', report, '--no-open']);
const flown = spawn(process.execPath, [IMPINGE, 'view', store, '--replay', flight, '--no-open']);
const ran = spawn(process.execPath, [
  IMPINGE,
  'view',
  '--replay',
  run,
  '--no-open',
  '-o',
  join(folder, 'run'),
]);
const drawing = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...drawing] });
mkdirSync(PICTURES, { recursive: true });
try {
  const flownAt = addressOf(flown);
  const ranAt = addressOf(ran);
  const address = await addressOf(served);
  const page = await browser.newPage({ viewport: SIZE, reducedMotion: 'reduce', colorScheme: 'light' });
  page.setDefaultTimeout(240_000);
  await page.goto(address);
  await settled(page);
  await save(page, 'whole-model');

  await page.keyboard.press('n');
  await page.waitForSelector('.mark-label');
  await settled(page);
  await save(page, 'clash');

  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill(MOVED.name);
  await page.getByRole('treeitem', { name: MOVED.name }).first().click();
  await page.locator('canvas').first().focus();
  for (const key of ['[', ']', 'f', '-', 'o']) await page.keyboard.press(key);
  await page.getByLabel(`Moved ${MOVED.axis}, millimetres`).fill(String(MOVED.millimetres));
  await page.getByLabel(`Moved ${MOVED.axis}, millimetres`).press('Enter');
  await page.getByText('A free place is').waitFor();
  await settled(page);
  await save(page, 'moving');

  await page.goto(await flownAt);
  await settled(page);
  await page.keyboard.press('r');
  await page.waitForFunction(
    (played) => Number(/\d+/.exec(document.querySelector('.replay-step').textContent)[0]) >= played,
    FLIGHT.played,
  );
  await page.keyboard.press('r');
  await page.getByRole('slider', { name: 'Frame' }).fill(String(FLIGHT.shown - 1));
  await page.locator('canvas').first().focus();
  await settled(page);
  await save(page, 'flight');

  await page.goto(await ranAt);
  await page.waitForSelector('.replay-step');
  await page.getByRole('slider', { name: 'Frame' }).fill(String(RECORDING.shown - 1));
  await page.locator('canvas').first().focus();
  await settled(page);
  await save(page, 'recording');

  await page.goto(`${gallery.url}#${GALLERY.demo}`);
  await page.locator('.waiting').waitFor({ state: 'detached' });
  await page.waitForTimeout(GALLERY.milliseconds);
  await page.getByRole('button', { name: 'Pause' }).click();
  await save(page, 'gallery');
} finally {
  await browser.close();
  served.kill();
  flown.kill();
  ran.kill();
  await gallery.close();
  rmSync(folder, { recursive: true, force: true });
}

function addressOf({ stdout, stderr }) {
  return new Promise((resolve, reject) => {
    let said = '';
    stdout.on('data', (text) => {
      said += text;
      const found = /http:\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    stderr.on('data', (text) => reject(new Error(String(text))));
  });
}

/** Everything in view is drawn with all its pixels and samples, and stays so. */
async function settled(page) {
  for (let since = Date.now(); Date.now() - since < STILL_MS; ) {
    await page.waitForTimeout(100);
    const busy = await page.locator('.status-line').getAttribute('aria-busy');
    if (busy !== 'false') since = Date.now();
  }
}

/** As WebP, by the browser itself. */
async function save(page, name) {
  const png = (await page.screenshot()).toString('base64');
  const other = await browser.newPage();
  const webp = await other.evaluate(
    async ([png, quality]) => {
      const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality).split(',')[1];
    },
    [png, QUALITY],
  );
  await other.close();
  const bytes = Buffer.from(webp, 'base64');
  writeFileSync(join(PICTURES, `${name}.webp`), bytes);
  console.log(`${name}.webp: ${Math.round(bytes.length / 1024)} KiB`);
}
