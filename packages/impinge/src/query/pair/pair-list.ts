/**
 * Pairs of triangles as keys that sort: the triangle of a in the high half of a 64-bit number, b's in the low half.
 */

export const NO_KEYS = new BigUint64Array(0);

/** Keys of several batches in one array. */
export function joinKeys(batches: readonly BigUint64Array[]): BigUint64Array {
  if (batches.length === 0) return NO_KEYS;
  if (batches.length === 1) return batches[0];
  let length = 0;
  for (const batch of batches) length += batch.length;
  const keys = new BigUint64Array(length);
  let at = 0;
  for (const batch of batches) {
    keys.set(batch, at);
    at += batch.length;
  }
  return keys;
}

/** Keys as (triangle of a, triangle of b) after each other. */
export function keysToPairs(keys: BigUint64Array): Uint32Array {
  if (keys.length === 0) return new Uint32Array(0);
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
  const pairs = new Uint32Array(2 * keys.length);
  for (let i = 0; i < pairs.length; i += 2) {
    pairs[i] = halves[i + 1];
    pairs[i + 1] = halves[i];
  }
  return pairs;
}

/** Pairs as (triangle of b, triangle of a), sorted by these. */
export function swapPairs(pairs: Uint32Array): Uint32Array {
  // two words of a pair are the low and the high half of a number, so they are keys as they stand
  return keysToPairs(new BigUint64Array(pairs.slice().buffer).sort());
}
