/**
 * The memory of a mesh: a block of the arena, freed when the mesh is collected.
 *
 * Idea: a collected mesh's block returns only after the event loop has turned, since finalisers run then. So once the
 * arena is crowded, a new mesh that may be short-lived is kept outside, in collectable memory, and enters the arena on
 * its first query.
 */
import type { Arena } from '../base/arena.js';
import { heapWeight } from '../base/heap-weight.js';

/** Above this size, of 4 GiB, the arena takes new meshes only on their first query. */
const CROWDED_BYTES = 2 ** 30;

const reclaim = new FinalizationRegistry<{ owner: Arena; block: number }>(({ owner, block }) =>
  owner.free(block),
);

export class MeshBlock {
  readonly owner: Arena;
  #at = 0;
  /** The bytes, while they lie outside the arena. */
  #aside: Uint8Array | undefined;
  /** The ballast (heap-weight.ts) of a mesh that a caller made and may drop; its trees add to it. */
  #weights: (ArrayBuffer | undefined)[] | undefined;

  constructor(owner: Arena, at: number) {
    this.owner = owner;
    this.#take(at);
  }

  /** Byte offset in the arena. */
  get at(): number {
    if (this.#aside) this.enter();
    return this.#at;
  }

  /** Into the arena, if it waits outside. */
  enter(): void {
    const bytes = this.#aside;
    if (!bytes) return;
    const at = this.owner.alloc(bytes.length);
    this.owner.u8().set(bytes, at);
    this.#aside = undefined;
    this.#weights = [heapWeight(bytes.length)];
    this.#take(at);
  }

  /** From now on its caller may forget it. */
  handOut(byteLength: number): void {
    const at = this.#at;
    if (this.owner.usedBytes > CROWDED_BYTES) {
      this.#aside = this.owner.u8().slice(at, at + byteLength);
      this.#release();
    } else this.#weights = [heapWeight(byteLength)];
  }

  /** `bytes` of the arena go with it. */
  weighs(bytes: number): void {
    this.#weights?.push(heapWeight(bytes));
  }

  free(): void {
    if (!this.#aside) this.#release();
    this.#aside = this.#weights = undefined;
  }

  #take(at: number): void {
    this.#at = at;
    this.owner.label(at, 'meshes');
    reclaim.register(this, { owner: this.owner, block: at }, this);
  }

  #release(): void {
    reclaim.unregister(this);
    this.owner.free(this.#at);
  }
}
