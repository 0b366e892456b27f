/** The objects of a store, provided by a worker. */
import { Questions } from '../worker-questions.js';
import type { Found, ObjectColumns, ObjectDetails, ObjectQuestion } from './object-columns.js';

export class ObjectTable {
  readonly columns: ObjectColumns;
  readonly #questions: Questions<ObjectQuestion>;

  private constructor(questions: Questions<ObjectQuestion>, columns: ObjectColumns) {
    this.#questions = questions;
    this.columns = columns;
  }

  /** Throws an `Error` with a one-line message. */
  static async open(url: string): Promise<ObjectTable> {
    const worker = new Worker(new URL('./object-worker.ts', import.meta.url), { type: 'module' });
    const questions = new Questions<ObjectQuestion>(worker, 'could not load the list of objects');
    try {
      return new ObjectTable(questions, await questions.ask('open', url));
    } catch (error) {
      questions.end('');
      throw error;
    }
  }

  details(object: number): Promise<ObjectDetails> {
    return this.#questions.ask('details', object);
  }

  /** By words in names, types, ids, labels and properties. */
  search(text: string): Promise<Found> {
    return this.#questions.ask('search', text);
  }

  dispose(): void {
    this.#questions.end('the list of objects is gone');
  }
}
