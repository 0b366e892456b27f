/**
 * Builds levels from the bottom up: pieces of a level are grouped, each group is simplified, and its remaining clusters
 * are pieces of the next level. Pieces that a group could hardly simplify move up unchanged.
 *
 * Invariant: at every error, each original is represented exactly once. A group's pieces enter where its inputs leave,
 * at its first error, and errors never fall from pieces to the ones made of them. Vertices that groups of a level share
 * are locked while these are simplified: the pieces of a front fit together. Groups are recorded in order, regardless
 * of the threads that simplify them. Memory: the groups at work, the vertices that pieces of one level share, and the
 * clusters that the shelves keep in memory.
 */
import { type Cluster, splitTriangles, type Triangles } from './cluster.js';
import {
  type Errors,
  type GroupTask,
  joinClusters,
  type LevelsPool,
  type SimplifiedGroup,
  sizeInClusters,
} from './group-task.js';
import { groupClusters } from './grouping.js';
import { boxOfCluster, meetingBoxes, SharedVertices } from './neighbours.js';
import { simplifyGroup, weldedPart } from './simplify-group.js';
import { VertexTable } from './vertex-table.js';

/** Where the clusters of a level are: written one after the other, then read in any order. */
export interface Shelf {
  put(cluster: Cluster): Promise<void>;
  get(index: number): Promise<Cluster>;
  /** The positions alone. */
  positions(index: number): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** A piece that has yet to be grouped. Its cluster is on a shelf, at the same index. */
interface Ungrouped extends Errors {
  readonly piece: number;
  readonly triangles: number;
  readonly box: Float32Array;
}

export interface LevelsWork {
  readonly newShelf: () => Shelf;
  /** Without it, the calling thread simplifies. */
  readonly pool: LevelsPool | undefined;
  /**
   * Records a group: its input pieces and its result. Returns the pieces of its final clusters. `steps`: the number of
   * steps in the levels below; `most`: the most a group can have.
   */
  take(
    steps: number,
    most: number,
    from: readonly number[],
    group: SimplifiedGroup,
  ): Promise<readonly number[]>;
  /** Reports the work done, in triangles; `total` is an estimate that improves. */
  onProgress(done: number, total: number): void;
}

/**
 * Target shares of a group's triangles, step by step. More steps bring a front closer to its permitted error, and each
 * costs bytes and time: docs/levels.md, "Steps".
 */
const SHARES = [0.5, 0.25];
/** A level ends the hierarchy when it is left with more than this share of the triangles below. */
const STUCK_SHARE = 0.9;
/** A level with at most this many triangles needs no coarser one. */
const FEWEST_TRIANGLES = 64;
/** Expected triangles of all levels above one, as a share of that one. */
const SHARE_ABOVE = 0.4;
/** Groups per thread that are read ahead of simplification, or wait to be recorded. */
const GROUPS_AHEAD = 2;

/** The pieces of one level. */
class Level {
  readonly #shelf: Shelf;
  readonly pieces: Ungrouped[] = [];
  triangles = 0;

  constructor(shelf: Shelf) {
    this.#shelf = shelf;
  }
  async add(piece: number, cluster: Cluster, { out, in: inward }: Errors): Promise<void> {
    const triangles = cluster.indices.length / 3;
    this.triangles += triangles;
    this.pieces.push({ piece, triangles, box: boxOfCluster(cluster), out, in: inward });
    await this.#shelf.put(cluster);
  }
  cluster(index: number): Promise<Cluster> {
    return this.#shelf.get(index);
  }
  positions(index: number): Promise<Float32Array> {
    return this.#shelf.positions(index);
  }
  dispose(): Promise<void> {
    return this.#shelf.dispose();
  }
}

/** The levels of one shape: its exact pieces are added, then the rest is made. */
export class LevelsMaker {
  readonly #work: LevelsWork;
  readonly #table = new VertexTable();
  #level: Level;
  #done = 0;
  /** Steps in the levels below. */
  #steps = 0;

  constructor(work: LevelsWork) {
    this.#work = work;
    this.#level = new Level(work.newShelf());
  }

