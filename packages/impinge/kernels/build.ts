/**
 * Tree topology: which triangles share a leaf and a block.
 *
 * Idea: each triangle is a 32-byte record (box and number) that is swapped in place, so every pass over a range reads
 * memory in order; split.ts chooses the cuts. A block starts as one range; the child with the largest area that is not
 * a leaf yet is split until there are four or all are leaves. Blocks are numbered on creation, lane 0's whole subtree
 * before lane 1's.
 *
 * Invariant: blocks ≤ max(1, (n − 1) / 3) with four triangles to a leaf. A block of three splits has four children; one
 * of fewer has only leaves, made from more than four triangles. Counting triangles by leaves, a block of one split
 * takes 4 of the n − 1, of two splits 5, of three splits 3.
 * Invariant: a depth below MAX_DEPTH of src/hierarchy/layout.ts. Below MAX_SAH_DEPTH each block halves its range at
 * least once, and a range has fewer than 2²⁸ triangles; a treelet starts counting again.
 */
import {
  BLOCK_BYTES, EMPTY, MESH_BOX, MESH_INDICES, MESH_POSITIONS, PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_BLOCK_CAPACITY,
  TREE_BLOCK_COUNT, TREE_CENTRE, TREE_LEAF_SIZE, TREE_ORDER, TREE_PENDING, TREE_PENDING_CAPACITY, TREE_PENDING_COUNT, TREE_RADIUS,
  TREE_TRIANGLE_COUNT, leafRef,
} from './layout';
import { KIDS, WORK, scratch } from './scratch';
import { RANGE, RECORD_BYTES, R_AREA, R_COUNT, R_LANE, R_PARENT, R_START, measure, splitRange } from './split';

const MAX_SAH_DEPTH: u32 = 40;

/** Writes one record per triangle in [from, to). */
export function writeRecords(mesh: usize, records: usize, from: u32, to: u32): void {
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  for (let t = from; t < to; t++) writeRecord(positions, indices, t, records + RECORD_BYTES * <usize>t);
}

// @ts-ignore: decorator
@inline function writeRecord(positions: usize, indices: usize, t: u32, out: usize): void {
  const tri = indices + 12 * <usize>t;
  // the fourth lane read past each vertex is ignored; the read is safe because the indices follow the positions
  const v0 = v128.load(positions + 12 * <usize>load<u32>(tri));
  const v1 = v128.load(positions + 12 * <usize>load<u32>(tri, 4));
  const v2 = v128.load(positions + 12 * <usize>load<u32>(tri, 8));
  v128.store(out, f32x4.pmin(f32x4.pmin(v0, v1), v2));
  v128.store(out, f32x4.pmax(f32x4.pmax(v0, v1), v2), 16);
  store<u32>(out, t, 12);
}

/**
 * Builds the blocks of the range described at KIDS (start, count; measured here) below (parent, lane), or as the root
 * when parent is EMPTY. Children that are not leaves and have at most `treelet` triangles stay pending. Appends at
 * TREE_BLOCK_COUNT. Returns false when the room for blocks or pending entries runs out; nothing is written past it.
 */
