/**
 * A server on this computer for one page: a fixed table of names, below a token. Requests are limited in size, number
 * and time; responses are not, but a client that reads nothing for a while is disconnected.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../command-error.js';
import { sendJson, sendStatus } from './answers.js';
import { listen } from './listen.js';
import { newToken, RequestChecks } from './request-checks.js';
import { RequestError } from './request-error.js';

const ADDRESS = '127.0.0.1';
const CONNECTIONS_MAX = 256;
const HEADER_BYTES_MAX = 8 << 10;
const HEADER_MS = 10_000;
const REQUEST_MS = 60_000;
const IDLE_MS = 60_000;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

export type Answer = (exchange: Exchange) => void | Promise<void>;

/** The handlers of a name; HEAD is answered by `get`. */
export interface Endpoint {
  readonly get?: Answer;
  readonly post?: Answer;
}

export interface Limits {
  readonly headerMs?: number;
  readonly requestMs?: number;
  readonly idleMs?: number;
}

export class HttpServer {
  /** URL of the page; it contains the access token. */
  readonly address: string;
  readonly #server: Server;

  private constructor(server: Server, token: string) {
    this.#server = server;
    this.address = `http://${ADDRESS}:${portOf(server)}/${token}/`;
  }

  /** Listens at `port`, or at any free one; `find` returns the endpoint of a name. */
  static async start(
    port: number,
    find: (name: string) => Endpoint | undefined,
    onError: (error: unknown) => void,
    { headerMs = HEADER_MS, requestMs = REQUEST_MS, idleMs = IDLE_MS }: Limits = {},
  ): Promise<HttpServer> {
    const token = newToken();
    const sizes = { connections: CONNECTIONS_MAX, headerBytes: HEADER_BYTES_MAX };
    const server = await listen(ADDRESS, port, { ...sizes, headerMs, requestMs, idleMs });
    const checks = new RequestChecks(portOf(server), token);
    server.on('request', (request, response) => {
      void answered(request, response, checks, find, onError);
    });
    return new HttpServer(server, token);
  }

  /** Stops, aborting responses in progress. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function answered(
  request: IncomingMessage,
  response: ServerResponse,
  checks: RequestChecks,
  find: (name: string) => Endpoint | undefined,
  onError: (error: unknown) => void,
): Promise<void> {
  const asked = checks.asked(request);
  if ('refused' in asked) return sendStatus(response, asked.refused);
  const endpoint = find(asked.name);
  if (!endpoint) return sendStatus(response, 404);
  const { method = '' } = request;
  const answer = method === 'POST' ? endpoint.post : /^(GET|HEAD)$/.test(method) ? endpoint.get : undefined;
  if (!answer) {
    const allowed = [...(endpoint.get ? ['GET', 'HEAD'] : []), ...(endpoint.post ? ['POST'] : [])];
    return sendStatus(response, 405, { Allow: allowed.join(', ') });
  }
  try {
    await answer({ request, response, query: asked.query });
  } catch (error) {
    const known = error instanceof RequestError || error instanceof CommandError;
    if (!known && !request.destroyed) onError(error);
    if (response.headersSent) response.destroy();
    else {
      const status = error instanceof RequestError ? error.status : error instanceof CommandError ? 409 : 500;
      response.setHeader('Connection', 'close');
      sendJson(request, response, { error: known ? error.message : 'internal error' }, status);
    }
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
