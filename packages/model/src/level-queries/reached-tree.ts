/**
 * The nodes of a side that walks have come to, in the memory of the kernels (see kernels/patches/near-boxes.ts), in the
 * order in which they did: children follow each other.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { EMPTY } from 'impinge/internal/kernel/layout.generated.js';
import { NODE_BYTES, NodeField } from './layout.generated.js';
import type { Side } from './side.js';

const reclaim = new FinalizationRegistry<{ block: number }>((held) => arena().free(held.block));

/** Nodes that there is room for at first. */
const ROOM = 64;

export class ReachedTree {
  readonly #side: Side;
  readonly #held: { block: number };
  #room = ROOM;
  #count = 0;
  /** Their nodes in the side's tree. */
  readonly #nodes: number[] = [];

  constructor(side: Side) {
    this.#side = side;
    this.#held = { block: arena().alloc(NODE_BYTES * ROOM) };
    reclaim.register(this, this.#held);
    this.#add([side.tree.root]);
  }

  /** The first of them is the root. */
  get block(): number {
    return this.#held.block;
  }

  open(i: number): void {
    const children = this.#side.open(this.#nodes[i]);
    const first = this.#count;
    this.#add(children);
    const words = arena().u32();
    const at = (this.block + NODE_BYTES * i) >>> 2;
    words[at + NodeField.first] = first;
    words[at + NodeField.count] = children.length;
  }

  #add(nodes: readonly number[]): void {
    const { tree } = this.#side;
    if (this.#count + nodes.length > this.#room) this.#grow(2 * (this.#count + nodes.length));
    const [numbers, words] = [arena().f64(), arena().u32()];
    for (const node of nodes) {
      const from = tree.boxAt(node);
      const at = this.block + NODE_BYTES * this.#count++;
      for (let k = 0; k < 6; k++) numbers[(at >>> 3) + k] = tree.boxes[from + k];
      words[(at >>> 2) + NodeField.first] = 0;
      words[(at >>> 2) + NodeField.pose] = 0;
      words[(at >>> 2) + NodeField.part] = node < tree.nodes ? EMPTY : node - tree.nodes;
      this.#nodes.push(node);
    }
  }

  #grow(room: number): void {
    const memory = arena();
    const block = memory.alloc(NODE_BYTES * room);
    memory.u8().copyWithin(block, this.block, this.block + NODE_BYTES * this.#count);
    memory.free(this.block);
    this.#held.block = block;
    this.#room = room;
  }
}
