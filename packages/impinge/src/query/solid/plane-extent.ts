/**
 * How far the contact within shared planes reaches, and where its middle is, without listing its pairs.
 *
 * Idea: order the triangles of both sides by how far they reach (or how near they are) and ask whether any of the first
 * k meet: k doubles until some do, then it is halved down to the one that makes the difference. Each question is one
 * query, and those about the outermost triangles are small.
 */
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import type { PlacedPair } from './placed-pair.js';
import { solidsOf } from './placed-solid.js';
import type { Members, SharedPlanes } from './shared-planes.js';

const SIDES = [0, 1] as const;

/** The triangles of one plane, turned or in the world: nine numbers each, those of a first. */
interface Placed {
  readonly corners: Float64Array;
  readonly countA: number;
  readonly members: readonly [Members, Members];
}

/**
 * Makes a box (minimum, maximum), turned as in `PlacedPair`, hold what the boxes of meeting triangles in planes have in
 * common: the same as going through all pairs.
 */
export function growByPlanes(pair: PlacedPair, planes: SharedPlanes, box: Float64Array): void {
  for (let plane = 0; plane < planes.count; plane++) {
    const placed = placedTriangles(pair, planes, plane, 'writeTurned');
    const count = placed.corners.length / 9;
    const reach = new Float64Array(count);
    for (let side = 0; side < 6; side++) {
      const [axis, sign] = [side % 3, side < 3 ? -1 : 1];
      for (let i = 0; i < count; i++) {
        const at = 9 * i + axis;
        const { corners: c } = placed;
        reach[i] = Math.max(sign * c[at], sign * c[at + 3], sign * c[at + 6]);
      }
      const last = firstToMeet(planes, placed, (i) => -reach[i]);
      if (last !== undefined && reach[last.triangle] > sign * box[side])
        box[side] = sign * reach[last.triangle];
    }
  }
}

/** Pairs in planes among which the nearest to a point in the world is: four numbers each. */
export function pairsNear(pair: PlacedPair, planes: SharedPlanes, point: Float64Array): Uint32Array[] {
  const found: Uint32Array[] = [];
  for (let plane = 0; plane < planes.count; plane++) {
    const placed = placedTriangles(pair, planes, plane, 'writeWorld');
    const distance = Float64Array.from({ length: placed.corners.length / 9 }, (_, i) =>
      distanceSqPointTriangle(point, 0, placed.corners, 9 * i),
    );
    const last = firstToMeet(planes, placed, (i) => distance[i]);
    if (last) found.push(last.pairs);
  }
  return found;
}

function placedTriangles(
  pair: PlacedPair,
  planes: SharedPlanes,
  plane: number,
  write: 'writeTurned' | 'writeWorld',
): Placed {
  const members = [planes.members(plane, 0), planes.members(plane, 1)] as const;
  const corners = new Float64Array(4.5 * (members[0].length + members[1].length));
  const solids = solidsOf(pair);
  let at = 0;
  for (const side of SIDES) {
    for (let i = 0; i < members[side].length; i += 2, at += 9) {
      const triangle = corners.subarray(at, at + 9);
      solids[side].writeTriangle(members[side][i], members[side][i + 1], triangle);
      for (let c = 0; c < 9; c += 3) pair[write](triangle, c, triangle, c);
    }
  }
  return { corners, countA: members[0].length / 2, members };
}

/** In rising order of keys, the triangle with which the first pair meets, and its pairs with those before it. */
function firstToMeet(
  planes: SharedPlanes,
  { corners, countA, members }: Placed,
  keyOf: (triangle: number) => number,
): { readonly triangle: number; readonly pairs: Uint32Array } | undefined {
  const order = Uint32Array.from({ length: corners.length / 9 }, (_, i) => i);
  order.sort((p, q) => keyOf(p) - keyOf(q) || p - q);
  const own = (from: number, to: number, side: 0 | 1): Members => {
    const list: number[] = [];
    for (const i of order.subarray(from, to)) {
      if (i < countA !== (side === 0)) continue;
      const at = 2 * (side === 0 ? i : i - countA);
      list.push(members[side][at], members[side][at + 1]);
    }
    return Uint32Array.from(list);
  };
  const meeting = (fromA: number, fromB: number, to: number, limit: number): Uint32Array => {
    const [a, b] = [own(fromA, to, 0), own(fromB, to, 1)];
    return a.length > 0 && b.length > 0 ? planes.meeting(a, b, limit).pairs : new Uint32Array(0);
  };
  let none = 0; // of the first so many, no two meet
  let some = 1;
  while (meeting(0, 0, some, 1).length === 0) {
    if (some === order.length) return undefined;
    none = some;
    some = Math.min(2 * some, order.length);
  }
  while (some - none > 1) {
    const middle = (none + some) >>> 1;
    if (meeting(0, 0, middle, 1).length === 0) none = middle;
    else some = middle;
  }
  const triangle = order[some - 1];
  const pairs =
    triangle < countA ? meeting(some - 1, 0, some, Infinity) : meeting(0, some - 1, some, Infinity);
  return { triangle, pairs };
}
