/** A block of the arena that grows on demand and is reused from one query to the next. */
import { arena } from './arena.js';

export class ArenaBuffer {
  #at = 0;
  #bytes = 0;

  /** Its byte offset; changes when it grows. */
  get at(): number {
    return this.#at;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Makes room for `bytes`, preserving the first `keep`, and returns the offset. */
  reserve(bytes: number, keep = 0): number {
    if (bytes <= this.#bytes) return this.#at;
    const wanted = Math.ceil(1.25 * bytes);
    if (keep === 0) this.dispose(); // its place may do for the new block
    const at = arena().alloc(wanted);
    if (keep > 0) {
      arena()
        .u8()
        .copyWithin(at, this.#at, this.#at + keep);
      this.dispose();
    }
    this.#at = at;
    this.#bytes = wanted;
    return at;
  }

  dispose(): void {
    if (this.#bytes > 0) arena().free(this.#at);
    this.#at = 0;
    this.#bytes = 0;
  }
}
