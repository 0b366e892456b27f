/**
 * Levels from the bottom up: pieces of a level are grouped, each group is simplified, and the clusters that are left of
 * it are pieces of the next level. What a group could hardly simplify goes on as it is.
 *
 * Invariant: at every error each original is stood for once. A group's pieces come in where those it was made of go
 * out, at its first error, and errors never fall from pieces to what is made of them. Vertices that groups of a level
 * share are locked while these are simplified: what is on a front together fits together. Groups are taken down in
 * order, whoever simplifies them and how many at a time. Memory: the groups at work, the vertices that pieces of one
 * level share, and what the shelves keep there.
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
  dispose(): Promise<void>;
}

/** A piece that has yet to be grouped. Its cluster is on a shelf, at the same place as this in its list. */
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
   * Takes a group down: the pieces it was made of and what has become of them. Returns the pieces that its end's
   * clusters are. `steps`: how many there are in the levels below; `most`: how many a group of this level can have.
   */
  take(
    steps: number,
    most: number,
    from: readonly number[],
    group: SimplifiedGroup,
  ): Promise<readonly number[]>;
  /** Told how much of the work is done, in triangles; `total` is a guess that gets better. */
  onProgress(done: number, total: number): void;
}

/**
 * Shares of a group's triangles that are left, step by step: in the lowest level, which has most of them, and above. A
 * front is the closer to what its error permits the more steps there are, and each costs bytes and time.
 */
const LOWEST_SHARES = [0.5, 0.25];
const SHARES = [0.63, 0.4, 0.25];
/** A level ends the hierarchy when it is left with more than this share of the triangles below. */
const STUCK = 0.9;
/** So few triangles need no coarser level. */
const FEWEST = 64;
/** What all levels above one are likely to have, as a share of that one. */
const ABOVE = 0.4;
/** Groups per thread that are read ahead of those being simplified, or wait to be taken down. */
const AHEAD = 2;

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

  /** Makes what is coarser. At first each piece is a group. */
  async make(): Promise<void> {
    for (let number = 0; this.#level.triangles > FEWEST; number++) {
      const next = new Level(this.#work.newShelf());
      const before = this.#level;
      try {
        await this.#simplify(number, before, next);
      } finally {
        await before.dispose();
        this.#level = next;
        this.#steps += sharesOf(number).length;
      }
      if (next.triangles > STUCK * before.triangles) return;
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
      await this.#takeDown(number, level, list, clusters, await result, next);
      const count = list.reduce((sum, i) => sum + pieces[i].triangles, 0);
      left -= count;
      this.#done += count;
      this.#work.onProgress(this.#done, this.#done + left + ABOVE * level.triangles);
    };
    for (const list of groups) {
      const clusters: Cluster[] = [];
      for (const i of list) clusters.push(await level.cluster(i));
      const input = joinClusters(clusters, isLocked, this.#table);
      const task = { input, least: leastErrors(list.map((i) => pieces[i])), shares: sharesOf(number) };
      underWay.push({ list, clusters, result: startOn(task, pool) });
      if (underWay.length > (pool ? AHEAD * pool.size : 0)) await finish();
    }
    while (underWay.length > 0) await finish();
  }

  /** What has become of a group goes on to the next level. */
  async #takeDown(
    number: number,
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
    const ends = await this.#work.take(this.#steps, sharesOf(number).length, from, group);
    for (const [i, piece] of ends.entries()) await next.add(piece, end.clusters[i], end);
  }
}

function sharesOf(level: number): readonly number[] {
  return level === 0 ? LOWEST_SHARES : SHARES;
}

type Promised<T> = Promise<T | undefined> | T | undefined;

function startOn(task: GroupTask, pool: LevelsPool | undefined): Promised<SimplifiedGroup> {
  if (!pool) return simplifyGroup(task);
  const result = pool.simplify(task);
  result.catch(() => {}); // told to whoever waits for it
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
  for (let i = 0; i < boxes.length; i++) vertices.add((await level.cluster(i)).positions);
  return vertices;
}

/** How many vertices every two pieces share. */
function weightsOf(vertices: SharedVertices, count: number): Map<number, number> {
  const weights = new Map<number, number>();
  vertices.forEachPair((a, b) => {
    const key = Math.min(a, b) * count + Math.max(a, b);
    weights.set(key, (weights.get(key) ?? 0) + 1);
  });
  return weights;
}
