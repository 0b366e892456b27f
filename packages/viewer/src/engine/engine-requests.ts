/** The worker's side of the engine: questions come as messages and are answered one after the other. */
import type { StoredModel } from '@impinge/model';
import { ModelEngine, type ModelEngineOptions } from './model-engine.js';

/** The first one opens the store, all others ask. */
export type EngineMessage =
  | { readonly open: string; readonly options?: ModelEngineOptions }
  | { readonly id: number; readonly question: Question; readonly args: readonly unknown[] };

export type EngineReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

const QUESTIONS = [
  ...(['distance', 'around', 'contactCurve', 'surface'] as const),
  ...(['take', 'drag', 'nearestFree', 'putBack', 'walk'] as const),
];
export type Question = (typeof QUESTIONS)[number];

/** A long search looks for newer questions this often, in milliseconds. */
const PATIENCE = 8;

/** What to do with messages; `post` sends replies. */
export function engineRequests(
  openStore: (url: string) => Promise<StoredModel>,
  post: (reply: EngineReply) => void,
): (message: EngineMessage) => void {
  let opening: Promise<ModelEngine> | undefined;
  let turn: Promise<void> = Promise.resolve();
  let waiting = 0;
  let looked = 0;
  const isStale = async () => {
    if (performance.now() - looked < PATIENCE) return false;
    await letMessagesIn();
    looked = performance.now();
    return waiting > 0;
  };
  const ask = async (question: Question, args: readonly unknown[]): Promise<unknown> => {
    if (!opening) throw new Error('the engine has no store yet');
    const engine = await opening;
    // the page's side has the types: see create-engine.ts
    const given = question === 'nearestFree' ? [args[0], isStale] : args;
    return (engine[question] as (...given: readonly unknown[]) => unknown).apply(engine, [...given]);
  };
  return (message) => {
    if ('open' in message) {
      opening = openStore(message.open).then((model) => new ModelEngine(model, message.options));
      opening.catch(() => {}); // every question is told
      return;
    }
    const { id, question, args } = message;
    waiting++;
    turn = turn.then(async () => {
      waiting--;
      try {
        if (!QUESTIONS.includes(question)) throw new Error(`no question: ${question}`);
        post({ id, value: await ask(question, args) });
      } catch (error) {
        post({ id, error: oneLine(error) });
      }
    });
  };
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0];
}

/** Until messages that have come were received. */
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
