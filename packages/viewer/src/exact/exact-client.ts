/** The page's side of exact answers. */
import { Questions } from '../worker-questions.js';
import type { ExactModel, ExactModelOptions } from './exact-model.js';
import { QUESTIONS, type Question } from './exact-requests.js';
import type { DragAnswer } from './types.js';

type Remote = {
  [Q in Question]: (...args: Parameters<ExactModel[Q]>) => Promise<Awaited<ReturnType<ExactModel[Q]>>>;
};

/** An `ExactModel` in a worker of its own. */
export interface ExactClient extends Omit<Remote, 'drag' | 'nearestFree'> {
  /** Of moves that wait, only the last is answered; of the others it is undefined. */
  drag(pose: Float64Array, clearance: number): Promise<DragAnswer | undefined>;
  /** Undefined where something else was asked meanwhile. */
  nearestFree(clearance: number): ReturnType<ExactModel['nearestFree']>;
  /** Ends the worker. What waits is refused. */
  dispose(): void;
}

/** Starts a worker that opens the store and answers about it. */
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
  questions.ask('open', storeUrl, options).catch(() => {}); // every question is told
  const remote = Object.fromEntries(
    QUESTIONS.map((question) => [question, (...args: unknown[]) => questions.ask(question, ...args)]),
  ) as unknown as Remote;
  /** Tells the move that waits for the one before whether it is still the last. */
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
