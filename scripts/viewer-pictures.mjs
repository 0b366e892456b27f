// Takes the pictures of docs/viewer.md: the plant of the demonstration, checked and served by the command, in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser, missingBrowserNote } from './setup-browser.mjs';

const ROOT = join(import.meta.dirname, '..');
const IMPINGE = join(ROOT, 'packages/cli/bin/impinge.js');
const PICTURES = join(ROOT, 'docs/pictures');
const SIZE = { width: 1200, height: 720 };
const QUALITY = 0.82;

const executablePath = findBrowser();
if (!executablePath) throw new Error(missingBrowserNote());

const folder = mkdtempSync(join(tmpdir(), 'impinge-pictures-'));
const report = join(folder, 'report');
execFileSync(process.execPath, [IMPINGE, 'demo', '-o', report], { stdio: 'pipe' });
const served = spawn(process.execPath, [IMPINGE, 'view', report, '--no-open']);
const drawing = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...drawing] });
mkdirSync(PICTURES, { recursive: true });
try {
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
} finally {
  await browser.close();
  served.kill();
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

/** Everything in view is read and drawn. */
async function settled(page) {
  await page.waitForFunction(() => {
    const line = document.querySelector('.status-line');
    // levels may still be made, which takes long on a busy machine
    return line?.querySelector('b') && /^$|^levels/.test(line.querySelector('.waiting')?.textContent ?? '');
  });
  await page.waitForTimeout(1500);
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
