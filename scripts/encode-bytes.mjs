// Writes bytes as text for the library's source: one character for each of the 89 most frequent ones, two for the
// others. Compressed, that is as small as the bytes themselves; hexadecimal digits take a tenth more, base64 a third.
// The layout is described where it is read, in packages/impinge/src/kernel/decode-bytes.ts.
const FREQUENT = 89;

export function encodeBytes(bytes) {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte]++;
  const all = Array.from(counts, (_, byte) => byte);
  const frequent = new Set([...all].sort((a, b) => counts[b] - counts[a] || a - b).slice(0, FREQUENT));
  const byRank = [...frequent].sort((a, b) => a - b).concat(all.filter((byte) => !frequent.has(byte)));
  const written = [];
  byRank.forEach((byte, rank) => {
    const half = Math.floor(rank / FREQUENT);
    written[byte] = (half > 0 ? digit(FREQUENT - 1 + half) : '') + digit(rank % FREQUENT);
  });
  const marks = Array.from({ length: 64 }, (_, nibble) =>
    [0, 1, 2, 3]
      .reduce((mark, bit) => mark | (frequent.has(4 * nibble + bit) ? 1 << bit : 0), 0)
      .toString(16),
  );
  return marks.join('') + Array.from(bytes, (byte) => written[byte]).join('');
}

/** Without double quotes and backslashes, which would have to be escaped. */
function digit(value) {
  return value === 57 ? '~' : String.fromCharCode(35 + value);
}
