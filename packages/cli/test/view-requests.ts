/** Requests as no browser sends them, and small models to ask for. */
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { MemorySink, MemorySource, openStore, type StoredModel, StoreWriter } from '@impinge/model';
import type { PageFiles } from '../src/server/page-files.js';

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends `path` as it is, to the port of `address`. */
export function ask(
  address: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
    unfinished = false,
  }: {
    method?: string;
    headers?: OutgoingHttpHeaders;
    body?: string | Uint8Array;
    /** Sends the head alone. */
    unfinished?: boolean;
  } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', reject);
    if (unfinished) sent.flushHeaders();
    else sent.end(body);
  });
}

/** A page that is not the built one. */
export const PAGE: PageFiles = new Map([
  ['index.html', Buffer.from('<!doctype html><title>page</title>')],
  ['assets/main-1234.js', Buffer.from('export {};')],
]);

/** A store of tetrahedra with these ids, one metre apart. */
export async function storeBytes(ids: readonly string[], levels = false): Promise<Uint8Array> {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink, { levels });
  const geometry = {
    positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
    indices: new Uint32Array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]),
  };
  await writer.add({
    geometry,
    objects: ids.map((id, i) => ({
      ...{ id, name: id, path: `model/${id}`, type: 'pipe', discipline: '', file: 'model.obj', storey: '' },
      pose: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, i, 0, 0),
    })),
  });
  const modified = '2026-11-01T08:00:00.000Z';
  const file = { name: 'model.obj', byteLength: 1, modified, objects: ids.length, triangles: 4 * ids.length };
  await writer.finish({ title: 'two', metresPerUnit: 1, files: [file], recipe: '' });
  return sink.bytes();
}

export async function smallModel(ids: readonly string[] = ['a', 'b']): Promise<StoredModel> {
  return openStore(new MemorySource(await storeBytes(ids)));
}
