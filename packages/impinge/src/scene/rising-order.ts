/**
 * Sorts positions by float64 keys: a radix sort, least significant digit first, eleven bits at a time.
 *
 * Idea: the bits of a float64, with the sign flipped (all bits where it is negative), sort as unsigned integers.
 * Digits that are the same everywhere cost nothing: coordinates that began as float32 need four of six passes.
 */

const DIGITS = 6;
const BITS = 11;
const BUCKETS = 1 << BITS;

/** Positions of `keys` (no NaN) in rising order; equal ones keep their order. */
export function risingOrder(keys: Float64Array): Uint32Array {
  const count = keys.length;
  const bits = new Uint32Array(Float64Array.from(keys).buffer); // low word, high word
  const histograms = new Uint32Array(DIGITS * BUCKETS);
  for (let i = 0; i < count; i++) {
    const negative = bits[2 * i + 1] >>> 31 === 1;
    const low = (bits[2 * i] = negative ? ~bits[2 * i] : bits[2 * i]);
    const high = (bits[2 * i + 1] = negative ? ~bits[2 * i + 1] : bits[2 * i + 1] ^ 0x80000000);
    for (let digit = 0; digit < 3; digit++) {
      histograms[digit * BUCKETS + ((low >>> (BITS * digit)) & (BUCKETS - 1))]++;
      histograms[(3 + digit) * BUCKETS + ((high >>> (BITS * digit)) & (BUCKETS - 1))]++;
    }
  }
  let order = new Uint32Array(count);
  let other = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (let digit = 0; digit < DIGITS; digit++) {
    const place = histograms.subarray(digit * BUCKETS, (digit + 1) * BUCKETS);
    const word = digit < 3 ? 0 : 1;
    const shift = BITS * (digit % 3);
    if (count === 0 || place[(bits[word] >>> shift) & (BUCKETS - 1)] === count) continue;
    for (let bucket = 0, sum = 0; bucket < BUCKETS; bucket++) {
      const size = place[bucket];
      place[bucket] = sum;
      sum += size;
    }
    for (let at = 0; at < count; at++) {
      const i = order[at];
      other[place[(bits[2 * i + word] >>> shift) & (BUCKETS - 1)]++] = i;
    }
    [order, other] = [other, order];
  }
  return order;
}
