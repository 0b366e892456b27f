/** What requests bring along: no more than may be, whatever they announce. */
import type { IncomingMessage } from 'node:http';
import { RequestError } from './http-server.js';

export async function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const tooMuch = () => new RequestError(413, `more than ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooMuch();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > most) throw tooMuch();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export async function readJson(request: IncomingMessage, most: number): Promise<unknown> {
  const bytes = await readBody(request, most);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new RequestError(400, 'this is not JSON');
  }
}
