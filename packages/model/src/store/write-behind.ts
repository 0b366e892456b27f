/** Writes while the caller continues: one write is running, the next waits for it. */
import type { PageSink } from './page-source.js';

export class WriteBehind {
  readonly #sink: PageSink;
  #underWay: Promise<void> = Promise.resolve();

  constructor(sink: PageSink) {
    this.#sink = sink;
  }

  /**
   * Waits for the previous write, starts this one and returns. `bytes` must not change until the next call has
   * returned; that call also throws any error of this write.
   */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#underWay;
    this.#underWay = this.#sink.write(bytes);
    this.#underWay.catch(() => {}); // reported to whoever awaits it
  }

  /** Waits until everything is written. */
  async done(): Promise<void> {
    await this.#underWay;
  }
}
