/**
 * Clusters points. Space is divided into cubes of side `distance`, and points in the same or in adjacent cubes are
 * joined: certainly those within `distance`, never, directly, those farther apart than 2√3 · distance. Clusters of
 * fewer than `SMALL` points then search twice, four times and further as far, and join the nearest.
 *
 * Invariant: the cubes are fixed in space, so that a cluster depends only on its surroundings.
 */
import type { Vec3 } from 'impinge';
import { UnionFind } from 'impinge/internal/base/union-find.js';

const SMALL = 3;
const DOUBLINGS = 4;

/** A point with another one within this many times the distance is never alone. */
export const CLUSTER_DISTANCES = 2 ** DOUBLINGS;

/** The number of each point's cluster, in the order of first points. */
export function clusterPoints(points: readonly Vec3[], distance: number): Int32Array {
  const clusters = new UnionFind(points.length);
  joinAdjacent(new Cubes(points, distance), clusters);
  for (let round = 1; round <= DOUBLINGS; round++) {
    const roots = Int32Array.from(points, (_, i) => clusters.find(i));
    const sizes = new Uint32Array(points.length);
    for (const root of roots) sizes[root]++;
    const isSmall = roots.map((root) => Number(sizes[root] < SMALL));
    if (!isSmall.includes(1)) break;
    joinNearest(points, new Cubes(points, distance * 2 ** round), clusters, roots, isSmall);
  }
  const numbers = new Map<number, number>();
  return Int32Array.from(points, (_, i) => {
    const root = clusters.find(i);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
}

function joinAdjacent(cubes: Cubes, clusters: UnionFind): void {
  for (const members of cubes.all()) {
    for (const i of members) clusters.union(members[0], i);
    for (const near of cubes.around(members[0])) clusters.union(members[0], near[0]);
  }
}

/** Joins each small cluster with that of the nearest point in the cubes around it, all simultaneously. */
function joinNearest(
  points: readonly Vec3[],
  cubes: Cubes,
  clusters: UnionFind,
  roots: Int32Array,
  isSmall: Int32Array,
): void {
  const nearest = new Map<number, { distanceSq: number; point: number }>();
  for (let i = 0; i < points.length; i++) {
    if (isSmall[i] === 0) continue;
    for (const near of cubes.around(i)) {
      for (const j of near) {
        if (roots[j] === roots[i]) continue;
        const distanceSq = distanceSqPointPoint(points[i], points[j]);
        const best = nearest.get(roots[i]);
        if (!best || distanceSq < best.distanceSq) nearest.set(roots[i], { distanceSq, point: j });
      }
    }
  }
  for (const [root, { point }] of nearest) clusters.union(root, point);
}

export function distanceSqPointPoint(p: Vec3, q: Vec3): number {
  return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2;
}

/** The points in each cube of space. */
class Cubes {
  readonly #points: readonly Vec3[];
  readonly #side: number;
  readonly #members = new Map<string, number[]>();

  constructor(points: readonly Vec3[], side: number) {
    this.#points = points;
    this.#side = side;
    for (let i = 0; i < points.length; i++) {
      const key = this.#cubeOf(i).join();
      const members = this.#members.get(key);
      if (members) members.push(i);
      else this.#members.set(key, [i]);
    }
  }

  all(): Iterable<readonly number[]> {
    return this.#members.values();
  }

  /** The points in the cube of a point and in the 26 adjacent ones. */
  *around(point: number): Generator<readonly number[]> {
    const [x, y, z] = this.#cubeOf(point);
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (let dz = -1; dz <= 1; dz++) {
          const members = this.#members.get(`${x + dx},${y + dy},${z + dz}`);
          if (members) yield members;
        }
      }
    }
  }

  #cubeOf(point: number): number[] {
    return this.#points[point].map((x) => Math.floor(x / this.#side));
  }
}
