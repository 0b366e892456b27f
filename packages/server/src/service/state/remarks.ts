/**
 * What people add to the topics of a project: remarks, which are topics about no clash, and views of any topic, with
 * pictures. The decision about a remark is kept like that about a clash, under its GUID.
 */
import type { BcfView } from '@impinge/cli/internal/reports/bcf/bcf-view.js';
import type { Remark } from '@impinge/cli/internal/reports/bcf/remark.js';
import type { PictureType } from '@impinge/cli/internal/reports/bcf/write-bcf.js';
import type { Changed } from '@impinge/cli/internal/reports/review/merge-change.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { type Database, time } from './database.js';
import { queueMessage } from './webhooks.js';

/** Archives hold so many, and what is larger is no work of people. */
const REMARKS_MAX = 2000;
const VIEWS_MAX = 5000;
const PICTURES_BYTES_MAX = 1e9;

/** What a person says of a topic, besides the decision. */
export type RemarkText = Pick<
  Remark,
  'title' | 'type' | 'word' | 'priority' | 'labels' | 'stage' | 'links' | 'description'
>;

/** A remark in the order in which they were made, from 1. */
export type NumberedRemark = Remark & { readonly number: number };

export interface KeptView {
  readonly topic: string;
  readonly view: BcfView;
  /** Undefined without a picture. */
  readonly pictureType: PictureType | undefined;
}

export interface NewView {
  readonly view: BcfView;
  readonly picture: { readonly type: PictureType; readonly bytes: Uint8Array } | undefined;
}

const REMARK = `guid, number, title, type, word, priority, labels, stage, links, description, author,
  modified_by AS "modifiedBy", ${time('created')}, ${time('modified')}`;
const TEXTS = ['title', 'type', 'word', 'priority', 'labels', 'stage', 'links', 'description'] as const;
const COLUMNS = TEXTS.join(', ');

export class Remarks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order in which they were made. */
  list(project: string): Promise<NumberedRemark[]> {
    return this.#database.rows(`SELECT ${REMARK} FROM remarks WHERE project = $1 ORDER BY number`, [project]);
  }

  async find(project: string, guid: string): Promise<NumberedRemark | undefined> {
    const [found] = await this.#database.rows<NumberedRemark>(
      `SELECT ${REMARK} FROM remarks WHERE project = $1 AND guid = $2`,
      [project, guid.toLowerCase()],
    );
    return found;
  }

  /** Throws a 409 if there is one with this GUID. Webhooks are told. */
  async create(
    project: string,
    guid: string,
    text: RemarkText,
    by: Changed,
    made: Partial<Pick<Remark, 'created' | 'author'>> = {},
  ): Promise<void> {
    const message = { event: 'topic-created', project, by: by.author, date: by.date, topic: guid, ...text };
    await this.#database.transaction(async (queries) => {
      // one after the other, for their numbers
      await queries.rows('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [project]);
      const [{ count, last }] = await queries.rows<{ count: number; last: number | null }>(
        'SELECT count(*)::int AS count, max(number) AS last FROM remarks WHERE project = $1',
        [project],
      );
      if (count >= REMARKS_MAX)
        throw new RequestError(409, `a project has at most ${REMARKS_MAX} topics of people`);
      const inserted = await queries.rows(
        `INSERT INTO remarks (project, guid, number, ${COLUMNS}, created, author, modified, modified_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT DO NOTHING RETURNING guid`,
        [
          ...[project, guid, (last ?? 0) + 1, ...TEXTS.map((key) => text[key])],
          ...[made.created || by.date, made.author || by.author, by.date, by.author],
        ],
      );
      if (inserted.length === 0) throw new RequestError(409, 'there is a topic with this GUID');
      await queueMessage(queries, project, { event: 'topic-created', body: JSON.stringify(message) });
    });
  }

  /** Whether anything has changed. */
  async change(project: string, guid: string, text: RemarkText, by: Changed): Promise<boolean> {
    const values = TEXTS.map((_, i) => `$${i + 3}`).join(', ');
    const rows = await this.#database.rows(
      `UPDATE remarks SET (${COLUMNS}, modified, modified_by) = (${values}, $11, $12)
       WHERE project = $1 AND guid = $2 AND (${COLUMNS}) IS DISTINCT FROM (${values}) RETURNING guid`,
      [project, guid, ...TEXTS.map((key) => text[key]), by.date, by.author],
    );
    return rows.length > 0;
  }

  /** Of one topic, or of all; the earliest first. */
  async views(project: string, topic?: string): Promise<KeptView[]> {
    const rows = await this.#database.rows<{ topic: string; view: BcfView; type: PictureType | null }>(
      `SELECT topic, view, picture_type AS type FROM topic_views
       WHERE project = $1 AND ($2::text IS NULL OR topic = $2) ORDER BY nth`,
      [project, topic ?? null],
    );
    return rows.map(({ type, ...rest }) => ({ ...rest, pictureType: type ?? undefined }));
  }

  async picture(project: string, topic: string, view: string): Promise<Buffer | undefined> {
    const [found] = await this.#database.rows<{ picture: Buffer | null }>(
      'SELECT picture FROM topic_views WHERE project = $1 AND topic = $2 AND guid = $3',
      [project, topic, view],
    );
    return found?.picture ?? undefined;
  }

  /** Throws a 409 if the topic has a view with this GUID, or the project too many. */
  async addView(project: string, topic: string, { view, picture }: NewView): Promise<void> {
    await this.#database.transaction(async ({ rows }) => {
      await rows('SELECT 1 FROM projects WHERE id = $1 FOR UPDATE', [project]);
      const [{ count, bytes }] = await rows<{ count: number; bytes: number }>(
        `SELECT count(*)::int AS count, coalesce(sum(length(picture)), 0)::float8 AS bytes FROM topic_views
         WHERE project = $1`,
        [project],
      );
      if (count >= VIEWS_MAX || bytes + (picture?.bytes.length ?? 0) > PICTURES_BYTES_MAX)
        throw new RequestError(409, 'the project has too many viewpoints');
      const inserted = await rows(
        `INSERT INTO topic_views (project, topic, guid, view, picture_type, picture)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING guid`,
        [project, topic, view.guid, JSON.stringify(view), picture?.type ?? null, picture?.bytes ?? null],
      );
      if (inserted.length === 0) throw new RequestError(409, 'there is a viewpoint with this GUID');
    });
  }

  /** By the GUID of the comment, that of the view that it is about. */
  async viewOfComment(project: string): Promise<Map<string, string>> {
    const rows = await this.#database.rows<{ comment: string; view: string }>(
      'SELECT comment, view FROM comment_views WHERE project = $1',
      [project],
    );
    return new Map(rows.map(({ comment, view }) => [comment, view]));
  }

  async setViewOfComment(project: string, comment: string, view: string): Promise<void> {
    await this.#database.rows(
      `INSERT INTO comment_views (project, comment, view) VALUES ($1, $2, $3)
       ON CONFLICT (project, comment) DO UPDATE SET view = excluded.view`,
      [project, comment, view],
    );
  }
}
