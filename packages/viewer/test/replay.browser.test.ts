/** Recordings in the page of `impinge view`: played, paused, scrubbed, with hits, contacts and sleep. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordingBytes } from '../../cli/test/recording-file.js';
import { cloth } from '../../dynamics/src/bodies/cloth.js';
import { rigidBody } from '../../dynamics/src/bodies/rigid-body.js';
import { fixedBody } from '../../dynamics/src/bodies/scenery.js';
import { Simulation } from '../../dynamics/src/bodies/simulation.js';
import { Recording } from '../../dynamics/src/recording/recording.js';
import {
  executablePath,
  openBrowser,
  openPage,
  type Pages,
  settled,
  still,
  tellSkipped,
} from './opened-page.js';
import { type Served, serveRecording, serveStore } from './served-building.js';
import { ball, box, moved, storeBytes } from './small-model.js';

tellSkipped('flights in a browser');

const STEPS = 12;
/** A ball flies along X; from frame 6 on it hits the wall. */
const BYTES = recordingBytes(
  STEPS,
  {
    flight: {
      ...{ model: 'house.impinge', metresPerUnit: 1 },
      steps: Array.from({ length: STEPS }, (_, i) => ({
        hits: i < 6 ? [] : [{ object: 1, point: [0.2 * i - 2, 0, 1], distance: [0, 0] }],
        ...{ collideMs: 0.1 * (i + 1), prefetchMs: 0.01 },
      })),
    },
  },
  ball(0.3, 8),
  [-2, 1, 0],
);

describe.skipIf(!executablePath)('a flight', () => {
  let browser: Pages;
  let served: Served;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    const bytes = await storeBytes(
      [
        { solid: box(8, 8, 0.2, 2), poses: [moved(0, 0, -0.1)] },
        { solid: box(0.2, 4, 3, 2), poses: [moved(0, 0, 1.5)] },
      ],
      { levels: true },
    );
    served = await serveStore(bytes, 'model', (folder) => {
      const path = join(folder, 'flight.glb');
      writeFileSync(path, BYTES);
      return ['--replay', path];
    });
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });

  const text = (selector: string) => page.locator(selector).textContent();
  const slider = () => page.getByRole('slider', { name: 'Frame' });

  test('is played to its end, with the time of drawing each step, and played again', async () => {
    expect(await text('.replay-step')).toBe(`Frame 1 of ${STEPS}`);
    expect(await text('.replay-hits')).toBe('no hit');
    expect(await text('.replay-times .render')).toBe('render –');
    expect(await text('.replay-times .collide')).toBe('collide 0.1 ms');
    await page.getByRole('button', { name: 'Play or pause (r)' }).click();
    await expect.poll(() => text('.replay-step')).toBe(`Frame ${STEPS} of ${STEPS}`);
    await expect.poll(() => text('.replay-times .render')).toMatch(/^render [\d.]+ ms$/);
    expect(await text('.replay-hits')).toBe('1 object hit');
    const line = await page.locator('.replay-chart .render').getAttribute('d');
    expect(line!.match(/L/g)).toHaveLength(STEPS - 2); // all but the first were drawn while playing
    await page.locator('canvas').focus();
    await page.keyboard.press('r');
    await expect.poll(() => text('.replay-step')).not.toBe(`Frame ${STEPS} of ${STEPS}`);
    await expect.poll(() => text('.replay-step')).toBe(`Frame ${STEPS} of ${STEPS}`);
    expect(faults).toEqual([]);
  });

  test('is scrubbed; its body moves, and the camera goes along if it should', async () => {
    await page.getByLabel('Follow').uncheck();
    await slider().fill('9'); // near the last, where the camera is
    const canvas = page.locator('canvas');
    const first = await pictured(page);
    await page.getByRole('button', { name: 'One frame forward' }).click();
    expect(await text('.replay-step')).toBe(`Frame 11 of ${STEPS}`);
    await settled(page);
    const second = await pictured(page);
    expect(second.equals(first)).toBe(false);
    await slider().fill('6');
    await still(canvas);
    const before = page.url();
    await page.getByLabel('Follow').check();
    await slider().fill('9');
    await expect.poll(() => page.url()).not.toBe(before); // the view is in the address
    await page.getByLabel('Follow').uncheck();
    await slider().fill('0');
    await page.getByRole('button', { name: 'One frame back' }).isDisabled();
    expect(faults).toEqual([]);
  });

  test('is in the help', async () => {
    await page.locator('canvas').focus();
    await page.keyboard.press('?');
    await page.getByText('Play or pause').waitFor();
    await page.keyboard.press('Escape');
    expect(faults).toEqual([]);
  });
});

