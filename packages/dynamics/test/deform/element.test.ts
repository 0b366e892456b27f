import { arena } from 'impinge/internal/base/arena.js';
import {
  timeOfImpactEdgeEdge,
  timeOfImpactVertexFace,
} from 'impinge/internal/geometry/ccd/time-of-impact.js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { every, full } from '../../../../test/budget.js';
import { deformKernels } from '../../src/deform/kernels.generated.js';
import { COARSE_DOPS, Ctx, TALLY_BYTES, TallyWord } from '../../src/deform/layout.generated.js';
import { cullPortably } from './portable-culling.js';
import { crumpled, folding, type Moving, soup, translated } from './surfaces.js';
import { type Scene, Stages, sceneOf, sortedText } from './sweep-context.js';

const floor: Moving = { positions: [-2e4, -2e4, 0.05, 3e4, -2e4, 0.1, 0, 3e4, 0], indices: [0, 1, 2] };
const scenes: [string, () => Moving[]][] = [
  ['a soup', () => [soup(seededRandom(71), 120, 0.3, 0.3)]],
  ['a crumpling cloth', () => [crumpled(seededRandom(172), 13, 0.25, 0.4)]],
  [
    'a folding cloth and a static soup',
    () => [folding(10, 0.2), { ...soup(seededRandom(73), 40, 0.2, 0), kind: 'static' }],
  ],
  ['far from the origin', () => [translated(crumpled(seededRandom(74), 13, 0.5, 0.5), [-1e5, 1e5, 1e5])]],
  ['on a floor that makes quantised DOPs coarse', () => [crumpled(seededRandom(75), 9, 0.25, 0.4), floor]],
];

/** The 24 numbers of an element pair. */
function pointsOf(scene: Scene, quad: readonly number[]): Float64Array {
  const points = [scene.start, scene.end].flatMap((end) =>
    quad.flatMap((v) => [...end.subarray(3 * v, 3 * v + 3)]),
  );
  return Float64Array.from(points);
}

describe('element culling', () => {
  full.each(scenes)('leaves the elements that its twin leaves, each once: %s', (_, make) => {
    for (const thickness of every([0.03, 0], 2)) {
      const s = new Stages(sceneOf(make()));
      const { vertexFaces, edgeEdges } = s.run(thickness);
      const twin = cullPortably(s.ctx);
      const faces = sortedText(twin.vertexFaces.map((quad, i) => [...quad, twin.faces[i]]));
      expect(vertexFaces.join('\n')).toBe(faces.join('\n'));
      expect(edgeEdges.join('\n')).toBe(sortedText(twin.edgeEdges).join('\n'));
      expect(new Set(edgeEdges).size).toBe(edgeEdges.length);
      expect(vertexFaces.length * edgeEdges.length).toBeGreaterThan(0);
      const { elementPairs, testedPairs } = s.elements.counts();
      expect(testedPairs).toBe(vertexFaces.length + edgeEdges.length);
      expect(elementPairs).toBeGreaterThan(testedPairs);
      s.dispose();
    }
  });

  it('compares positions where quantised DOPs are coarse', () => {
    const s = new Stages(sceneOf([crumpled(seededRandom(75), 9, 0.25, 0.4), floor]));
    s.run();
    expect(s.word(Ctx.options) & COARSE_DOPS).not.toBe(0);
    s.dispose();
    const fine = new Stages(sceneOf([crumpled(seededRandom(75), 9, 0.25, 0.4)]));
    fine.run();
    expect(fine.word(Ctx.options) & COARSE_DOPS).toBe(0);
    fine.dispose();
  });

  full.each(every([0.02, 0], 2))(
    'drops no pair that touches or comes within the thickness, thickness %s',
    (thickness) => {
      for (const surfaces of [
        [soup(seededRandom(76), 24, 0.5, 0.5)],
        [
          soup(seededRandom(77), 12, 0.5, 0.5),
          { ...soup(seededRandom(78), 12, 0.5, 0), kind: 'static' as const },
        ],
      ]) {
        const scene = sceneOf(surfaces);
        const s = new Stages(scene);
        const { vertexFaces, edgeEdges } = s.run(thickness);
        s.dispose();
        const kept = new Set([
          ...vertexFaces.map((row) => row.split(' ').slice(0, 4).join(' ')),
          ...edgeEdges,
        ]);
        const count = scene.indices.length / 3;
        let hits = 0;
        const check = (quad: number[], impact: typeof timeOfImpactEdgeEdge) => {
          if (impact(pointsOf(scene, quad), { distance: thickness }) === undefined) return;
          hits++;
          expect(kept.has(quad.join(' ')), quad.join(' ')).toBe(true);
        };
        for (let t = 0; t < count; t++) {
          for (let u = Math.max(t + 1, scene.staticTriangles); u < count; u++) {
            for (let k = 0; k < 3; k++) {
              check([3 * t + k, 3 * u, 3 * u + 1, 3 * u + 2], timeOfImpactVertexFace);
              check([3 * u + k, 3 * t, 3 * t + 1, 3 * t + 2], timeOfImpactVertexFace);
              for (let l = 0; l < 3; l++) {
                check(
                  [3 * t + k, 3 * t + ((k + 1) % 3), 3 * u + l, 3 * u + ((l + 1) % 3)],
                  timeOfImpactEdgeEdge,
                );
              }
            }
          }
        }
        expect(hits).toBeGreaterThan(10);
      }
    },
  );

  it('stops before the pair whose elements might not fit, and goes on from there', () => {
    const s = new Stages(sceneOf([soup(seededRandom(79), 400, 0.4, 0.2)]));
    s.runSweep();
    const [list] = s.runPrimitives();
    const { pairs, count } = list;
    const run = (capacity: number) => {
      const [vf, faces, ee, tally] = [16, 4, 16, TALLY_BYTES].map((bytes) =>
        arena().alloc(bytes * (capacity + 1)),
      );
      const found: number[] = [];
      let calls = 0;
      for (let from = 0; from < count && calls < 1000; calls++) {
        arena()
          .u8()
          .fill(0, tally, tally + TALLY_BYTES);
        const kernels = deformKernels.kernels() as unknown as Record<string, (...args: number[]) => number>;
        from = kernels['cullElements'](s.ctx, pairs, from, count, vf, faces, capacity, ee, capacity, tally);
        const words = arena().u32();
        found.push(...words.subarray(ee >>> 2, (ee >>> 2) + 4 * words[(tally >>> 2) + TallyWord.edgeEdges]));
      }
      for (const block of [vf, faces, ee, tally]) arena().free(block);
      return { found, calls };
    };
    const whole = run(1e5);
    const pieces = run(2500); // room for what 256 pairs may need
    expect(whole.calls).toBe(1);
    expect(pieces.calls).toBeGreaterThan(1);
    expect(pieces.found.join()).toBe(whole.found.join());
    s.dispose();
  });
});
