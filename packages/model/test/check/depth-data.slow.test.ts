/** Depths of organs, whose surfaces run alongside each other: known to the hundredth, and decided at any tolerance. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readMeshes } from 'impinge/formats';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { describe, expect, test } from 'vitest';
import { every } from '../../../../test/budget.js';
import { sharedData } from '../../../../test/shared-data.js';
import { worldObjects } from '../../../../test/world-objects.js';
import type { ClashMeasure } from '../../src/check/clash.js';
import { measurePair, type PlacedParts } from '../../src/check/measure-pair.js';
import { ALL_KINDS, placedMesh } from './support.js';

const measure = (a: PlacedParts, b: PlacedParts, tolerance: number): ClashMeasure =>
  measurePair(a, b, { clearance: 0, tolerance, kinds: ALL_KINDS })!;

/** Decided, known to the hundredth where it is reported, and in keeping with what is known at tolerance 0. */
function expectDecided(found: ClashMeasure, plain: ClashMeasure, tolerance: number): void {
  if (found.kind === 'touch') expect(found.depthBound).toBeLessThanOrEqual(tolerance);
  else {
    expect(found.depth).toBeGreaterThan(tolerance);
    expect(found.depthBound).toBeLessThanOrEqual(1.0101 * found.depth);
  }
  expect(found.depth).toBeLessThanOrEqual(plain.depthBound);
  expect(found.depthBound).toBeGreaterThanOrEqual(Math.min(plain.depth, tolerance));
}

const folder = sharedData('repro/depth/FMA38520.stl.gz')?.replace('FMA38520.stl.gz', '');
describe.skipIf(!folder)('pairs of which a larger tolerance knew less', () => {
  const read = (name: string): PlacedParts => {
    const [file] = readMeshes(gunzipSync(readFileSync(`${folder}${name}.stl.gz`)), { name: `${name}.stl` });
    return placedMesh(Mesh.from(file));
  };
  test.each([
    ['FMA38520', 'FMA38523', 0.74, 0.748],
    ['FMA46286', 'FMA7131', 3.72, 3.757],
  ])('%s and %s: between %f and %f mm', (nameA, nameB, least, most) => {
    const [a, b] = [read(nameA), read(nameB)];
    const plain = measure(a, b, 0);
    expect(plain.kind).toBe('hard');
    expect(plain.depth).toBeGreaterThan(least);
    expect(plain.depthBound).toBeLessThan(most);
    for (const tolerance of [0.5, 0.7, 1, 2, 3.7, 4, 5, 20]) {
      const found = measure(a, b, tolerance);
      expect(found.kind).toBe(tolerance < plain.depth ? 'hard' : 'touch');
      expectDecided(found, plain, tolerance);
    }
  });
});

const body = sharedData('anatomy/body-upper.glb');
test.skipIf(!body)(
  'organs of a body, every 24th pair of those that cross: depths are known to the hundredth, 5 mm and 1 mm decide',
  async () => {
    const lines = gunzipSync(readFileSync(sharedData('anatomy/body-upper.crossings.tsv.gz')!)).toString();
    const pairs = lines
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(0, 2))
      .filter((_, i) => i % 24 === 0);
    const objects = new Map(
      (await worldObjects(body!, pairs.flat())).map(({ name, mesh }) => [name, placedMesh(mesh)]),
    );
    for (const [nameA, nameB] of every(pairs, 8)) {
      const [a, b] = [objects.get(nameA)!, objects.get(nameB)!];
      const plain = measure(a, b, 0);
      expectDecided(plain, plain, 0);
      for (const tolerance of [0.001, 0.005]) expectDecided(measure(a, b, tolerance), plain, tolerance);
    }
  },
  300_000,
);