/** The picture without what lies over it. */
async function pictured(page: Page): Promise<Buffer> {
  const show = (visibility: string) =>
    page.locator('.replay').evaluate((bar, value) => {
      (bar as HTMLElement).style.visibility = value;
    }, visibility);
  await show('hidden');
  const picture = await still(page.locator('canvas'));
  await show('');
  return picture;
}

/** Crates fall onto a floor and sleep; a cloth falls, too. */
function simulated(): Uint8Array {
  const simulation = new Simulation({ dt: 1 / 60, thickness: 0.002, contactEvents: true });
  const floor = {
    name: 'floor',
    positions: [-2, 0, -2, 2, 0, -2, -2, 0, 2, 2, 0, 2],
    indices: [0, 2, 1, 1, 2, 3],
  };
  const crate = rigidBody(
    { name: 'crate', min: [-0.3, -0.3, -0.3], max: [0.3, 0.3, 0.3] },
    { position: [1, 1, 0] },
  );
  const second = crate.copy({ name: 'second', position: [-1, 0.31, 0] });
  const sheet = {
    name: 'sheet',
    positions: [-1, 1.5, 1, 0, 1.5, 1, -1, 1.5, 2, 0, 1.5, 2],
    indices: [0, 2, 1, 1, 2, 3],
  };
  for (const one of [fixedBody(floor), crate, second, cloth(sheet)]) simulation.add(one);
  const recording = new Recording(simulation);
  recording.take();
  for (let step = 1; step <= 120; step++) {
    simulation.step();
    if (step % 6 === 0) recording.take();
  }
  simulation.dispose();
  return recording.toBytes();
}

describe.skipIf(!executablePath)('a simulation', () => {
  let browser: Pages;
  let served: Served;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    served = await serveRecording(simulated());
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
  });
  const text = (selector: string) => page.locator(selector).textContent();
  const slider = () => page.getByRole('slider', { name: 'Frame' });

  test('is scrubbed: bodies move, contacts are marked, those that sleep are pale and counted', async () => {
    expect(await text('.replay-hits')).toBe('0 contacts, 0 of 3 bodies asleep');
    const first = await pictured(page);
    await slider().fill('20');
    expect(await text('.replay-step')).toBe('Frame 21 of 21');
    expect(await text('.replay-hits')).toMatch(/^[1-9]\d* contacts, [2-3] of 3 bodies asleep$/);
    const marked = await pictured(page);
    expect(marked.equals(first)).toBe(false);
    await page.getByRole('checkbox', { name: 'Contacts' }).uncheck();
    const unmarked = await pictured(page);
    expect(unmarked.equals(marked)).toBe(false);
    await slider().fill('0');
    expect((await pictured(page)).equals(first)).toBe(true);
    expect(await page.getByLabel('Follow').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('is played to its end; bodies are hidden by the list of objects', async () => {
    await page.getByRole('button', { name: 'Play or pause (r)' }).click();
    await expect.poll(() => text('.replay-step')).toBe('Frame 21 of 21');
    const before = await pictured(page);
    await page.getByRole('searchbox').fill('second');
    await page.getByRole('treeitem', { name: 'second' }).first().click();
    const selected = await pictured(page);
    expect(selected.equals(before)).toBe(false);
    await page.locator('canvas').focus();
    await page.keyboard.press('h');
    expect((await pictured(page)).equals(selected)).toBe(false);
    expect(faults).toEqual([]);
  });
});