  /** Adds a piece of the originals. Triangles without area stay. */
  async add(piece: number, mesh: Triangles): Promise<void> {
    const count = mesh.indices.length / 3;
    const [order] = splitTriangles(mesh, count);
    const cluster = {
      ...weldedPart(mesh, order, this.#table),
      out: new Float32Array(count),
      in: new Float32Array(count),
    };
    await this.#level.add(piece, cluster, { out: 0, in: 0 });
  }

  /** Makes the coarser levels. At first each piece is a group. */
  async make(): Promise<void> {
    for (let number = 0; this.#level.triangles > FEWEST_TRIANGLES; number++) {
      const next = new Level(this.#work.newShelf());
      const before = this.#level;
      try {
        await this.#simplify(number, before, next);
      } finally {
        await before.dispose();
        this.#level = next;
        this.#steps += SHARES.length;
      }
      if (next.triangles > STUCK_SHARE * before.triangles) return;
    }
  }

  dispose(): Promise<void> {
    return this.#level.dispose();
  }

  async #simplify(number: number, level: Level, next: Level): Promise<void> {
    const { pieces } = level;
    const shared = await sharedVertices(level);
    const groups =
      number === 0
        ? pieces.map((_, i) => [i])
        : groupClusters(
            pieces.map(({ triangles }) => sizeInClusters(triangles)),
            weightsOf(shared, pieces.length),
          );
    const groupOf = new Int32Array(pieces.length);
    groups.forEach((list, group) => {
      for (const i of list) groupOf[i] = group;
    });
    const isLocked = (x: number, y: number, z: number) => shared.isShared(x, y, z, groupOf);
    const { pool } = this.#work;
    let left = level.triangles;
    const underWay: { list: readonly number[]; clusters: Cluster[]; result: Promised<SimplifiedGroup> }[] =
      [];
    const finish = async () => {
      const { list, clusters, result } = underWay.shift()!;
      await this.#takeDown(level, list, clusters, await result, next);
      const count = list.reduce((sum, i) => sum + pieces[i].triangles, 0);
      left -= count;
      this.#done += count;
      this.#work.onProgress(this.#done, this.#done + left + SHARE_ABOVE * level.triangles);
    };
    for (const list of groups) {
      const clusters: Cluster[] = [];
      for (const i of list) clusters.push(await level.cluster(i));
      const input = joinClusters(clusters, isLocked, this.#table);
      const task = { input, least: leastErrors(list.map((i) => pieces[i])), shares: SHARES };
      underWay.push({ list, clusters, result: startOn(task, pool) });
      if (underWay.length > (pool ? GROUPS_AHEAD * pool.size : 0)) await finish();
    }
    while (underWay.length > 0) await finish();
  }

  /** Records a group's result and passes it to the next level. */
  async #takeDown(
    { pieces }: Level,
    list: readonly number[],
    clusters: readonly Cluster[],
    group: SimplifiedGroup | undefined,
    next: Level,
  ): Promise<void> {
    if (!group) {
      for (const [k, i] of list.entries()) await next.add(pieces[i].piece, clusters[k], pieces[i]);
      return;
    }
    const { end } = group;
    const from = list.map((i) => pieces[i].piece);
    const ends = await this.#work.take(this.#steps, SHARES.length, from, group);
    for (const [i, piece] of ends.entries()) await next.add(piece, end.clusters[i], end);
  }
}

type Promised<T> = Promise<T | undefined> | T | undefined;

function startOn(task: GroupTask, pool: LevelsPool | undefined): Promised<SimplifiedGroup> {
  if (!pool) return simplifyGroup(task);
  const result = pool.simplify(task);
  result.catch(() => {}); // reported to whoever awaits it
  return result;
}

function leastErrors(pieces: readonly Errors[]): Errors {
  return {
    out: pieces.reduce((most, { out }) => Math.max(most, out), 0),
    in: pieces.reduce((most, own) => Math.max(most, own.in), 0),
  };
}

async function sharedVertices(level: Level): Promise<SharedVertices> {
  const boxes = level.pieces.map(({ box }) => box);
  const vertices = new SharedVertices(boxes, meetingBoxes(boxes));
  for (let i = 0; i < boxes.length; i++) vertices.add(await level.positions(i));
  return vertices;
}

/** The number of vertices that each two pieces share. */
function weightsOf(vertices: SharedVertices, count: number): Map<number, number> {
  const weights = new Map<number, number>();
  vertices.forEachPair((a, b) => {
    const key = Math.min(a, b) * count + Math.max(a, b);
    weights.set(key, (weights.get(key) ?? 0) + 1);
  });
  return weights;
}
