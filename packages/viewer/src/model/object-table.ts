/** The objects of a store, as the page asks for them; a worker answers. */
import type { Found, ObjectColumns, ObjectDetails, ObjectQuestion } from './object-columns.js';

interface Answer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: string;
}

export class ObjectTable {
  readonly columns: ObjectColumns;
  readonly #ask: Asking;

  private constructor(ask: Asking, columns: ObjectColumns) {
    this.#ask = ask;
    this.columns = columns;
  }

  /** Throws an `Error` with one line for people. */
  static async open(url: string): Promise<ObjectTable> {
    const asking = new Asking();
    try {
      return new ObjectTable(asking, await asking.ask<ObjectColumns>({ ask: 'open', url }));
    } catch (error) {
      asking.end();
      throw error;
    }
  }

  details(object: number): Promise<ObjectDetails> {
    return this.#ask.ask({ ask: 'details', object });
  }

  /** By words in names, types, ids, labels and properties. */
  search(text: string): Promise<Found> {
    return this.#ask.ask({ ask: 'search', text });
  }

  dispose(): void {
    this.#ask.end();
  }
}

/** Questions to the worker and who waits for their answers. */
class Asking {
  readonly #worker = new Worker(new URL('./object-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  #asked = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.number);
      this.#waiting.delete(data.number);
      if (data.error === undefined) waiting?.resolve(data.result as never);
      else waiting?.reject(new Error(data.error));
    });
    this.#worker.addEventListener('error', ({ message }) => {
      for (const { reject } of this.#waiting.values())
        reject(new Error(message || 'could not load the list of objects'));
      this.#waiting.clear();
    });
  }

  ask<Result>(question: ObjectQuestion): Promise<Result> {
    const number = this.#asked++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, question });
    });
  }

  end(): void {
    this.#worker.terminate();
  }
}
