/** Plans requests: pieces close together in the file are read together. */

/** Number of concurrent requests; browsers send no more to one server. */
export const REQUESTS = 6;
/** Approximate number of gaps in a request. */
const GAPS_PER_READ = 4;
const LEAST_READ = 2 ** 20;
const FAR_GAP = 2 ** 16;
const NEAR_GAP = 2 ** 19;

/**
 * The size of gaps that are read to save a request. Over a network, bytes are expensive; on this computer, half a
 * megabyte takes a millisecond or two, and a request through browser and server several.
 */
export function gapBytesOf(url: string): number {
  const { hostname } = new URL(url);
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? NEAR_GAP : FAR_GAP;
}

/**
 * `wanted` is sorted by urgency; so are the requests, by the most urgent piece of each. The first `firstPieces` have
 * their own requests, so that nothing delays them.
 */
export function planReads(
  byteOffset: ArrayLike<number>,
  wanted: Uint32Array,
  gapBytes: number,
  firstPieces: number,
): Uint32Array[] {
  const [first, rest] = [wanted.subarray(0, firstPieces), wanted.subarray(firstPieces)];
  return [...runsOf(byteOffset, first, gapBytes), ...runsOf(byteOffset, rest, gapBytes)];
}

function runsOf(byteOffset: ArrayLike<number>, wanted: Uint32Array, gapBytes: number): Uint32Array[] {
  const offsets = Float64Array.from(wanted, (piece) => byteOffset[piece]);
  const order = Uint32Array.from(wanted, (_, i) => i).sort((a, b) => offsets[a] - offsets[b]);
  const readBytes = Math.max(LEAST_READ, GAPS_PER_READ * gapBytes);
  const runs: { first: number; pieces: number[]; from: number; last: number }[] = [];
  for (const i of order) {
    const at = offsets[i];
    const run = runs.at(-1);
    if (run && at - run.last <= gapBytes && at - run.from <= readBytes) {
      run.pieces.push(wanted[i]);
      run.first = Math.min(run.first, i);
      run.last = at;
    } else runs.push({ first: i, pieces: [wanted[i]], from: at, last: at });
  }
  return runs.sort((a, b) => a.first - b.first).map(({ pieces }) => Uint32Array.from(pieces));
}
