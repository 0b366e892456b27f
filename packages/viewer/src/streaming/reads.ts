/** Which pieces are read together: what lies close in the file comes in one answer. */

/** What is looked at: the most urgent pieces. */
const MOST_URGENT = 4096;
/** So many bytes between two pieces are skipped by a new request rather than read. */
const GAP_BYTES = 16_384;
/** A request asks for about this much. */
const READ_BYTES = 2 ** 19;

/** `wanted` is in the order of urgency; so are the answers, by the most urgent of each. */
export function planReads(byteOffset: ArrayLike<number>, wanted: Uint32Array): Uint32Array[] {
  const rank = wanted.subarray(0, MOST_URGENT);
  const order = Uint32Array.from(rank, (_, i) => i).sort((a, b) => byteOffset[rank[a]] - byteOffset[rank[b]]);
  const reads: { first: number; pieces: number[]; from: number; last: number }[] = [];
  for (const i of order) {
    const at = byteOffset[rank[i]];
    const read = reads.at(-1);
    if (read && at - read.last <= GAP_BYTES && at - read.from <= READ_BYTES) {
      read.pieces.push(rank[i]);
      read.first = Math.min(read.first, i);
      read.last = at;
    } else reads.push({ first: i, pieces: [rank[i]], from: at, last: at });
  }
  return reads.sort((a, b) => a.first - b.first).map(({ pieces }) => Uint32Array.from(pieces));
}
