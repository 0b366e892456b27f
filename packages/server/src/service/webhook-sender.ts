/**
 * Notifies webhooks of ended runs. Messages are signed, with a time, and retried with increasing delays. They are
 * queued in the database, so none is lost. Each project sends one at a time: unresponsive receivers delay only their
 * own project.
 */
import { createHmac } from 'node:crypto';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { message } from '@impinge/cli/internal/wire/text.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { guardedRequest, type NetworkPolicy } from './network/guarded-request.js';
import type { DueDelivery, Webhooks } from './state/webhooks.js';

const ATTEMPTS_MAX = 8;
/** Number of projects served at the same time. */
const AT_ONCE = 8;
const POLL_MS = 5000;
const SEND_MS = 20_000;

export interface SenderParts {
  readonly webhooks: Webhooks;
  readonly network: NetworkPolicy;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly retryMs: number;
}

/** `t=1700000000,v1=…`: the time in seconds, and the HMAC-SHA-256 of `TIME.BODY` in hexadecimal. */
export function signatureOf(secret: string, body: string, seconds: number): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

export class WebhookSender {
  readonly #parts: SenderParts;
  readonly #controller = new AbortController();
  /** By project: one at a time. */
  readonly #sending = new Map<string, Promise<void>>();
  #filling: Promise<void> = Promise.resolve();
  readonly #poll: NodeJS.Timeout;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#poll = setInterval(() => this.wake(), Math.min(POLL_MS, parts.retryMs)).unref();
  }

  /** Call when there may be messages to send. */
  wake(): void {
    this.#filling = this.#filling.then(() => this.#fill());
  }

  async stop(): Promise<void> {
    clearInterval(this.#poll);
    this.#controller.abort();
    await this.#filling;
    await Promise.all(this.#sending.values());
  }

  async #fill(): Promise<void> {
    const { webhooks, log } = this.#parts;
    try {
      while (!this.#controller.signal.aborted && this.#sending.size < AT_ONCE) {
        const due = await webhooks.due(AT_ONCE - this.#sending.size, [...this.#sending.keys()]);
        if (due.length === 0) return;
        for (const delivery of due) this.#sending.set(delivery.project, this.#sendOne(delivery));
      }
    } catch (error) {
      log.error('webhooks-unreachable', { error: (error as Error).message });
    }
  }

  async #sendOne(delivery: DueDelivery): Promise<void> {
    try {
      await this.#send(delivery);
      this.wake();
    } catch (error) {
      // the database is unavailable; the message is sent again later
      this.#parts.log.error('webhooks-unreachable', { error: (error as Error).message });
    } finally {
      this.#sending.delete(delivery.project);
    }
  }

  async #send({ id, address, secret, body, attempts }: DueDelivery): Promise<void> {
    const { webhooks, network, metrics, log, retryMs } = this.#parts;
    const { signal: stopping } = this.#controller;
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(SEND_MS)]);
      const headers = {
        'Content-Type': 'application/json',
        'X-Impinge-Delivery': id,
        'X-Impinge-Signature': signatureOf(secret, body, Math.floor(Date.now() / 1000)),
      };
      const answer = await guardedRequest(address, { method: 'POST', headers, body, signal }, network);
      const { statusCode = 0 } = answer;
      answer.destroy();
      if (statusCode < 200 || statusCode > 299) throw new CommandError(`it responded with ${statusCode}`);
      await webhooks.sent(id);
      metrics.delivered(true);
    } catch (error) {
      // messages interrupted by a stop are sent after the next start
      if (stopping.aborted) return;
      const isLast = attempts + 1 >= ATTEMPTS_MAX;
      const cause = message((error as Error).message);
      await webhooks.notSent(id, cause, isLast ? undefined : retryMs * 2 ** attempts);
      metrics.delivered(false);
      log.error('webhook-not-sent', { delivery: id, attempts: attempts + 1, error: cause });
    }
  }
}
