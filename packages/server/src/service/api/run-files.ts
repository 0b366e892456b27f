/**
 * Files of runs, whole or in part.
 *
 * Invariant: a requested name is matched against the names that a report or an exported viewer can have before it
 * becomes part of a path.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { reportPolicy } from '@impinge/cli/internal/reports/report-page.js';
import { filePart } from '@impinge/cli/internal/server/byte-range.js';
import { HEADERS, typeOf } from '@impinge/cli/internal/server/headers.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';

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

/** A report page has its own policy, which lets it save decisions (`saves`); the viewer has that of `impinge view`. */
export function headersOf(name: string, saves = false): Record<string, string> {
  const own = name.endsWith('report.html') ? { 'Content-Security-Policy': reportFrame(saves) } : {};
  const kept = name.startsWith('assets/') ? 'private, max-age=31536000, immutable' : 'private, no-store';
  return {
    ...HEADERS,
    ...own,
    'Content-Type': TYPES[extname(name)] ?? typeOf(name),
    'Cache-Control': kept,
  };
}

function reportFrame(saves: boolean): string {
  return `${reportPolicy(saves)}; frame-ancestors 'none'`;
}

export async function runFile(
  folder: string,
  name: string,
  request: Pick<IncomingMessage, 'method' | 'headers'>,
): Promise<Response> {
  // symbolic links are not followed
  const file = await open(join(folder, name), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => {
    throw new RequestError(404, 'there is no such file');
  });
  try {
    const { size, mtimeMs } = await file.stat();
    const identity = `${size.toString(16)}-${Math.round(mtimeMs).toString(16)}`;
    const { status, start, end, headers } = filePart(request.headers, size, identity);
    const isEmpty = request.method === 'HEAD' || end === start;
    if (isEmpty) await file.close();
    // closes the file at its end or when aborted
    const body = isEmpty ? null : Readable.toWeb(file.createReadStream({ start, end: end - 1 }));
    return new Response(body as ReadableStream | null, {
      status,
      headers: { ...headersOf(name), ...headers },
    });
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
}
