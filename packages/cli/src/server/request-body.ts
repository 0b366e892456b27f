/** Reads the bodies of requests up to a limit, whatever length they announce. */
import type { IncomingMessage } from 'node:http';
import { RequestError } from './request-error.js';

/** `parts`: the body, if more than its size is monitored. */
export async function readBody(
  request: IncomingMessage,
  most: number,
  parts: AsyncIterable<Buffer> = request,
): Promise<Buffer> {
  const tooMuch = () => new RequestError(413, `more than ${most} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooMuch();
  const read: Buffer[] = [];
  let length = 0;
  for await (const part of parts) {
    length += part.length;
    if (length > most) throw tooMuch();
    read.push(part);
  }
  return Buffer.concat(read);
}

export async function readJson(request: IncomingMessage, most: number): Promise<unknown> {
  const bytes = await readBody(request, most);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new RequestError(400, 'the body is not JSON');
  }
}