function buildRange(tree: usize, records: usize, start: u32, count: u32, parent0: u32, lane0: u32, fast: bool, treelet: u32): bool {
  const leafSize = load<u32>(tree, TREE_LEAF_SIZE);
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  const capacity = load<u32>(tree, TREE_BLOCK_CAPACITY);
  let blockCount = load<u32>(tree, TREE_BLOCK_COUNT);
  const kids = scratch + KIDS;
  // Stack of ranges to be turned into blocks. Each depth leaves at most 3 on it, and there are at most 70 depths:
  // MAX_SAH_DEPTH, then at least one halving of 2^28 triangles per block. That makes 211 entries; there is room for
  // 256.
  const work = scratch + WORK;
  let top = work;
  store<u32>(top, start, R_START);
  store<u32>(top, count, R_COUNT);
  measure(records, top);
  store<u32>(top, parent0, R_PARENT);
  store<u32>(top, lane0, R_LANE);
  top += RANGE;
  while (top > work) {
    top -= RANGE;
    if (blockCount == capacity) return false;
    const index = blockCount++;
    const block = blocks + BLOCK_BYTES * <usize>index;
    const parent = load<u32>(top, R_PARENT);
    const laneDepth = load<u32>(top, R_LANE);
    const depth = laneDepth >> 8;
    if (parent != EMPTY) store<u32>(blocks + BLOCK_BYTES * <usize>parent + 4 * <usize>(laneDepth & 0xff), index, ROW_REF);

    // split the child with the largest area until there are four, or all are leaves
    memory.copy(kids, top, RANGE);
    let n: u32 = 1;
    while (n < 4) {
      let pick: u32 = 4;
      let pickArea: f64 = -1;
      for (let k: u32 = 0; k < n; k++) {
        const kid = kids + RANGE * <usize>k;
        if (load<u32>(kid, R_COUNT) > leafSize && (pick == 4 || load<f64>(kid, R_AREA) > pickArea)) { pick = k; pickArea = load<f64>(kid, R_AREA); }
      }
      if (pick == 4) break;
      const kid = kids + RANGE * <usize>pick;
      memory.copy(kid + 2 * RANGE, kid + RANGE, RANGE * <usize>(n - pick - 1));
      splitRange(records, kid, kid + RANGE, leafSize, fast, depth > MAX_SAH_DEPTH);
      n++;
    }

    // write references; push inner children in reverse order, so that lane 0 is built first
    for (let k: u32 = 0; k < 4; k++) {
      let ref = EMPTY;
      if (k < n) {
        const kid = kids + RANGE * <usize>k;
        const kidStart = load<u32>(kid, R_START);
        const kidCount = load<u32>(kid, R_COUNT);
        if (kidCount <= leafSize) ref = leafRef(kidStart, kidCount);
        else if (kidCount <= treelet) {
          const pendingCount = load<u32>(tree, TREE_PENDING_COUNT);
          if (pendingCount == load<u32>(tree, TREE_PENDING_CAPACITY)) return false;
          const entry = tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>pendingCount;
          store<u32>(entry, kidStart);
          store<u32>(entry, kidCount, 4);
          store<u32>(tree, pendingCount + 1, TREE_PENDING_COUNT);
          ref = PENDING_BIT | pendingCount;
        }
      }
      store<u32>(block + 4 * <usize>k, ref, ROW_REF);
    }
    for (let k: i32 = <i32>n - 1; k >= 0; k--) {
      if (load<u32>(block + 4 * <usize>k, ROW_REF) != EMPTY) continue;
      memory.copy(top, kids + RANGE * <usize>k, RANGE);
      store<u32>(top, index, R_PARENT);
      store<u32>(top, <u32>k | ((depth + 1) << 8), R_LANE);
      top += RANGE;
    }
  }
  store<u32>(tree, blockCount, TREE_BLOCK_COUNT);
  return true;
}

/**
 * Builds the topology of a whole tree whose header, order and capacities are laid out. Subtrees of at most `treelet`
 * triangles stay pending (0: none do). Returns false if there is too little room.
 */
export function buildTopology(tree: usize, records: usize, fast: bool, treelet: u32): bool {
  const count = load<u32>(tree, TREE_TRIANGLE_COUNT);
  store<u32>(tree, 0, TREE_BLOCK_COUNT);
  store<u32>(tree, 0, TREE_PENDING_COUNT);
  if (!buildRange(tree, records, 0, count, EMPTY, 0, fast, treelet)) return false;
  writeOrder(tree, records, 0, count);
  return true;
}

function writeOrder(tree: usize, records: usize, start: u32, count: u32): void {
  const order = tree + load<u32>(tree, TREE_ORDER);
  for (let i = start; i < start + count; i++) {
    store<u32>(order + 4 * <usize>i, load<u32>(records + RECORD_BYTES * <usize>i, 12));
  }
}

