import { arena } from 'impinge/internal/base/arena.js';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import {
  BOUND_BYTES,
  CELL_BYTES,
  CellWord,
  Ctx,
  GridWord,
  MOTION_BYTES,
  NONE,
  PACK_BYTES,
} from '../../src/deform/layout.generated.js';
import { crumpled, type Moving, scaled, soup, translated } from './surfaces.js';
import { Stages, sceneOf, sortedText } from './sweep-context.js';

let stages: Stages | undefined;
afterEach(() => {
  stages?.dispose();
  stages = undefined;
});

function openStages(...surfaces: Parameters<typeof sceneOf>[0]): Stages {
  stages = new Stages(sceneOf(surfaces));
  return stages;
}

/** Triangles from 1 to 1/1000, and one floor under all of them. */
function mixed(seed: number, count: number): Moving[] {
  const random = seededRandom(seed);
  const sizes = [1, 0.3, 0.03, 0.001].map((size) => soup(random, count, size, size / 2));
  const floor = { positions: [-9, -9, 0.5, 11, -9, 0.4, 1, 20, 0.6], indices: [0, 1, 2] };
  return [...sizes, floor];
}

/** Least and greatest x, y, z at T0 and T1 of a triangle. */
function boxOf(s: Stages, t: number): { lo: number[]; hi: number[] } {
  const corners = (s.word(Ctx.corners) >>> 2) + 3 * t;
  const rows = [0, 1, 2].map((k) => {
    const at = (s.word(Ctx.motions) + MOTION_BYTES * arena().u32()[corners + k]) >>> 2;
    return [0, 1, 2, 4, 5, 6].map((c) => arena().f32()[at + c]);
  });
  const column = (c: number) => rows.map((row) => row[c]);
  return {
    lo: [0, 1, 2, 3, 4, 5].map((c) => Math.min(...column(c))),
    hi: [0, 1, 2, 3, 4, 5].map((c) => Math.max(...column(c))),
  };
}

/** All pairs whose boxes are not on one side of each other at both ends. */
function bruteBoxPairs(s: Stages): string[] {
  const count = s.word(Ctx.triangleCount);
  const still = s.word(Ctx.staticTriangleCount);
  const margin = arena().f32()[(s.ctx >>> 2) + Ctx.boxMargin];
  const boxes = Array.from({ length: count }, (_, t) => boxOf(s, t));
  const pairs: number[][] = [];
  for (let t = 0; t < count; t++) {
    for (let u = Math.max(t + 1, still); u < count; u++) {
      const apart = [0, 1, 2].some((c) => {
        const beyond = (a: number, b: number) =>
          [c, c + 3].every((k) => boxes[b].lo[k] > Math.fround(boxes[a].hi[k] + margin));
        return beyond(t, u) || beyond(u, t);
      });
      if (!apart) pairs.push([t, u]);
    }
  }
  return sortedText(pairs);
}

/** Every triangle in one slot of one pack of one cell, inside its bounds. */
function expectWellFormed(s: Stages, grid: number, first: number, count: number): void {
  const words = arena().u32();
  const word = (field: number) => words[(grid >>> 2) + field];
  const seen = new Uint8Array(count);
  for (let c = 0; c < word(GridWord.cellCount); c++) {
    const cell = (word(GridWord.cells) + CELL_BYTES * c) >>> 2;
    let members = 0;
    for (let p = 0; p < words[cell + CellWord.packCount]; p++) {
      const number = words[cell + CellWord.firstPack] + p;
      const pack = (word(GridWord.packs) + PACK_BYTES * number) >>> 2;
      const bound = (word(GridWord.bounds) + BOUND_BYTES * number) >>> 2;
      for (let k = 0; k < 4; k++) {
        const t = words[pack + 48 + k];
        if (t === NONE) continue;
        members++;
        seen[t - first]++;
        const { lo, hi } = boxOf(s, t);
        for (let row = 0; row < 6; row++) {
          const [axis, end] = [row % 3, row < 3 ? 0 : 1];
          expect(arena().f32()[pack + 4 * row + k]).toBe(lo[row]);
          expect(arena().f32()[pack + 24 + 4 * row + k]).toBe(hi[row]);
          for (const outer of [bound, cell]) {
            expect(arena().f32()[outer + 4 * end + axis]).toBeLessThanOrEqual(lo[row]);
            expect(arena().f32()[outer + 8 + 4 * end + axis]).toBeGreaterThanOrEqual(hi[row]);
          }
        }
      }
    }
    expect(members).toBe(words[cell + CellWord.count]);
  }
  expect(seen.every((n) => n === 1)).toBe(true);
}

