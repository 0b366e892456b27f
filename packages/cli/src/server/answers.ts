/** Responses: texts and bytes from memory, and files, whole or in part. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageSource } from '@impinge/model';
import { filePart } from './byte-range.js';
import { HEADERS, typeOf } from './headers.js';

/** Bytes read and sent at a time. */
const CHUNK_BYTES = 1 << 18;
/** Content that never changes under its name may be cached by the browser; private, because the address is. */
const LASTING = 'private, max-age=31536000, immutable';

export interface Content {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly lasting?: boolean;
  /** Replaces the policy of the viewer. */
  readonly policy?: string;
}

export function sendStatus(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  // does not wait for the unread rest of the request
  response.writeHead(status, { ...HEADERS, ...headers, 'Content-Length': '0', Connection: 'close' }).end();
}

export function sendContent(request: IncomingMessage, response: ServerResponse, content: Content): void {
  const { type, bytes, lasting, policy } = content;
  response.writeHead(200, {
    ...HEADERS,
    ...(policy !== undefined && { 'Content-Security-Policy': policy }),
    'Content-Type': type,
    'Content-Length': bytes.length,
    'Cache-Control': lasting ? LASTING : 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  value: unknown,
  status = 200,
): void {
  const bytes = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': typeOf('.json'),
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/**
 * Sends an open file, or the requested part; stops if the file has become shorter or the client has disconnected.
 * `identity` changes when the contents do.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  source: PageSource,
  identity: string,
): Promise<void> {
  const { status, start, end, headers } = filePart(request.headers, source.byteLength, identity);
  if (status === 416) return sendStatus(response, status, headers);
  // a copy in the browser's cache would outlive its address
  const common = { ...HEADERS, 'Content-Type': typeOf(''), 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...common, ...headers });
  if (request.method === 'HEAD' || status === 304) response.end();
  else await sendPart(response, source, start, end);
}

async function sendPart(
  response: ServerResponse,
  source: PageSource,
  start: number,
  end: number,
): Promise<void> {
  for (let at = start; at < end; ) {
    // a new buffer each time: the previous one may not have been sent yet
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
    await source.read(at, [chunk]);
    at += chunk.length;
    if (!(await sent(response, chunk))) return;
  }
  response.end();
}

/** Waits until there is room for more; false where the client has disconnected. */
export async function sent(response: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(bytes)) return true;
  const gone = new AbortController();
  const stop = () => gone.abort();
  response.once('close', stop);
  try {
    await once(response, 'drain', { signal: gone.signal });
    return true;
  } catch {
    return false;
  } finally {
    response.off('close', stop);
  }
}
