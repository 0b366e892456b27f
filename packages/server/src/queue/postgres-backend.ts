/** A queue in PostgreSQL; the results of tasks are in two tables, in their own schema. */
import type { PoolConfig } from 'pg';
import { BULLMQ_NAMESPACE, loadBullmq, loadPg } from './driver.js';
import type { QueueAddress, QueueBackend } from './queue-address.js';
import { KEPT_DAYS, type ResultTable, type Settled } from './result-table.js';
import { retried } from './retried.js';

/** An arbitrary lock number: processes that start at the same time create the tables once. */
const LOCK = 7_236_490_117;

const TABLES = `
  select pg_advisory_xact_lock(${LOCK});
  create schema if not exists impinge;
  create table if not exists impinge.run (
    run text primary key, description text not null, at timestamptz not null default now());
  create table if not exists impinge.task (
    run text not null references impinge.run on delete cascade,
    task text not null,
    tries integer not null default 0,
    worker text, error text, result text, apart text,
    primary key (run, task));`;

const FOREIGN_KEY_VIOLATION = '23503';

/** Query timeout; detects connections that were cut silently. */
const ANSWER_MS = 20_000;

/**
 * No commit waits for the disk: results lost in a server crash are measured again. A client that stalls inside a
 * transaction must not block others.
 */
const SESSION = [
  ...['synchronous_commit=off', `idle_in_transaction_session_timeout=${ANSWER_MS / 2}`],
  ...['tcp_keepalives_idle=10', 'tcp_keepalives_interval=5', 'tcp_keepalives_count=3'],
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

const CONNECT_MS = 10_000;

/** Shared by our pools and BullMQ's. */
function poolSettings({ url }: QueueAddress): PoolConfig {
  const pg = loadPg();
  return {
    connectionString: url,
    // an unhandled 'error' event of a lost idle connection would end the process; the next query fails anyway
    Client: class extends pg.Client {
      constructor(config?: object) {
        super(config);
        this.on('error', () => {});
      }
    },
    options: SESSION,
    query_timeout: ANSWER_MS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
  };
}

export const postgresBackend: QueueBackend = {
  connect: (address) => {
    const bullmq = loadBullmq();
    return {
      // the classes of both backends have the same interface
      classes: bullmq.withBackend(bullmq.createPostgresBackend) as unknown as typeof bullmq,
      connection: { ...poolSettings(address), max: 3, schema: BULLMQ_NAMESPACE, migrate: true },
    };
  },
  openResults,
};

async function openResults(address: QueueAddress): Promise<ResultTable> {
  const { Pool } = loadPg();
  const pool = new Pool({ ...poolSettings(address), max: 2 });
  pool.on('error', () => {}); // idle connections; the next query opens another
  const query = <Row extends object>(text: string, values: unknown[]) =>
    retried(address, () => pool.query<Row>(text, values));
  /** For queries made for every task: a named statement is parsed once per connection. */
  const often = <Row extends object>(name: string, text: string, values: unknown[]) =>
    retried(address, () => pool.query<Row>({ name, text, values }));
  try {
    await retried(
      address,
      async () => {
        const { rows } = await pool.query<{ there: boolean }>(
          "select to_regclass('impinge.task') is not null as there",
        );
        if (!rows[0].there) await pool.query(TABLES);
      },
      'short',
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    openRun: async (run, description) => {
      await query('delete from impinge.run where at < now() - make_interval(days => $1)', [KEPT_DAYS]);
      const text = 'insert into impinge.run (run, description) values ($1, $2) on conflict do nothing';
      await query(text, [run, description]);
    },
    descriptionOf: async (run) => {
      const { rows } = await query<{ description: string }>(
        'select description from impinge.run where run = $1',
        [run],
      );
      return rows[0]?.description;
    },
    begin: async (run, task, worker) => {
      try {
        const { rows } = await often<{ tries: number; settled: boolean; error: string | null }>(
          'begin',
          `insert into impinge.task as g (run, task, tries, worker) values ($1, $2, 1, $3)
           on conflict (run, task) do update set tries = g.tries + 1, worker = $3
           returning tries, result is not null or apart is not null as settled, error`,
          [run, task, worker],
        );
        const { tries, settled, error } = rows[0];
        return { tries, isSettled: settled, error: error ?? undefined };
      } catch (error) {
        if ((error as { code?: string }).code === FOREIGN_KEY_VIOLATION) return undefined;
        throw error;
      }
    },
    fail: async (run, task, error) => {
      const text = 'update impinge.task set error = $3 where run = $1 and task = $2';
      await query(text, [run, task, error]);
    },
    putResult: async (run, task, result) => {
      await often(
        'result',
        'update impinge.task set result = $3 where run = $1 and task = $2 and result is null and apart is null',
        [run, task, result],
      );
    },
    quarantine: async (run, task, why) => {
      await query(
        'update impinge.task set apart = $3 where run = $1 and task = $2 and result is null and apart is null',
        [run, task, why],
      );
    },
    settled: async (run, tasks) => {
      const { rows } = await query<{ task: string; result: string | null; apart: string | null }>(
        `select task, result, apart from impinge.task
         where run = $1 and task = any($2) and (result is not null or apart is not null)`,
        [run, tasks],
      );
      return new Map(
        rows.map(({ task, result, apart }): [string, Settled] => [
          task,
          result !== null ? { result } : { apart: apart! },
        ]),
      );
    },
    closeRun: async (run) => {
      await query('delete from impinge.run where run = $1', [run]);
    },
    close: () => pool.end(),
  };
}
