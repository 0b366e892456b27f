/** Routes for runs. */

import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import * as v from 'valibot';
import type { ServiceParts } from '../service-parts.js';
import { projectOf, removeRun, runOf, startRun } from './actions.js';
import { eventStream } from './event-stream.js';
import { json, nothing, type Route, route } from './route.js';
import { RUN_FILES, runFile } from './run-files.js';
import * as s from './schemas.js';

const PAGE_MAX = 200;
const PAGE = 50;

export function runRoutes(parts: ServiceParts): Route[] {
  const { runs, runner } = parts;
  const params = { run: s.id };
  return [
    route('GET', '/api/v1/projects/{project}/runs', {
      summary: 'The runs of a project.',
      role: 'read',
      params: { project: s.id },
      query: {
        limit: v.optional(
          v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.description(`at most ${PAGE_MAX}; ${PAGE} by default`)),
        ),
        before: v.optional(
          v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.description('only runs below this number')),
        ),
      },
      answers: { 200: { description: 'The latest first.', schema: v.object({ runs: v.array(s.run) }) } },
      handle: async ({ params: { project }, query: { limit, before } }) => {
        await projectOf(parts, project);
        const most = Math.min(PAGE_MAX, Number(limit ?? PAGE));
        return json({
          runs: await runs.list(project, most, before === undefined ? undefined : Number(before)),
        });
      },
    }),
    route('POST', '/api/v1/projects/{project}/runs', {
      summary: 'Start a check. It is queued behind earlier runs.',
      role: 'run',
      params: { project: s.id },
      body: s.newRun,
      answers: { 202: { description: 'The queued run.', schema: s.run } },
      handle: async ({ params: { project }, body: { models, ...options } }) => {
        await projectOf(parts, project);
        const run = await startRun(parts, project, options, models);
        return json(run, 202, { Location: `/api/v1/runs/${run.id}` });
      },
    }),
    route('GET', '/api/v1/runs/{run}', {
      summary: 'One run.',
      role: 'read',
      params,
      answers: { 200: { description: 'The run.', schema: s.run } },
      handle: async ({ params: { run } }) => json(await runOf(parts, run)),
    }),
    route('DELETE', '/api/v1/runs/{run}', {
      summary: 'Remove a run and its report; a running one is cancelled.',
      role: 'admin',
      params,
      answers: { 204: { description: 'Deleted.' } },
      handle: async ({ params: { run } }) => {
        await runOf(parts, run);
        await removeRun(parts, run);
        return nothing();
      },
    }),
    route('POST', '/api/v1/runs/{run}/cancel', {
      summary: 'Cancel a run.',
      role: 'run',
      params,
      answers: { 200: { description: 'The cancelled run.', schema: s.run } },
      handle: async ({ params: { run } }) => {
        await runOf(parts, run);
        if (!(await runner.cancel(run))) throw new RequestError(409, 'the run has ended');
        return json(await runOf(parts, run));
      },
    }),
    route('GET', '/api/v1/runs/{run}/events', {
      summary:
        'Follow a run: events "progress" and, when its state changes, "run". Ends when the run has ended.',
      role: 'read',
      params,
      answers: { 200: { description: 'Server-sent events.', type: 'text/event-stream' } },
      handle: async ({ params: { run }, token, signal }) =>
        eventStream(parts, await runOf(parts, run), token!.id, signal),
    }),
    route('GET', '/api/v1/runs/{run}/files/{file}', {
      summary: 'A file of the report.',
      role: 'read',
      params: { ...params, file: v.picklist(RUN_FILES) },
      answers: { 200: { description: 'The file.', type: 'application/octet-stream' } },
      handle: async ({ params: { run, file }, request }) => {
        await runOf(parts, run);
        return runFile(parts.folders.report(run), file, request);
      },
    }),
  ];
}
