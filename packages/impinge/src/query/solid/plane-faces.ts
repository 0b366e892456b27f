/**
 * Faces of both objects in a shared plane: which pairs of triangles may tell on which sides the solids lie?
 *
 * Idea: a triangle says of each side of the plane whether it is inside its solid. So there are four kinds of triangles
 * on either side, and what a pair tells depends on their kinds. Where solids touch face to face, no two kinds tell that
 * they share space, and no pair has to be found; where they do, nearly any pair will do. Errs: of two kinds that tell
 * something, the first `MOST_TRIED` pairs are looked at.
 */
import type { PlacedSolid } from './placed-solid.js';
import type { Members, SharedPlanes } from './shared-planes.js';
import { besideBits } from './space.js';

const FEW_TRIED = 64;
const MOST_TRIED = 2 ** 16;

/** Lists of pairs in one plane, as long as they may tell something of what is left to know. */
export function* pairsBesidePlanes(
  planes: SharedPlanes,
  solids: readonly [PlacedSolid, PlacedSolid],
  left: () => number,
): Generator<Uint32Array> {
  for (let plane = 0; plane < planes.count; plane++) {
    const [kindsA, kindsB] = ([0, 1] as const).map((side) =>
      byKind(planes.members(plane, side), solids[side], planes.normal(plane)),
    );
    for (const [kindA, membersA] of kindsA) {
      for (const [kindB, membersB] of kindsB) {
        const bits =
          besideBits((kindA & 1) !== 0, (kindB & 1) !== 0) | besideBits((kindA & 2) !== 0, (kindB & 2) !== 0);
        let tried = 0;
        for (let limit = FEW_TRIED; bits & left() && limit <= MOST_TRIED; limit *= 32) {
          const { pairs, complete } = planes.meeting(membersA, membersB, limit);
          yield pairs.subarray(4 * tried);
          tried = pairs.length / 4;
          if (complete) break;
        }
      }
    }
  }
}

/** Triangles by whether the side along the normal is inside (1), and the side against it (2). */
function byKind(members: Members, solid: PlacedSolid, normal: Float64Array): Map<number, Members> {
  const against = normal.map((x) => -x);
  const kinds = new Map<number, number[]>();
  for (let i = 0; i < members.length; i += 2) {
    const [part, triangle] = [members[i], members[i + 1]];
    const kind =
      (solid.isInsideBeside(part, triangle, normal) ? 1 : 0) |
      (solid.isInsideBeside(part, triangle, against) ? 2 : 0);
    const known = kinds.get(kind);
    if (known) known.push(part, triangle);
    else kinds.set(kind, [part, triangle]);
  }
  return new Map(Array.from(kinds, ([kind, list]) => [kind, Uint32Array.from(list)]));
}
