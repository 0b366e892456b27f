/**
 * The tree that rays and points walk: axis-aligned boxes, four to a block, over the triangles of one mesh.
 *
 * Idea: the order of triangles is that of the tree of oriented boxes. Where a whole one is there, its references are
 * taken over, else they are made for this alone. Boxes are in the mesh's own float32 numbers, so they are exact, and
 * one backward sweep fits all of them. Layout: a header of 64 bytes (`BoxesHeader`), `order` as in hierarchy/layout.ts,
 * blocks of six rows of four float32 (minimum, maximum) and a row of references, in an order of their own
 * (kernels/rays/box-tree.ts); the corners of triangles, leaf after leaf, nine rows of as many float32 as the leaf has
 * triangles: reading them where the mesh has them takes a third longer. About 54 bytes per triangle, 12 more once
 * vertices have moved.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { heapWeight } from '../../base/heap-weight.js';
import { buildTop, LEAF_SIZE } from '../../hierarchy/build-obb.js';
import { FAR, HierarchyHeader } from '../../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { known } from '../pair/known.js';
import { raysKernels } from './kernels.generated.js';
import { BOX_BLOCK_BYTES, BOXES_HEADER_BYTES, BoxesHeader } from './layout.generated.js';

/** Of a block's rows of four, the one with references. */
export const REFERENCE_ROW = 6;
const CORNERS_BYTES = 36;
/** About, for the collector. */
const BYTES_PER_TRIANGLE = 54;
/** Rows of less than four are read as if they had four, and what comes next is read ahead. */
const SPARE_BYTES = 32;

const INDICES_BYTES = 12;

const reclaim = new FinalizationRegistry<number[]>((blocks) => {
  for (const block of blocks) arena().free(block);
});

/** Boxes of one mesh, as they were at one revision of it. */
class BoxTree {
  readonly block: number;
  revision = -1;
  readonly #blocks: number[];
  /** For the collector, for as long as there is this tree. */
  readonly #weights: (ArrayBuffer | undefined)[];

  constructor(block: number, weight: ArrayBuffer | undefined) {
    this.block = block;
    this.#blocks = [block];
    this.#weights = [weight];
    reclaim.register(this, this.#blocks, this);
  }

  /**
   * Of a mesh that moves, indices are kept in the order of the tree: looking them up takes longer than anything else.
   */
  keepIndices(mesh: Mesh): void {
    if (this.#blocks.length > 1) return;
    const indices = arena().alloc(INDICES_BYTES * mesh.triangleCount);
    this.#blocks.push(indices);
    this.#weights.push(heapWeight(INDICES_BYTES * mesh.triangleCount));
    raysKernels.kernels().copyIndices(this.block, mesh.block, indices);
  }

  dispose(): void {
    reclaim.unregister(this);
    for (const block of this.#blocks) arena().free(block);
  }
}

/**
 * The address of a mesh's box tree, which is built when it is first asked for and refitted when vertices have moved.
 */
export function boxTreeOf(mesh: Mesh): number {
  const its = known(mesh);
  const tree = (its.boxes ??= build(mesh));
  if (tree.revision !== mesh.revision) {
    if (tree.revision >= 0) tree.keepIndices(mesh);
    raysKernels.kernels().fitBoxes(tree.block, mesh.block);
    assertReach(tree.block, mesh);
    tree.revision = mesh.revision;
  }
  return tree.block;
}

function build(mesh: Mesh): BoxTree {
  assertMesh(mesh);
  // before the work, not after it: a collection that this sets off is then over when questions are asked. In the middle
  // of the first few hundred it finds all their answers in use, and V8 would place those of all later ones among what
  // lives long
  const weight = heapWeight(BYTES_PER_TRIANGLE * mesh.triangleCount);
  const tree = new BoxTree(layOut(mesh), weight);
  const its = known(mesh);
  if (!its.boxesTied) mesh.onDispose(() => its.boxes?.dispose());
  its.boxesTied = true;
  return tree;
}

/** Allocates a box tree and fills in all but the boxes. */
function layOut(mesh: Mesh): number {
  const ready = known(mesh).trees?.get('obb');
  const whole =
    ready !== undefined &&
    ready.header(HierarchyHeader.pendingCount) === 0 &&
    ready.header(HierarchyHeader.leafSize) <= LEAF_SIZE;
  const tree = whole ? ready.block : buildTop(mesh, 'sah', 0);
  const memory = arena();
  const header = (word: number) => memory.u32()[(tree >>> 2) + word];
  const blockCount = header(HierarchyHeader.blockCount);
  const blocksAt = BOXES_HEADER_BYTES + 16 * Math.ceil(mesh.triangleCount / 4);
  const cornersAt = blocksAt + BOX_BLOCK_BYTES * blockCount;
  const block = memory.alloc(cornersAt + CORNERS_BYTES * mesh.triangleCount + SPARE_BYTES);
  const words = memory.u32();
  words.fill(0, block >>> 2, (block + BOXES_HEADER_BYTES) >>> 2);
  words[(block + BoxesHeader.blockCount) >>> 2] = blockCount;
  words[(block + BoxesHeader.order) >>> 2] = BOXES_HEADER_BYTES;
  words[(block + BoxesHeader.blocks) >>> 2] = blocksAt;
  words[(block + BoxesHeader.corners) >>> 2] = cornersAt;
  const order = (tree + header(HierarchyHeader.order)) >>> 2;
  words.copyWithin((block + BOXES_HEADER_BYTES) >>> 2, order, order + mesh.triangleCount);
  raysKernels.kernels().copyReferences(block, tree);
  if (!whole) memory.free(tree);
  return block;
}

function assertReach(block: number, { name, origin }: Mesh): void {
  const at = (block + BoxesHeader.root) >>> 2;
  const most = arena()
    .f32()
    .subarray(at, at + 6)
    .reduce((far, x, k) => Math.max(far, Math.abs(x), Math.abs(origin[k % 3])), 0);
  if (most < FAR) return;
  throw new ImpingeError(
    'bad-input',
    `mesh "${name}" reaches farther than ${FAR}: float32 cannot square that`,
    {
      mesh: name,
    },
  );
}
