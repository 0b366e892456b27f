/** Bodies connected by contacts and joints: during a step, islands do not affect each other. */
import { UnionFind } from 'impinge/internal/base/union-find.js';
import type { Joint } from './joint.js';
import type { MovingBodies } from './moving-bodies.js';
import type { NearPair } from './near-pair.js';

export interface Island {
  /** Of free bodies, in order. */
  readonly bodies: number[];
  readonly pairs: NearPair[];
  readonly joints: Joint[];
}

/**
 * Islands by pairs that have contacts, in the order of their first bodies. The first holds all bodies that move and
 * touch nothing, including carriers, even where these push a body of another island.
 */
export function findIslands(
  moving: MovingBodies,
  pairs: readonly NearPair[],
  joints: readonly Joint[],
): Island[] {
  const { table, awake } = moving;
  const count = moving.members.length;
  const joined = new UnionFind(count);
  const held = new Uint8Array(count);
  const isFree = (i: number) => awake[i] !== 0 && table.states[i] !== undefined;
  for (const { a, b } of pairs) {
    held[a.index] = held[b.index] = 1;
    if (isFree(a.index) && isFree(b.index)) joined.union(a.index, b.index);
  }
  const freeOf = ({ a, b }: Joint) =>
    [a, b].map(({ member }) => member?.index ?? -1).filter((i) => i >= 0 && isFree(i));
  const tied = joints.filter((joint) => !joint.state.broken && freeOf(joint).length > 0);
  for (const joint of tied) {
    const free = freeOf(joint);
    for (const i of free) held[i] = 1;
    if (free.length > 1) joined.union(free[0], free[1]);
  }
  const alone: Island = { bodies: [], pairs: [], joints: [] };
  const islands = [alone];
  const islandOf: (Island | undefined)[] = new Array(count).fill(undefined);
  for (let i = 0; i < count; i++) {
    if (awake[i] === 0) continue;
    if (held[i] === 0 || !isFree(i)) {
      alone.bodies.push(i);
      continue;
    }
    const root = joined.find(i);
    let island = islandOf[root];
    if (!island) {
      island = { bodies: [], pairs: [], joints: [] };
      islandOf[root] = island;
      islands.push(island);
    }
    island.bodies.push(i);
  }
  const find = (i: number) => islandOf[joined.find(i)] as Island;
  for (const pair of pairs) find(isFree(pair.a.index) ? pair.a.index : pair.b.index).pairs.push(pair);
  for (const joint of tied) find(freeOf(joint)[0]).joints.push(joint);
  return islands;
}
