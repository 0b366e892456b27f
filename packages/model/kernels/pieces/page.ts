/**
 * Makes a page in one call, so that a thread can do it: the tree of a piece, the bytes of both, their checksums, and
 * whether the surface is closed.
 * Twins: src/store/page-layout.ts and page-hash.ts.
 */
import { buildTopology, writeCentre, writeRecords } from '../../../impinge/kernels/build';
import { computeRanges, fitSubtrees, fitUpperBlocks, MOMENT_BYTES } from '../../../impinge/kernels/fit';
import {
  BLOCK_BYTES, MESH_INDICES, MESH_ORIGIN, MESH_POSITIONS, MESH_TRIANGLE_COUNT, MESH_VERTEX_COUNT, TREE_BLOCKS, TREE_BLOCK_CAPACITY,
  TREE_BLOCK_COUNT, TREE_CENTRE, TREE_ORDER, TREE_PENDING, TREE_PENDING_COUNT,
} from '../../../impinge/kernels/layout';
import { CENTRE_BYTES, NARROW_VERTICES, PAGE_CENTRE, PAGE_HEAD_BYTES, pageChecksum } from '../../../impinge/kernels/page';

// a task, byte offsets
// host: Task.* = TASK_* / 4
// host: TASK_BYTES
const TASK_BYTES: usize = 64;
const TASK_MESH: usize = 0;
const TASK_TREE: usize = 4;
const TASK_TREELET: usize = 8;
const TASK_RECORDS: usize = 12;
const TASK_WORK: usize = 16;
const TASK_PAGE: usize = 20;
const TASK_MADE: usize = 24;
const TASK_PARITY: usize = 32;
const TASK_CHECKSUMS: usize = 40;

/** Makes the pages of `count` tasks, whose addresses are at `tasks`; then sets the word at `done`. */
export function makePages(tasks: usize, count: u32, done: usize): void {
  for (let i: u32 = 0; i < count; i++) makePage(load<u32>(tasks + 4 * <usize>i));
  store<u32>(done, 1);
}

/**
 * Builds the top of a tree, down to `treelet` triangles, without volumes; then sets the word at `done`. There are 32
 * bytes of records per triangle. Returns false if the tree has too little room.
 */
export function makeTop(mesh: usize, tree: usize, treelet: u32, records: usize, done: usize): bool {
  writeRecords(mesh, records, 0, load<u32>(mesh, MESH_TRIANGLE_COUNT));
  const isMade = buildTopology(tree, records, false, treelet);
  store<u32>(done, 1);
  return isMade;
}

/**
 * Makes one page. The tree is laid out and has no blocks yet; subtrees of at most `treelet` triangles stay pending.
 * There is room for 32 bytes of records per triangle or 8 per vertex, whichever is more, and for 88 bytes of work per
 * block of the tree's capacity. No page is made if the tree has too little room.
 */
function makePage(task: usize): void {
  const mesh = load<u32>(task, TASK_MESH), tree = load<u32>(task, TASK_TREE);
  const records = load<u32>(task, TASK_RECORDS), work = load<u32>(task, TASK_WORK), page = load<u32>(task, TASK_PAGE);
  const vertices = load<u32>(mesh, MESH_VERTEX_COUNT);
  const triangles = load<u32>(mesh, MESH_TRIANGLE_COUNT);
  writeRecords(mesh, records, 0, triangles);
  writeCentre(tree, records);
  if (!buildTopology(tree, records, false, load<u32>(task, TASK_TREELET))) return;
  const blocks = load<u32>(tree, TREE_BLOCK_COUNT);
  const ranges = work + MOMENT_BYTES * <usize>load<u32>(tree, TREE_BLOCK_CAPACITY);
  computeRanges(tree, ranges, 0, blocks);
  fitSubtrees(tree, mesh, ranges, work, 0, blocks, false);
  fitUpperBlocks(tree, mesh, ranges, work, 0, blocks, false);
  // the records are no longer needed: hashes of vertices take their place
  edgeParity(mesh + load<u32>(mesh, MESH_POSITIONS), vertices, mesh + load<u32>(mesh, MESH_INDICES), triangles, records, task + TASK_PARITY);
  const meshPart = meshPartBytes(vertices, triangles);
  const treePart = treePartBytes(blocks, load<u32>(tree, TREE_PENDING_COUNT));
  memory.fill(page, 0, meshPart + treePart);
  packPage(mesh, tree, page);
  store<u32>(task, pageChecksum(page, meshPart), TASK_CHECKSUMS);
  store<u32>(task, pageChecksum(page + meshPart, treePart), TASK_CHECKSUMS + 4);
  store<u32>(task, 1, TASK_MADE);
}

