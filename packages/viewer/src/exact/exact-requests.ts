/** The worker's side of exact queries: messages are answered one after the other. */
import type { StoredModel } from '@impinge/model';
import { type AskedQuestion, type Reply, reply } from '../worker-questions.js';
import { ExactModel, type ExactModelOptions } from './exact-model.js';

export const QUESTIONS = [
  ...(['distance', 'around', 'contactCurve', 'surface', 'zone'] as const),
  ...(['take', 'live', 'drag', 'nearestFree', 'way', 'putBack', 'walk'] as const),
];
export type Question = (typeof QUESTIONS)[number];

/** Interval in milliseconds at which a long search checks for newer queries. */
const PATIENCE = 8;

/** Returns the message handler; `post` sends replies. */
export function exactRequests(
  openStore: (from: string | MessagePort) => Promise<StoredModel>,
  post: (reply: Reply) => void,
): (message: AskedQuestion) => void {
  let model: Promise<ExactModel>;
  let turn: Promise<void> = Promise.resolve();
  let waiting = 0;
  let looked = 0;
  const isStale = async () => {
    if (performance.now() - looked < PATIENCE) return false;
    await letMessagesIn();
    looked = performance.now();
    return waiting > 0;
  };
  const answer = async (question: Question | 'open', ...args: unknown[]): Promise<unknown> => {
    if (question === 'open') {
      const [from, options] = args as [string | MessagePort, ExactModelOptions];
      model = openStore(from).then((stored) => new ExactModel(stored, options));
      return void (await model);
    }
    const asked = await model;
    // typed on the page's side
    const given = question === 'nearestFree' || question === 'way' ? [args[0], isStale] : args;
    return (asked[question] as (...given: readonly unknown[]) => unknown).apply(asked, given);
  };
  return (message) => {
    waiting++;
    turn = turn.then(() => {
      waiting--;
      return reply(message, answer, post);
    });
  };
}

/** Resolves after pending messages have been received. */
function letMessagesIn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
