/** Range requests for parts of files, following RFC 9110. */
import type { IncomingHttpHeaders } from 'node:http';

/** A response about a file. 304 and 416 have no content. */
export interface FilePart extends ByteRange {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string>>;
}

/** The part to send of a file of `byteLength` bytes; `identity` changes when its contents do. */
export function filePart(
  { range, 'if-range': ifRange, 'if-none-match': known }: IncomingHttpHeaders,
  byteLength: number,
  identity: string,
): FilePart {
  const etag = `"${identity}"`;
  const headers = { ETag: etag, 'Accept-Ranges': 'bytes' };
  if (known?.split(',').some((one) => [etag, '*'].includes(one.trim().replace(/^W\//, ''))))
    return { status: 304, start: 0, end: 0, headers };
  const part = ifRange === undefined || ifRange === etag ? byteRange(range, byteLength) : undefined;
  if (part === 'none')
    return { status: 416, start: 0, end: 0, headers: { 'Content-Range': `bytes */${byteLength}` } };
  const { start, end } = part ?? { start: 0, end: byteLength };
  return {
    ...{ status: part ? 206 : 200, start, end },
    headers: {
      ...headers,
      'Content-Length': String(end - start),
      ...(part && { 'Content-Range': `bytes ${start}-${end - 1}/${byteLength}` }),
    },
  };
}

/** From the first byte to the one after the last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The requested part of a file of `byteLength` bytes; undefined: all of it, also if several parts or an invalid range
 * are requested; `none`: the range lies outside the file.
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
