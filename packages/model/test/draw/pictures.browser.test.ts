/** What a browser draws of a closed model with levels, beside what it draws of all its triangles. */
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser } from '../../../gpu/test/browser-page.js';

interface Differences {
  readonly cracks: number;
  readonly beyond: number;
  readonly covered: number;
  readonly shade: number;
}
interface Compared extends Differences {
  readonly missing: readonly { readonly cracks: number; readonly pixelError: number }[];
  readonly levels: number;
  readonly pixelError: number;
  readonly share: number;
}

/** The error, and what the corners of a pixel may add. */
const REACH = 2;
const PATIENCE_MS = 400_000;

const VIEWS = {
  'from afar': { position: [2, -6, 1.5], target: [0, 0, 0], most: 0.1 },
  nearer: { position: [1.2, -2.2, 0.8], target: [0, 0, 0], most: 0.25 },
  'along the surface': { position: [0.2, -1.35, 0.55], target: [0.5, -0.4, 0.9], most: 0.5 },
} as const;

const entry = fileURLToPath(new URL('./picture-page.js', import.meta.url));
describeInBrowser('a bumpy sphere in Chromium', entry, (page) => {
  const levels: number[] = [];
  beforeAll(async () => {
    const { pieces, triangles } = await page.run<{ pieces: number; triangles: number }>('make', 180, 90);
    expect(triangles).toBe(32_040);
    expect(pieces).toBeGreaterThan(60);
  }, PATIENCE_MS);

  test.each(Object.entries(VIEWS))('%s, within a pixel', { timeout: PATIENCE_MS }, async (_, view) => {
    const options = { pixelError: 1 };
    const found = await page.run<Compared>('compare', view.position, view.target, options, REACH);
    expect(found).toMatchObject({ cracks: 0, beyond: 0, pixelError: 1 });
    for (const { cracks, pixelError } of found.missing) {
      expect(cracks).toBe(0);
      expect(pixelError).toBeGreaterThan(1);
      expect(pixelError).toBeLessThan(Infinity);
    }
    expect(found.covered).toBeGreaterThan(5_000);
    expect(found.share).toBeLessThanOrEqual(view.most);
    levels.push(found.levels);
    expect(found.shade).toBeLessThan(4); // of 255
  });

  test('at several levels at once', () => {
    expect(Math.max(...levels)).toBeGreaterThan(2);
  });

  test('within a budget: coarse, and whole', { timeout: PATIENCE_MS }, async () => {
    const { position, target } = VIEWS['along the surface'];
    const options = { pixelError: 0, budget: 2000 };
    const found = await page.run<Compared>('compare', position, target, options, 12);
    expect(found).toMatchObject({ cracks: 0, beyond: 0 });
    expect(found.pixelError).toBeGreaterThan(0.5);
    expect(found.pixelError).toBeLessThan(11);
    expect(found.share).toBeLessThan(0.3);
  });

  test('cracks would be seen', { timeout: PATIENCE_MS }, async () => {
    const { position, target } = VIEWS.nearer;
    const found = await page.run<Differences>('compareCracked', position, target, { pixelError: 1 }, REACH);
    expect(found.cracks).toBeGreaterThan(100);
  });
});
