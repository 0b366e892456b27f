import { arena } from 'impinge/internal/base/arena.js';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { every, full } from '../../../../test/budget.js';
import { deformKernels } from '../../src/deform/kernels.generated.js';
import {
  Ctx,
  GridWord,
  LEAVE_OUT_NEIGHBOURS,
  TALLY_BYTES,
  TallyWord,
  TRIANGLE,
} from '../../src/deform/layout.generated.js';
import { cullPortably } from './portable-culling.js';
import { crumpled, folding, type Moving, soup, translated } from './surfaces.js';
import { Stages, sceneOf, sortedText } from './sweep-context.js';

let stages: Stages | undefined;
afterEach(() => {
  stages?.dispose();
  stages = undefined;
});

function openStages(surfaces: readonly Moving[]): Stages {
  stages = new Stages(sceneOf(surfaces));
  return stages;
}

const scenes: [string, () => Moving[]][] = [
  ['a soup', () => [soup(seededRandom(51), 150, 0.3, 0.3)]],
  ['a heap in which packs meet more than 32 others', () => [soup(seededRandom(61), 80, 2, 0.3)]],
  ['a crumpling cloth', () => [crumpled(seededRandom(52), 14, 0.25, 0.4)]],
  ['a folding cloth', () => [folding(12, 0.2)]],
  [
    'several surfaces',
    () => [
      { ...crumpled(seededRandom(53), 8, 0.2, 0.2), kind: 'static' },
      crumpled(seededRandom(54), 8, 0.2, 0.3),
      { ...crumpled(seededRandom(55), 8, 0.2, 0.2), kind: 'rigid' },
      { ...soup(seededRandom(56), 20, 0.4, 0.4), group: 1 },
      { ...soup(seededRandom(57), 20, 0.4, 0.4), group: 1 },
    ],
  ],
  ['far from the origin', () => [translated(crumpled(seededRandom(58), 10, 0.25, 0.4), [1e5, 1e5, -1e5])]],
  [
    'on a floor that makes quantised DOPs coarse',
    () => [
      crumpled(seededRandom(59), 10, 0.25, 0.4),
      { positions: [-2e4, -2e4, 0.05, 3e4, -2e4, 0.1, 0, 3e4, 0], indices: [0, 1, 2] },
    ],
  ],
  [
    'corners named twice, triangles that lie twice',
    () => [
      {
        ...soup(seededRandom(60), 12, 0.5, 0.3),
        indices: [0, 1, 2, 0, 1, 2, 2, 0, 1, 3, 3, 4, 4, 5, 5, 2, 2, 2, 2, 3, 4, 0, 1, 4],
      },
    ],
  ],
];

describe('primitive culling', () => {
  full.each(scenes)('leaves the pairs that its twin leaves: %s', (_, make) => {
    for (const thickness of every([0.03, 0], 2)) {
      const s = openStages(make());
      const { trianglePairs } = s.run(thickness);
      const twin = cullPortably(s.ctx);
      expect(trianglePairs.join('\n')).toBe(sortedText(twin.trianglePairs).join('\n'));
      expect(trianglePairs.length).toBeGreaterThan(0);
      s.dispose();
    }
    stages = undefined;
  });

  it('gives the same list for any number of tasks, and counts the same', () => {
    const s = openStages([crumpled(seededRandom(61), 20, 0.3, 0.4), soup(seededRandom(62), 100, 0.3, 0.2)]);
    const one = s.run(0.01, 0, 1);
    const counts = s.primitives.counts();
    for (const parts of [2, 3, 8]) {
      expect(s.run(0.01, 0, parts).marked.join('\n')).toBe(one.marked.join('\n'));
      expect(s.primitives.counts()).toEqual(counts);
    }
    expect(counts.candidates).toBeGreaterThan(counts.boxPairs);
    expect(counts.boxPairs).toBeGreaterThan(counts.dopPairs);
    expect(counts.dopPairs).toBeGreaterThan(counts.primitivePairs);
    expect(counts.primitivePairs).toBe(one.marked.length);
  });

  it('stops before the cell whose pairs do not fit, and goes on from there', () => {
    const s = openStages([soup(seededRandom(63), 300, 0.2, 0.2)]);
    const whole = s.run().marked;
    const cells = arena().u32()[(s.word(Ctx.movingGrid) >>> 2) + GridWord.cellCount];
    const capacity = Math.ceil(whole.length / 3);
    const out = arena().alloc(8 * capacity);
    const tally = arena().alloc(TALLY_BYTES);
    const pieces: number[][] = [];
    let calls = 0;
    for (let from = 0; from < cells; calls++) {
      arena()
        .u8()
        .fill(0, tally, tally + TALLY_BYTES);
      const next = cull(s.ctx, from, cells, out, capacity, tally);
      const count = arena().u32()[(tally >>> 2) + TallyWord.pairs];
      expect(count).toBeLessThanOrEqual(capacity);
      expect(next).toBeGreaterThan(from);
      for (let i = 0; i < count; i++) {
        pieces.push([arena().u32()[(out >>> 2) + 2 * i], arena().u32()[(out >>> 2) + 2 * i + 1]]);
      }
      from = next;
    }
    expect(cull(s.ctx, 0, cells, out, 0, tally)).toBeLessThan(cells); // no room at all
    arena().free(out);
    arena().free(tally);
    expect(calls).toBeGreaterThan(2);
    expect(pieces.join('\n')).toBe(whole.join('\n'));
  });

  it('leaves out triangles with a common vertex if asked', () => {
    const s = openStages([crumpled(seededRandom(64), 12, 0.3, 0.4)]);
    const { marked } = s.run(0.02, LEAVE_OUT_NEIGHBOURS);
    const { indices } = sceneOf([crumpled(seededRandom(64), 12, 0.3, 0.4)]);
    const corners = (t: number) => [...indices.subarray(3 * t, 3 * t + 3)];
    expect(marked.length).toBeGreaterThan(0);
    for (const [t, u] of marked) {
      const second = corners(u & TRIANGLE);
      expect(corners(t).some((v) => second.includes(v))).toBe(false);
    }
  });
});

function cull(ctx: number, from: number, to: number, out: number, capacity: number, tally: number): number {
  const kernels = deformKernels.kernels() as unknown as Record<string, (...args: number[]) => number>;
  return kernels['cullPrimitives'](ctx, from, to, out, capacity, tally) >>> 0;
}
