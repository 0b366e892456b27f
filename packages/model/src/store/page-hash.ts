/** The twins of kernels/page.ts: for bytes outside the arena. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { FNV_PRIME } from 'impinge/internal/kernel/layout.generated.js';

/** FNV-1a in four interleaved lanes, then over the lanes. The length must be a multiple of 16. */
export function pageChecksum(bytes: Uint8Array): number {
  const checksum = new PageChecksum();
  checksum.add(bytes);
  return checksum.value;
}

/** The same of bytes that come in parts, of a multiple of 16 each. */
export class PageChecksum {
  readonly #lanes = Int32Array.of(0x811c9dc5, 0x811c9dc6, 0x811c9dc7, 0x811c9dc8);

  add(bytes: Uint8Array): void {
    const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 ? bytes.slice() : bytes;
    // four times as fast as through a view; stores and machines are little endian
    const words = new Int32Array(buffer, byteOffset, byteLength >> 2);
    let [p, q, r, s] = this.#lanes;
    for (let at = 0; at < words.length; at += 4) {
      p = Math.imul(p ^ words[at], FNV_PRIME);
      q = Math.imul(q ^ words[at + 1], FNV_PRIME);
      r = Math.imul(r ^ words[at + 2], FNV_PRIME);
      s = Math.imul(s ^ words[at + 3], FNV_PRIME);
    }
    this.#lanes.set([p, q, r, s]);
  }

  get value(): number {
    return this.#lanes.reduce((hash, lane) => Math.imul(hash ^ lane, FNV_PRIME), 0x811c9dc5) >>> 0;
  }
}

/** The checksum of a page from those of its mesh and its tree. */
export function joinChecksums(mesh: number, tree: number): number {
  return (Math.imul(mesh, FNV_PRIME) ^ tree) >>> 0;
}

export function alteredPage(piece: number, why: string): ImpingeError {
  return new ImpingeError('bad-buffer', `page ${piece} of the store was altered: ${why}`, { piece });
}
