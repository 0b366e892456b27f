/** Listens with limits: slow request heads, idle clients and excess connections are closed. */
import { createServer, type Server } from 'node:http';
import { CommandError } from '../command-error.js';

export interface ListenLimits {
  readonly connections: number;
  readonly headerBytes: number;
  readonly headerMs: number;
  /** Timeout of a whole request; 0: the reader of the body enforces it. */
  readonly requestMs: number;
  /** Timeout without any data sent or received. */
  readonly idleMs: number;
}

/** Port 0 means any free port. */
export async function listen(host: string, port: number, limits: ListenLimits): Promise<Server> {
  const { connections, headerBytes, headerMs, requestMs, idleMs } = limits;
  const server = createServer({
    maxHeaderSize: headerBytes,
    headersTimeout: headerMs,
    requestTimeout: requestMs,
    keepAliveTimeout: headerMs,
    connectionsCheckingInterval: Math.min(1000, headerMs, requestMs || headerMs),
  });
  server.maxConnections = connections;
  server.timeout = idleMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const causes: Record<string, string> = {
        EADDRINUSE: 'the port is in use',
        EACCES: 'it is not allowed to',
      };
      const cause = causes[error.code ?? ''] ?? error.message;
      reject(new CommandError(`${host}, port ${port}: cannot listen: ${cause}`));
    });
    server.listen(port, host, resolve);
  });
  return server;
}
