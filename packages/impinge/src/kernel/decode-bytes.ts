/**
 * Bytes in the text of a module, as scripts/encode-bytes.mjs writes them.
 *
 * Layout: 64 hexadecimal digits whose bits say which bytes are frequent, then the bytes. There are 91 characters, from
 * `#` to `}`, with `~` for the backslash. A frequent byte is one of the first 89; another is one of the last two, which
 * say in which half of the others it is, and one of the first 89.
 */
export function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  const isFrequent = (byte: number) => (Number.parseInt(text[byte >> 2], 16) >> (byte & 3)) & 1;
  const byRank = Array.from({ length: 256 }, (_, byte) => byte).sort(
    (a, b) => isFrequent(b) - isFrequent(a) || a - b,
  );
  const bytes = new Uint8Array(text.length);
  let count = 0;
  let rank = 0;
  for (let i = 64; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const digit = code === 126 ? 57 : code - 35;
    if (digit < 89) {
      bytes[count++] = byRank[rank + digit];
      rank = 0;
    } else {
      rank = 89 * (digit - 88);
    }
  }
  return bytes.slice(0, count);
}
