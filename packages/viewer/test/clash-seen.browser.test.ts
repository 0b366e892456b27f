/** Clashes hidden in various ways: the page's picture shows their contact curve uncovered. */
import { MemorySource, openStore } from '@impinge/model';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportForViewer } from '../../cli/src/wire/report.js';
import type { Surroundings } from '../src/app/address.js';
import { ExactModel } from '../src/exact/exact-model.js';
import type { Point } from '../src/picture/types.js';
import { type Colour, isBlue, isMark, isOrange, patches, placesOf, viewOf } from './canvas-pixels.js';
import { executablePath, openBrowser, openPage, type Pages, still, tellSkipped } from './opened-page.js';
import { type Served, serveStore } from './served-building.js';
import { box, moved, type Solid, storeBytes } from './small-model.js';

tellSkipped('clashes that are seen');

/** Minimum and maximum. */
type Extent = readonly [min: Point, max: Point];

const BEAM: Extent = [
  [-1.7, -0.3, -0.3],
  [1.7, 0.3, 0.3],
];
const PLATE: Extent = [
  [-0.1, -1.5, -1.5],
  [0.1, 1.5, 1.5],
];
/** A room around them. */
const WALLS: Readonly<Record<string, Extent>> = {
  west: [
    [-2.1, -1.9, -1.9],
    [-2, 1.9, 1.9],
  ],
  east: [
    [2, -1.9, -1.9],
    [2.1, 1.9, 1.9],
  ],
  south: [
    [-1.9, -2.1, -1.9],
    [1.9, -2, 1.9],
  ],
  north: [
    [-1.9, 2, -1.9],
    [1.9, 2.1, 1.9],
  ],
  floor: [
    [-1.9, -1.9, -2.1],
    [1.9, 1.9, -2],
  ],
  ceiling: [
    [-1.9, -1.9, 2],
    [1.9, 1.9, 2.1],
  ],
};

interface Hidden {
  readonly name: string;
  readonly at: Point;
  /** The first two clash. */
  readonly things: readonly (readonly Extent[])[];
  readonly surroundings: Surroundings;
  /** A direction from which the clash is hidden. */
  readonly blocked: Point;
}

const CUT = '75,90,107';
const FAR: Point = [5e5, -4e5, 300];
const walls = (without: string) =>
  Object.entries(WALLS).flatMap(([side, wall]) => (side === without ? [] : [[wall]]));
/** One of the two objects itself hides the contact from all but a few directions. */
const NICHE: readonly Extent[] = ['west', 'east', 'north', 'floor', 'ceiling'].map((side) => WALLS[side]);
const STUB: Extent = [
  [-0.2, 1, -0.2],
  [0.2, 2.05, 0.2],
];

const CASES: readonly Hidden[] = [
  {
    ...{
      name: 'in a closed room that is cut away',
      at: [50, 0, 0],
      things: [[BEAM], [PLATE], ...walls('none')],
    },
    ...{ surroundings: 'cut', blocked: [1, 0.02, 0.02] },
  },
  {
    ...{ name: 'in a closed room of ghosts', at: [70, 0, 0], things: [[BEAM], [PLATE], ...walls('none')] },
    ...{ surroundings: 'ghost', blocked: [1, 0.02, 0.02] },
  },
  {
    ...{ name: 'in a niche of one of the two', at: [90, 0, 0], things: [[STUB], NICHE] },
    ...{ surroundings: 'ghost', blocked: [0.5, -0.8, -0.4] },
  },
  {
    ...{ name: 'far from the origin', at: FAR, things: [[BEAM], [PLATE], ...walls('west')] },
    ...{ surroundings: 'show', blocked: [-0.8, 0.5, -0.4] },
  },
];

