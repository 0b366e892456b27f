import fc from 'fast-check';
import { arena } from 'impinge/internal/base/arena.js';
import {
  timeOfImpactEdgeEdge,
  timeOfImpactVertexFace,
} from 'impinge/internal/geometry/ccd/time-of-impact.js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { every, FAST, full, least, runs } from '../../../../test/budget.js';
import { Deformables } from '../../src/deform/deformables.js';
import { COMMON_VERTEX, Ctx, OPPOSITE_ONLY } from '../../src/deform/layout.generated.js';
import { crumpled, folding, type Moving } from './surfaces.js';
import { type Scene, Stages, sceneOf } from './sweep-context.js';

/** Whether some elements of two triangles without common vertices touch during the step. */
function touch(scene: Scene, t: number, u: number): boolean {
  const [a, b] = [t, u].map((i) => [...scene.indices.subarray(3 * i, 3 * i + 3)]) as [number[], number[]];
  const points = (quad: number[]) =>
    Float64Array.from(
      [scene.start, scene.end].flatMap((end) => quad.flatMap((v) => [...end.subarray(3 * v, 3 * v + 3)])),
    );
  for (let k = 0; k < 3; k++) {
    if (!b.includes(a[k]) && timeOfImpactVertexFace(points([a[k], ...b]))) return true;
    if (!a.includes(b[k]) && timeOfImpactVertexFace(points([b[k], ...a]))) return true;
    for (let l = 0; l < 3; l++) {
      const quad = [a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]];
      if (new Set(quad).size === 4 && timeOfImpactEdgeEdge(points(quad))) return true;
    }
  }
  return false;
}

function haveCommonVertex({ indices }: Scene, t: number, u: number): boolean {
  for (let k = 0; k < 3; k++) {
    const v = indices[3 * t + k];
    if (v === indices[3 * u] || v === indices[3 * u + 1] || v === indices[3 * u + 2]) return true;
  }
  return false;
}

/** Holds what culling drops of triangles with common vertices to the exact test; counts dropped and touching pairs. */
function expectNoContactDropped(surface: Moving): { dropped: number; touching: number } {
  const scene = sceneOf([surface]);
  const stages = new Stages(scene);
  const kept = new Set(stages.run().trianglePairs);
  stages.dispose();
  let dropped = 0;
  let touching = 0;
  const count = scene.indices.length / 3;
  for (let t = 0; t < count; t++) {
    for (let u = t + 1; u < count; u++) {
      if (!haveCommonVertex(scene, t, u)) continue;
      const isTouching = touch(scene, t, u);
      if (isTouching) touching++;
      if (kept.has(`${t} ${u}`)) continue;
      dropped++;
      if (isTouching) expect.fail(`triangles ${t} and ${u} touch`);
    }
  }
  return { dropped, touching };
}

