/** What requests bring along, other than models: small, and soon. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from './api/route.js';

const BYTES_MAX = 2 << 20;

export async function readText(request: IncomingMessage, withinMs: number): Promise<string> {
  const tooMuch = () => new ApiError(413, `more than ${BYTES_MAX} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > BYTES_MAX) throw tooMuch();
  const late = setTimeout(() => request.destroy(), withinMs);
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > BYTES_MAX) throw tooMuch();
      parts.push(part);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    throw error instanceof TypeError ? new ApiError(400, 'this is not UTF-8') : error;
  } finally {
    clearTimeout(late);
  }
}

/** An empty body stands for an empty object. */
export async function readJson(request: IncomingMessage, withinMs: number): Promise<unknown> {
  const text = await readText(request, withinMs);
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new ApiError(400, 'this is not JSON');
  }
}
