import fc from 'fast-check';
import { arena } from 'impinge/internal/base/arena.js';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { deformKernels } from '../../src/deform/kernels.generated.js';
import { Ctx, DOP_BYTES, MOTION_BYTES, NONE } from '../../src/deform/layout.generated.js';
import * as portable from './portable-sweep.js';
import { crumpled, soup, translated } from './surfaces.js';
import { Stages, sceneOf } from './sweep-context.js';

let stages: Stages | undefined;
afterEach(() => {
  stages?.dispose();
  stages = undefined;
});

function openStages(...surfaces: Parameters<typeof sceneOf>[0]): Stages {
  stages = new Stages(sceneOf(surfaces));
  return stages;
}

describe('the sweep', () => {
  it('writes the same motions, quantised DOPs and boxes as its twin, seed 21', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 18, maxLength: 90 }),
        fc.constantFrom(1, 1e-12, 1e20),
        (numbers, scale) => {
          const count = Math.floor(numbers.length / 18) * 3;
          const positions = numbers.slice(0, 3 * count).map((x) => x * scale);
          const end = positions.map((x, i) => x + scale * numbers[(5 * i) % numbers.length]);
          const indices = positions.slice(0, count).map((_, i) => i);
          const s = new Stages(sceneOf([{ positions, end, indices }]));
          expect(s.runSweep()).toBe(NONE);
          const report = arena().alloc(64);
          const read = () => [
            ...arena()
              .u8()
              .slice(s.word(Ctx.motions), s.word(Ctx.motions) + MOTION_BYTES * count),
            ...arena()
              .u8()
              .slice(s.word(Ctx.dops), s.word(Ctx.dops) + DOP_BYTES * count),
            ...arena()
              .f32()
              .slice(report >>> 2, (report >>> 2) + 8)
              .map((x) => x + 0),
          ];
          const kernels = deformKernels.kernels() as unknown as typeof portable & {
            writeDops(ctx: number, from: number, to: number): void;
          };
          kernels.sweepVertices(s.ctx, 0, count, report);
          kernels.writeDops(s.ctx, 0, count);
          const byKernel = read();
          portable.sweepVertices(s.ctx, 0, count, report);
          expect(read()).toEqual(byKernel);
          arena().free(report);
          s.dispose();
        },
      ),
      { seed: 21, numRuns: runs(60) },
    );
  });

  it.each([
    ['NaN at the start', 'start', Number.NaN],
    ['Infinity at the end', 'end', Number.POSITIVE_INFINITY],
    ['an explosion at the end', 'end', -2e30],
  ] as const)('names the first vertex with %s', (_, which, value) => {
    const scene = sceneOf([soup(seededRandom(3), 40, 0.2, 0.1)]);
    scene[which][3 * 70 + 1] = value;
    scene[which][3 * 90] = value;
    stages = new Stages(scene);
    expect(stages.runSweep(0, 0, 1)).toBe(70);
    expect(stages.runSweep(0, 0, 5)).toBe(70);
    scene[which].fill(0);
    stages.move(scene.start, scene.end);
    expect(stages.runSweep()).toBe(NONE); // and goes on as if nothing had been
  });

  it('keeps what lies far from the origin as fine as what lies at it', () => {
    const s = openStages(translated(crumpled(seededRandom(5), 8, 0.1, 0.1), [4e6, -5e6, 6e6]));
    s.runSweep();
    expect(arena().i32()[(s.ctx >>> 2) + Ctx.range]).toBeLessThanOrEqual(0);
    const margin = arena().f32()[(s.ctx >>> 2) + Ctx.boxMargin];
    expect(margin).toBeGreaterThan(0);
    expect(margin).toBeLessThan(1e-6);
  });

  it('follows a scene that moves away, and static surfaces with it', () => {
    const floor = { ...soup(seededRandom(6), 5, 1, 0), kind: 'static' as const };
    const cloth = crumpled(seededRandom(7), 6, 0.1, 0.1);
    const s = openStages(floor, cloth);
    s.runSweep();
    const frame = s.word(Ctx.frame);
    const scene = sceneOf([floor, cloth]);
    s.runSweep();
    expect(s.word(Ctx.frame)).toBe(frame); // nothing moved
    const far = (list: Float64Array) => list.map((x) => x + 1e5);
    s.move(far(scene.start), far(scene.end));
    s.runSweep();
    expect(s.word(Ctx.frame)).not.toBe(frame);
    const centre = arena().f64()[(s.ctx >>> 3) + Ctx.centre / 2];
    const x = arena().f32()[s.word(Ctx.motions) >>> 2];
    expect(centre + x).toBeCloseTo(scene.start[0] + 1e5, 1);
  });

  it('survives a scene of one point, and one of two neighbouring numbers', () => {
    const indices = [0, 0, 0];
    expect(openStages({ positions: [1e15, 2, 3], indices }).runSweep()).toBe(NONE);
    stages!.dispose();
    const apart = 1e6 + 2 ** -33;
    expect(openStages({ positions: [1e6, 0, 0, apart, 0, 0], indices: [0, 1, 1] }).runSweep()).toBe(NONE);
  });

  it('is the same for any number of tasks', () => {
    const s = openStages(soup(seededRandom(8), 100, 0.3, 0.1));
    const bytes = (parts: number) => {
      s.runSweep(0.01, 0, parts);
      return arena()
        .u8()
        .slice(s.word(Ctx.dops), s.word(Ctx.dops) + 300 * DOP_BYTES);
    };
    expect(bytes(7)).toEqual(bytes(1));
  });
});
