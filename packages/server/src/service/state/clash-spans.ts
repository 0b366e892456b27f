/**
 * When each clash of a project was there, from the run that found it to the first that did not, independent of how long
 * runs are kept; and, with the log of decisions, what was open in each week.
 */
import type { ReviewStatus } from '@impinge/cli/internal/wire/review.js';
import type { Week } from '../api/schemas.js';
import type { Database, Queries } from './database.js';

/** A clash of a run. */
export interface FoundClash {
  readonly id: string;
  /** The pair of disciplines, files or folders that it is counted under. */
  readonly sides: string;
  /** The ids it had before its objects got other ids. */
  readonly formerIds: readonly string[];
}

/** Records the clashes of a completed run, in the transaction that ends it. */
export async function recordClashes(
  { rows }: Queries,
  project: string,
  finished: string,
  clashes: readonly FoundClash[],
): Promise<void> {
  await rows('UPDATE projects SET counted_since = coalesce(counted_since, $2::timestamptz) WHERE id = $1', [
    project,
    finished,
  ]);
  const renamed = clashes.flatMap(({ id, formerIds }) => formerIds.map((former) => ({ id, former })));
  await rows(
    `UPDATE clash_spans s SET clash = given.clash
     FROM (SELECT DISTINCT ON (clash) * FROM unnest($2::text[], $3::text[]) AS given(clash, former)
       WHERE EXISTS (SELECT 1 FROM clash_spans o WHERE o.project = $1 AND o.clash = former AND until IS NULL)) AS given
     WHERE project = $1 AND s.clash = former AND until IS NULL
       AND NOT EXISTS (SELECT 1 FROM clash_spans o WHERE o.project = $1 AND o.clash = given.clash
         AND (o.until IS NULL OR o.since = s.since))`,
    [project, renamed.map(({ id }) => id), renamed.map(({ former }) => former)],
  );
  await rows(
    `WITH found AS (SELECT DISTINCT ON (clash) * FROM unnest($2::text[], $3::text[]) AS given(clash, sides)),
       ended AS (UPDATE clash_spans s SET until = $4::timestamptz WHERE project = $1 AND until IS NULL
         AND NOT EXISTS (SELECT 1 FROM found WHERE found.clash = s.clash))
     INSERT INTO clash_spans (project, clash, sides, since) SELECT $1::text, clash, sides, $4::timestamptz FROM found
       WHERE NOT EXISTS (SELECT 1 FROM clash_spans s WHERE s.project = $1 AND s.clash = found.clash AND until IS NULL)`,
    [project, clashes.map(({ id }) => id), clashes.map(({ sides }) => sides), finished],
  );
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** The Monday before, at midnight in UTC. */
export function mondayOf(time: number): number {
  // 1970-01-01 was a Thursday
  return Math.floor((time + 3 * DAY_MS) / WEEK_MS) * WEEK_MS - 3 * DAY_MS;
}

/** Times are milliseconds since 1970. */
export interface Span {
  readonly clash: string;
  readonly sides: string;
  readonly since: number;
  readonly until: number;
}

export interface LoggedDecision {
  readonly clash: string;
  readonly at: number;
  readonly status: ReviewStatus;
  readonly assignee: string;
}

type Counts = { open: number; new: number; resolved: number };

/**
 * The weeks up to `now`, at most `most`, the earliest first. Clashes are open while they are found and not approved;
 * they belong to whom they were assigned at the end of the week. Those of the first run (`begun`) are not new.
 */
export function weeksOf(
  spans: readonly Span[],
  log: readonly LoggedDecision[],
  begun: number,
  now: number,
  most: number,
): Week[] {
  const last = mondayOf(now);
  const first = Math.max(mondayOf(begun), last - (most - 1) * WEEK_MS);
  const weeks = Array.from({ length: (last - first) / WEEK_MS + 1 }, () => ({
    total: zero(),
    disciplines: new Map<string, Counts>(),
    people: new Map<string, Counts>(),
  }));
  const changes = new Map<string, LoggedDecision[]>();
  for (const one of log) {
    const own = changes.get(one.clash);
    if (own) own.push(one);
    else changes.set(one.clash, [one]);
  }
  for (const { clash, sides, since, until } of spans) {
    const own = changes.get(clash) ?? [];
    let at = -1;
    const from = Math.max(0, Math.floor((since - first) / WEEK_MS));
    const to = Math.min(weeks.length - 1, Math.floor((until - first) / WEEK_MS));
    for (let i = from; i <= to; i++) {
      const [begin, end] = [first + i * WEEK_MS, first + (i + 1) * WEEK_MS];
      while (at + 1 < own.length && own[at + 1].at < end) at++;
      const { status, assignee } = own[at] ?? { status: 'new', assignee: '' };
      const { total, disciplines, people } = weeks[i];
      for (const counts of [total, entryOf(disciplines, sides), entryOf(people, assignee)]) {
        if (until >= end && status !== 'approved') counts.open++;
        if (since >= begin && since < end && since > begun) counts.new++;
        if (until < end) counts.resolved++;
      }
    }
  }
  return weeks.map(({ total, disciplines, people }, i) => ({
    week: new Date(first + i * WEEK_MS).toISOString().slice(0, 10),
    ...total,
    disciplines: listed(disciplines),
    people: listed(people),
  }));
}

function zero(): Counts {
  return { open: 0, new: 0, resolved: 0 };
}

function entryOf(map: Map<string, Counts>, name: string): Counts {
  let counts = map.get(name);
  if (!counts) map.set(name, (counts = zero()));
  return counts;
}

function listed(map: ReadonlyMap<string, Counts>): Week['people'] {
  return [...map]
    .map(([name, counts]) => ({ name, ...counts }))
    .filter((one) => one.open + one.new + one.resolved > 0)
    .sort((p, q) => q.open - p.open || (p.name < q.name ? -1 : 1));
}

export class ClashSpans {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Empty before the first completed run. */
  async weeks(project: string, most: number): Promise<Week[]> {
    const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
    const [found] = await this.#database.rows<{ begun: number | null }>(
      `SELECT ${ms('counted_since')} AS begun FROM projects WHERE id = $1`,
      [project],
    );
    if (typeof found?.begun !== 'number') return [];
    const spans = await this.#database.rows<Omit<Span, 'until'> & { until: number | null }>(
      `SELECT clash, sides, ${ms('since')} AS since, ${ms('until')} AS until FROM clash_spans WHERE project = $1`,
      [project],
    );
    const log = await this.#database.rows<LoggedDecision>(
      `SELECT clash, ${ms('at')} AS at, status, assignee FROM decision_changes WHERE project = $1
       ORDER BY clash, revision`,
      [project],
    );
    const lasting = spans.map((span) => ({ ...span, until: span.until ?? Infinity }));
    return weeksOf(lasting, log, found.begun, Date.now(), most);
  }

  /** The latest completed runs of projects that had them before clashes were recorded. */
  async unrecorded(): Promise<
    { readonly run: string; readonly project: string; readonly finished: string }[]
  > {
    return this.#database.rows(
      `SELECT DISTINCT ON (r.project) r.id AS run, r.project, to_json(r.finished)#>>'{}' AS finished
       FROM runs r JOIN projects p ON p.id = r.project
       WHERE p.counted_since IS NULL AND r.state = 'done' ORDER BY r.project, r.number DESC`,
    );
  }

  record(project: string, finished: string, clashes: readonly FoundClash[]): Promise<void> {
    return this.#database.transaction((queries) => recordClashes(queries, project, finished, clashes));
  }
}