/**
 * Builds pending treelet number `treelet` at the end of `into`, which is the tree itself or a tree header of its own.
 * The first block replaces the reference at (parent, lane), unless parent is EMPTY. `records` holds one record per
 * triangle of the treelet. Returns false if there are too few blocks; then only the order inside the treelet has
 * changed.
 */
export function buildTreelet(tree: usize, into: usize, mesh: usize, records: usize, treelet: u32, parent: u32, lane: u32, fast: bool): bool {
  const entry = tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>treelet;
  const start = load<u32>(entry);
  const count = load<u32>(entry, 4);
  const order = tree + load<u32>(tree, TREE_ORDER);
  const positions = mesh + load<u32>(mesh, MESH_POSITIONS);
  const indices = mesh + load<u32>(mesh, MESH_INDICES);
  for (let i: u32 = 0; i < count; i++) {
    writeRecord(positions, indices, load<u32>(order + 4 * <usize>(start + i)), records + RECORD_BYTES * <usize>i);
  }
  const shifted = records - RECORD_BYTES * <usize>start; // can be indexed by leaf position
  const held = parent == EMPTY ? 0 : load<u32>(into + load<u32>(into, TREE_BLOCKS) + BLOCK_BYTES * <usize>parent + 4 * <usize>lane, ROW_REF);
  if (!buildRange(into, shifted, start, count, parent, lane, fast, 0)) {
    if (parent != EMPTY) store<u32>(into + load<u32>(into, TREE_BLOCKS) + BLOCK_BYTES * <usize>parent + 4 * <usize>lane, held, ROW_REF);
    return false;
  }
  writeOrder(tree, shifted, start, count);
  store<u32>(entry, 0, 4); // no longer pending
  return true;
}

/** Widens the header's radius, about the present centre, so that the sphere contains the mesh's box. */
export function widenRadius(tree: usize, mesh: usize): void {
  const box = mesh + MESH_BOX;
  const x = reachOf(load<f32>(box), load<f32>(box, 12), load<f64>(tree, TREE_CENTRE));
  const y = reachOf(load<f32>(box, 4), load<f32>(box, 16), load<f64>(tree, TREE_CENTRE + 8));
  const z = reachOf(load<f32>(box, 8), load<f32>(box, 20), load<f64>(tree, TREE_CENTRE + 16));
  store<f32>(tree, <f32>(sqrt(x * x + y * y + z * z) * 1.000001), TREE_RADIUS);
}

// @ts-ignore: decorator
@inline function reachOf(lo: f32, hi: f32, centre: f64): f64 { return max(<f64>hi - centre, centre - <f64>lo); }

/**
 * Writes the centre of the records' box to the header, rounded to float32, and the radius of a sphere about it that
 * contains all records.
 */
export function writeCentre(tree: usize, records: usize): void {
  const count = load<u32>(tree, TREE_TRIANGLE_COUNT);
  let lo = v128.load(records);
  let hi = v128.load(records, 16);
  for (let i: u32 = 1; i < count; i++) {
    const p = records + RECORD_BYTES * <usize>i;
    lo = f32x4.pmin(lo, v128.load(p));
    hi = f32x4.pmax(hi, v128.load(p, 16));
  }
  let radiusSq: f64 = 0;
  for (let k: usize = 0; k < 3; k++) {
    const a: f64 = <f64>(k == 0 ? f32x4.extract_lane(lo, 0) : k == 1 ? f32x4.extract_lane(lo, 1) : f32x4.extract_lane(lo, 2));
    const b: f64 = <f64>(k == 0 ? f32x4.extract_lane(hi, 0) : k == 1 ? f32x4.extract_lane(hi, 1) : f32x4.extract_lane(hi, 2));
    const c = <f64><f32>((a + b) * 0.5);
    store<f64>(tree + 8 * k, c, TREE_CENTRE);
    const r = max(b - c, c - a);
    radiusSq += r * r;
  }
  store<f32>(tree, <f32>(sqrt(radiusSq) * 1.000001), TREE_RADIUS);
}
