/** A run, or the decisions of a project, as server-sent events. */

import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import type { RunEvent } from '../run-events.js';
import type { ServiceParts } from '../service-parts.js';
import { EVENT_STREAMS_MAX, EVENT_STREAMS_OF_TOKEN_MAX } from '../settings.js';
import type { Run } from './schemas.js';

/** Keep-alive interval: detects dead connections, and keeps live ones from being closed as idle. */
const PING_MS = 15_000;
/** A client with this many unread events is dead or not reading. */
const WAITING_MAX = 256;

type Events = Pick<ServiceParts, 'events' | 'runs'>;

export function eventStream(parts: Events, run: Run, token: string, signal: AbortSignal): Response {
  const { events, runs } = parts;
  return stream(parts, run.id, token, signal, (send, end) => {
    const progress = events.progressOf(run.id);
    if (progress) send({ event: 'progress', data: progress });
    // read again: the listener is registered, so no change can be missed
    runs.get(run.id).then(
      (now) => (now ? send({ event: 'run', data: now }) : end()),
      () => end(),
    );
  });
}

export function reviewStream(parts: Events, project: string, token: string, signal: AbortSignal): Response {
  return stream(parts, project, token, signal, () => {});
}

/** `begin` sends the first events. Ends with a run that has ended. */
function stream(
  { events }: Events,
  id: string,
  token: string,
  signal: AbortSignal,
  begin: (send: (event: RunEvent) => void, end: () => void) => void,
): Response {
  if (events.countOf(token) >= EVENT_STREAMS_OF_TOKEN_MAX)
    throw new RequestError(429, `this token already has ${EVENT_STREAMS_OF_TOKEN_MAX} event streams`);
  if (events.count >= EVENT_STREAMS_MAX)
    throw new RequestError(503, 'too many clients follow events', { 'Retry-After': '10' });
  const encoder = new TextEncoder();
  let end = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ended = false;
        const write = (text: string) => {
          if (ended) return;
          if ((controller.desiredSize ?? 0) < -WAITING_MAX) end();
          else controller.enqueue(encoder.encode(text));
        };
        const send = ({ event, data }: RunEvent) => {
          write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
          if (event === 'run' && data.finished !== null) end();
        };
        const ping = setInterval(() => write(':\n\n'), PING_MS);
        const unfollow = events.follow(id, token, send);
        end = () => {
          if (ended) return;
          ended = true;
          clearInterval(ping);
          unfollow();
          signal.removeEventListener('abort', end);
          controller.close();
        };
        signal.addEventListener('abort', end);
        write('retry: 1000\n\n');
        begin(send, end);
      },
      cancel: () => end(),
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
}
