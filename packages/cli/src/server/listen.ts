/** Listening, with limits: heads that come slowly, clients that do nothing and too many of them are let go. */
import { createServer, type Server } from 'node:http';
import { CommandError } from '../command-error.js';

export interface ListenLimits {
  readonly connections: number;
  readonly headerBytes: number;
  readonly headerMs: number;
  /** For all of a request; 0: those who read it see to that. */
  readonly requestMs: number;
  /** Without anything sent or taken. */
  readonly idleMs: number;
}

/** Port 0 is any free one. */
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
