/** Request bodies: as a stream, or whole with limits on size and time. */
import type { IncomingMessage } from 'node:http';
import { readBody } from '@impinge/cli/internal/server/request-body.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { type LeastPace, Pace } from '@impinge/model/node';
import * as v from 'valibot';

/** Of bodies that are neither uploads nor archives. */
export const BYTES_MAX = 2 << 20;

/**
 * Yields the parts of a body. A request that is too slow or too large is not destroyed: the sender must get a response.
 */
export async function* bodyParts(request: IncomingMessage, least: LeastPace): AsyncGenerator<Buffer> {
  const pace = new Pace(least);
  const late = new Promise<never>((_, reject) => {
    pace.signal.addEventListener('abort', () =>
      reject(new RequestError(408, `the request comes too slowly: ${pace.signal.reason.message}`)),
    );
  });
  const parts: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  const next = () =>
    parts.next().catch(() => {
      throw new RequestError(400, 'the request was cut off');
    });
  try {
    for (
      let part = await Promise.race([next(), late]);
      !part.done;
      part = await Promise.race([next(), late])
    ) {
      pace.came(part.value.length);
      yield part.value;
    }
  } finally {
    pace.end();
  }
}

export function readBytes(request: IncomingMessage, withinMs: number, most = BYTES_MAX): Promise<Buffer> {
  return readBody(request, most, bodyParts(request, { bytes: Infinity, ms: withinMs }));
}

export async function readText(request: IncomingMessage, withinMs: number, most?: number): Promise<string> {
  return textOf(await readBytes(request, withinMs, most));
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError(400, 'the body is not UTF-8');
  }
}

/** An empty body counts as an empty object. */
export async function readJson(request: IncomingMessage, withinMs: number, most?: number): Promise<unknown> {
  const text = await readText(request, withinMs, most);
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new RequestError(400, 'the body is not JSON');
  }
}

/** Errors name the invalid field. */
export function valid<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  throw new RequestError(400, place ? `${place}: ${issue.message}` : issue.message);
}
