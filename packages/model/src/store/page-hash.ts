/** The twins of kernels/page.ts: for bytes outside the arena, and as the oracle of tests. */
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

const MASK = (1n << 64n) - 1n;

function mix(x: bigint): bigint {
  x = ((x ^ (x >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  x = ((x ^ (x >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return x ^ (x >> 31n);
}

/** The exclusive or of the hashes of all edges, by position: 0 when each occurs an even number of times. */
export function edgeParity(positions: Float32Array, indices: Uint32Array): bigint {
  const bits = new Uint32Array(positions.map((x) => x + 0).buffer); // −0 counts as 0
  const vertex = (v: number) =>
    [1, 2].reduce(
      (hash, k) => mix((hash + BigInt(bits[3 * v + k])) & MASK),
      mix((BigInt(bits[3 * v]) + 0x9e3779b97f4a7c15n) & MASK),
    );
  const edge = (a: bigint, b: bigint) =>
    a === b ? 0n : mix(((a < b ? a : b) * 0x9e3779b97f4a7c15n + (a < b ? b : a)) & MASK);
  let parity = 0n;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertex(indices[t + k]));
    parity ^= edge(a, b) ^ edge(b, c) ^ edge(c, a);
  }
  return parity;
}
