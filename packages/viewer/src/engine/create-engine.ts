/** The page's side of the exact engine. */
import type { EngineMessage, EngineReply, Question } from './engine-requests.js';
import type { ModelEngineOptions } from './model-engine.js';
import type { DragAnswer, Engine } from './types.js';

/** Starts a worker that opens the store and answers about it. */
export function createEngine(storeUrl: string, options: ModelEngineOptions = {}): Engine {
  const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' });
  return connectEngine(
    {
      post: (message) => worker.postMessage(message),
      onReply: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
      onFailure: (listener) =>
        worker.addEventListener('error', ({ message }) => listener(message || 'the engine could not start')),
      end: () => worker.terminate(),
    },
    new URL(storeUrl, document.baseURI).href,
    options,
  );
}

/** Whoever answers: a worker. */
export interface EngineThread {
  post(message: EngineMessage): void;
  onReply(listener: (reply: EngineReply) => void): void;
  onFailure(listener: (text: string) => void): void;
  end(): void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface WaitingDrag {
  readonly pose: Float64Array;
  readonly clearance: number;
  readonly pending: Pending;
}

export function connectEngine(thread: EngineThread, storeUrl: string, options: ModelEngineOptions): Engine {
  const pending = new Map<number, Pending>();
  let next = 0;
  let ended: string | undefined;
  let dragging = false;
  let waiting: WaitingDrag | undefined;

  const end = (why: string) => {
    ended ??= why;
    for (const { reject } of pending.values()) reject(new Error(ended));
    pending.clear();
    waiting?.pending.reject(new Error(ended));
    waiting = undefined;
  };
  thread.onReply((reply) => {
    const asked = pending.get(reply.id);
    pending.delete(reply.id);
    if ('error' in reply) asked?.reject(new Error(reply.error));
    else asked?.resolve(reply.value);
  });
  thread.onFailure(end);
  thread.post({ open: storeUrl, options });

  const ask = <T>(question: Question, ...args: unknown[]): Promise<T> => {
    return new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(new Error(ended));
      const id = next++;
      pending.set(id, { resolve: (value) => resolve(value as T), reject });
      thread.post({ id, question, args });
    });
  };
  /** Sends the move that came last, once the one before is answered. */
  const sendDrag = () => {
    if (dragging || !waiting) return;
    const { pose, clearance, pending: asked } = waiting;
    waiting = undefined;
    dragging = true;
    ask<DragAnswer>('drag', pose, clearance)
      .then(asked.resolve, asked.reject)
      .finally(() => {
        dragging = false;
        sendDrag();
      });
  };
  return {
    distance: (a, b) => ask('distance', a, b),
    around: (object, clearance) => ask('around', object, clearance),
    contactCurve: (a, b, limit) => ask('contactCurve', a, b, limit),
    surface: (object, near) => ask('surface', object, near),
    take: (object, clearance, asked) => ask('take', object, clearance, asked),
    drag: (pose, clearance) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(new Error(ended));
        waiting?.pending.resolve(undefined);
        const asked = { resolve: (value: unknown) => resolve(value as DragAnswer | undefined), reject };
        waiting = { pose: pose.slice(), clearance, pending: asked };
        sendDrag();
      }),
    nearestFree: (clearance) => ask('nearestFree', clearance),
    putBack: () => ask('putBack'),
    walk: (from, towards, how) => ask('walk', from, towards, how),
    dispose: () => {
      end('the engine was disposed');
      thread.end();
    },
  };
}
