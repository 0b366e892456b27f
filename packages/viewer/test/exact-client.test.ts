/** The client of exact queries, with a worker simulated in the same thread. */
import { MemorySource, openStore } from '@impinge/model';
import { describe, expect, test } from 'vitest';
import { connectExactClient } from '../src/exact/exact-client.js';
import { exactRequests } from '../src/exact/exact-requests.js';
import type { AskedQuestion } from '../src/worker-questions.js';
import { box, modelOf, moved } from './small-model.js';

const { bytes } = await modelOf([0, 3, 6].map((x) => ({ solid: box(1, 1, 1, 3), pose: moved(x, 0, 0) })));

function start(url = 'store.impinge') {
  const asked: string[] = [];
  let isEnded = false;
  const listeners: Record<string, (event: unknown) => void> = {};
  const receive = exactRequests(
    async (name) => {
      if (name !== 'store.impinge') throw new Error(`${name}: cannot be read: 404\nand more`);
      return openStore(new MemorySource(bytes));
    },
    (reply) => setTimeout(() => !isEnded && listeners['message']({ data: structuredClone(reply) })),
  );
  const worker = {
    postMessage: (message: AskedQuestion) => {
      asked.push(message.question);
      setTimeout(() => receive(structuredClone(message)));
    },
    addEventListener: (name: string, listener: (event: unknown) => void) => {
      listeners[name] = listener;
    },
    terminate: () => {
      isEnded = true;
    },
  };
  const exact = connectExactClient(worker as unknown as Worker, url, { memory: 2 ** 22 });
  return { exact, asked, ended: () => isEnded, fail: (message: string) => listeners['error']({ message }) };
}

describe('exact answers', () => {
  test('come in turn', async () => {
    const { exact } = start();
    const [near, around, curve] = await Promise.all([
      exact.distance(0, 1),
      exact.around(1, 2.5),
      exact.contactCurve(0, 1),
    ]);
    expect(near.distance).toBeCloseTo(2, 6);
    expect(around.map(({ object }) => object)).toEqual([0, 2]);
    expect(curve).toEqual({ segments: new Float64Array(0), complete: true });
    expect((await exact.surface(2, [6.1, 0, 3])).point[2]).toBeCloseTo(0.5, 6);
    const options = { radius: 0.2, height: 1 };
    expect((await exact.walk([0, 2, 0], [0.5, 2, 0], options)).at).toEqual([0.5, 2, 0]);
  });

  test('of moves that wait are about the last', async () => {
    const { exact, asked } = start();
    await exact.take(0, 0.1);
    const moves = [0.5, 1, 1.5, 2, 2.5].map((x) => exact.drag(moved(x, 0, 0), 0.1));
    const answers = await Promise.all(moves);
    expect(answers.map((answer) => answer?.violations.length)).toEqual([
      0,
      ...[undefined, undefined, undefined],
      1,
    ]);
    expect(asked.filter((question) => question === 'drag')).toHaveLength(2);
    await exact.putBack();
    await expect(exact.drag(moved(0, 0, 0), 0)).rejects.toThrowError('no object is being moved');
  });

  test('give up looking for a free place when the object moves on', async () => {
    const { exact } = start();
    await exact.take(0);
    await exact.drag(moved(3, 0, 0), 0.1);
    const free = await exact.nearestFree(0.1);
    expect(free?.length).toBeCloseTo(1.1, 1);
    // every search checks for messages at its first step, and finds one
    const search = exact.nearestFree(0.1);
    const move = exact.drag(moved(1, 0, 0), 0.1);
    expect(await search).toBeUndefined();
    expect(await move).toMatchObject({ violations: [] });
  });

  test('say in one line what is wrong', async () => {
    const { exact } = start();
    await expect(exact.distance(0, 17)).rejects.toThrowError('the model has no object 17');
    await expect(exact.take(-1)).rejects.toThrowError('the model has no object -1');
    await expect(exact.distance(0, 2)).resolves.toMatchObject({ object: 2 });
    const missing = start('nowhere').exact;
    for (const question of [missing.distance(0, 1), missing.around(0, 1)]) {
      await expect(question).rejects.toThrowError(/^nowhere: cannot be read: 404$/);
    }
  });

  test('end when they are disposed of, and refuse what waits and what comes', async () => {
    const { exact, ended } = start();
    const waiting = exact.distance(0, 1);
    exact.dispose();
    await expect(waiting).rejects.toThrowError('exact answers have ended');
    expect(ended()).toBe(true);
    await expect(exact.around(0, 1)).rejects.toThrowError('exact answers have ended');
    await expect(exact.drag(moved(0, 0, 0), 0)).rejects.toThrowError('exact answers have ended');
  });

  test('are refused to everybody where the thread dies', async () => {
    const { exact, fail } = start();
    const waiting = exact.distance(0, 1);
    fail('out of memory');
    await expect(waiting).rejects.toThrowError('out of memory');
    await expect(exact.putBack()).rejects.toThrowError('out of memory');
  });
});
