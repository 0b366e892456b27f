/** Lays a draft out in the arena. */
import { arena } from 'impinge/internal/base/arena.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { ContactLevels, checksumsOf } from './contact-levels.js';
import type { Draft, DraftNode } from './draft.js';
import {
  ARRAYS,
  type ArrayName,
  type Counts,
  HEADER_WORDS,
  Header,
  KINDS,
  MAGIC,
  NO_NODE,
  placesOf,
  VERSION,
} from './layout.js';

export function writeLevels(draft: Draft, mesh: Mesh): ContactLevels {
  const ordered = inOrder(draft);
  const nodes = ordered.flat();
  const beside = nodes.map(({ points, faces }) => neighboursOf(points.length / 3, faces));
  const usable = ordered.slice(0, draft.usable).flat();
  const counts: Counts = {
    levelCount: ordered.length,
    usableLevels: draft.usable,
    nodeCount: nodes.length,
    hullVertexCount: sum(nodes, ({ points }) => points.length / 3),
    neighbourCount: sum(beside, (lists) => sum(lists, (list) => list.length)),
    faceCount: sum(nodes, ({ faces }) => faces.length / 3),
    surfaceVertexCount: sum(draft.levels.slice(0, draft.usable), ({ positions }) => positions.length / 3),
    triangleCount: sum(usable, ({ triangles }) => triangles.length / 3),
    originalCount: sum(ordered[0], ({ originals }) => originals.length),
    finestCount: ordered[0].length,
    usableNodeCount: usable.length,
  };
  const { byteLength, byteOffsets } = placesOf(counts);
  const memory = arena();
  const block = memory.alloc(byteLength);
  memory.u8().fill(0, block, block + byteLength);
  const header = memory.u32().subarray(block >>> 2, (block >>> 2) + HEADER_WORDS);
  header[Header.magic] = MAGIC;
  header[Header.version] = VERSION;
  header[Header.byteLength] = byteLength;
  header[Header.kind] = KINDS.indexOf(draft.kind);
  for (const [name, count] of Object.entries(counts) as [keyof Counts, number][])
    header[Header[name]] = count;
  memory.f64().set(mesh.origin, (block + 4 * Header.origin) >>> 3);
  header.set(checksumsOf(mesh), Header.positionsChecksum);
  const starts = startsOf(ordered, (level) => level.length);
  const lists = beside.flat();
  const surfaces = draft.levels.slice(0, draft.usable);
  const above = (parent: number, k: number) => (parent < 0 ? NO_NODE : starts[k + 1] + parent);
  const values: Record<ArrayName, Iterable<number>> = {
    levelStart: starts,
    parent: ordered.flatMap((level, k) => level.map(({ parent }) => above(parent, k))),
    childStart: childStarts(ordered, starts),
    h: nodes.map(({ h }) => h),
    s: nodes.map(({ s }) => s),
    r: nodes.map(({ r }) => r),
    hullStart: startsOf(nodes, ({ points }) => points.length / 3),
    hullVertices: each(nodes, ({ points }) => points),
    supportAreas: each(nodes, ({ support }) => support),
    neighbourStart: startsOf(lists, (list) => list.length),
    neighbours: each(lists, (list) => list),
    faceStart: startsOf(nodes, ({ faces }) => faces.length / 3),
    faces: each(nodes, ({ faces }) => faces),
    surfaceStart: startsOf(surfaces, ({ positions }) => positions.length / 3),
    surfaceVertices: each(surfaces, ({ positions }) => positions),
    triangleStart: startsOf(usable, ({ triangles }) => triangles.length / 3),
    triangles: each(usable, ({ triangles }) => triangles),
    originalStart: startsOf(ordered[0], ({ originals }) => originals.length),
    originals: each(ordered[0], ({ originals }) => originals),
  };
  for (const name of Object.keys(values) as ArrayName[]) {
    const view = ARRAYS[name][0] === 'f32' ? memory.f32() : memory.u32();
    let at = (block + byteOffsets[name]) >>> 2;
    for (const value of values[name]) view[at++] = value;
  }
  return new ContactLevels(block);
}

/** The levels with each in the order of its parents, and parents by their new places. */
function inOrder({ levels }: Draft): DraftNode[][] {
  const ordered: DraftNode[][] = new Array(levels.length);
  let placeOf: number[] = [];
  for (let k = levels.length - 1; k >= 0; k--) {
    const { nodes } = levels[k];
    const above = placeOf;
    for (const node of nodes) if (node.parent >= 0) node.parent = above[node.parent];
    const order = nodes.map((_, n) => n).sort((a, b) => nodes[a].parent - nodes[b].parent || a - b);
    placeOf = new Array(nodes.length);
    order.forEach((n, place) => {
      placeOf[n] = place;
    });
    ordered[k] = order.map((n) => nodes[n]);
  }
  return ordered;
}

function childStarts(ordered: readonly DraftNode[][], starts: readonly number[]): number[] {
  const result: number[] = ordered[0].map(() => 0);
  for (let k = 1; k < ordered.length; k++) {
    let child = 0;
    for (let n = 0; n < ordered[k].length; n++) {
      result.push(starts[k - 1] + child);
      while (child < ordered[k - 1].length && ordered[k - 1][child].parent === n) child++;
    }
  }
  result.push(ordered.length > 1 ? starts[ordered.length - 1] : 0);
  return result;
}

/** The vertices that each vertex of a hull shares an edge with, in rising order. */
function neighboursOf(count: number, faces: Int32Array): number[][] {
  const lists: number[][] = Array.from({ length: count }, () => []);
  for (let h = 0; h < faces.length; h++) {
    const to = faces[h % 3 === 2 ? h - 2 : h + 1];
    if (!lists[faces[h]].includes(to)) lists[faces[h]].push(to);
    if (!lists[to].includes(faces[h])) lists[to].push(faces[h]);
  }
  if (faces.length === 0 && count === 2) {
    lists[0].push(1);
    lists[1].push(0);
  }
  for (const list of lists) list.sort((a, b) => a - b);
  return lists;
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}

function startsOf<Item>(items: readonly Item[], count: (item: Item) => number): number[] {
  const starts = [0];
  for (const item of items) starts.push(starts[starts.length - 1] + count(item));
  return starts;
}

function* each<Item>(items: readonly Item[], values: (item: Item) => Iterable<number>): Iterable<number> {
  for (const item of items) yield* values(item);
}
