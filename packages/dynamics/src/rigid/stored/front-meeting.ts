/** Which originals of two sides meet. */
import type { NearParts } from '@impinge/model/internal/level-queries/near-parts.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { UNLIMITED } from 'impinge/internal/query/pair/collide.js';
import { withinPlaced } from 'impinge/internal/query/pair/within.js';

/** Pairs of triangles of exact sides that meet, and the first of them: part and triangle of each. */
export interface FrontMeeting {
  readonly count: number;
  readonly first: { readonly parts: readonly number[]; readonly triangles: readonly number[] } | undefined;
}

export function meetingOfFronts(near: NearParts, bToA: RigidPose): FrontMeeting {
  let count = 0;
  let first: FrontMeeting['first'];
  for (const batch of near.within(bToA, 0)) {
    near.hold(batch);
    try {
      const { a, b, bToA: pose } = near.parts(batch, bToA);
      for (let i = 0; i < a.length; i++) {
        const [partA, partB] = [a[i], b[i]];
        const met = withinPlaced(partA.tree.mesh, partB.tree.mesh, pose, UNLIMITED, 0);
        count += met.count;
        if (met.count > 0)
          first ??= { parts: [partA.part, partB.part], triangles: [met.pairs[0], met.pairs[1]] };
      }
    } finally {
      near.release(batch);
    }
  }
  return { count, first };
}
