/** The coordinator with a queue that loses and repeats jobs; and the result table. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { openResultTable, queueAddress } from '../src/queue/backends.js';
import { type Broker, openBroker, openQueue, workOn } from '../src/queue/broker.js';
import { Coordinator } from '../src/queue/coordinator.js';
import { quarantineText, readPairJob } from '../src/queue/job-format.js';
import type { QueueAddress } from '../src/queue/queue-address.js';
import type { ResultTable } from '../src/queue/result-table.js';
import { describeBackends, endStarted, SOME_READS, startService } from './queue-processes.js';
import { toxicProxy } from './toxic-proxy.js';

endStarted();

const settings = { rules: [{ clearance: 0, tolerance: 0, kinds: 1 }], memory: 40e6 };
const store = { store: '/x.impinge', fingerprint: 'f', version: '0' };
/** The findings of these tests' workers: as many touches as pairs. */
const resultOf = (triples: Uint32Array) =>
  JSON.stringify({ found: [], touches: triples.length / 3, cache: SOME_READS });
/** Tasks of 1, 2, 3 … pairs. */
const tasks = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    Uint32Array.from({ length: 3 * (i + 1) }, (_, k) => (k % 3 === 2 ? 0 : i * 1000 + k)),
  );
const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(10);
};

describeBackends((backend) => {
  let service: { readonly url: string; readonly port: number };
  let address: QueueAddress;
  let table: ResultTable;
  let broker: Broker;
  beforeAll(async () => {
    service = await startService(backend);
    address = queueAddress(service.url);
    ({ table, broker } = await openQueue(address));
  });
  afterAll(async () => {
    await Promise.all([table?.close(), broker?.close()]);
  });

  /** Runs a check with a scripted worker; if killed, its results stay in the table. */
  async function led<T>(
    key: string,
    act: (data: unknown, table: ResultTable) => Promise<void>,
    lead: (coordinator: Coordinator) => Promise<T>,
    { atOnce = 4, isKilled = false } = {},
  ): Promise<T> {
    const coordinator = new Coordinator({
      ...{ ...(await openQueue(address)), store },
      ...{ key: () => key, onIdle: () => {}, auditEveryMs: 100 },
    });
    const options = { name: 'w', atOnce, lostAfterMs: 60_000, onProblem: () => {} };
    const working = await workOn(address, options, (data) => act(data, table));
    try {
      return await lead(coordinator);
    } finally {
      if (!isKilled) await coordinator.finish();
      await coordinator.close();
      await working.close();
    }
  }

  test('results stay as they were first, tries are counted, and a check that is closed is gone', async () => {
    await table.openRun('r', 'about r');
    await table.openRun('r', 'something else');
    expect(await table.descriptionOf('r')).toBe('about r');
    expect(await table.begin('r', 'g', 'w')).toEqual({ tries: 1, isSettled: false, error: undefined });
    await table.fail('r', 'g', 'bad luck');
    expect(await table.begin('r', 'g', 'w')).toEqual({ tries: 2, isSettled: false, error: 'bad luck' });
    await table.putResult('r', 'g', 'first');
    await table.putResult('r', 'g', 'second');
    await table.quarantine('r', 'g', 'why');
    expect(await table.begin('r', 'g', 'w')).toMatchObject({ tries: 3, isSettled: true });
    await table.begin('r', 'h', 'w');
    await table.quarantine('r', 'h', 'why');
    await table.putResult('r', 'h', 'late');
    expect([...(await table.settled('r', ['g', 'h', 'i']))]).toEqual([
      ['g', { result: 'first' }],
      ['h', { apart: 'why' }],
    ]);
    await table.closeRun('r');
    expect(await table.descriptionOf('r')).toBeUndefined();
    expect(await table.begin('r', 'g', 'w')).toBeUndefined();
    await table.putResult('r', 'g', 'later');
    expect((await table.settled('r', ['g', 'h'])).size).toBe(0);
  });

  test('a network that is cut while the queue is reached is asked again', async () => {
    const proxy = await toxicProxy(service.port);
    const through = queueAddress(service.url.replace(`:${service.port}`, `:${proxy.port}`));
    const options = { name: 'w', atOnce: 1, lostAfterMs: 60_000, onProblem: () => {} };
    for (const open of [
      () => openResultTable(through),
      () => openBroker(through),
      () => workOn(through, options, async () => {}),
    ]) {
      proxy.cutsToCome = 3;
      const opened = await open();
      expect(proxy.cutsToCome).toBe(0);
      await opened.close();
    }
  });

  // half a minute
  test.skipIf(!LONG)('a network that is always cut is given up in the end', async () => {
    const proxy = await toxicProxy(service.port);
    proxy.cutsToCome = Infinity;
    const url = service.url.replace(`:${service.port}`, `:${proxy.port}`);
    await expect(openResultTable(queueAddress(url))).rejects.toThrow('(asked 10 times)');
  });

  test('jobs that end without a result are handed out until there is one', async () => {
    const seen = new Map<string, number>();
    const found = await led(
      'silent',
      async (data, table) => {
        const { run, task, triples } = readPairJob(data);
        const times = (seen.get(task) ?? 0) + 1;
        seen.set(task, times);
        // the queue regards it as completed the first time, as failed the second time
        if (times === 1) return;
        if (times === 2) throw new Error('failed');
        await table.begin(run, task, 'w');
        await table.putResult(run, task, resultOf(triples));
      },
      (coordinator) => Promise.all(tasks(40).map((triples) => coordinator.measure(triples, settings))),
    );
    expect(found.map(({ touches }) => touches)).toEqual(tasks(40).map((_, i) => i + 1));
    expect([...seen.values()].every((times) => times >= 3)).toBe(true);
  });

  test('jobs that are taken away, and jobs that come twice, change nothing', async () => {
    const held: unknown[] = [];
    let isOpen = false;
    let measured = 0;
    const found = await led(
      'lost',
      async (data, table) => {
        const { run, task, triples } = readPairJob(data);
        if (!isOpen) {
          held.push(data);
          await until(() => isOpen);
        }
        measured++;
        await table.begin(run, task, 'w');
        await table.putResult(run, task, resultOf(triples));
        // another worker measures the same task with a different result
        await table.putResult(run, task, resultOf(Uint32Array.of(0, 0, 0)));
      },
      async (coordinator) => {
        const asked = Promise.all(tasks(30).map((triples) => coordinator.measure(triples, settings)));
        await until(() => held.length > 0);
        const { run } = readPairJob(held[0]);
        const { taskName, pairsText } = await import('../src/queue/job-format.js');
        const jobs = tasks(30).map((triples) => {
          const pairs = pairsText(triples);
          return { run, task: taskName(pairs), pairs };
        });
        await broker.remove(jobs); // all that no worker has started
        await broker.add(jobs.slice(0, 10));
        await broker.add(jobs.slice(0, 10));
        isOpen = true;
        return asked;
      },
      { atOnce: 1 },
    );
    expect(found.map(({ touches }) => touches)).toEqual(tasks(30).map((_, i) => i + 1));
    expect(measured).toBeGreaterThanOrEqual(30);
  });

  test('what another has found before is not handed out again', async () => {
    let jobs = 0;
    const measure = async (data: unknown, table: ResultTable) => {
      const { run, task, triples } = readPairJob(data);
      jobs++;
      await table.begin(run, task, 'w');
      await table.putResult(run, task, resultOf(triples));
    };
    const ask = (count: number) => (coordinator: Coordinator) =>
      Promise.all(tasks(count).map((triples) => coordinator.measure(triples, settings)));
    await led('again', measure, ask(10), { isKilled: true });
    const first = jobs;
    const found = await led('again', measure, ask(12));
    expect(first).toBe(10);
    expect(jobs).toBe(12);
    expect(found.map(({ touches }) => touches)).toEqual(tasks(12).map((_, i) => i + 1));
  });

  test('a task that is set apart is tried pair by pair, and what is left is named', async () => {
    const isBad = (a: number) => a === 2006;
    const { found, unmeasured } = await led(
      'apart',
      async (data, table) => {
        const { run, task, triples } = readPairJob(data);
        await table.begin(run, task, 'w');
        const bad = triples.some((a, k) => k % 3 === 0 && isBad(a));
        if (bad) await table.quarantine(run, task, quarantineText({ isRefused: false, why: 'it bites' }));
        else await table.putResult(run, task, resultOf(triples));
      },
      async (coordinator) => ({
        found: await Promise.all(tasks(4).map((triples) => coordinator.measure(triples, settings))),
        unmeasured: coordinator.unmeasured,
      }),
    );
    expect(found.map(({ touches }) => touches)).toEqual([1, 2, 2, 4]);
    expect(found.map((one) => one.unmeasured)).toEqual([undefined, undefined, [2], undefined]);
    expect(unmeasured).toEqual([{ a: 2006, b: 2007, why: 'it bites' }]);
  });

  test('what no worker can do ends the check', async () => {
    const asked = led(
      'refused',
      async (data, table) => {
        const { run, task } = readPairJob(data);
        await table.begin(run, task, 'w');
        await table.quarantine(run, task, quarantineText({ isRefused: true, why: 'w: no such store' }));
      },
      (coordinator) => coordinator.measure(tasks(2)[1], settings),
    );
    await expect(asked).rejects.toThrow('no worker can take part: w: no such store');
  });

  test('a result that is none is an error', async () => {
    const asked = led(
      'foreign',
      async (data, table) => {
        const { run, task } = readPairJob(data);
        await table.begin(run, task, 'w');
        await table.putResult(run, task, '{"found":"everything"}');
      },
      (coordinator) => coordinator.measure(tasks(1)[0], settings),
    );
    await expect(asked).rejects.toThrow('a result in the queue was not written by this version of impinge');
  });
});
