import { ImpingeError } from 'impinge';
import { checksumOf } from 'impinge/internal/base/checksum.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { Header } from '../../src/contact-levels/layout.js';
import { buildContactLevels, ContactLevels } from '../../src/index.js';
import { expectCovers, expectDeviation, expectTightHausdorff } from './hull-checks.js';
import { both, box, meshOf, torus } from './models.js';

function refusal(run: () => unknown): ImpingeError {
  try {
    run();
  } catch (error) {
    if (error instanceof ImpingeError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a mesh that is no closed surface', () => {
  const cube = box(0, 0, 0, 1);

  test('is refused by its open edge, and boxes take it', () => {
    const mesh = meshOf({ ...cube, indices: cube.indices.slice(3) }, 'lid');
    const error = refusal(() => buildContactLevels(mesh));
    expect(error.code).toBe('not-closed');
    expect(error.message).toMatch(
      /^mesh "lid" is not a closed surface: the edge between vertices \d and \d belongs to one triangle only/,
    );
    expect(error.detail).toMatchObject({ object: 'lid', vertices: [expect.any(Number), expect.any(Number)] });
    expect(error.detail['triangles']).toHaveLength(1);
    const levels = buildContactLevels(mesh, { volumes: 'boxes' });
    expectCovers(levels, mesh, 3);
  });

  test('is refused by an edge of four triangles, of two that disagree, and inside out', () => {
    // two cubes with an edge in common
    const four = refusal(() => buildContactLevels(meshOf(both(cube, box(1, 1, 0, 1)))));
    expect(four.message).toMatch(/belongs to 4 triangles/);
    const turned = [cube.indices[1], cube.indices[0], cube.indices[2], ...cube.indices.slice(3)];
    expect(refusal(() => buildContactLevels(meshOf({ ...cube, indices: turned }))).message).toMatch(
      /disagree/,
    );
    const inside = refusal(() =>
      buildContactLevels(meshOf({ ...cube, indices: cube.indices.slice().reverse() })),
    );
    expect([inside.code, inside.message]).toEqual(['not-closed', expect.stringContaining('inside out')]);
  });

  test('may be a soup, of which boxes hold every point', () => {
    const random = new SeededRandom(5);
    const positions = Array.from({ length: 9 * 20 }, () => 4 * random.next());
    const mesh = meshOf({ positions, indices: Array.from({ length: 60 }, (_, i) => i) });
    const levels = buildContactLevels(mesh, { volumes: 'boxes' });
    expect([levels.kind, levels.usableLevels]).toEqual(['boxes', levels.levelCount]);
    expectCovers(levels, mesh, 3);
    expectTightHausdorff(levels, 8);
    expectDeviation(levels, mesh, 4, 3);
  });
});

describe('bytes', () => {
  const levels = buildContactLevels(meshOf(torus(5, 4)));
  const bytes = levels.toBytes();

  test('come back as they were', () => {
    const back = ContactLevels.fromBytes(bytes);
    expect(back.toBytes()).toEqual(bytes);
    expect([back.kind, back.levelCount, back.origin]).toEqual([
      levels.kind,
      levels.levelCount,
      levels.origin,
    ]);
    back.dispose();
    expect(refusal(() => back.array('h')).code).toBe('disposed');
  });

  test('come back whatever the size of the model', () => {
    for (const size of [1e-25, 1e25]) {
      const given = buildContactLevels(meshOf(box(0, 0, 0, size))).toBytes();
      expect(ContactLevels.fromBytes(given).toBytes()).toEqual(given);
    }
  });

  test('that were cut off or altered are refused', () => {
    for (const length of [0, 4, 127, 128, 1000, bytes.length - 4, bytes.length - 1]) {
      expect(refusal(() => ContactLevels.fromBytes(bytes.subarray(0, length))).code).toBe('bad-buffer');
    }
    const random = new SeededRandom(1);
    for (let i = 0; i < runs(100); i++) {
      const altered = bytes.slice();
      altered[Math.floor(random.next() * altered.length)] ^= 1 + Math.floor(255 * random.next());
      expect(refusal(() => ContactLevels.fromBytes(altered)).code).toBe('bad-buffer');
    }
  });

  test('with a checksum to match have nothing out of place, or are refused', () => {
    const random = new SeededRandom(2);
    let refused = 0;
    for (let i = 0; i < runs(300); i++) {
      const altered = bytes.slice();
      const words = new Uint32Array(altered.buffer);
      // every word of the header, then any
      const at = i < 32 ? i : Math.floor(random.next() * words.length);
      words[at] = [0, 1, 0xffffffff, 0x7fc00000, words[at] + 1, words[at] - 1][Math.floor(6 * random.next())];
      words[Header.checksum] = checksumOf(altered, Header.checksum);
      try {
        const read = ContactLevels.fromBytes(altered);
        const most = read.array('supportAreas').length;
        expect(read.array('faces').every((vertex) => vertex < most)).toBe(true);
        expect(read.array('hullVertices').every(Number.isFinite)).toBe(true);
        read.dispose();
      } catch (error) {
        if (!(error instanceof ImpingeError)) throw error;
        expect(error.code).toBe('bad-buffer');
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

test('levels know the mesh they are of', () => {
  const mesh = meshOf(box(0, 0, 0, 1));
  const levels = ContactLevels.fromBytes(buildContactLevels(mesh).toBytes());
  expect(levels.isOf(meshOf(box(0, 0, 0, 1)))).toBe(true);
  expect(levels.isOf(meshOf(box(0, 0, 0, 2)))).toBe(false);
  const turned = [...box(0, 0, 0, 1).indices.slice(3), ...box(0, 0, 0, 1).indices.slice(0, 3)];
  expect(levels.isOf(meshOf({ ...box(0, 0, 0, 1), indices: turned }))).toBe(false);
});
