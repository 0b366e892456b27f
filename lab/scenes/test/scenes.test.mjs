import { describe, expect, it } from 'vitest';
import * as scenes from '../index.mjs';
import { signedVolume } from './deform-checks.mjs';

/** How often each undirected edge is used, and whether some directed edge is used twice. */
function edgesOf({ indices }) {
  const uses = new Map();
  const directed = new Set();
  let repeated = 0;
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const from = indices[t + k];
      const to = indices[t + ((k + 1) % 3)];
      const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
      uses.set(key, (uses.get(key) ?? 0) + 1);
      if (directed.has(`${from} ${to}`)) repeated++;
      directed.add(`${from} ${to}`);
    }
  }
  return { counts: [...uses.values()], repeated };
}

describe('closed surfaces', () => {
  const cases = [
    ['icosphere 1', scenes.icosphere(1), 20, 12],
    ['icosphere 2', scenes.icosphere(2), 80, 42],
    ['icosphere 7', scenes.icosphere(7, 2.5), 980, 492],
    ['torus', scenes.torus(), 4096, 2048],
    ['torus knot', scenes.torusKnot(), 12288, 6144],
    ['box', scenes.box(1, 2, 3), 12, 8],
  ];
  it.each(cases)('%s: counts, every edge shared by two, outward', (_, mesh, triangles, vertices) => {
    expect(mesh.indices.length / 3).toBe(triangles);
    expect(mesh.positions.length / 3).toBe(vertices);
    expect(new Set(mesh.indices).size).toBe(vertices);
    const { counts, repeated } = edgesOf(mesh);
    expect(counts.every((count) => count === 2)).toBe(true);
    expect(repeated).toBe(0);
    expect(signedVolume(mesh)).toBeGreaterThan(0);
  });

  it('have the volume they should', () => {
    expect(signedVolume(scenes.box(1, 2, 3))).toBeCloseTo(6, 6);
    expect(signedVolume(scenes.icosphere(40, 1))).toBeCloseTo((4 * Math.PI) / 3, 2);
    expect(signedVolume(scenes.torus(1, 0.4, 200, 100))).toBeCloseTo(2 * Math.PI ** 2 * 0.16, 2);
  });

  it('puts every vertex of an icosphere on the sphere', () => {
    const { positions } = scenes.icosphere(9, 3);
    for (let i = 0; i < positions.length; i += 3) {
      expect(Math.hypot(positions[i], positions[i + 1], positions[i + 2])).toBeCloseTo(3, 5);
    }
  });
});

describe('sheets', () => {
  it.each([
    ['grid', scenes.grid(5, 7), 70],
    ['wavy sheet', scenes.wavySheet(6), 72],
    ['folded sheet', scenes.foldedSheet(100), 20000],
  ])('%s: counts, oriented, no edge in more than two triangles', (_, mesh, triangles) => {
    expect(mesh.indices.length / 3).toBe(triangles);
    const { counts, repeated } = edgesOf(mesh);
    expect(Math.max(...counts)).toBe(2);
    expect(repeated).toBe(0);
  });
});

describe('randomness', () => {
  it('repeats with the seed and differs without it', () => {
    expect(scenes.soup(1, 50)).toEqual(scenes.soup(1, 50));
    expect(scenes.soup(1, 50)).not.toEqual(scenes.soup(2, 50));
  });

  it('fills [0, 1) evenly (seed 5)', () => {
    const random = scenes.seededRandom(5);
    const bins = new Array(10).fill(0);
    for (let i = 0; i < 10000; i++) bins[Math.floor(10 * random())]++;
    for (const bin of bins) expect(Math.abs(bin - 1000)).toBeLessThan(150);
  });

  it('gives rotations: orthonormal, determinant 1 (seed 6)', () => {
    const random = scenes.seededRandom(6);
    for (let i = 0; i < 100; i++) {
      const r = scenes.randomRotation(random);
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          const dot = r[3 * a] * r[3 * b] + r[3 * a + 1] * r[3 * b + 1] + r[3 * a + 2] * r[3 * b + 2];
          expect(dot).toBeCloseTo(a === b ? 1 : 0, 12);
        }
      }
      const det =
        r[0] * (r[4] * r[8] - r[5] * r[7]) -
        r[1] * (r[3] * r[8] - r[5] * r[6]) +
        r[2] * (r[3] * r[7] - r[4] * r[6]);
      expect(det).toBeCloseTo(1, 12);
    }
  });
});
