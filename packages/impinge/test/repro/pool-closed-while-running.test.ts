/**
 * Closing a pool rejected running calls before their threads had ended: the caller could use the memory again while a
 * thread still wrote to it. And a pool that had failed once was never ended.
 */
import { expect, test } from 'vitest';
import { arena } from '../../src/base/arena.js';
import { createPool, type WorkerThread } from '../../src/parallel/worker-pool.js';
import { pairKernels } from '../../src/query/pair/kernels.generated.js';

/** Threads that answer only when told to. */
function fakeThreads() {
  const threads: {
    ended: boolean;
    answer: (result: number) => void;
    fail: (error: Error) => void;
    end: () => void;
  }[] = [];
  const start = (): WorkerThread => {
    let onMessage: (message: { id: number; result?: number }) => void = () => {};
    let onError: (error: Error) => void = () => {};
    let id = 0;
    let finish = () => {};
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const thread = {
      ended: false,
      answer: (result: number) => onMessage({ id, result }),
      fail: (error: Error) => onError(error),
      end: finish,
    };
    threads.push(thread);
    return {
      post: (message) => {
        id = (message as { id?: number }).id ?? 0;
      },
      onMessage: (listener) => {
        onMessage = listener;
      },
      onError: (listener) => {
        onError = listener;
      },
      end: () => {
        thread.ended = true;
        return ended;
      },
    };
  };
  return { threads, start };
}

const call = pairKernels.call('collide', 0);
/** Everything that waits for nothing but promises has run. */
const tick = () => new Promise((resolve) => setImmediate(resolve));

test('a running call is rejected only when its thread has ended', async () => {
  const { threads, start } = fakeThreads();
  const pool = createPool(1, start);
  const log: string[] = [];
  const running = pool.call(call).catch(() => log.push('running'));
  const waiting = pool.call(call).catch(() => log.push('waiting'));
  const closing = pool.dispose();
  await tick();
  expect(threads[0].ended).toBe(true);
  expect(log).toEqual(['waiting']);
  threads[0].end();
  await closing;
  await Promise.all([running, waiting]);
  expect(log).toEqual(['waiting', 'running']);
});

test('when one thread dies, calls on others finish, and the pool can be closed', async () => {
  const used = arena().usedBytes;
  const { threads, start } = fakeThreads();
  const pool = createPool(2, start);
  const outcomes = [pool.call(call), pool.call(call)].map((outcome) =>
    outcome.catch((error: Error) => error.message),
  );
  threads[1].fail(new Error('out of memory'));
  threads[0].answer(7);
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set([7, 'a worker failed: out of memory']));
  await expect(pool.call(call)).rejects.toThrow('out of memory');
  for (const thread of threads) thread.end();
  await pool.dispose();
  expect(threads.map((thread) => thread.ended)).toEqual([true, true]);
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
});
