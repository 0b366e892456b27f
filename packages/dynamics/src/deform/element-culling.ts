/**
 * Fourth stage: of the pairs of triangles, the vertex–face and edge–edge pairs that may meet, each once.
 *
 * As in primitive-culling.ts, each task has lists of its own. How elements are judged: kernels/deform/element.ts.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import { ranges, results, type Work } from 'impinge/internal/kernel/schedule.js';
import type { ElementPairs } from './contact-tests.js';
import { deformKernels } from './kernels.generated.js';
import {
  EDGE_EDGE,
  ELEMENT_PAIR_BYTES,
  TALLY_BYTES,
  Tally,
  TallyWord,
  VERTEX_FACE,
} from './layout.generated.js';
import { sumTallies, type TrianglePairList } from './primitive-culling.js';

/** Kernels go by batches of 256 pairs, of up to 6 vertex–face and 9 edge–edge pairs each: room for one at least. */
const FIRST_CAPACITY = 4096;

export interface ElementCounts {
  readonly elementPairs: number;
  readonly testedPairs: number;
}

class ElementLists {
  readonly vertexFaces = new ArenaBuffer();
  readonly faces = new ArenaBuffer();
  readonly edgeEdges = new ArenaBuffer();
  vertexFaceCount = 0;
  edgeEdgeCount = 0;

  get vertexFaceRoom(): number {
    const room = Math.min(this.vertexFaces.bytes / ELEMENT_PAIR_BYTES, this.faces.bytes / 4);
    return Math.floor(room) - this.vertexFaceCount;
  }

  get edgeEdgeRoom(): number {
    return Math.floor(this.edgeEdges.bytes / ELEMENT_PAIR_BYTES) - this.edgeEdgeCount;
  }

  reserve(vertexFaces: number, edgeEdges: number): void {
    this.vertexFaces.reserve(ELEMENT_PAIR_BYTES * vertexFaces, ELEMENT_PAIR_BYTES * this.vertexFaceCount);
    this.faces.reserve(4 * vertexFaces, 4 * this.vertexFaceCount);
    this.edgeEdges.reserve(ELEMENT_PAIR_BYTES * edgeEdges, ELEMENT_PAIR_BYTES * this.edgeEdgeCount);
  }

  dispose(): void {
    for (const buffer of [this.vertexFaces, this.faces, this.edgeEdges]) buffer.dispose();
  }
}

interface Task {
  readonly list: TrianglePairList;
  readonly lists: ElementLists;
  readonly tally: number;
  from: number;
  readonly to: number;
}

export class ElementCulling {
  readonly #lists: ElementLists[] = [];
  readonly #tallies = new ArenaBuffer();
  #tasks = 0;

  /** Culls the elements of the pairs in `pairs`, in about `parts` tasks. */
  *run(ctx: number, pairs: readonly TrianglePairList[], parts: number): Work<ElementPairs[]> {
    const tasks = this.#cut(pairs, parts);
    let open = tasks;
    while (open.length > 0) {
      const next = yield* results(
        open.map(({ list, lists, tally, from, to }) =>
          deformKernels.call(
            'cullElements',
            ctx,
            list.pairs,
            from,
            to,
            lists.vertexFaces.at + ELEMENT_PAIR_BYTES * lists.vertexFaceCount,
            lists.faces.at + 4 * lists.vertexFaceCount,
            lists.vertexFaceRoom,
            lists.edgeEdges.at + ELEMENT_PAIR_BYTES * lists.edgeEdgeCount,
            lists.edgeEdgeRoom,
            tally,
          ),
        ),
      );
      open.forEach((task, i) => {
        const words = arena().u32();
        task.lists.vertexFaceCount += words[(task.tally >>> 2) + TallyWord.vertexFaces];
        task.lists.edgeEdgeCount += words[(task.tally >>> 2) + TallyWord.edgeEdges];
        task.from = next[i];
      });
      open = open.filter(({ from, to }) => from < to);
      // tasks that overflowed get twice the room
      for (const { lists } of open) {
        lists.reserve(
          2 * (lists.vertexFaceCount + FIRST_CAPACITY),
          2 * (lists.edgeEdgeCount + FIRST_CAPACITY),
        );
      }
    }
    const found: ElementPairs[] = [];
    for (const { lists } of tasks) {
      const { vertexFaces, faces, vertexFaceCount: count } = lists;
      if (count > 0) found.push({ kind: VERTEX_FACE, pairs: vertexFaces.at, faces: faces.at, count });
    }
    for (const { lists } of tasks) {
      const { edgeEdges, edgeEdgeCount: count } = lists;
      if (count > 0) found.push({ kind: EDGE_EDGE, pairs: edgeEdges.at, faces: 0, count });
    }
    return found;
  }

  /** The counts of the last run. */
  counts(): ElementCounts {
    const sums = sumTallies(this.#tallies.at, this.#tasks);
    return { elementPairs: sums[Tally.elementPairs], testedPairs: sums[Tally.testedPairs] };
  }

  dispose(): void {
    for (const lists of this.#lists.splice(0)) lists.dispose();
    this.#tallies.dispose();
  }

  /** Tasks of about the same number of pairs. */
  #cut(pairs: readonly TrianglePairList[], parts: number): Task[] {
    const total = pairs.reduce((sum, { count }) => sum + count, 0);
    const pieces = pairs.flatMap((list) =>
      ranges(list.count, Math.max(1, Math.round((parts * list.count) / Math.max(1, total)))).map(
        ([from, to]) => ({ list, from, to }),
      ),
    );
    this.#tasks = pieces.length;
    const tallies = this.#tallies.reserve(TALLY_BYTES * pieces.length);
    arena()
      .u8()
      .fill(0, tallies, tallies + TALLY_BYTES * pieces.length);
    while (this.#lists.length < pieces.length) this.#lists.push(new ElementLists());
    return pieces.map((piece, i) => {
      const lists = this.#lists[i];
      lists.vertexFaceCount = 0;
      lists.edgeEdgeCount = 0;
      lists.reserve(FIRST_CAPACITY, FIRST_CAPACITY);
      return { ...piece, lists, tally: tallies + TALLY_BYTES * i };
    });
  }
}
