/** The page's side of exact queries. */
import { Questions } from '../worker-questions.js';
import type { ExactModel, ExactModelOptions } from './exact-model.js';
import { QUESTIONS, type Question } from './exact-requests.js';
import type { DragAnswer, LiveAnswer, WayQuestion } from './types.js';

type Remote = {
  [Q in Question]: (...args: Parameters<ExactModel[Q]>) => Promise<Awaited<ReturnType<ExactModel[Q]>>>;
};

/** An `ExactModel` in a worker. */
export interface ExactClient extends Omit<Remote, 'live' | 'drag' | 'nearestFree' | 'way'> {
  /** Only the last of the waiting moves of both kinds is answered; the others get undefined. */
  live(pose: Float64Array, clearance: number, error: number): Promise<LiveAnswer | undefined>;
  drag(pose: Float64Array, clearance: number): Promise<DragAnswer | undefined>;
  /** Undefined if another query came meanwhile. */
  nearestFree(clearance: number): ReturnType<ExactModel['nearestFree']>;
  /** Undefined if another query came meanwhile. */
  way(question: WayQuestion): ReturnType<ExactModel['way']>;
  /** Ends the worker; pending queries are rejected. */
  dispose(): void;
}

/** Starts a worker that opens the store, through `pages` of one that has it open if that is given. */
export function createExactClient(storeUrl: string, pages?: MessagePort): ExactClient {
  const worker = new Worker(new URL('./exact-worker.ts', import.meta.url), { type: 'module' });
  return connectExactClient(worker, new URL(storeUrl, document.baseURI).href, {}, pages);
}

export function connectExactClient(
  worker: Worker,
  storeUrl: string,
  options: ExactModelOptions = {},
  pages?: MessagePort,
): ExactClient {
  const questions = new Questions<Question | 'open'>(worker, 'exact answers could not be started');
  questions.ask('open', pages ?? storeUrl, options).catch(() => {}); // each query reports the failure
  const remote = Object.fromEntries(
    QUESTIONS.map((question) => [question, (...args: unknown[]) => questions.ask(question, ...args)]),
  ) as unknown as Remote;
  /** Resolves a waiting move: whether it is still the last. */
  type Waiting = (isLast: boolean) => void;
  const moves: { isUnderWay: boolean; waiting: Waiting[] } = { isUnderWay: false, waiting: [] };
  const inTurn = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    moves.waiting.pop()?.(false);
    const isLast =
      !moves.isUnderWay || (await new Promise<boolean>((resolve) => moves.waiting.push(resolve)));
    if (!isLast) return undefined;
    moves.isUnderWay = true;
    try {
      return await ask();
    } finally {
      const next = moves.waiting.pop();
      if (next) next(true);
      else moves.isUnderWay = false;
    }
  };
  const live: ExactClient['live'] = (pose, ...rest) => {
    const own = pose.slice();
    return inTurn(() => remote.live(own, ...rest));
  };
  const drag: ExactClient['drag'] = (pose, clearance) => {
    const own = pose.slice();
    return inTurn(() => remote.drag(own, clearance));
  };
  return { ...remote, live, drag, dispose: () => questions.end('exact answers have ended') };
}
