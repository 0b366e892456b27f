/** The `Range` of a request, as RFC 9110 has it. */

/** From the first byte to the one after the last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a file of `byteLength` bytes that is asked for; undefined: all of it, also where several parts are asked
 * for, or something that is no range; `none`: nothing of the file is in it.
 */
export function byteRange(header: string | undefined, byteLength: number): ByteRange | 'none' | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), byteLength);
    return length > 0 ? { start: byteLength - length, end: byteLength } : 'none';
  }
  const start = Number(first);
  const end = last === '' ? byteLength : Math.min(Number(last) + 1, byteLength);
  if (last !== '' && Number(last) < start) return undefined;
  return start < byteLength ? { start, end } : 'none';
}
