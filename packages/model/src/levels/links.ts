import type { Finer } from './cluster.js';
import type { GroupBlock } from './group-block.js';
import { G, NONE } from './layout.generated.js';
import { presentMesh, valuesAt } from './present.js';

/** Which triangles of the finest mesh stand on which present ones. */
export class Links {
  readonly #block: GroupBlock;
  /** Per triangle, and one more: where its part of #of begins; undefined: not known. */
  readonly #starts: Uint32Array | undefined;
  readonly #of: Uint32Array;

  constructor(block: GroupBlock) {
    this.#block = block;
    const count = block.word(G.linksCount);
    this.#of = new Uint32Array(count === NONE ? 0 : count);
    if (count === NONE) return;
    const pairs = block.words(G.links, 2 * count);
    const starts = new Uint32Array(block.triangleCount + 2);
    for (let i = 1; i < pairs.length; i += 2) starts[pairs[i] + 2]++;
    for (let t = 2; t < starts.length; t++) starts[t] += starts[t - 1];
    const of = this.#of;
    for (let i = 0; i < pairs.length; i += 2) of[starts[pairs[i + 1] + 1]++] = pairs[i];
    this.#starts = starts;
  }

  /** The part of the finest mesh that stands on some present triangles. */
  finerOf(slots: Uint32Array): Finer | undefined {
    const links = this.#starts;
    if (!links) return undefined;
    const all = this.#block.triangleCount;
    const numbers = new Int32Array(all).fill(-1);
    const taken = new Uint32Array(all);
    const starts = new Uint32Array(slots.length + 1);
    for (let i = 0; i < slots.length; i++) starts[i + 1] = starts[i] + links[slots[i] + 1] - links[slots[i]];
    const standing = this.#of;
    const of = new Uint16Array(starts[slots.length]);
    let count = 0;
    for (let i = 0; i < slots.length; i++) {
      let link = links[slots[i]];
      for (let k = starts[i]; k < starts[i + 1]; k++) {
        const t = standing[link++];
        if (numbers[t] < 0) {
          taken[count] = t;
          numbers[t] = count++;
        }
        of[k] = numbers[t];
      }
    }
    const part = taken.subarray(0, count);
    const indices = new Uint32Array(3 * count);
    const corners = this.#block.words(G.fine, 3 * all);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) indices[3 * i + k] = corners[3 * part[i] + k];
    }
    const mesh = presentMesh(this.#block, { indices });
    return {
      positions: mesh.positions,
      indices: new Uint16Array(mesh.indices),
      out: valuesAt(part, this.#block.floats(G.fineOut, all)),
      in: valuesAt(part, this.#block.floats(G.fineIn, all)),
      starts,
      of,
    };
  }
}
