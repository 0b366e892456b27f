/** Object storage that drips, or says what cannot be. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openS3File } from '../src/remote/s3-file.js';

const BYTES = Uint8Array.from({ length: 5000 }, (_, i) => i % 251);
const ETag = '"one"';
const PACE = { bytes: 1000, ms: 1500 };
let server: Server;
let trick: ((response: ServerResponse) => void) | undefined;

beforeAll(async () => {
  server = createServer(({ method, headers }, response) => {
    if (method === 'HEAD') return response.writeHead(200, { 'Content-Length': BYTES.length, ETag }).end();
    if (trick) return trick(response);
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range!)!.map(Number);
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${BYTES.length}`, ETag });
    response.end(BYTES.subarray(from, to + 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

test('a part is what was asked for', async () => {
  const file = await openS3File('s3://models/plant.impinge');
  expect(file.byteLength).toBe(BYTES.length);
  expect(await file.part(100, 3000)).toEqual(BYTES.slice(100, 3100));
});

test('a part that drips is given up, and the connection closed', async () => {
  const file = await openS3File('s3://models/plant.impinge', PACE);
  let hungUp = 0;
  trick = (response) => {
    response.writeHead(206, {
      'Content-Range': `bytes 0-4999/${BYTES.length}`,
      'Content-Length': 5000,
      ETag,
    });
    const drip = setInterval(() => response.write('x'), 5);
    response.on('close', () => {
      clearInterval(drip);
      hungUp++;
    });
  };
  await expect(file.part(0, 5000)).rejects.toThrow(
    's3://models/plant.impinge: cannot be read: less than 1000 bytes came in 1.5 seconds',
  );
  await expect.poll(() => hungUp).toBe(1);
});

test('a range that is not the one asked for is named', async () => {
  const file = await openS3File('s3://models/plant.impinge');
  trick = (response) =>
    response.writeHead(206, { 'Content-Range': 'bytes 0-9/9000', ETag }).end(BYTES.subarray(0, 10));
  await expect(file.part(0, 10)).rejects.toThrow('the server sent bytes 0-9/9000 instead of bytes 0-9/5000');
});
