/** Queries to a worker and their answers: both sides. */

export interface AskedQuestion<Name extends string = string> {
  readonly id: number;
  readonly question: Name;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** The asking side of a worker, or of a port to one. Ports among arguments are handed over. Errors have one line. */
export class Questions<Name extends string> {
  readonly #worker: Worker | MessagePort;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: string | undefined;

  /** `failure`: the message if the worker dies without one. */
  constructor(worker: Worker | MessagePort, failure: string) {
    this.#worker = worker;
    const hear = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('error' in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.value as never);
    };
    // ports and workers have different events
    (worker as Worker).addEventListener('message', hear);
    (worker as Worker).addEventListener('error', ({ message }) => this.#end(message || failure));
    if ('start' in worker) worker.start();
  }

  ask<Value>(question: Name, ...args: readonly unknown[]): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new Error(this.#ended));
      const id = this.#asked++;
      this.#waiting.set(id, { resolve, reject });
      const ports = args.filter((arg) => arg instanceof MessagePort);
      this.#worker.postMessage({ id, question, args } satisfies AskedQuestion<Name>, ports);
    });
  }

  /** Ends the worker; pending and later queries are rejected. */
  end(why: string): void {
    this.#end(why);
    if ('terminate' in this.#worker) this.#worker.terminate();
    else this.#worker.close();
  }

  #end(why: string): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(new Error(this.#ended));
    this.#waiting.clear();
  }
}

/** The worker's side: answers a query and posts the reply. */
export async function reply(
  { id, question, args }: AskedQuestion,
  answer: (question: never, ...args: never[]) => unknown,
  post: (reply: Reply) => void,
): Promise<void> {
  try {
    post({ id, value: await answer(question as never, ...(args as never[])) });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    post({ id, error: text.split('\n', 1)[0] });
  }
}
