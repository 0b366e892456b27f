/** The number of event streams is limited, in total and per token. */
import { expect, test } from 'vitest';
import { eventStream } from '../src/service/api/event-stream.js';
import type { Run } from '../src/service/api/schemas.js';
import { RunEvents } from '../src/service/run-events.js';
import { EVENT_STREAMS_MAX, EVENT_STREAMS_OF_TOKEN_MAX } from '../src/service/settings.js';

const run = { id: 'run', state: 'queued', finished: null } as Run;

function follower() {
  const events = new RunEvents();
  const controllers: AbortController[] = [];
  const follow = (token: string) => {
    const controller = new AbortController();
    const parts = { events, runs: { get: async () => run } as never };
    eventStream(parts, run, token, controller.signal);
    controllers.push(controller);
  };
  return { events, follow, controllers };
}

test('one token has a share of the streams, which it gets back', () => {
  const { events, follow, controllers } = follower();
  for (let i = 0; i < EVENT_STREAMS_OF_TOKEN_MAX; i++) follow('greedy');
  expect(() => follow('greedy')).toThrow(`already has ${EVENT_STREAMS_OF_TOKEN_MAX} event streams`);
  follow('other');
  controllers[0].abort();
  follow('greedy');
  expect(() => follow('greedy')).toThrow('already has');
  for (const controller of controllers) controller.abort();
  expect(events.count).toBe(0);
});

test('all together have a limit, too', () => {
  const { events, follow, controllers } = follower();
  for (let i = 0; i < EVENT_STREAMS_MAX; i++) follow(`token ${i % 8}`);
  expect(() => follow('another')).toThrow('too many clients follow events');
  for (const controller of controllers) controller.abort();
  expect(events.count).toBe(0);
});