/** Boxes as one surface. */
function solidOf(extents: readonly Extent[]): Solid {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [min, max] of extents) {
    const one = box(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    indices.push(...one.indices.map((i) => i + positions.length / 3));
    positions.push(...one.positions.map((x, i) => x + (min[i % 3] + max[i % 3]) / 2));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Objects are named after their case. */
function hiddenBytes(): Promise<Uint8Array> {
  const shapes = CASES.flatMap(({ name, at, things }) =>
    things.map((extents, i) => ({
      ...{ solid: solidOf(extents), poses: [moved(...at)] },
      words: { id: `${name} ${i}`, name: `${name} ${i}` },
    })),
  );
  return storeBytes(shapes, { title: 'hidden' });
}

/** The two objects, their cut faces, and marks. */
const isClash = (one: Colour) => isMark(one) || isOrange(one) || isBlue(one) || one.join() === CUT;

describe.skipIf(!executablePath)('the contact of a clash', () => {
  let served: Served;
  let browser: Pages;
  let page: Page;
  let faults: string[];
  let report: ReportForViewer;
  let exact: ExactModel;
  beforeAll(async () => {
    const bytes = await hiddenBytes();
    exact = new ExactModel(await openStore(new MemorySource(bytes)));
    served = await serveStore(bytes, 'report');
    report = (await (await fetch(new URL('report.json', served.address))).json()) as ReportForViewer;
    browser = await openBrowser();
    ({ page, faults } = await openPage(browser, served.address, {
      viewport: { width: 1100, height: 600 },
      deviceScaleFactor: 1,
      reducedMotion: 'reduce',
    }));
  });
  afterAll(async () => {
    await browser?.close();
    served?.stop();
    await exact?.dispose();
  });

  /** Points along the curve in which two objects meet. */
  async function curveOf(a: number, b: number): Promise<Point[]> {
    const { segments } = await exact.contactCurve(a, b);
    const points: Point[] = [];
    for (let i = 0; i < segments.length; i += 6) {
      for (const share of [0.2, 0.4, 0.6, 0.8]) {
        const at = (k: number) => segments[i + k] + share * (segments[i + 3 + k] - segments[i + k]);
        points.push([at(0), at(1), at(2)]);
      }
    }
    return points;
  }

  /**
   * Shares of the curve: drawn in full width, as where nothing hides it; and surrounded by the two objects and marks
   * only. Where hidden, it is too thin to fill half of five by five pixels.
   */
  async function seen(curve: readonly Point[]): Promise<{ drawn: number; clear: number }> {
    const view = viewOf(page);
    if (!view) return { drawn: 0, clear: 0 };
    const around = await patches(page, await placesOf(page, view, curve), 4);
    const share = (is: (patch: (typeof around)[number]) => boolean) =>
      around.filter(is).length / around.length;
    const inner = [2, 3, 4, 5, 6].flatMap((row) => [2, 3, 4, 5, 6].map((column) => 9 * row + column));
    return {
      drawn: share((patch) => inner.filter((i) => isMark(patch[i])).length >= 12),
      clear: share((patch) => patch.filter((one) => isClash(one)).length > 0.6 * patch.length),
    };
  }

  const go = (link: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, link);

  test.each(CASES)('$name', async ({ name, surroundings, blocked }) => {
    const { clashes, objects } = report.data;
    const numbers = [0, 1].map((i) => objects.findIndex(([, , id]) => id === `${name} ${i}`));
    const clash = clashes.id.findIndex(
      (_, i) => numbers.includes(clashes.a[i]) && numbers.includes(clashes.b[i]),
    );
    expect(clash).toBeGreaterThanOrEqual(0);
    const curve = await curveOf(report.a[clash], report.b[clash]);
    expect(curve.length).toBeGreaterThan(8);

    const link = `#clash=${clashes.id[clash]}&around=${surroundings}`;
    await go(link);
    // the camera moves there, and the exact curve follows
    await expect.poll(async () => (await seen(curve)).drawn).toBeGreaterThan(0.15);
    expect((await seen(curve)).clear).toBeGreaterThan(0.5);

    // the same from a hidden side
    const view = viewOf(page)!;
    const { eye, target } = view;
    const away = Math.hypot(...eye.map((x, k) => x - target[k])) / Math.hypot(...blocked);
    const other = target.map((x, k) => x - away * blocked[k]);
    const numbersOfView = [...other, ...target, 0, 0, 1, view.fieldOfView, view.height];
    const canvas = page.locator('canvas');
    const first = await still(canvas);
    await go(`${link}&view=${numbersOfView.join('_')}`);
    await expect.poll(async () => (await canvas.screenshot()).equals(first)).toBe(false);
    await still(canvas);
    expect((await seen(curve)).drawn).toBeLessThan(0.05);
    expect(faults).toEqual([]);
  });
});
