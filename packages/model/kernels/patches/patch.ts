/**
 * A patch: the triangles below a lane of a tree. They are consecutive in the tree's order.
 *
 * Its point is the first corner of the first triangle of its first leaf, so it is the same however much of the tree has
 * been built.
 */
import { BLOCK_BYTES, EMPTY, LOW_BITS, PENDING_BIT, ROW_REF, TREE_BLOCKS, TREE_ORDER, TREE_PENDING, indicesOf, isLeaf, leafCount, leafStart, positionsOf, vertexAt } from '../../../impinge/kernels/layout';
import { Q_MESH_A, Q_MESH_B, Q_POSE, Q_TREE_A, Q_TREE_B } from '../../../impinge/kernels/context';
import { patchScratch } from './scratch';

/** Positions of the cached points, in the frame of mesh a (three float64), and the lane of each. */
const POINT_A: usize = 0;
const POINT_B: usize = 24;
const LANE_A: usize = 48;
const LANE_B: usize = 52;

/** Must be called when a query starts or resumes, because trees may have moved. */
export function forgetPoints(): void { store<u64>(patchScratch, 0, LANE_A); }

/** The lane that must be built before a point can be found. */
export let unbuilt: usize = 0;

/**
 * The first leaf below `slot`; if that is not built yet, the result is meaningless and `unbuilt` is the lane to build.
 */
export function firstLeaf(blocks: usize, slot: usize): u32 {
  let ref = load<u32>(slot, ROW_REF);
  while (!isLeaf(ref)) {
    unbuilt = slot;
    if (ref & PENDING_BIT) return ref;
    slot = blocks + BLOCK_BYTES * <usize>ref;
    ref = load<u32>(slot, ROW_REF);
  }
  return ref;
}

/** Finds the point of the patch below `slot`, unless it is cached; returns false if a treelet must be built first. */
export function holdPoint(query: usize, slot: usize, isA: bool): bool {
  const lane = patchScratch + (isA ? LANE_A : LANE_B);
  if (load<u32>(lane) == <u32>slot) return true;
  const tree: usize = load<u32>(query + (isA ? Q_TREE_A : Q_TREE_B));
  const mesh: usize = load<u32>(query + (isA ? Q_MESH_A : Q_MESH_B));
  const ref = firstLeaf(tree + load<u32>(tree, TREE_BLOCKS), slot);
  if (!isLeaf(ref)) return false;
  store<u32>(lane, <u32>slot);
  const triangle = load<u32>(tree + load<u32>(tree, TREE_ORDER) + 4 * <usize>leafStart(ref));
  const v = vertexAt(positionsOf(mesh), load<u32>(indicesOf(mesh) + 12 * <usize>triangle));
  const x = <f64>load<f32>(v), y = <f64>load<f32>(v, 4), z = <f64>load<f32>(v, 8);
  if (isA) {
    store<f64>(patchScratch, x, POINT_A);
    store<f64>(patchScratch, y, POINT_A + 8);
    store<f64>(patchScratch, z, POINT_A + 16);
  } else {
    const p = query + Q_POSE;
    store<f64>(patchScratch, load<f64>(p) * x + load<f64>(p, 8) * y + load<f64>(p, 16) * z + load<f64>(p, 72), POINT_B);
    store<f64>(patchScratch, load<f64>(p, 24) * x + load<f64>(p, 32) * y + load<f64>(p, 40) * z + load<f64>(p, 80), POINT_B + 8);
    store<f64>(patchScratch, load<f64>(p, 48) * x + load<f64>(p, 56) * y + load<f64>(p, 64) * z + load<f64>(p, 88), POINT_B + 16);
  }
  return true;
}

/** Address of the cached point of a side. */
// @ts-ignore: decorator
@inline export function pointOf(isA: bool): usize { return patchScratch + (isA ? POINT_A : POINT_B); }

/** The distance of the two cached points. */
// @ts-ignore: decorator
@inline export function pointsApart(): f64 {
  const p = patchScratch;
  const dx = load<f64>(p, POINT_A) - load<f64>(p, POINT_B), dy = load<f64>(p, POINT_A + 8) - load<f64>(p, POINT_B + 8), dz = load<f64>(p, POINT_A + 16) - load<f64>(p, POINT_B + 16);
  return sqrt(dx * dx + dy * dy + dz * dz);
}

/** The range of a patch in the tree's order: its start in the low half, its end in the high half. */
export function rangeOf(tree: usize, slot: usize): u64 {
  const blocks = tree + load<u32>(tree, TREE_BLOCKS);
  let ref = load<u32>(slot, ROW_REF);
  while (!isLeaf(ref) && !(ref & PENDING_BIT)) ref = load<u32>(blocks + BLOCK_BYTES * <usize>ref, ROW_REF);
  const first = isLeaf(ref) ? leafStart(ref) : load<u32>(pendingAt(tree, ref));
  ref = load<u32>(slot, ROW_REF);
  while (!isLeaf(ref) && !(ref & PENDING_BIT)) {
    const refs = blocks + BLOCK_BYTES * <usize>ref + ROW_REF;
    let lane: usize = 12;
    while (load<u32>(refs + lane) == EMPTY) lane -= 4;
    ref = load<u32>(refs + lane);
  }
  const end = isLeaf(ref) ? leafStart(ref) + leafCount(ref) : load<u32>(pendingAt(tree, ref)) + load<u32>(pendingAt(tree, ref), 4);
  return <u64>first | (<u64>end << 32);
}

// @ts-ignore: decorator
@inline function pendingAt(tree: usize, ref: u32): usize { return tree + load<u32>(tree, TREE_PENDING) + 8 * <usize>(ref & LOW_BITS); }
