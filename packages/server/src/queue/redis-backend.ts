/**
 * A queue in Redis; the results of tasks are in one hash per check, which expires if the check is not resumed.
 *
 * Layout: field `description`; for each task `tries:`, `worker:`, `error:`, `result:` and `apart:` with its name.
 */
import { loadBullmq, loadRedis } from './driver.js';
import type { QueueAddress, QueueBackend } from './queue-address.js';
import { KEPT_DAYS, type ResultTable, type Settled } from './result-table.js';
import { retried } from './retried.js';

/** Longer than BullMQ's blocking calls. */
const SILENCE_MS = 60_000;
const ANSWER_MS = 20_000;
const CONNECT_MS = 10_000;
const KEPT_SECONDS = KEPT_DAYS * 86_400;

const OPEN = `
  redis.call('hsetnx', KEYS[1], 'description', ARGV[1])
  redis.call('expire', KEYS[1], ${KEPT_SECONDS})`;

const BEGIN = `
  if redis.call('exists', KEYS[1]) == 0 then return nil end
  redis.call('hset', KEYS[1], 'worker:' .. ARGV[1], ARGV[2])
  local tries = redis.call('hincrby', KEYS[1], 'tries:' .. ARGV[1], 1)
  local settled = redis.call('hexists', KEYS[1], 'result:' .. ARGV[1]) + redis.call('hexists', KEYS[1], 'apart:' .. ARGV[1])
  return { tries, settled, redis.call('hget', KEYS[1], 'error:' .. ARGV[1]) }`;

/** Sets a field of a task that has no result and is not quarantined. */
const SETTLE = `
  if redis.call('exists', KEYS[1]) == 0 then return 0 end
  if redis.call('hexists', KEYS[1], 'result:' .. ARGV[2]) == 1 then return 0 end
  if redis.call('hexists', KEYS[1], 'apart:' .. ARGV[2]) == 1 then return 0 end
  redis.call('expire', KEYS[1], ${KEPT_SECONDS})
  return redis.call('hset', KEYS[1], ARGV[1] .. ':' .. ARGV[2], ARGV[3])`;

const FAIL = `
  if redis.call('exists', KEYS[1]) == 0 then return 0 end
  return redis.call('hset', KEYS[1], 'error:' .. ARGV[1], ARGV[2])`;

const retryStrategy = (times: number) => Math.min(2000, 50 * 2 ** times);

export const redisBackend: QueueBackend = {
  connect: ({ url }) => ({
    classes: loadBullmq(),
    connection: { url, maxRetriesPerRequest: null, socketTimeout: SILENCE_MS, retryStrategy },
  }),
  openResults,
};

async function openResults(address: QueueAddress): Promise<ResultTable> {
  const Redis = loadRedis();
  const client = new Redis(address.url, {
    lazyConnect: true,
    commandTimeout: ANSWER_MS,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy,
  });
  let problem: unknown;
  client.on('error', (error) => {
    problem = error; // more specific than the error of the request
  });
  const ask = <T>(act: () => Promise<T>) => retried(address, act);
  const script = (text: string, run: string, ...args: string[]) =>
    ask(() => client.eval(text, 1, keyOf(run), ...args));
  try {
    await retried(
      address,
      () =>
        client.ping().catch((error) => {
          throw problem ?? error;
        }),
      'short',
    );
  } catch (error) {
    client.disconnect();
    throw error;
  }
  return {
    openRun: async (run, description) => {
      await script(OPEN, run, description);
    },
    descriptionOf: async (run) => (await ask(() => client.hget(keyOf(run), 'description'))) ?? undefined,
    begin: async (run, task, worker) => {
      const answer = (await script(BEGIN, run, task, worker)) as [number, number, string | null] | null;
      if (answer === null) return undefined;
      const [tries, settled, error] = answer;
      return { tries, isSettled: settled > 0, error: error ?? undefined };
    },
    fail: async (run, task, error) => {
      await script(FAIL, run, task, error);
    },
    putResult: async (run, task, result) => {
      await script(SETTLE, run, 'result', task, result);
    },
    quarantine: async (run, task, why) => {
      await script(SETTLE, run, 'apart', task, why);
    },
    settled: async (run, tasks) => {
      const found = new Map<string, Settled>();
      if (tasks.length === 0) return found;
      const fields = tasks.flatMap((task) => [`result:${task}`, `apart:${task}`]);
      const values = await ask(() => client.hmget(keyOf(run), ...fields));
      tasks.forEach((task, i) => {
        const [result, apart] = values.slice(2 * i, 2 * i + 2);
        if (result !== null) found.set(task, { result });
        else if (apart !== null) found.set(task, { apart });
      });
      return found;
    },
    closeRun: async (run) => {
      await ask(() => client.del(keyOf(run)));
    },
    close: async () => client.disconnect(),
  };
}

const keyOf = (run: string) => `impinge:run:${run}`;
