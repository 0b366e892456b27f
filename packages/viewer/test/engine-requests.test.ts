/** The engine asked as the page does it, with a thread that is none. */
import { MemorySource, openStore } from '@impinge/model';
import { describe, expect, test } from 'vitest';
import { connectEngine, type EngineThread } from '../src/engine/create-engine.js';
import { type EngineMessage, type EngineReply, engineRequests } from '../src/engine/engine-requests.js';
import type { Engine } from '../src/engine/types.js';
import { box, modelOf, moved } from './small-model.js';

const { bytes } = await modelOf([0, 3, 6].map((x) => ({ solid: box(1, 1, 1, 3), pose: moved(x, 0, 0) })));

interface FakeThread {
  readonly engine: Engine;
  readonly asked: string[];
  readonly ended: () => boolean;
  fail(text: string): void;
}

function start(url = 'store.impinge'): FakeThread {
  const asked: string[] = [];
  let reply: (answer: EngineReply) => void = () => {};
  let fail: (text: string) => void = () => {};
  let ended = false;
  const receive = engineRequests(
    async (name) => {
      if (name !== 'store.impinge') throw new Error(`${name}: cannot be read: 404\nand more`);
      return openStore(new MemorySource(bytes));
    },
    (answer) => setTimeout(() => !ended && reply(structuredClone(answer))),
  );
  const thread: EngineThread = {
    post: (message: EngineMessage) => {
      if ('question' in message) asked.push(message.question);
      setTimeout(() => receive(structuredClone(message)));
    },
    onReply: (listener) => {
      reply = listener;
    },
    onFailure: (listener) => {
      fail = listener;
    },
    end: () => {
      ended = true;
    },
  };
  const engine = connectEngine(thread, url, { memory: 2 ** 22 });
  return { engine, asked, ended: () => ended, fail: (text) => fail(text) };
}

describe('an engine', () => {
  test('answers what it is asked, in turn', async () => {
    const { engine } = start();
    const [near, around, curve] = await Promise.all([
      engine.distance(0, 1),
      engine.around(1, 2.5),
      engine.contactCurve(0, 1),
    ]);
    expect(near.distance).toBeCloseTo(2, 6);
    expect(around.map(({ object }) => object)).toEqual([0, 2]);
    expect(curve).toEqual({ segments: new Float64Array(0), complete: true });
    expect((await engine.surface(2, [6.1, 0, 3])).point[2]).toBeCloseTo(0.5, 6);
    const options = { radius: 0.2, height: 1 };
    expect((await engine.walk([0, 2, 0], [0.5, 2, 0], options)).at).toEqual([0.5, 2, 0]);
  });

  test('answers of moves that wait only the last', async () => {
    const { engine, asked } = start();
    await engine.take(0, 0.1);
    const moves = [0.5, 1, 1.5, 2, 2.5].map((x) => engine.drag(moved(x, 0, 0), 0.1));
    const answers = await Promise.all(moves);
    expect(answers.map((answer) => answer?.violations.length)).toEqual([
      0,
      ...[undefined, undefined, undefined],
      1,
    ]);
    expect(asked.filter((question) => question === 'drag')).toHaveLength(2);
    await engine.putBack();
    await expect(engine.drag(moved(0, 0, 0), 0)).rejects.toThrowError('no object is being moved');
  });

  test('gives up looking for a free place when the object moves on', async () => {
    const { engine } = start();
    await engine.take(0);
    await engine.drag(moved(3, 0, 0), 0.1);
    const free = await engine.nearestFree(0.1);
    expect(free?.length).toBeCloseTo(1.1, 1);
    // every search waits for messages at its first step, and one is there
    const search = engine.nearestFree(0.1);
    const move = engine.drag(moved(1, 0, 0), 0.1);
    expect(await search).toBeUndefined();
    expect(await move).toMatchObject({ violations: [] });
  });

  test('says in one line what is wrong', async () => {
    const { engine } = start();
    await expect(engine.distance(0, 17)).rejects.toThrowError('the model has no object 17');
    await expect(engine.take(-1)).rejects.toThrowError('the model has no object -1');
    await expect(engine.distance(0, 2)).resolves.toMatchObject({ object: 2 });
    const missing = start('nowhere').engine;
    for (const question of [missing.distance(0, 1), missing.around(0, 1)]) {
      await expect(question).rejects.toThrowError(/^nowhere: cannot be read: 404$/);
    }
  });

  test('ends when it is disposed of, and refuses what waits and what comes', async () => {
    const { engine, ended } = start();
    const waiting = engine.distance(0, 1);
    engine.dispose();
    await expect(waiting).rejects.toThrowError('the engine was disposed');
    expect(ended()).toBe(true);
    await expect(engine.around(0, 1)).rejects.toThrowError('the engine was disposed');
    await expect(engine.drag(moved(0, 0, 0), 0)).rejects.toThrowError('the engine was disposed');
  });

  test('whose thread dies tells everybody', async () => {
    const { engine, fail } = start();
    const waiting = engine.distance(0, 1);
    fail('out of memory');
    await expect(waiting).rejects.toThrowError('out of memory');
    await expect(engine.putBack()).rejects.toThrowError('out of memory');
  });
});
