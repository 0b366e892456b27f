/** The pixels of a page's picture at points of the model. */
import type { Page } from 'playwright-core';
import { readAddress } from '../src/app/address.js';
import { axesOf, stateOf } from '../src/picture/camera-state.js';
import type { Point, View } from '../src/picture/types.js';
import { dot, subtract } from '../src/picture/vectors.js';

export type Colour = readonly [red: number, green: number, blue: number];

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The view in the address; null if there is none yet. */
export function viewOf(page: Page): View | null {
  return readAddress(new URL(page.url()).hash).view;
}

/** The view in the address once it stops changing: a busy page updates it late. */
export async function restingView(page: Page): Promise<View> {
  for (let before: string | undefined; ; ) {
    await page.waitForTimeout(700);
    const view = viewOf(page);
    const now = JSON.stringify(view);
    if (view && now === before) return view;
    before = now;
  }
}

/** The positions of points on the canvas, in CSS pixels. */
export async function placesOf(page: Page, view: View, points: readonly Point[]): Promise<Place[]> {
  const { width, height } = (await page.locator('canvas').boundingBox())!;
  const state = stateOf(view);
  const { right, up, forward } = axesOf(state);
  const scale = height / 2 / Math.tan(state.fieldOfView / 2);
  return points.map((point) => {
    const way = subtract(point, state.eye);
    const deep = dot(way, forward);
    return {
      x: width / 2 + (scale * dot(way, right)) / deep,
      y: height / 2 - (scale * dot(way, up)) / deep,
    };
  });
}

/** The pixels around positions of the canvas, `radius` to each side, without labels. */
export async function patches(page: Page, places: readonly Place[], radius: number): Promise<Colour[][]> {
  await page.evaluate(() => {
    for (const label of document.querySelectorAll<HTMLElement>('.mark-label'))
      label.style.visibility = 'hidden';
  });
  const shot = await page.locator('canvas').screenshot();
  const found = await page.evaluate(
    async ([bytes, places, radius]) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))]));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d', {
        willReadFrequently: true,
      })!;
      context.drawImage(image, 0, 0);
      const size = 2 * radius + 1;
      return places.map(({ x, y }) => [
        ...context.getImageData(Math.round(x) - radius, Math.round(y) - radius, size, size).data,
      ]);
    },
    [shot.toString('base64'), places, radius] as const,
  );
  return found.map((numbers) =>
    Array.from(
      { length: numbers.length / 4 },
      (_, i): Colour => [numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2]],
    ),
  );
}

export const isOrange = ([r, g, b]: Colour) => r > 1.25 * g && g > 1.3 * b;
export const isBlue = ([r, g, b]: Colour) => b > 1.2 * g && g > 1.2 * r;
/** Lines and arrows over a clash. */
export const isMark = ([r, g, b]: Colour) => r > 1.6 * b && b > 2 * g;