// @ts-ignore: decorator
@inline function align16(n: usize): usize { return (n + 15) & ~15; }

/** Bytes of head, positions and indices. */
function meshPartBytes(vertices: u32, triangles: u32): usize {
  const indexBytes: usize = vertices > NARROW_VERTICES ? 12 : 6;
  return PAGE_HEAD_BYTES + align16(12 * <usize>vertices) + align16(indexBytes * <usize>triangles);
}

/** Bytes of pending treelets and blocks. */
function treePartBytes(blocks: u32, pending: u32): usize {
  return align16(8 * <usize>pending) + BLOCK_BYTES * <usize>blocks;
}

/** Writes the page of a mesh and its tree; its triangles are in the order of the tree. `page` holds zeros. */
function packPage(mesh: usize, tree: usize, page: usize): void {
  const vertices = load<u32>(mesh, MESH_VERTEX_COUNT);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  const pendingBytes = 8 * <usize>load<u32>(tree, TREE_PENDING_COUNT);
  memory.copy(page, mesh + MESH_ORIGIN, PAGE_CENTRE);
  memory.copy(page + PAGE_CENTRE, tree + TREE_CENTRE, CENTRE_BYTES);
  let to = page + PAGE_HEAD_BYTES;
  memory.copy(to, mesh + load<u32>(mesh, MESH_POSITIONS), 12 * <usize>vertices);
  to += align16(12 * <usize>vertices);
  let order = tree + load<u32>(tree, TREE_ORDER);
  const end = order + 4 * <usize>load<u32>(mesh, MESH_TRIANGLE_COUNT);
  for (; order < end; order += 4) {
    const tri = indices + 12 * <usize>load<u32>(order);
    if (vertices > NARROW_VERTICES) {
      memory.copy(to, tri, 12);
      to += 12;
    } else {
      store<u16>(to, load<u16>(tri));
      store<u16>(to, load<u16>(tri, 4), 2);
      store<u16>(to, load<u16>(tri, 8), 4);
      to += 6;
    }
  }
  to = page + align16(to - page);
  memory.copy(to, tree + load<u32>(tree, TREE_PENDING), pendingBytes);
  memory.copy(to + align16(pendingBytes), tree + load<u32>(tree, TREE_BLOCKS), BLOCK_BYTES * <usize>load<u32>(tree, TREE_BLOCK_COUNT));
}

const K1: u64 = 0x9e3779b97f4a7c15;
const K2: u64 = 0xbf58476d1ce4e5b9;
const K3: u64 = 0x94d049bb133111eb;

// @ts-ignore: decorator
@inline function mix(x: u64): u64 {
  x = (x ^ (x >> 30)) * K2;
  x = (x ^ (x >> 27)) * K3;
  return x ^ (x >> 31);
}

/** The bits of a coordinate; −0 counts as 0. */
// @ts-ignore: decorator
@inline function bits(at: usize): u64 {
  const word = load<u32>(at);
  return word == 0x80000000 ? 0 : <u64>word;
}

/**
 * The exclusive or of the hashes of all edges of `count` triangles, each edge by the positions of its ends: 0 if every
 * edge occurs an even number of times (otherwise with probability 2⁻⁶⁴). `hashes` has room for 8 bytes per vertex. The
 * result is combined with the u64 at `out`.
 */
function edgeParity(positions: usize, vertices: u32, indices: usize, count: u32, hashes: usize, out: usize): void {
  for (let v: u32 = 0; v < vertices; v++) {
    const p = positions + 12 * <usize>v;
    store<u64>(hashes + 8 * <usize>v, mix(mix(mix(bits(p) + K1) + bits(p + 4)) + bits(p + 8)));
  }
  let parity: u64 = 0;
  for (let t: u32 = 0; t < count; t++) {
    const tri = indices + 12 * <usize>t;
    const a = load<u64>(hashes + 8 * <usize>load<u32>(tri));
    const b = load<u64>(hashes + 8 * <usize>load<u32>(tri, 4));
    const c = load<u64>(hashes + 8 * <usize>load<u32>(tri, 8));
    parity ^= edge(a, b) ^ edge(b, c) ^ edge(c, a);
  }
  store<u64>(out, load<u64>(out) ^ parity);
}

/** Hash of an edge in either direction; an edge without length does not count. */
// @ts-ignore: decorator
@inline function edge(a: u64, b: u64): u64 {
  if (a == b) return 0;
  return mix(min(a, b) * K1 + max(a, b));
}
