/** Event streams: responses that stay open, one for each page, and announce changes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HEADERS } from './headers.js';

const STREAMS_MAX = 64;
/** Keep-alive interval: detects dead connections, and keeps live ones from being closed as idle. */
const PING_MS = 15_000;
/** A client with this much unread output is dead or not reading; the page reconnects by itself. */
const WAITING_BYTES_MAX = 64 << 10;

export class EventStreams {
  readonly #streams = new Set<ServerResponse>();
  readonly #most: number;
  readonly #ping = setInterval(() => this.#write(':\n\n'), PING_MS).unref();

  constructor(most = STREAMS_MAX) {
    this.#most = most;
  }

  get count(): number {
    return this.#streams.size;
  }

  add(_request: IncomingMessage, response: ServerResponse): void {
    // the oldest stream makes room
    if (this.#streams.size >= this.#most) this.#streams.values().next().value?.destroy();
    response.writeHead(200, {
      ...HEADERS,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
    });
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
    response.write('retry: 1000\n\n');
  }

  send(event: string, data: unknown = {}): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    clearInterval(this.#ping);
    for (const stream of this.#streams) stream.end();
  }

  #write(text: string): void {
    for (const stream of this.#streams) {
      if (stream.writableLength > WAITING_BYTES_MAX) stream.destroy();
      else stream.write(text);
    }
  }
}