describe('triangles with common vertices', () => {
  full('are dropped by the thousand in a cloth that stays smooth', () => {
    const { dropped, touching } = expectNoContactDropped(crumpled(seededRandom(81), 14, 0.03, 0.3));
    expect(touching).toBe(0);
    expect(dropped).toBeGreaterThan(1800);
  });

  full('are kept where they touch: cloths that fold and crumple, seed 82', () => {
    let touching = 0;
    let dropped = 0;
    const add = (found: { dropped: number; touching: number }) => {
      touching += found.touching;
      dropped += found.dropped;
    };
    add(expectNoContactDropped(folding(9, 0.3)));
    for (const height of FAST ? [0.6] : [0.2, 0.6, 2]) {
      for (const change of every([1.5, 0.2, 4], 3))
        add(expectNoContactDropped(crumpled(seededRandom(82), 8, height, change)));
    }
    expect(touching).toBeGreaterThan(least(30));
    expect(dropped).toBeGreaterThan(least(1000));
  });

  const coordinate = fc.integer({ min: -4, max: 4 });
  const position = fc.tuple(coordinate, coordinate, coordinate);
  const moves = (count: number) =>
    fc.tuple(
      fc.array(position, { minLength: count, maxLength: count }),
      fc.array(position, { minLength: count, maxLength: count }),
    );

  it.each([
    ['a common vertex', 5, [0, 1, 2, 0, 3, 4]],
    ['a common edge', 4, [0, 1, 2, 1, 0, 3]],
    ['a common edge, turned the other way', 4, [0, 1, 2, 0, 1, 3]],
    ['a closed fan of three', 4, [0, 1, 2, 0, 2, 3, 0, 3, 1]],
    ['a closed fan of five', 6, [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1]],
  ])('are kept where they touch, on a coarse grid of positions: %s, seed 83', (_, count, indices) => {
    fc.assert(
      fc.property(moves(count), ([start, end]) => {
        expectNoContactDropped({ positions: start.flat(), end: end.flat(), indices });
      }),
      { seed: 83, numRuns: runs(150) },
    );
  });

  it('are kept where a fan winds twice, however its triangles are seen', () => {
    // five triangles whose angles of 144 degrees add up to two rounds; all normals point up
    const at = (i: number, z: number) => [Math.cos(0.8 * Math.PI * i), Math.sin(0.8 * Math.PI * i), z];
    const positions = [0, 0, 0, ...[0, 1, 2, 3, 4].flatMap((i) => at(i, 0.01 * i))];
    const end = [0, 0, 0, ...[0, 1, 2, 3, 4].flatMap((i) => at(i, -0.01 * i))];
    const indices = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1];
    expect(expectNoContactDropped({ positions, end, indices }).touching).toBeGreaterThan(0);
  });

  it('are kept around the sliver of the paper, whose neighbours fold over it', () => {
    // a long thin triangle between two normal ones, of which one comes down through the other
    const positions = [0, 0, 0, 1, 0, 0, 0.5, 0.001, 0, 0.5, -0.9, 0.3, 0.5, 1, 0];
    const end = [0, 0, 0, 1, 0, 0, 0.5, 0.001, 0, 0.5, 0.9, -0.1, 0.5, 1, 0];
    const indices = [0, 1, 2, 1, 0, 3, 0, 2, 4, 2, 1, 4];
    expect(expectNoContactDropped({ positions, end, indices }).touching).toBeGreaterThan(0);
  });

  it('with a thickness keep the edges opposite the common vertex', () => {
    const stages = new Stages(sceneOf([crumpled(seededRandom(84), 10, 0.05, 0.2)]));
    const marked = stages.run(0.2).marked.map(([, u]) => u >>> 0);
    stages.dispose();
    expect(marked.filter((u) => u & COMMON_VERTEX && u & OPPOSITE_ONLY).length).toBeGreaterThan(100);
  });

  it('with a thickness are dropped where the edges opposite the common vertex keep apart, and only there, seed 85', () => {
    const random = seededRandom(85);
    const jitter = (size: number) => size * (random() - 0.5);
    let withRoom = 0;
    let events = 0;
    for (let run = 0; run < (FAST ? 8 : 80); run++) {
      // a fan with two thin triangles beside each other, that moves a little
      const count = 6 + (run % 3);
      const thin = 0.1 + 0.4 * random();
      const rim = Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * (i < 3 ? i * thin : i - 2 + 2 * thin)) / (count - 2 + 2 * thin);
        const radius = 0.5 + 0.2 * random();
        return [radius * Math.cos(angle), radius * Math.sin(angle), jitter(0.1)];
      });
      const positions = [0, 0, 0, ...rim.flat()];
      const end = positions.map((x) => x + jitter(0.02));
      const indices = rim.flatMap((_, i) => [0, i + 1, ((i + 1) % count) + 1]);
      const thickness = 0.3 * random();
      const stages = new Stages(sceneOf([{ positions, end, indices }]));
      stages.run(thickness);
      withRoom += (arena().u8()[stages.word(Ctx.clearRings)] >> 1) & 1;
      stages.dispose();
      const found = (['hash', 'brute'] as const).map((broadPhase) => {
        const detector = new Deformables({ thickness, broadPhase });
        detector.add({ positions, indices }).moveTo(end);
        const { count: found, vertices } = detector.continuous();
        const list = [...vertices.subarray(0, 4 * found)];
        detector.dispose();
        return list;
      });
      expect(found[0]).toEqual(found[1]);
      events += found[0].length / 4;
    }
    expect(withRoom).toBeGreaterThan(least(2));
    expect(events).toBeGreaterThan(least(2));
  });

  it('are judged for fans only: rims, loose corners and triangles named twice are none', () => {
    const indices = [0, 1, 2, 0, 2, 3, 0, 3, 1, 4, 5, 6, 7, 7, 8];
    const positions = indices.flatMap((_, i) => [i % 3, i % 2, i]).slice(0, 27);
    const stages = new Stages(sceneOf([{ positions, indices }]));
    stages.run();
    const fans = stages.word(Ctx.fans);
    const closed = [
      ...arena()
        .u8()
        .slice(fans, fans + 9),
    ];
    stages.dispose();
    expect(closed).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
