/** The ranges of indices to draw; adjacent ones are merged. */
import { INDEX_BYTES, type Place } from './places.js';

/** Maximum length of a merged range: a slow GPU draws a frame in several parts. */
const JOINED_INDICES = 3 * 2 ** 15;

/** Sorts by the start of indices; both values are below 2²². */
export function keyOf({ indexAt, indices }: Place): number {
  return indexAt * 2 ** 22 + indices;
}

/** The ranges of places, given by their keys. */
export function rangesOf(keys: readonly number[]) {
  const sorted = Float64Array.from(keys).sort();
  const starts = new Int32Array(sorted.length);
  const counts = new Int32Array(sorted.length);
  let [count, end, indices] = [0, -1, 0];
  for (const key of sorted) {
    const at = Math.floor(key / 2 ** 22);
    const length = key % 2 ** 22;
    if (at === end && counts[count - 1] + length <= JOINED_INDICES) counts[count - 1] += length;
    else {
      starts[count] = INDEX_BYTES * at;
      counts[count++] = length;
    }
    end = at + length;
    indices += length;
  }
  return { starts: starts.slice(0, count), counts: counts.slice(0, count), indices };
}
