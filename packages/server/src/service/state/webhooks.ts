/** Webhooks and their pending deliveries. */
import { randomBytes } from 'node:crypto';
import type { Delivery, Webhook, WebhookEvent } from '../api/schemas.js';
import { type Database, newId, type Queries, time } from './database.js';

/** A due delivery with everything needed to send it. */
export interface DueDelivery {
  readonly id: string;
  readonly project: string;
  readonly address: string;
  readonly secret: string;
  readonly body: string;
  readonly attempts: number;
}

const WEBHOOK = `id, address, events, ${time('created')}`;

/** What the webhooks of a project are told. */
export interface Message {
  readonly event: WebhookEvent;
  readonly body: string;
  readonly run?: string;
}

/** Queues a message for those webhooks of a project that want it, in the transaction of what it tells. */
export async function queueMessage({ rows }: Queries, project: string, message: Message): Promise<void> {
  const { event, body, run = null } = message;
  const hooks = await rows<{ id: string }>(
    'SELECT id FROM webhooks WHERE project = $1 AND $2 = ANY(events) ORDER BY created, id',
    [project, event],
  );
  for (const { id } of hooks)
    await rows('INSERT INTO deliveries (id, webhook, event, run, body) VALUES ($1, $2, $3, $4, $5)', [
      ...[newId(), id, event, run, body],
    ]);
}

export class Webhooks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(project: string): Promise<Webhook[]> {
    return this.#database.rows(`SELECT ${WEBHOOK} FROM webhooks WHERE project = $1 ORDER BY created, id`, [
      project,
    ]);
  }

  /** The secret signs messages, so it is stored in plain text; only this call returns it. */
  async create(
    project: string,
    address: string,
    events: readonly WebhookEvent[] = ['run-finished'],
  ): Promise<Webhook & { readonly secret: string }> {
    const secret = randomBytes(32).toString('base64url');
    const [hook] = await this.#database.rows<Webhook>(
      `INSERT INTO webhooks (id, project, address, secret, events) VALUES ($1, $2, $3, $4, $5) RETURNING ${WEBHOOK}`,
      [newId(), project, address, secret, events],
    );
    return { ...hook, secret };
  }

  async remove(project: string, id: string): Promise<boolean> {
    const rows = await this.#database.rows(
      'DELETE FROM webhooks WHERE project = $1 AND id = $2 RETURNING id',
      [project, id],
    );
    return rows.length > 0;
  }

  deliveries(project: string, limit: number): Promise<Delivery[]> {
    return this.#database.rows(
      `SELECT d.id, webhook, event, run, state, attempts, error, ${time('d.created')} FROM deliveries d
       JOIN webhooks w ON w.id = d.webhook WHERE w.project = $1 ORDER BY nth DESC LIMIT $2`,
      [project, limit],
    );
  }

  /** The first due delivery of each project except these: an unresponsive receiver delays no other project. */
  due(limit: number, butFor: readonly string[]): Promise<DueDelivery[]> {
    return this.#database.rows(
      `SELECT id, project, address, secret, body, attempts FROM
         (SELECT DISTINCT ON (project) d.id, project, address, secret, body, attempts, next_at, nth FROM deliveries d
            JOIN webhooks w ON w.id = d.webhook WHERE state = 'waiting' AND next_at <= now() AND project <> ALL($2)
          ORDER BY project, next_at, nth) AS first
       ORDER BY next_at, nth LIMIT $1`,
      [limit, butFor],
    );
  }

  async sent(id: string): Promise<void> {
    await this.#database.rows(
      "UPDATE deliveries SET state = 'sent', attempts = attempts + 1, error = NULL WHERE id = $1",
      [id],
    );
  }

  /** Retried after `againMs`, or failed if undefined. */
  async notSent(id: string, error: string, againMs: number | undefined): Promise<void> {
    await this.#database.rows(
      `UPDATE deliveries SET state = CASE WHEN $3::float8 IS NULL THEN 'failed' ELSE 'waiting' END,
         attempts = attempts + 1, error = $2, next_at = now() + coalesce($3::float8, 0) * interval '1 millisecond' WHERE id = $1`,
      [id, error, againMs ?? null],
    );
  }
}
