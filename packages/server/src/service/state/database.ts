/**
 * The database of the service. One service at a time uses it, holding a lock that is released with its connection, even
 * if the process is killed.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import pg from 'pg';
import { MIGRATIONS, SCHEMA } from './migrations.js';

const CONNECTIONS_MAX = 10;
/** Includes the wait for a free connection of the pool. */
const CONNECT_MS = 30_000;
const STATEMENT_MS = 30_000;
/** SQLSTATE of a server that is still starting. */
const STARTING = '57P03';
const STARTING_MS = 60_000;
const STARTING_POLL_MS = 200;
/** An arbitrary lock number: "impi". */
const SERVICE_LOCK = 0x696d7069;
const MIGRATION_LOCK = SERVICE_LOCK + 1;
/** Held while models are deleted, and shared while runs that use them start. */
export const MODELS_LOCK = SERVICE_LOCK + 2;

// counts of triangles are below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface Queries {
  /** Rows as objects, with the column names of the query. */
  rows<T extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<T[]>;
}

export class Database implements Queries {
  readonly #pool: pg.Pool;
  #holder: pg.Client | undefined;

  private constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Connects, and migrates the tables. */
  static async open(url: string, onError: (error: Error) => void): Promise<Database> {
    const pool = new pg.Pool({
      connectionString: url,
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      options: `-c search_path=${SCHEMA}`,
    });
    // errors of idle connections; the next request opens another one
    pool.on('error', onError);
    try {
      await whenReady(() => migrate(pool));
    } catch (error) {
      await pool.end();
      if (error instanceof CommandError) throw error;
      throw new CommandError(`the database cannot be used: ${(error as Error).message}`);
    }
    return new Database(pool);
  }

  /** Takes the service's lock; `onLost` is called when its connection breaks. */
  async hold(url: string, onLost: (error: Error) => void): Promise<void> {
    const client = new pg.Client({ connectionString: url, keepAlive: true });
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
      SERVICE_LOCK,
    ]);
    if (!rows[0].held) {
      await client.end();
      throw new CommandError('another "impinge serve" uses this database');
    }
    client.on('error', onLost);
    this.#holder = client;
  }

  async rows<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.#pool.query<T>(text, [...values])).rows;
  }

  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work({
        rows: async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
          (await client.query<R>(text, [...values])).rows,
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((reason: Error) => {
        broken = reason;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    this.#holder?.removeAllListeners('error');
    this.#holder?.on('error', () => {});
    await this.#holder?.end().catch(() => {});
    await this.#pool.end();
  }
}

/** Waits for a server that is starting: it accepts connections before it can answer. */
async function whenReady(work: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + STARTING_MS; ; await delay(STARTING_POLL_MS)) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== STARTING || Date.now() > end) throw error;
    }
  }
}

async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await client.query('CREATE TABLE IF NOT EXISTS migrations (step integer PRIMARY KEY)');
    const { rows } = await client.query<{ done: number }>(
      'SELECT coalesce(max(step), 0) AS done FROM migrations',
    );
    const { done } = rows[0];
    if (done > MIGRATIONS.length)
      throw new CommandError('this database was used by a later version of impinge');
    for (const [i, step] of MIGRATIONS.entries()) {
      if (i < done) continue;
      await client.query(step);
      await client.query('INSERT INTO migrations VALUES ($1)', [i + 1]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** Selects a timestamp column as ISO 8601 text. */
export const time = (column: string) => `to_json(${column})#>>'{}' AS ${column.split('.').at(-1)}`;

/** 64 random bits. */
export function newId(): string {
  return randomBytes(8).toString('hex');
}
