/**
 * How wide the space is that two objects share, against all corners; and that it tells of no overlap that is deeper.
 */
import { IDENTITY, invertPose, posePoint, type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import { DepthSearch, measureDepth } from 'impinge/internal/query/solid/depth.js';
import { isNarrow } from 'impinge/internal/query/solid/overlap.js';
import type { Parts } from 'impinge/internal/query/solid/point-query.js';
import { describe, expect, test } from 'vitest';
import { randomRotation, seededRandom } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { type Arrays, box, cylinder, torus } from '../../../impinge/test/query/solid/solids.js';
import { kindBit } from '../../src/check/clash-kinds.js';
import { MeasureStats, measurePair, type PlacedParts } from '../../src/check/measure-pair.js';
import { ALL_KINDS, placed, poseOf } from '../check/support.js';

/** A solid, or an open surface: the same without some triangles. */
function randomObject(random: () => number, pose: RigidPose): PlacedParts {
  const size = () => 0.2 + 2 * random();
  const kind = Math.floor(3 * random());
  const whole: Arrays =
    kind === 0 ? box(size(), size(), size()) : kind === 1 ? cylinder(size(), size(), 9) : torus(1, 0.3, 9, 6);
  const open = random() < 0.4;
  return placed(
    open ? { ...whole, indices: Array.from(whole.indices).slice(0, -9) } : whole,
    pose,
    (t) => t % 2,
  );
}

function randomPose(random: () => number, apart: number): RigidPose {
  return Float64Array.of(...randomRotation(random), ...[0, 1, 2].map(() => apart * (random() - 0.5)));
}

/** The least width along the axes of one object's own frame, over all corners. */
function slowWidth(own: Parts, other: Parts, otherToOwn: RigidPose): number {
  const ends = (parts: Parts, pose: RigidPose) => {
    const [low, high] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    const point = new Float64Array(3);
    for (const { positions, indices, origin } of parts.meshes) {
      for (const v of indices) {
        posePoint(
          pose,
          ...([0, 1, 2].map((k) => positions[3 * v + k] + origin[k]) as [number, number, number]),
          point,
          0,
        );
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], point[k]);
          high[k] = Math.max(high[k], point[k]);
        }
      }
    }
    return { low, high };
  };
  const [a, b] = [ends(own, IDENTITY as RigidPose), ends(other, otherToOwn)];
  return Math.min(...[0, 1, 2].map((k) => Math.min(a.high[k] - b.low[k], b.high[k] - a.low[k])));
}

describe('shared width', () => {
  test('seed 5: the least over the axes of either object, over all corners', () => {
    const random = seededRandom(5);
    for (let run = 0; run < runs(40); run++) {
      const a = randomObject(random, IDENTITY as RigidPose);
      const pose = randomPose(random, 3);
      const b = randomObject(random, pose);
      const search = new DepthSearch(a.parts, b.parts, pose);
      const [ofA, ofB] = [slowWidth(a.parts, b.parts, pose), slowWidth(b.parts, a.parts, invertPose(pose))];
      expect(search.sharedWidth(-Infinity, 0)).toBeCloseTo(ofA, 9);
      expect(search.sharedWidth(-Infinity, 1)).toBeCloseTo(ofB, 9);
      expect(search.sharedWidth(-Infinity)).toBeCloseTo(Math.min(ofA, ofB), 9);
      search.release();
    }
  });

  test('seed 6: what is narrow is no deeper; a check finds what it finds without', () => {
    const random = seededRandom(6);
    const clashes = kindBit('hard') | kindBit('inside');
    for (let run = 0; run < runs(80); run++) {
      const a = randomObject(random, randomPose(random, 1));
      const b = randomObject(random, randomPose(random, 4));
      const tolerance = 0.4 * random();
      const ask = { clearance: 0, tolerance, kinds: clashes };
      const found = measurePair(a, b, ask);
      const plain = measurePair(a, b, { ...ask, kinds: ALL_KINDS });
      expect(found).toStrictEqual(plain && clashes & kindBit(plain.kind) ? plain : undefined);
      const bToA = relativePose(a.pose, b.pose);
      if (!isNarrow(a.parts, b.parts, bToA, tolerance)) continue;
      expect(measureDepth(a.parts, b.parts, bToA).depth).toBeLessThanOrEqual(tolerance);
    }
  });

  test('boxes askew that overlap by less than permitted: no triangles are looked at', () => {
    const turn = poseOf([1, 2, 3], 0.5);
    const beside = turn.slice();
    posePoint(turn, 0.999, 0.1, 0, beside, 9);
    const [a, b] = [placed(box(1, 1, 1), turn), placed(box(1, 1, 1), beside)];
    const look = (tolerance: number) => {
      const stats = new MeasureStats();
      const kinds = kindBit('hard') | kindBit('inside');
      const found = measurePair(a, b, { clearance: 0, tolerance, kinds }, undefined, stats);
      return [found?.kind, stats.trianglePairs > 0];
    };
    expect(look(0.002)).toEqual([undefined, false]);
    expect(look(0.0005)).toEqual(['hard', true]);
  });
});
