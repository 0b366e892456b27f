/** The page's side of exact queries. */
import { Questions } from '../worker-questions.js';
import type { ExactModel, ExactModelOptions } from './exact-model.js';
import { QUESTIONS, type Question } from './exact-requests.js';
import type { DragAnswer } from './types.js';

type Remote = {
  [Q in Question]: (...args: Parameters<ExactModel[Q]>) => Promise<Awaited<ReturnType<ExactModel[Q]>>>;
};

/** An `ExactModel` in a worker. */
export interface ExactClient extends Omit<Remote, 'drag' | 'nearestFree'> {
  /** Only the last of the waiting moves is answered; the others get undefined. */
  drag(pose: Float64Array, clearance: number): Promise<DragAnswer | undefined>;
  /** Undefined if another query came meanwhile. */
  nearestFree(clearance: number): ReturnType<ExactModel['nearestFree']>;
  /** Ends the worker; pending queries are rejected. */
  dispose(): void;
}

/** Starts a worker that opens the store. */
export function createExactClient(storeUrl: string): ExactClient {
  const worker = new Worker(new URL('./exact-worker.ts', import.meta.url), { type: 'module' });
  return connectExactClient(worker, new URL(storeUrl, document.baseURI).href);
}

export function connectExactClient(
  worker: Worker,
  storeUrl: string,
  options: ExactModelOptions = {},
): ExactClient {
  const questions = new Questions<Question | 'open'>(worker, 'exact answers could not be started');
  questions.ask('open', storeUrl, options).catch(() => {}); // each query reports the failure
  const remote = Object.fromEntries(
    QUESTIONS.map((question) => [question, (...args: unknown[]) => questions.ask(question, ...args)]),
  ) as unknown as Remote;
  /** Resolves a waiting move: whether it is still the last. */
  type Waiting = (isLast: boolean) => void;
  const moves: { isUnderWay: boolean; waiting: Waiting[] } = { isUnderWay: false, waiting: [] };
  const drag = async (pose: Float64Array, clearance: number): Promise<DragAnswer | undefined> => {
    const own = pose.slice();
    moves.waiting.pop()?.(false);
    const isLast =
      !moves.isUnderWay || (await new Promise<boolean>((resolve) => moves.waiting.push(resolve)));
    if (!isLast) return undefined;
    moves.isUnderWay = true;
    try {
      return await remote.drag(own, clearance);
    } finally {
      const next = moves.waiting.pop();
      if (next) next(true);
      else moves.isUnderWay = false;
    }
  };
  return { ...remote, drag, dispose: () => questions.end('exact answers have ended') };
}
