/** Which pieces are read together: what lies close in the file comes in one answer. */

/** So many are read by themselves first: the first picture. */
const FIRST_PIECES = 512;
/** So many bytes between two pieces are read rather than to ask twice. */
export const GAP_BYTES = 2 ** 16;
/** A request asks for about this much. */
const READ_BYTES = 2 ** 20;

/** `wanted` is in the order of urgency; so are the answers, by the most urgent of each. */
export function planReads(byteOffset: ArrayLike<number>, wanted: Uint32Array): Uint32Array[] {
  const [first, rest] = [wanted.subarray(0, FIRST_PIECES), wanted.subarray(FIRST_PIECES)];
  return [...runsOf(byteOffset, first), ...runsOf(byteOffset, rest)];
}

function runsOf(byteOffset: ArrayLike<number>, wanted: Uint32Array): Uint32Array[] {
  const order = Uint32Array.from(wanted, (_, i) => i).sort(
    (a, b) => byteOffset[wanted[a]] - byteOffset[wanted[b]],
  );
  const runs: { first: number; pieces: number[]; from: number; last: number }[] = [];
  for (const i of order) {
    const at = byteOffset[wanted[i]];
    const run = runs.at(-1);
    if (run && at - run.last <= GAP_BYTES && at - run.from <= READ_BYTES) {
      run.pieces.push(wanted[i]);
      run.first = Math.min(run.first, i);
      run.last = at;
    } else runs.push({ first: i, pieces: [wanted[i]], from: at, last: at });
  }
  return runs.sort((a, b) => a.first - b.first).map(({ pieces }) => Uint32Array.from(pieces));
}
