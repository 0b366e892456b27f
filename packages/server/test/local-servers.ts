/** Servers on this machine, for tests. */
import { mkdirSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error it has no declarations
import S3rver from 's3rver';
import { vi } from 'vitest';

/** `base` has no trailing slash. */
export async function httpServer(listener: RequestListener): Promise<{ server: Server; base: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Object storage in a folder, set in the environment; returns a function that stops it. */
export async function objectStorage(directory: string, ...buckets: string[]): Promise<() => Promise<void>> {
  mkdirSync(directory);
  const server: { run(): Promise<AddressInfo>; close(): Promise<void> } = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory },
    configureBuckets: buckets.map((name) => ({ name })),
  });
  const { port } = await server.run();
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  return async () => {
    vi.unstubAllEnvs();
    await server.close();
  };
}
