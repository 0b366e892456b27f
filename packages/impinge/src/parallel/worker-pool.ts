/**
 * Threads, as the library sees them. A worker is nothing but another instance of the kernels on the same memory: it
 * is told which kernel to call with which numbers, and says what came back. Pools are made by `impinge/node` and
 * `impinge/web`.
 */
import { arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import { kernel, kernelModule } from '../kernel/kernel.js';

/** A kernel and its arguments. */
export interface KernelCall {
  readonly name: string;
  readonly args: readonly number[];
}

export interface WorkerPool {
  /** Threads besides the caller's; 0 where memory cannot be shared, and then everything runs on the caller's. */
  readonly size: number;
  /** Runs one call on the next free thread. */
  call(call: KernelCall): Promise<number>;
  /** Ends the threads. Calls still waiting are rejected. */
  close(): Promise<void>;
}

/** What a platform must supply: a thread that runs WORKER_SOURCE. */
export interface WorkerThread {
  post(message: unknown): void;
  onMessage(listener: (message: { id: number; result?: number; error?: string }) => void): void;
  onError(listener: (error: Error) => void): void;
  end(): Promise<void>;
}

/**
 * The whole program of a worker: plain text, so that no bundler has to find a second file. `post` and `listen` are
 * defined by the platform's first line.
 */
export const WORKER_SOURCE = `
let exports;
listen((message) => {
  if (message.module) {
    exports = new WebAssembly.Instance(message.module, { env: { memory: message.memory } }).exports;
    exports.setScratch(message.scratch);
    return;
  }
  try {
    post({ id: message.id, result: exports[message.name](...message.args) ?? 0 });
  } catch (error) {
    post({ id: message.id, error: String(error && error.message) });
  }
});
`;

interface Waiting {
  readonly call: KernelCall;
  readonly resolve: (result: number) => void;
  readonly reject: (error: Error) => void;
}

/** A pool over threads that `start` makes. */
export function createPool(size: number, start: () => WorkerThread): WorkerPool {
  if (!Number.isInteger(size) || size < 0 || size > 1024) {
    throw new ImpingeError('bad-option', `a pool cannot have ${size} threads`);
  }
  if (size === 0 || !arena().shared) return callerOnly();
  const queue: Waiting[] = [];
  const running = new Map<WorkerThread, Waiting>();
  const idle: WorkerThread[] = [];
  const threads: WorkerThread[] = [];
  const scratches: number[] = [];
  let nextId = 1;
  let closed: Error | undefined;
  let ending: Promise<void> | undefined;

  const pump = () => {
    while (idle.length > 0 && queue.length > 0) {
      const thread = idle.pop()!;
      const waiting = queue.shift()!;
      running.set(thread, waiting);
      thread.post({ id: nextId++, name: waiting.call.name, args: waiting.call.args });
    }
  };
  /** Takes no more calls. What other threads have begun goes on: its memory is in use until they say so, or end. */
  const fail = (error: Error, thread?: WorkerThread) => {
    closed ??= error;
    for (const waiting of queue.splice(0)) waiting.reject(closed);
    if (thread === undefined) return;
    running.get(thread)?.reject(closed);
    running.delete(thread);
  };
  const end = async () => {
    await Promise.all(threads.map((thread) => thread.end()));
    for (const thread of threads) fail(closed!, thread);
    for (const scratch of scratches) arena().free(scratch);
  };
  for (let i = 0; i < size; i++) {
    const thread = start();
    const scratch = arena().alloc(kernel().scratchBytes());
    scratches.push(scratch);
    thread.onMessage(({ result, error }) => {
      const waiting = running.get(thread);
      running.delete(thread);
      if (!closed) idle.push(thread);
      if (error === undefined) waiting?.resolve(result!);
      else waiting?.reject(new ImpingeError('unsupported', `a worker failed: ${error}`));
      pump();
    });
    thread.onError((error) => fail(error, thread));
    thread.post({ module: kernelModule(), memory: arena().memory, scratch });
    threads.push(thread);
    idle.push(thread);
  }
  return {
    size,
    call: (call) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closed);
        queue.push({ call, resolve, reject });
        pump();
      }),
    close: () => {
      fail(new ImpingeError('aborted', 'the worker pool was closed'));
      return (ending ??= end());
    },
  };
}

/** The same interface on the calling thread. */
function callerOnly(): WorkerPool {
  return {
    size: 0,
    call: async ({ name, args }) => {
      const run = kernel()[name as keyof ReturnType<typeof kernel>] as (
        ...args: number[]
      ) => number | undefined;
      return run(...args) ?? 0;
    },
    close: async () => {},
  };
}
