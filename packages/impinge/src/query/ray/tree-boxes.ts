/** The boxes of the tree that rays and points walk, for who wants to see them. */
import { arena } from '../../base/arena.js';
import { readInteger } from '../../base/options.js';
import { isLeaf, LANES, refIndex } from '../../hierarchy/layout.js';
import { EMPTY } from '../../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { boxTreeOf, REFERENCE_ROW } from './box-tree.js';
import { BOX_BLOCK_BYTES, BoxesHeader } from './layout.generated.js';

/** No tree is deeper. */
const MOST_DEPTH = 72;

/**
 * The boxes at a depth of a mesh's tree, and the leaves above it: minimum and maximum, six numbers each, in the
 * coordinates of the input. Depth 0 is one box around all; every further one has up to four times as many. Builds the
 * tree if there is none yet.
 */
export function treeBoxes(mesh: Mesh, depth: number): Float64Array {
  assertMesh(mesh);
  readInteger('depth', depth, 0, MOST_DEPTH);
  const tree = boxTreeOf(mesh);
  const memory = arena();
  const words = memory.u32();
  const floats = memory.f32();
  const blocks = (tree + words[(tree + BoxesHeader.blocks) >>> 2]) >>> 2;
  const boxes: number[] = [];
  const add = (at: number, step: number) => {
    for (let k = 0; k < 6; k++) boxes.push(floats[at + step * k] + mesh.origin[k % 3]);
  };
  const visit = (block: number, below: number) => {
    const at = blocks + (BOX_BLOCK_BYTES >>> 2) * block;
    for (let lane = 0; lane < LANES; lane++) {
      const reference = words[at + LANES * REFERENCE_ROW + lane];
      if (reference === EMPTY) continue;
      if (below === 0 || isLeaf(reference)) add(at + lane, LANES);
      else visit(refIndex(reference), below - 1);
    }
  };
  if (depth === 0) add((tree + BoxesHeader.root) >>> 2, 1);
  else visit(0, depth - 1);
  return Float64Array.from(boxes);
}
