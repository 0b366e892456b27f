/**
 * Which clusters of a level are simplified together: the ones that share most vertices, across the borders of the level
 * before, which are dense with vertices that could not move.
 */

/** Clusters of a group: typical and maximum number, unless a single one counts for more. */
const WANTED = 8;
const MOST = 12;

/**
 * Groups as lists of clusters, in rising order. `sizes`: each cluster's size in clusters of the usual size. `weights`:
 * per pair (a · count + b, a < b), the number of shared vertices.
 */
export function groupClusters(sizes: readonly number[], weights: ReadonlyMap<number, number>): number[][] {
  let groups: number[][] = sizes.map((_, i) => [i]);
  for (let size = 1; size < WANTED; size *= 2) groups = mergePairs(groups, sizes, weights, 2 * size);
  return mergeSmall(groups, sizes, weights).sort((a, b) => a[0] - b[0]);
}

function sizeOf(group: readonly number[], sizes: readonly number[]): number {
  return group.reduce((sum, cluster) => sum + sizes[cluster], 0);
}

/** Merges groups two by two, starting with the pairs that share most. */
function mergePairs(
  groups: readonly number[][],
  sizes: readonly number[],
  weights: ReadonlyMap<number, number>,
  most: number,
): number[][] {
  const edges: { a: number; b: number; weight: number }[] = [];
  neighboursOf(groups, sizes.length, weights).forEach((near, a) => {
    for (const [b, weight] of near) if (a < b) edges.push({ a, b, weight });
  });
  edges.sort((p, q) => q.weight - p.weight || p.a - q.a || p.b - q.b);
  const sizeOfGroup = groups.map((group) => sizeOf(group, sizes));
  const partner = new Int32Array(groups.length).fill(-1);
  for (const { a, b } of edges) {
    if (partner[a] >= 0 || partner[b] >= 0 || sizeOfGroup[a] + sizeOfGroup[b] > most) continue;
    partner[a] = b;
    partner[b] = a;
  }
  const merged: number[][] = [];
  groups.forEach((group, a) => {
    const b = partner[a];
    if (b < 0) merged.push(group);
    else if (a < b) merged.push([...group, ...groups[b]].sort((i, j) => i - j));
  });
  return merged.sort((i, j) => i[0] - j[0]);
}

/** Merges groups that stayed small into the neighbour they share most with. */
function mergeSmall(
  groups: number[][],
  sizes: readonly number[],
  weights: ReadonlyMap<number, number>,
): number[][] {
  for (let small = 1; small < WANTED / 2; small *= 2) {
    const near = neighboursOf(groups, sizes.length, weights);
    const into = groups.map((_, i) => i);
    const own = groups.map((group) => sizeOf(group, sizes));
    const merged = [...own];
    for (let i = 0; i < groups.length; i++) {
      if (own[i] > small || into[i] !== i || merged[i] > own[i]) continue;
      let best = -1;
      let most = 0;
      for (const [j, weight] of near[i]) {
        if (into[j] !== j || merged[j] + merged[i] > MOST) continue;
        if (weight > most || (weight === most && j < best)) {
          best = j;
          most = weight;
        }
      }
      if (best < 0) continue;
      into[i] = best;
      merged[best] += merged[i];
    }
    const joined: number[][] = groups.map(() => []);
    for (let i = 0; i < groups.length; i++) {
      let to = i;
      while (into[to] !== to) to = into[to];
      joined[to].push(...groups[i]);
    }
    groups = joined.filter((group) => group.length > 0).map((group) => group.sort((a, b) => a - b));
  }
  return groups;
}

/**
 * For each group, the weight shared with each neighbour. Consecutive groups count as near in the absence of anything
 * better.
 */
function neighboursOf(
  groups: readonly number[][],
  count: number,
  weights: ReadonlyMap<number, number>,
): Map<number, number>[] {
  const groupOf = new Int32Array(count);
  groups.forEach((group, i) => {
    for (const cluster of group) groupOf[cluster] = i;
  });
  const near = groups.map(() => new Map<number, number>());
  const add = (a: number, b: number, weight: number) => {
    near[a].set(b, (near[a].get(b) ?? 0) + weight);
    near[b].set(a, (near[b].get(a) ?? 0) + weight);
  };
  for (const [key, weight] of weights) {
    const a = groupOf[Math.floor(key / count)];
    const b = groupOf[key % count];
    if (a !== b) add(a, b, weight);
  }
  for (let cluster = 1; cluster < count; cluster++) {
    const a = groupOf[cluster - 1];
    const b = groupOf[cluster];
    if (a !== b) add(a, b, SLIGHT);
  }
  return near;
}

const SLIGHT = 1e-3;
