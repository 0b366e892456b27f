/** Writes while the caller works on: one write is under way, the next waits for it. */
import type { PageSink } from './page-source.js';

export class WriteBehind {
  readonly #sink: PageSink;
  #underWay: Promise<void> = Promise.resolve();

  constructor(sink: PageSink) {
    this.#sink = sink;
  }

  /**
   * Begins to write as soon as what was handed over before is written, and then returns. `bytes` must stay as they are
   * until the next call has returned; that one also throws what went wrong with these.
   */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#underWay;
    this.#underWay = this.#sink.write(bytes);
    this.#underWay.catch(() => {}); // told to whoever waits for it
  }

  /** Waits until everything is written. */
  async done(): Promise<void> {
    await this.#underWay;
  }
}
