/**
 * Runs and their results. The table is the queue: once started, a run stays in it until it ends, whatever happens to
 * the service meanwhile.
 */
import { RUN_STATES, type Run, type RunOptions, type RunState } from '../api/schemas.js';
import { type Database, MODELS_LOCK, newId, type Queries, time } from './database.js';
import { queueMessage } from './webhooks.js';

/** The figures of a completed check. */
export interface RunFigures {
  readonly clashes: number;
  readonly newClashes: number | null;
  readonly resolved: number | null;
  readonly approved: number;
  readonly objects: number;
  readonly triangles: number;
}

/** Figures and an error: the result is incomplete. */
export type RunEnd =
  | { readonly figures: RunFigures; readonly error?: string }
  | { readonly error: string }
  | 'cancelled';

const RUN = `id, project, number, state, options, models, baseline, attempts, ${time('created')}, ${time('started')},
  ${time('finished')}, error, clashes, new_clashes AS "newClashes", resolved, approved, objects, triangles`;

export class Runs {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Starts a run with the current models of these names. Undefined if too many runs are waiting. */
  start(
    project: string,
    options: RunOptions,
    names: readonly string[],
    most: { readonly inAll: number; readonly ofProject: number },
  ): Promise<Run | undefined> {
    return this.#database.transaction(async ({ rows }) => {
      await rows('SELECT pg_advisory_xact_lock_shared($1)', [MODELS_LOCK]);
      const models = await rows<{ id: string }>(
        'SELECT id FROM models WHERE project = $1 AND name = ANY($2) AND superseded IS NULL',
        [project, names],
      );
      const [{ inAll, ofProject }] = await rows<{ inAll: number; ofProject: number }>(
        `SELECT count(*) AS "inAll", count(*) FILTER (WHERE project = $1) AS "ofProject" FROM runs WHERE state = 'queued'`,
        [project],
      );
      if (inAll >= most.inAll || ofProject >= most.ofProject) return undefined;
      const [counted] = await rows<{ last_run: number }>(
        'UPDATE projects SET last_run = last_run + 1 WHERE id = $1 RETURNING last_run',
        [project],
      );
      const [run] = await rows<Run>(
        `INSERT INTO runs (id, project, number, state, options, models) VALUES ($1, $2, $3, 'queued', $4, $5) RETURNING ${RUN}`,
        [newId(), project, counted.last_run, JSON.stringify(options), models.map(({ id }) => id)],
      );
      return run;
    });
  }

  async get(id: string): Promise<Run | undefined> {
    return (await this.#database.rows<Run>(`SELECT ${RUN} FROM runs WHERE id = $1`, [id]))[0];
  }

  /** The latest first. */
  list(project: string, limit: number, before = 2 ** 31 - 1): Promise<Run[]> {
    return this.#database.rows(
      `SELECT ${RUN} FROM runs WHERE project = $1 AND number < $2 ORDER BY number DESC LIMIT $3`,
      [project, before, limit],
    );
  }

  /** Whether its report can be shown. */
  static hasReport({ state }: Run): boolean {
    return state === 'done' || state === 'incomplete';
  }

  /** The latest run of each project. */
  lastOfEach(): Promise<Run[]> {
    return this.#database.rows(`SELECT DISTINCT ON (project) ${RUN} FROM runs ORDER BY project, number DESC`);
  }

  /** The latest completed runs, the earliest first. */
  async history(project: string, limit: number): Promise<Run[]> {
    const runs = await this.#database.rows<Run>(
      `SELECT ${RUN} FROM runs WHERE project = $1 AND state = 'done' ORDER BY number DESC LIMIT $2`,
      [project, limit],
    );
    return runs.reverse();
  }

  /** The completed run before `number`, the default baseline. */
  async lastDone(project: string, number: number): Promise<Run | undefined> {
    const [run] = await this.#database.rows<Run>(
      `SELECT ${RUN} FROM runs WHERE project = $1 AND state = 'done' AND number < $2 ORDER BY number DESC LIMIT 1`,
      [project, number],
    );
    return run;
  }

  /**
   * Claims the next run. Runs of a project are sequential, so that each has the one before as its baseline. Projects
   * take turns, the one that waited longest first: each waits for at most one run of every other.
   */
  async claim(): Promise<Run | undefined> {
    const [run] = await this.#database.rows<Run>(
      `WITH claimed AS (UPDATE runs SET state = 'running', started = now(), attempts = attempts + 1 WHERE id =
         (SELECT r.id FROM runs r JOIN projects p ON p.id = r.project WHERE state = 'queued' AND NOT EXISTS
            (SELECT 1 FROM runs o WHERE o.project = r.project AND o.state = 'running')
          ORDER BY p.turn, r.created, r.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
       RETURNING ${RUN}),
       turned AS (UPDATE projects SET turn = nextval('turns') WHERE id IN (SELECT project FROM claimed))
       SELECT * FROM claimed`,
    );
    return run;
  }

  /** Records the process, to be killed if the service crashes, and the baseline. */
  async began(id: string, process: string, baseline: string | null): Promise<void> {
    await this.#database.rows('UPDATE runs SET process = $2, baseline = $3 WHERE id = $1', [
      id,
      process,
      baseline,
    ]);
  }

  /**
   * Ends a run, and queues its webhooks and writes what else follows from it in the same transaction. Undefined if it
   * had already ended.
   */
  finish(
    id: string,
    end: RunEnd,
    bodyOf: (run: Run) => string,
    also?: (queries: Queries, run: Run) => Promise<void>,
  ): Promise<Run | undefined> {
    const figures = end !== 'cancelled' && 'figures' in end ? end.figures : undefined;
    const error = end === 'cancelled' ? null : (end.error ?? null);
    const [whole, broken] = figures ? (['done', 'incomplete'] as const) : (['cancelled', 'failed'] as const);
    const state: RunState = error === null ? whole : broken;
    return this.#database.transaction(async ({ rows }) => {
      const [run] = await rows<Run>(
        `UPDATE runs SET state = $2, finished = now(), process = NULL, error = $3, clashes = $4, new_clashes = $5,
           resolved = $6, approved = $7, objects = $8, triangles = $9
         WHERE id = $1 AND state IN ('queued', 'running') RETURNING ${RUN}`,
        [
          ...[id, state, error, figures?.clashes, figures?.newClashes, figures?.resolved],
          ...[figures?.approved, figures?.objects, figures?.triangles],
        ],
      );
      if (!run) return undefined;
      await also?.({ rows }, run);
      await queueMessage({ rows }, run.project, { event: 'run-finished', run: run.id, body: bodyOf(run) });
      return run;
    });
  }

  /** Returns a run to the queue; an attempt that was stopped on purpose does not count. */
  async requeue(id: string, onPurpose = false): Promise<void> {
    await this.#database.rows(
      "UPDATE runs SET state = 'queued', process = NULL, attempts = attempts - $2 WHERE id = $1 AND state = 'running'",
      [id, onPurpose ? 1 : 0],
    );
  }

  /** Runs that the previous process left running. */
  interrupted(): Promise<(Run & { readonly process: string | null })[]> {
    return this.#database.rows(
      `SELECT ${RUN}, process FROM runs WHERE state = 'running' ORDER BY created, id`,
    );
  }

  /** Runs of a project that have not ended. */
  open(project: string): Promise<Run[]> {
    return this.#database.rows(
      `SELECT ${RUN} FROM runs WHERE project = $1 AND state IN ('queued', 'running') ORDER BY created, id`,
      [project],
    );
  }

  async counts(): Promise<Readonly<Record<RunState, number>>> {
    const rows = await this.#database.rows<{ state: RunState; count: number }>(
      'SELECT state, count(*) AS count FROM runs GROUP BY state',
    );
    const zero = Object.fromEntries(RUN_STATES.map((state) => [state, 0]));
    return { ...zero, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) } as Record<
      RunState,
      number
    >;
  }

  async remove(id: string): Promise<void> {
    await this.#database.rows('DELETE FROM runs WHERE id = $1', [id]);
  }

  /**
   * Ended runs that their project no longer keeps. The last completed one always stays, as the baseline of the next,
   * and so do the baselines of pending runs.
   */
  async expired(keepRuns: number, keepDays: number): Promise<string[]> {
    const rows = await this.#database.rows<{ id: string }>(
      `WITH ranked AS (
         SELECT r.id, r.finished, coalesce(p.keep_runs, $1) AS keep_runs, coalesce(p.keep_days, $2) AS keep_days,
           rank() OVER (PARTITION BY r.project ORDER BY r.number DESC) AS nth,
           r.state = 'done' AND rank() OVER (PARTITION BY r.project, r.state ORDER BY r.number DESC) = 1 AS is_last
         FROM runs r JOIN projects p ON p.id = r.project WHERE r.state NOT IN ('queued', 'running'))
       SELECT id FROM ranked WHERE NOT is_last
         AND ((keep_runs > 0 AND nth > keep_runs) OR (keep_days > 0 AND finished < now() - keep_days * interval '1 day'))
         AND NOT EXISTS (SELECT 1 FROM runs o WHERE o.state IN ('queued', 'running')
           AND (o.baseline = ranked.id OR o.options->>'baseline' = ranked.id))`,
      [keepRuns, keepDays],
    );
    return rows.map(({ id }) => id);
  }

  async ids(): Promise<Set<string>> {
    return new Set((await this.#database.rows<{ id: string }>('SELECT id FROM runs')).map(({ id }) => id));
  }
}
