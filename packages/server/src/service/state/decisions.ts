/**
 * Decisions about clashes: one record for all runs of a project. Every change has a revision; the log of changes says
 * what a clash's decision was at any earlier one, so that concurrent changes can be merged, and at any time.
 *
 * Invariant: changes of a project are made one after the other, under a lock on its row.
 */
import {
  type Decision,
  isSameDecision,
  type Review,
  UNDECIDED,
} from '@impinge/cli/internal/reports/review/decision.js';
import type { Changed } from '@impinge/cli/internal/reports/review/merge-change.js';
import type { DecisionRecord, OpenClashes } from '../api/schemas.js';
import { messagesOf } from '../decision-messages.js';
import { type Database, type Queries, time } from './database.js';
import { queueMessage } from './webhooks.js';

export interface Decided {
  readonly revision: number;
  readonly decisions: Review;
}

/** The decision about a clash at an earlier revision. */
export type DecisionAt = (clash: string) => Decision;

interface Fields {
  readonly clash: string;
  readonly status: Decision['status'];
  readonly assignee: string;
  readonly due: string;
}

const DECISION = `clash, status, assignee, due, comments, ${time('changed')}, changed_by AS "changedBy"`;

export class Decisions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By clash id; all, or those that fit. */
  list(
    project: string,
    { status, assignee }: { status?: string | undefined; assignee?: string | undefined },
  ) {
    return this.#database.rows<DecisionRecord>(
      `SELECT ${DECISION} FROM decisions WHERE project = $1 AND ($2::text IS NULL OR status = $2)
         AND ($3::text IS NULL OR assignee = $3) ORDER BY clash`,
      [project, status ?? null, assignee ?? null],
    );
  }

  /** Undefined if nobody has decided. */
  async one(project: string, clash: string): Promise<DecisionRecord | undefined> {
    const [found] = await this.#database.rows<DecisionRecord>(
      `SELECT ${DECISION} FROM decisions WHERE project = $1 AND clash = $2`,
      [project, clash],
    );
    return found;
  }

  async revision(project: string): Promise<number> {
    const [found] = await this.#database.rows<{ revision: number }>(
      'SELECT revision FROM projects WHERE id = $1',
      [project],
    );
    return found?.revision ?? 0;
  }

  read(project: string): Promise<Decided> {
    // both of one moment
    return this.#database.transaction(async (queries) => {
      const [found] = await queries.rows<{ revision: number }>(
        'SELECT revision FROM projects WHERE id = $1 FOR SHARE',
        [project],
      );
      return { revision: found?.revision ?? 0, decisions: await decisionsOf(queries, project) };
    });
  }

  /**
   * Writes the decisions that `make` returns; those that it leaves out or unchanged stay. `base` is the revision that
   * `earlier` answers for. Webhooks are told in the same transaction.
   */
  update(
    project: string,
    by: Changed,
    make: (now: Review, earlier: DecisionAt) => Review,
    base?: number,
  ): Promise<Decided & { readonly changed: readonly string[] }> {
    return this.#database.transaction(async (queries) => {
      const { rows } = queries;
      const [{ revision: before }] = await rows<{ revision: number }>(
        'SELECT revision FROM projects WHERE id = $1 FOR UPDATE',
        [project],
      );
      const now = await decisionsOf(queries, project);
      const earlier =
        base === undefined || base >= before ? now : await fieldsAt(queries, project, base, now);
      const made = make(now, (clash) => earlier.get(clash) ?? UNDECIDED);
      const changed = [...made].filter(
        ([id, decision]) => !isSameDecision(now.get(id) ?? UNDECIDED, decision),
      );
      if (changed.length === 0) return { revision: before, decisions: now, changed: [] };
      const revision = before + 1;
      await write(queries, project, revision, by, changed);
      for (const message of messagesOf(project, revision, by, now, changed))
        await queueMessage(queries, project, message);
      const decisions = new Map([...now, ...changed]);
      return { revision, decisions, changed: changed.map(([id]) => id) };
    });
  }

  /** Those of these clashes that no run of the project has found and nobody has decided. */
  async unknown(project: string, clashes: readonly string[]): Promise<string[]> {
    const rows = await this.#database.rows<{ clash: string }>(
      `SELECT clash FROM unnest($2::text[]) AS given(clash)
       WHERE NOT EXISTS (SELECT 1 FROM clash_spans s WHERE s.project = $1 AND s.clash = given.clash)
         AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.project = $1 AND d.clash = given.clash)`,
      [project, clashes],
    );
    return rows.map(({ clash }) => clash);
  }

  /** The clashes of the latest run that are not approved, by assignee; the most first. */
  openByAssignee(project: string): Promise<OpenClashes[]> {
    return this.#database.rows(
      `SELECT coalesce(assignee, '') AS assignee, count(*) AS open,
         count(*) FILTER (WHERE due <> '' AND left(due, 10) < to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS overdue,
         count(*) FILTER (WHERE coalesce(status, 'new') = 'new') AS undecided
       FROM clash_spans s LEFT JOIN decisions d USING (project, clash)
       WHERE project = $1 AND until IS NULL AND coalesce(status, 'new') <> 'approved'
       GROUP BY 1 ORDER BY 2 DESC, 1`,
      [project],
    );
  }
}

async function decisionsOf({ rows }: Queries, project: string): Promise<Map<string, Decision>> {
  const all = await rows<Fields & Pick<Decision, 'comments'>>(
    'SELECT clash, status, assignee, due, comments FROM decisions WHERE project = $1 ORDER BY clash',
    [project],
  );
  return new Map(all.map(({ clash, ...decision }) => [clash, decision]));
}

/** Decisions at an earlier revision; comments are those of now, since none is ever removed. */
async function fieldsAt({ rows }: Queries, project: string, revision: number, now: Review): Promise<Review> {
  const all = await rows<Fields>(
    `SELECT DISTINCT ON (clash) clash, status, assignee, due FROM decision_changes
     WHERE project = $1 AND revision <= $2 ORDER BY clash, revision DESC`,
    [project, revision],
  );
  return new Map(
    all.map(({ clash, ...fields }) => [clash, { ...fields, comments: now.get(clash)?.comments ?? [] }]),
  );
}

async function write(
  { rows }: Queries,
  project: string,
  revision: number,
  by: Changed,
  changed: readonly (readonly [string, Decision])[],
): Promise<void> {
  const columns = [
    changed.map(([id]) => id),
    ...(['status', 'assignee', 'due'] as const).map((field) => changed.map(([, one]) => one[field])),
  ];
  await rows('UPDATE projects SET revision = $2 WHERE id = $1', [project, revision]);
  await rows(
    `INSERT INTO decisions (project, clash, status, assignee, due, comments, changed_by)
     SELECT $1::text, clash, status, assignee, due, comments::jsonb, $7::text
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS of(clash, status, assignee, due, comments)
     ON CONFLICT (project, clash) DO UPDATE SET (status, assignee, due, comments, changed, changed_by) =
       (excluded.status, excluded.assignee, excluded.due, excluded.comments, now(), excluded.changed_by)`,
    [project, ...columns, changed.map(([, { comments }]) => JSON.stringify(comments)), by.author],
  );
  await rows(
    `INSERT INTO decision_changes (project, clash, revision, status, assignee, due)
     SELECT $1::text, clash, $6::bigint, status, assignee, due
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS of(clash, status, assignee, due)`,
    [project, ...columns, revision],
  );
}
