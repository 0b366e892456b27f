/**
 * Trees of oriented boxes without the kernels, all of whose boxes are aligned with the axes: where WebAssembly SIMD is
 * missing, a simple tree will do.
 *
 * Idea: triangles are sorted along a curve through the cells of their box (Morton's), so that to halve space is to cut
 * the order where a bit of the cell's number changes. A block takes the largest of its ranges apart until there are
 * four.
 * Errs: outward, by a float32 step.
 */
import { arena } from '../base/arena.js';
import { EMPTY, HierarchyHeader } from '../kernel/layout.generated.js';
import type { Mesh } from '../mesh/mesh.js';
import { EMPTY_EXTENT, roundUp, SLACK } from '../volumes/round.js';
import { LEAF_SIZE, OBB, OBB_STRIDE } from './build-obb.js';
import { writeCentre } from './centre.js';
import { type Builder, isLeaf, LANES, layOutTree, leafCount, leafRef, leafStart } from './layout.js';
import { TreeView } from './tree-view.js';

/** Bits of a cell's place along an axis. */
const CELL_BITS = 8;
/** More triangles than a tree can have. */
const NUMBERS = 2 ** 28;

/** Returns its byte offset in the arena; the caller owns it. */
export function buildAligned(mesh: Mesh, builder: Builder): number {
  const count = mesh.triangleCount;
  const keys = alongCurve(mesh);
  const refs: number[] = [];
  divide(keys, 0, count, refs);
  const blockCount = refs.length / LANES;
  const tree = layOutTree(arena(), {
    kind: OBB,
    stride: OBB_STRIDE,
    builder,
    leafSize: LEAF_SIZE,
    triangleCount: count,
    blockCapacity: blockCount,
    pendingCapacity: 0,
  });
  arena().u32()[(tree >>> 2) + HierarchyHeader.blockCount] = blockCount;
  const view = new TreeView(arena(), tree);
  for (let i = 0; i < count; i++) view.words[view.orderWord + i] = keys[i] % NUMBERS;
  for (const [slot, ref] of refs.entries()) view.words[view.refAt(slot)] = ref;
  fitAligned(tree, mesh);
  return tree;
}

/** Cells of triangles, each times NUMBERS and with the triangle's number added, in rising order. */
function alongCurve({ storedPositions: p, storedIndices, triangleCount, box, origin }: Mesh): Float64Array {
  const keys = new Float64Array(triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    const [i, j, k] = storedIndices.subarray(3 * t, 3 * t + 3);
    const places = [0, 1, 2].map((axis) => {
      const middle = (p[3 * i + axis] + p[3 * j + axis] + p[3 * k + axis]) / 3 + origin[axis];
      const share = (middle - box.min[axis]) / (box.max[axis] - box.min[axis]) || 0;
      return Math.max(0, Math.min(2 ** CELL_BITS - 1, Math.floor(share * 2 ** CELL_BITS)));
    });
    let cell = 0;
    for (let bit = CELL_BITS - 1; bit >= 0; bit--)
      for (const place of places) cell = 2 * cell + ((place >> bit) & 1);
    keys[t] = cell * NUMBERS + t;
  }
  return keys.sort();
}

/** Appends the references of a block over keys from `start` to `end`, and of those below it. */
function divide(keys: Float64Array, start: number, end: number, refs: number[]): number {
  const ranges = [[start, end]];
  while (ranges.length < LANES) {
    const sizes = ranges.map(([from, to]) => to - from);
    const largest = sizes.indexOf(Math.max(...sizes));
    if (sizes[largest] <= LEAF_SIZE) break;
    const [from, to] = ranges[largest];
    const middle = cut(keys, from, to);
    ranges.splice(largest, 1, [from, middle], [middle, to]);
  }
  const first = refs.length;
  refs.push(EMPTY, EMPTY, EMPTY, EMPTY);
  for (const [lane, [from, to]] of ranges.entries())
    refs[first + lane] = to - from <= LEAF_SIZE ? leafRef(from, to - from) : divide(keys, from, to, refs);
  return first / LANES;
}

/** Where the highest bit that is not the same in all cells changes, or the middle of equal ones. */
function cut(keys: Float64Array, start: number, end: number): number {
  const [first, last] = [keys[start], keys[end - 1]].map((key) => Math.floor(key / NUMBERS));
  if (first === last) return (start + end) >> 1;
  const bit = 31 - Math.clz32(first ^ last);
  const from = (last >> bit) * 2 ** bit * NUMBERS;
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Fits all boxes of a tree to where the mesh's vertices are now. */
export function fitAligned(tree: number, mesh: Mesh): void {
  writeCentre(arena(), tree, mesh);
  const view = new TreeView(arena(), tree);
  const { storedPositions: positions, storedIndices: indices } = mesh;
  const { floats, centre } = view;
  const boxes = new Float64Array(6 * LANES * view.blockCount);
  for (let slot = LANES * view.blockCount - 1; slot >= 0; slot--) {
    const ref = view.ref(slot);
    const box = boxes
      .subarray(6 * slot, 6 * slot + 6)
      .fill(Infinity, 0, 3)
      .fill(-Infinity, 3);
    const grow = (numbers: ArrayLike<number>, low: number, high: number) => {
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], numbers[low + k]);
        box[3 + k] = Math.max(box[3 + k], numbers[high + k]);
      }
    };
    if (isLeaf(ref)) {
      for (let i = 3 * leafStart(ref); i < 3 * (leafStart(ref) + leafCount(ref)); i++) {
        const vertex = 3 * indices[3 * view.triangleAt(Math.floor(i / 3)) + (i % 3)];
        grow(positions, vertex, vertex);
      }
    } else if (ref !== EMPTY) {
      const below = 6 * LANES * ref;
      for (let at = below; at < below + 6 * LANES; at += 6) grow(boxes, at, at + 3);
    }
    const at = view.volumeAt(slot);
    for (let c = 0; c < OBB_STRIDE; c++) floats[at + LANES * c] = 0;
    floats[at + LANES * (OBB_STRIDE - 1)] = 1;
    for (let k = 0; k < 3; k++) {
      const [low, high] = [box[k] - centre[k], box[3 + k] - centre[k]];
      const slack = SLACK * (Math.abs(box[k]) + Math.abs(box[3 + k]) + Math.abs(centre[k]));
      if (ref !== EMPTY) floats[at + LANES * k] = (low + high) / 2;
      const middle = floats[at + LANES * k];
      floats[at + LANES * (3 + k)] =
        ref === EMPTY ? -EMPTY_EXTENT : roundUp(Math.max(high - middle, middle - low) + slack);
    }
  }
}
