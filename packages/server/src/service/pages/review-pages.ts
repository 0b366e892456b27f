/** What the report page and the viewer of a run need to save decisions: the endpoints that `impinge view` has, too. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BCF_VERSIONS } from '@impinge/cli/internal/reports/bcf/layout.js';
import { writeBcf } from '@impinge/cli/internal/reports/bcf/write-bcf.js';
import {
  ARCHIVE_BYTES_MAX,
  PICTURES_BYTES_MAX,
  picturedViews,
  sentPictures,
} from '@impinge/cli/internal/server/bcf-requests.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import {
  CHANGES_BYTES_MAX,
  reviewAnswer,
  reviewChange,
} from '@impinge/cli/internal/server/review-requests.js';
import type { ImportAnswer } from '@impinge/cli/internal/wire/review.js';
import type { Saving, ViewManifest } from '@impinge/cli/internal/wire/view-manifest.js';
import type { Hono } from 'hono';
import { runOf } from '../api/actions.js';
import { reviewStream } from '../api/event-stream.js';
import { json } from '../api/route.js';
import { headersOf } from '../api/run-files.js';
import type { Role, Run } from '../api/schemas.js';
import { addedTopics } from '../bcf/export-review.js';
import { assertClashes, changedBy, changeReview, importReview } from '../project-review.js';
import { readBytes, readJson } from '../request-body.js';
import type { Caller, RequestGuard } from '../request-guard.js';
import type { ServiceContext, ServiceEnv } from '../service-env.js';
import type { ServiceParts } from '../service-parts.js';
import type { Decided } from '../state/decisions.js';
import { mayActAs } from '../state/tokens.js';
import { idOf } from './page-params.js';

export const MANIFEST = 'view.json';

export function savingOf({ csrf, token: { name, role } }: Caller): Saving {
  const readOnly = mayActAs(role, 'run') ? null : `The role ${role} cannot decide`;
  return { csrf, author: name, readOnly };
}

/** The manifest of an exported viewer, which says that this server saves. */
export async function liveManifest(folder: string, caller: Caller): Promise<Response> {
  const manifest: ViewManifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  const live: ViewManifest = { ...manifest, live: true, saving: savingOf(caller) };
  return new Response(JSON.stringify(live), { headers: headersOf(MANIFEST) });
}

export function addReviewPages(app: Hono<ServiceEnv>, parts: ServiceParts, guard: RequestGuard): void {
  const { decisions, reports, settings } = parts;

  const endpoint = (
    method: 'GET' | 'POST',
    name: string,
    role: Role,
    answer: (c: ServiceContext, run: Run, caller: Caller) => Promise<Response> | Response,
  ) =>
    app.on(method, `/runs/:run/view/${name}`, async (c) => {
      c.set('route', `/runs/:run/view/${name}`);
      const caller = await guard.caller(c.env.incoming);
      guard.assertRole(caller, role);
      if (method === 'POST') guard.assertMeant(caller, c.env.incoming);
      await guard.assertWithin(caller, c.req.param() as { run: string });
      return answer(c, await runOf(parts, idOf(c, 'run')), caller);
    });

  const answerOf = ({ revision, decisions: all }: Decided) =>
    reviewAnswer({ revision: String(revision), decisions: all });

  endpoint('GET', 'review.json', 'read', async (_, { project }) =>
    json(answerOf(await decisions.read(project))),
  );

  endpoint('POST', 'review.json', 'run', async (c, run, { token }) => {
    const given = await readJson(c.env.incoming, settings.limits.bodyMs, CHANGES_BYTES_MAX);
    const { base, changes } = reviewChange(given, () => true);
    await assertClashes(parts, run.project, [...changes.keys()], run);
    const mine = new Map([...changes].map(([id, decision]) => [id, () => decision]));
    const revision = /^\d{1,15}$/.test(base) ? Number(base) : 0;
    return json(answerOf(await changeReview(parts, run.project, changedBy(token.name), mine, revision)));
  });

  endpoint('GET', 'events', 'read', ({ env: { outgoing } }, { project }, { token }) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    return reviewStream(parts, project, token.id, AbortSignal.any([gone.signal, parts.stopping]));
  });

  endpoint('POST', 'bcf', 'run', async (c, { project }, { token }) => {
    const bytes = await readBytes(c.env.incoming, settings.limits.bodyMs, ARCHIVE_BYTES_MAX);
    const { decided, topics, strangers, remarks } = await importReview(
      parts,
      project,
      changedBy(token.name),
      bytes,
    );
    const answer: ImportAnswer = {
      ...answerOf(decided),
      topics: topics ?? 0,
      strangers,
      remarks,
      changed: decided.changed.length,
    };
    return json(answer);
  });

  endpoint('POST', 'bcf/export', 'read', async (c, run) => {
    const version = BCF_VERSIONS.find((one) => one === c.req.query('version'));
    if (!version) throw new RequestError(400, `version: expected ${BCF_VERSIONS.join(' and ')}`);
    const body = await readBytes(c.env.incoming, settings.limits.bodyMs, PICTURES_BYTES_MAX);
    const report = await reports.of(run);
    const { decisions: review } = await decisions.read(run.project);
    const { input, issues } = report.decided(review);
    const added = await addedTopics(parts, run.project, review);
    const views = picturedViews(sentPictures(body), issues, input.model.box);
    const content: Buffer[] = [];
    const write = async (data: string | Uint8Array) => void content.push(Buffer.from(data));
    await writeBcf(write, input, issues, version, views, added);
    return new Response(Buffer.concat(content), { headers: { 'Content-Type': 'application/octet-stream' } });
  });
}
