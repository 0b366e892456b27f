/** The parts of BullMQ that checks use: it decides which worker takes which job next. */
import type { EventEmitter } from 'node:events';
import type { Job } from 'bullmq';
import { openResultTable } from './backends.js';
import { BULLMQ_NAMESPACE } from './driver.js';
import type { QueueJob } from './job-format.js';
import type { QueueAddress } from './queue-address.js';
import type { ResultTable } from './result-table.js';
import { retried } from './retried.js';

const QUEUE = 'impinge-pairs';
const PREFIX = { prefix: BULLMQ_NAMESPACE } as const;

/** Seconds after which a waiting worker polls again. */
const WAIT_SECONDS = 5;
/** Practically unlimited: the result table counts attempts and crashes. */
const STALLED_COUNT_MAX = 1_000_000;

/** Jobs are removed when they end, so that the same one can be submitted again. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

export interface Broker {
  /** Jobs that are waiting or active stay unchanged. */
  add(jobs: readonly QueueJob[]): Promise<void>;
  /** Whether a job is waiting or active. */
  isLive(job: QueueJob): Promise<boolean>;
  /** The number of jobs that workers are doing. */
  activeCount(): Promise<number>;
  /** Removes jobs that no worker has started. */
  remove(jobs: readonly QueueJob[]): Promise<void>;
  close(): Promise<void>;
}

export interface WorkOptions {
  readonly name: string;
  /** Number of concurrent jobs. */
  readonly atOnce: number;
  /** Heartbeat timeout: without one, a worker counts as dead. */
  readonly lostAfterMs: number;
  readonly onProblem: (error: Error) => void;
}

export interface Working {
  /** Takes no more jobs, and waits for the active ones to end. */
  close(): Promise<void>;
}

const idOf = ({ run, task }: QueueJob) => `${run}-${task}`;

/** For the process that submits jobs: the queue and its result table. */
export async function openQueue(
  address: QueueAddress,
): Promise<{ readonly broker: Broker; readonly table: ResultTable }> {
  const table = await openResultTable(address);
  const broker = await openBroker(address).catch(async (error) => {
    await table.close();
    throw error;
  });
  return { broker, table };
}

export async function openBroker(address: QueueAddress): Promise<Broker> {
  const { classes, connection } = (await address.load()).connect(address);
  const queue = await ready(address, () => new classes.Queue(QUEUE, { connection, ...PREFIX }));
  queue.on('error', () => {}); // requests report their own errors
  const ask = <T>(act: () => Promise<T>) => retried(address, act);
  return {
    add: async (jobs) => {
      const bulk = jobs.map((data) => ({
        name: 'pairs' in data ? 'pairs' : 'pack',
        data,
        opts: { ...JOB_OPTIONS, jobId: idOf(data) },
      }));
      await ask(() => queue.addBulk(bulk));
    },
    isLive: async (job) => {
      const state = await ask(() => queue.getJobState(idOf(job)));
      if (state !== 'completed' && state !== 'failed') return state !== 'unknown';
      await ask(() => queue.remove(idOf(job)));
      return false;
    },
    activeCount: () => ask(() => queue.getActiveCount()),
    remove: async (jobs) => {
      for (const job of jobs) await queue.remove(idOf(job)).catch(() => {}); // a worker has started it
    },
    close: () => queue.close(),
  };
}

/** For workers. If `act` throws, the job is removed; the submitter notices the missing result. */
export async function workOn(
  address: QueueAddress,
  { name, atOnce, lostAfterMs, onProblem }: WorkOptions,
  act: (data: unknown) => Promise<void>,
): Promise<Working> {
  const { classes, connection } = (await address.load()).connect(address);
  const worker = await ready(
    address,
    () =>
      new classes.Worker(QUEUE, (job: Job) => act(job.data), {
        connection,
        ...PREFIX,
        name,
        autorun: false,
        concurrency: atOnce,
        lockDuration: lostAfterMs,
        stalledInterval: lostAfterMs,
        maxStalledCount: STALLED_COUNT_MAX,
        drainDelay: WAIT_SECONDS,
        runRetryDelay: 1000,
      }),
  );
  worker.on('error', onProblem);
  worker.run().catch(onProblem);
  return { close: () => worker.close() };
}

/** The common part of queues and workers. */
interface Connecting {
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

/** Connects. A failed connection cannot recover, so each attempt makes a new one. */
function ready<Q extends Connecting>(address: QueueAddress, make: () => Q): Promise<Q> {
  return retried(
    address,
    async () => {
      const made = make();
      let problem: unknown;
      const keep = (error: unknown) => {
        problem = error; // more specific than the thrown error
      };
      const events = made as unknown as EventEmitter;
      events.on('error', keep);
      try {
        await made.waitUntilReady();
        return made;
      } catch (error) {
        await made.close().catch(() => {});
        throw problem ?? error;
      } finally {
        events.off('error', keep);
      }
    },
    'short',
  );
}
