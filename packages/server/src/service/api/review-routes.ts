/** Routes for decisions. */
import type { Decision } from '@impinge/cli/internal/reports/review/decision.js';
import { ARCHIVE_BYTES_MAX } from '@impinge/cli/internal/server/bcf-requests.js';
import { cleanText } from '@impinge/cli/internal/wire/text.js';
import * as v from 'valibot';
import { exportReview, REVIEW_FORMATS } from '../bcf/export-review.js';
import { assertClashes, changedBy, changeReview, importReview } from '../project-review.js';
import { readBytes } from '../request-body.js';
import type { ServiceParts } from '../service-parts.js';
import { projectOf, runOf } from './actions.js';
import { json, type Route, route } from './route.js';
import * as s from './schemas.js';

const WEEKS = 26;
const WEEKS_MAX = 520;

export function reviewRoutes(parts: ServiceParts): Route[] {
  const { decisions, reports, spans, settings } = parts;
  const params = { project: s.id };
  const listed = async (project: string, clashes: readonly string[], revision: number) => {
    const wanted = new Set(clashes);
    const all = await decisions.list(project, {});
    return { revision: String(revision), decisions: all.filter(({ clash }) => wanted.has(clash)) };
  };
  return [
    route('GET', '/api/v1/projects/{project}/decisions', {
      summary: 'The decisions about the clashes of a project; a clash without one is new.',
      role: 'read',
      params,
      query: {
        run: v.optional(v.pipe(s.id, v.description('only about clashes of this run'))),
        status: v.optional(s.status),
        assignee: v.optional(v.pipe(v.string(), v.transform(cleanText), v.description('empty: nobody'))),
      },
      answers: { 200: { description: 'By clash id.', schema: s.decisions } },
      handle: async ({ params: { project }, query: { run, ...wanted } }) => {
        await projectOf(parts, project);
        const revision = await decisions.revision(project);
        const all = await decisions.list(project, wanted);
        if (run === undefined) return json({ revision: String(revision), decisions: all });
        const found = await runOf(parts, run, project);
        const report = await reports.of(found);
        return json({
          revision: String(revision),
          decisions: all.filter(({ clash }) => report.has(clash)),
        });
      },
    }),
    route('PATCH', '/api/v1/projects/{project}/decisions', {
      summary: 'Decide about clashes. Omitted fields stay unchanged; the author of comments is the token.',
      role: 'run',
      params,
      body: s.changedDecisions,
      answers: { 200: { description: 'The decisions about these clashes.', schema: s.decisions } },
      handle: async ({ params: { project }, body: { base, changes }, token }) => {
        await projectOf(parts, project);
        const ids = changes.map(({ clash }) => clash);
        await assertClashes(parts, project, ids);
        const by = changedBy(token!.name);
        const wanted = changes.map(
          ({ clash, comment, ...fields }) =>
            [
              clash,
              (earlier: Decision) => ({
                ...earlier,
                ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
                ...(comment !== undefined && {
                  comments: [...earlier.comments, { author: by.author, date: by.date, text: comment }],
                }),
              }),
            ] as const,
        );
        const revision = base === undefined ? undefined : Number(base);
        const decided = await changeReview(parts, project, by, new Map(wanted), revision);
        return json(await listed(project, ids, decided.revision));
      },
    }),
    route('POST', '/api/v1/projects/{project}/decisions/{clash}/comments', {
      summary: 'Comment on a clash.',
      role: 'run',
      params: { ...params, clash: s.clashId },
      body: s.newComment,
      answers: { 201: { description: 'The decision about the clash.', schema: s.decisions } },
      handle: async ({ params: { project, clash }, body: { text }, token }) => {
        await projectOf(parts, project);
        await assertClashes(parts, project, [clash]);
        const by = changedBy(token!.name);
        const said = { author: by.author, date: by.date, text };
        const decided = await changeReview(
          parts,
          project,
          by,
          new Map([[clash, (earlier) => ({ ...earlier, comments: [...earlier.comments, said] })]]),
        );
        return json(await listed(project, [clash], decided.revision), 201);
      },
    }),
    route('GET', '/api/v1/projects/{project}/review', {
      summary:
        'The decisions as a file: for impinge check --review, or BCF with the issues of the latest run.',
      role: 'read',
      params,
      query: { format: v.optional(v.picklist(REVIEW_FORMATS), 'yaml') },
      answers: { 200: { description: 'The file.', type: 'application/octet-stream' } },
      handle: async ({ params: { project }, query: { format } }) => {
        await projectOf(parts, project);
        return exportReview(parts, project, format);
      },
    }),
    route('PUT', '/api/v1/projects/{project}/review', {
      summary: 'Merge decisions from a file: BCF 2.0, 2.1 or 3.0, YAML or JSON.',
      role: 'run',
      params,
      body: 'file',
      answers: { 200: { description: 'What it changed.', schema: s.imported } },
      handle: async ({ params: { project }, request, token }) => {
        await projectOf(parts, project);
        const bytes = await readBytes(request, settings.limits.bodyMs, ARCHIVE_BYTES_MAX);
        const { decided, topics, strangers, remarks } = await importReview(
          parts,
          project,
          changedBy(token!.name),
          bytes,
        );
        return json({
          revision: String(decided.revision),
          topics: topics ?? null,
          strangers,
          remarks,
          changed: decided.changed.length,
        });
      },
    }),
    route('GET', '/api/v1/projects/{project}/open', {
      summary: 'The clashes of the latest run that are not approved, by assignee.',
      role: 'read',
      params,
      answers: {
        200: { description: 'The most first.', schema: v.object({ open: v.array(s.openClashes) }) },
      },
      handle: async ({ params: { project } }) => {
        await projectOf(parts, project);
        return json({ open: await decisions.openByAssignee(project) });
      },
    }),
    route('GET', '/api/v1/projects/{project}/weeks', {
      summary: 'The numbers of open, new and resolved clashes by week, discipline and person.',
      role: 'read',
      params,
      query: {
        limit: v.optional(
          v.pipe(
            v.string(),
            v.regex(/^[1-9]\d{0,2}$/),
            v.description(`the latest weeks; ${WEEKS} by default, at most ${WEEKS_MAX}`),
          ),
        ),
      },
      answers: {
        200: { description: 'The earliest first.', schema: v.object({ weeks: v.array(s.week) }) },
      },
      handle: async ({ params: { project }, query: { limit } }) => {
        await projectOf(parts, project);
        return json({ weeks: await spans.weeks(project, Math.min(WEEKS_MAX, Number(limit ?? WEEKS))) });
      },
    }),
  ];
}