describe('the grid', () => {
  full('holds every triangle once, in packs and cells that bound it', () => {
    const s = openStages(...mixed(31, 60), { ...soup(seededRandom(32), 50, 0.2, 0), kind: 'static' });
    s.runSweep();
    s.runPrimitives();
    expectWellFormed(s, s.word(Ctx.staticGrid), 0, 50);
    expectWellFormed(s, s.word(Ctx.movingGrid), 50, 241);
  });

  const scenes: [string, () => Moving[]][] = [
    ['sizes of 1 : 1000 and a floor', () => mixed(33, 80)],
    ['a dense soup', () => [soup(seededRandom(34), 400, 0.3, 0.2)]],
    ['a sparse soup', () => [soup(seededRandom(35), 400, 0.02, 0.02)]],
    ['fast triangles', () => [soup(seededRandom(36), 300, 0.02, 0.8)]],
    ['far from the origin', () => [translated(soup(seededRandom(37), 300, 0.2, 0.2), [1e7, -2e7, 3e7])]],
    ['in millionths', () => [scaled(soup(seededRandom(38), 300, 0.2, 0.2), 1e-6)]],
    ['in millions', () => [scaled(soup(seededRandom(38), 300, 0.2, 0.2), 1e6)]],
    [
      'moving and static',
      () => [
        { ...soup(seededRandom(39), 200, 0.02, 0), kind: 'static' },
        { ...soup(seededRandom(40), 50, 0.9, 0), kind: 'static' },
        soup(seededRandom(41), 200, 0.2, 0.1),
      ],
    ],
    ['points', () => [{ positions: Array(90).fill(0.25), indices: Array.from({ length: 30 }, (_, i) => i) }]],
  ];
  full.each(scenes)('finds every pair of boxes in reach, each once: %s', (_, make) => {
    for (const thickness of [0, 0.05]) {
      const s = openStages(...make());
      s.runSweep(thickness);
      const expected = bruteBoxPairs(s);
      s.runPrimitives();
      expect(s.primitives.counts().boxPairs).toBe(expected.length);
      s.dispose();
      stages = undefined;
    }
  });

  it('with all axes, finds exactly the pairs that the box test leaves, in a soup without common vertices', () => {
    const s = openStages(...mixed(42, 50));
    const { trianglePairs } = s.run();
    const all = new Set(bruteBoxPairs(s));
    expect(new Set(trianglePairs).size).toBe(trianglePairs.length);
    expect(trianglePairs.every((pair) => all.has(pair))).toBe(true);
    expect(trianglePairs.length).toBeGreaterThan(20);
  });

  it('is made again only for another frame or larger margins', () => {
    const s = openStages(
      { ...soup(seededRandom(43), 20, 0.2, 0), kind: 'static' },
      soup(seededRandom(44), 20, 0.2, 0),
    );
    s.runSweep(0.01);
    expect(s.still.serves(s.ctx)).toBe(false);
    s.runPrimitives();
    expect(s.still.serves(s.ctx)).toBe(true);
    s.runSweep(0.005);
    expect(s.still.serves(s.ctx)).toBe(true);
    s.runSweep(0.02);
    expect(s.still.serves(s.ctx)).toBe(false);
  });

  it('leaves out clusters that nothing comes near, and none that something does', () => {
    // 80 crumpled sheets of 128 triangles that do not test themselves, in a row; every fourth reaches into the next
    const sheets = Array.from({ length: 80 }, (_, i) => ({
      ...translated(crumpled(seededRandom(50 + i), 9, 0.05, 0.3), [i % 4 ? 0 : 0.4, 0, 0.35 * i]),
      self: false,
    }));
    const touching = sheets.map((sheet, i) => (i % 4 ? sheet : translated(sheet, [0, 0, 0.3])));
    const s = openStages(...touching);
    const { trianglePairs } = s.run();
    expect(s.moving.triangleCount).toBeLessThan(0.75 * 80 * 128);
    s.dispose();
    // the same surfaces as if they tested themselves: the stage is left out, pairs of one surface are more
    const whole = new Stages(sceneOf(touching.map((sheet) => ({ ...sheet, self: true }))));
    const all = whole.run().trianglePairs.filter((text) => {
      const [t, u] = text.split(' ').map((x) => Math.floor(Number(x) / 128));
      return t !== u;
    });
    expect(whole.moving.triangleCount).toBe(80 * 128);
    whole.dispose();
    stages = undefined;
    expect(trianglePairs).toEqual(all);
    expect(all.length).toBeGreaterThan(50);
  });
});
