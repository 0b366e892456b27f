/** The boxes of a small mesh's triangles in their order (kernels/ordered-boxes.ts), kept with it. */
import { arena } from '../../base/arena.js';
import type { Mesh } from '../../mesh/mesh.js';
import { pairKernels } from './kernels.generated.js';
import { known } from './known.js';

const reclaim = new FinalizationRegistry<number>((block) => arena().free(block));

class OrderedBoxes {
  readonly block: number;
  revision = -1;

  constructor(bytes: number) {
    this.block = arena().alloc(bytes);
    arena().label(this.block, 'trees');
    reclaim.register(this, this.block, this);
  }

  dispose(): void {
    reclaim.unregister(this);
    arena().free(this.block);
  }
}

/** Their address; they are measured when first asked for, and again when vertices have moved. */
export function orderedBoxesOf(mesh: Mesh): number {
  const its = known(mesh);
  const boxes = (its.ordered ??= make(mesh));
  if (boxes.revision !== mesh.revision) {
    pairKernels.kernels().writeBoxes(mesh.block, boxes.block);
    boxes.revision = mesh.revision;
  }
  return boxes.block;
}

function make(mesh: Mesh): OrderedBoxes {
  const bytes = pairKernels.kernels().boxesBytes(mesh.triangleCount);
  mesh.weighs(bytes);
  const boxes = new OrderedBoxes(bytes);
  mesh.onDispose(() => boxes.dispose());
  return boxes;
}
