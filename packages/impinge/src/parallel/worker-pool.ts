/**
 * Threads, as the library sees them. A worker is just another instance of the kernels on the same memory: it receives a
 * kernel's name and numeric arguments, and returns the result. Pools are made by `impinge/node` and `impinge/web`.
 */
import { arena } from '../base/arena.js';
import { ASYNC_DISPOSE } from '../base/dispose.js';
import { ImpingeError } from '../base/errors.js';
import { readInteger } from '../base/options.js';
import type { KernelSet } from '../kernel/kernel-set.js';
import { callHere } from '../kernel/schedule.js';
import type { KernelCall, WorkerPool } from '../kernel/worker-pool.js';

export type { KernelCall, WorkerPool };

/** The thread a platform must supply: it runs WORKER_SOURCE. */
export interface WorkerThread {
  post(message: unknown): void;
  onMessage(listener: (message: { id: number; result?: unknown; error?: string }) => void): void;
  onError(listener: (error: Error) => void): void;
  end(): Promise<void>;
}

/**
 * The whole program of a worker: plain text, so that no bundler has to find a second file. `post` and `listen` are
 * defined by the platform's first line.
 */
export const WORKER_SOURCE = `
const sets = {};
listen((message) => {
  if (message.module) {
    const { exports } = new WebAssembly.Instance(message.module, { env: { memory: message.memory } });
    exports.setScratch(message.scratch);
    sets[message.set] = exports;
    return;
  }
  try {
    post({ id: message.id, result: sets[message.set][message.name](...message.args) });
  } catch (error) {
    post({ id: message.id, error: String(error && error.message) });
  }
});
`;

interface Waiting {
  readonly call: KernelCall;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** A pool over threads that `start` makes when the first call comes. */
export function createPool(size: number, start: () => WorkerThread): WorkerPool {
  readInteger('the number of threads', size, 0, 1024);
  if (size === 0 || !arena().shared) return callerOnly();
  const queue: Waiting[] = [];
  const running = new Map<WorkerThread, Waiting>();
  const idle: WorkerThread[] = [];
  const threads: WorkerThread[] = [];
  const scratches: number[] = [];
  const equipped = new Map<WorkerThread, Set<KernelSet>>();
  let nextId = 1;
  let closed: Error | undefined;
  let ending: Promise<void> | undefined;

  /** Gives a thread its own instance of a set, with its own work space, when it first needs it. */
  const equip = (thread: WorkerThread, kernels: KernelSet) => {
    const has = equipped.get(thread)!;
    if (has.has(kernels)) return;
    has.add(kernels);
    const scratch = arena().alloc(kernels.kernels().scratchBytes());
    scratches.push(scratch);
    thread.post({ set: kernels.name, module: kernels.module(), memory: arena().memory, scratch });
  };
  const pump = () => {
    while (queue.length > 0) {
      const thread = idle.pop();
      if (!thread) return;
      const [waiting] = queue.splice(0, 1);
      running.set(thread, waiting);
      const { name, args, kernels } = waiting.call;
      equip(thread, kernels);
      thread.post({ id: nextId++, set: kernels.name, name, args });
    }
  };
  /**
   * Accepts no more calls. Calls that other threads have begun continue; their memory stays in use until they finish or
   * the thread ends.
   */
  const fail = (error: Error, thread?: WorkerThread) => {
    closed ??= error;
    for (const waiting of queue.splice(0)) waiting.reject(closed);
    if (thread === undefined) return;
    running.get(thread)?.reject(closed);
    running.delete(thread);
  };
  const end = async (reason: Error) => {
    await Promise.all(threads.map((thread) => thread.end()));
    for (const thread of threads) fail(reason, thread);
    for (const scratch of scratches) arena().free(scratch);
  };
  const startThread = () => {
    const thread = started(start);
    thread.onMessage(({ result, error }) => {
      const waiting = running.get(thread);
      running.delete(thread);
      if (!closed) idle.push(thread);
      if (error === undefined) waiting?.resolve(result as never);
      else waiting?.reject(new ImpingeError('aborted', `a worker failed: ${error}`));
      pump();
    });
    thread.onError((error) => fail(new ImpingeError('aborted', `a worker failed: ${error.message}`), thread));
    equipped.set(thread, new Set());
    threads.push(thread);
    idle.push(thread);
  };
  const dispose = () => {
    const reason = new ImpingeError('aborted', 'the worker pool was disposed');
    fail(reason);
    return (ending ??= end(reason));
  };
  return {
    size,
    call: (call) =>
      new Promise((resolve, reject) => {
        if (ending) return reject(new ImpingeError('disposed', 'the worker pool was disposed'));
        if (closed) return reject(closed);
        while (threads.length < size) startThread();
        queue.push({ call, resolve, reject });
        pump();
      }),
    dispose,
    [ASYNC_DISPOSE]: dispose,
  };
}

function started(start: () => WorkerThread): WorkerThread {
  try {
    return start();
  } catch (error) {
    throw new ImpingeError('unsupported', `a worker cannot be started here: ${(error as Error).message}`);
  }
}

/** The same interface on the calling thread. */
function callerOnly(): WorkerPool {
  return {
    size: 0,
    call: async (call) => callHere(call),
    dispose: async () => {},
    [ASYNC_DISPOSE]: async () => {},
  };
}
