/**
 * Files that runs have written, whole or in part.
 *
 * Invariant: what is asked for is one of the names that a report or an exported viewer can have; it is never made into
 * a path before it was found to be one.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { reportPolicy } from '@impinge/cli/internal/reports/report-page.js';
import { byteRange } from '@impinge/cli/internal/server/byte-range.js';
import { HEADERS, typeOf } from '@impinge/cli/internal/server/headers.js';
import { ApiError } from './route.js';

export const RUN_FILES = [
  'report.html',
  'clashes.jsonl',
  'clashes.csv',
  'clashes.bcfzip',
  'report.json',
] as const;

const VIEWER_FILE = /^(?:assets\/)?[A-Za-z0-9_][\w.-]*\.(?:html|js|css|json|svg|png|wasm|impinge)$/;

export function isViewerFile(name: string): boolean {
  return VIEWER_FILE.test(name);
}

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.jsonl': 'application/x-ndjson; charset=utf-8',
};

/** What a report page may do, it says itself; the viewer has the policy of `impinge view`. */
function headersOf(name: string): Record<string, string> {
  const own = name.endsWith('report.html') ? { 'Content-Security-Policy': reportFrame() } : {};
  const kept = name.startsWith('assets/') ? 'private, max-age=31536000, immutable' : 'private, no-store';
  return {
    ...HEADERS,
    ...own,
    'Content-Type': TYPES[extname(name)] ?? typeOf(name),
    'Cache-Control': kept,
    'Accept-Ranges': 'bytes',
  };
}

function reportFrame(): string {
  return `${reportPolicy()}; frame-ancestors 'none'`;
}

export async function runFile(
  folder: string,
  name: string,
  request: Pick<IncomingMessage, 'method' | 'headers'>,
): Promise<Response> {
  // a link would lead elsewhere
  const file = await open(join(folder, name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => {
    throw new ApiError(404, 'there is no such file');
  });
  try {
    const { size, mtimeMs } = await file.stat();
    const etag = `"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`;
    const { range, 'if-range': ifRange, 'if-none-match': known } = request.headers;
    const headers = { ...headersOf(name), ETag: etag };
    if (known === etag) {
      await file.close();
      return new Response(null, { status: 304, headers });
    }
    const part = ifRange === undefined || ifRange === etag ? byteRange(range, size) : undefined;
    if (part === 'none') {
      await file.close();
      return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${size}` } });
    }
    const { start, end } = part ?? { start: 0, end: size };
    const isEmpty = request.method === 'HEAD' || end === start;
    if (isEmpty) await file.close();
    // closes the file when it is read or broken off
    const body = isEmpty ? null : Readable.toWeb(file.createReadStream({ start, end: end - 1 }));
    return new Response(body as ReadableStream | null, {
      status: part ? 206 : 200,
      headers: {
        ...headers,
        'Content-Length': String(end - start),
        ...(part && { 'Content-Range': `bytes ${start}-${end - 1}/${size}` }),
      },
    });
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
}
