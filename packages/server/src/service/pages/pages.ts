/** The pages: the functions of the API for people, without scripts where possible. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { remarkFields } from '@impinge/cli/internal/reports/bcf/remark.js';
import type { TopicFields } from '@impinge/cli/internal/reports/bcf/topic.js';
import { UNDECIDED } from '@impinge/cli/internal/reports/review/decision.js';
import { uiFile } from '@impinge/cli/internal/reports/ui-files.js';
import { linkedReportPage, REPORT_PAGE } from '@impinge/cli/internal/server/report-page-file.js';
import { RequestError } from '@impinge/cli/internal/server/request-error.js';
import { message } from '@impinge/cli/internal/wire/text.js';
import type { Hono } from 'hono';
import { projectOf, runOf, startRun } from '../api/actions.js';
import { headersOf, isViewerFile, runFile } from '../api/run-files.js';
import { changedProject, newProject, newRun, type Role, type Run } from '../api/schemas.js';
import { readText, valid } from '../request-body.js';
import type { Caller, RequestGuard } from '../request-guard.js';
import type { ServiceContext, ServiceEnv } from '../service-env.js';
import type { ServiceParts } from '../service-parts.js';
import type { ServiceSettings } from '../settings.js';
import { Runs } from '../state/runs.js';
import { runInPage } from './client.js';
import { html } from './html.js';
import { page } from './layout.js';
import { idOf } from './page-params.js';
import { addReviewPages, liveManifest, MANIFEST, savingOf } from './review-pages.js';
import { loginView, projectsView, projectView, runView } from './views.js';

const RUNS_SHOWN = 50;
const REMARKS_SHOWN = 50;
const HISTORY_SHOWN = 200;
const WEEKS_SHOWN = 12;
const RUN_NUMBER_MAX = 2 ** 31 - 1;

export function addPages(app: Hono<ServiceEnv>, parts: ServiceParts, guard: RequestGuard): void {
  const { projects, runs, decisions, spans, folders, runner, viewers, settings } = parts;

  /** Adds a page that requires a login. */
  const shown = (
    path: string,
    show: (c: ServiceContext, caller: Caller) => Promise<Response> | Response,
    isFile = false,
  ) =>
    app.get(path, async (c) => {
      c.set('route', path);
      const caller = await guard.caller(c.env.incoming, isFile);
      if (!caller) return redirected('/login');
      return withProblems(caller, async () => {
        if (path !== '/') await guard.assertWithin(caller, c.req.param());
        return show(c, caller);
      });
    });

  /** Adds the handler of a form. */
  const sent = (
    path: string,
    role: Role,
    act: (c: ServiceContext, form: Readonly<Record<string, string>>) => Promise<string>,
  ) =>
    app.post(path, async (c) => {
      c.set('route', path);
      assertSameOrigin(c, settings);
      const caller = await guard.caller(c.env.incoming);
      if (!caller) return redirected('/login');
      return withProblems(caller, async () => {
        const { csrf, ...form } = await formOf(c, settings.limits.bodyMs);
        guard.assertRole(caller, role);
        guard.assertMeant(caller, c.env.incoming, csrf ?? '');
        await guard.assertWithin(caller, c.req.param());
        return redirected(await act(c, form));
      });
    });

  app.get('/assets/service.css', () => asset('text/css; charset=utf-8', uiFile('service.css')));
  app.get('/assets/service.js', () => asset('text/javascript; charset=utf-8', `(${runInPage})();\n`));

  app.get('/login', (c) => {
    c.set('route', '/login');
    return page('Log in', undefined, loginView(undefined));
  });
  app.post('/login', async (c) => {
    c.set('route', '/login');
    assertSameOrigin(c, settings);
    const { token = '' } = await formOf(c, settings.limits.bodyMs);
    const caller = await guard.login(token.trim(), c.env.incoming);
    if (!caller) return page('Log in', undefined, loginView('This token is unknown or was revoked.'), 401);
    return redirected('/', { 'Set-Cookie': guard.cookie(token.trim()) });
  });
  app.post('/logout', (c) => {
    c.set('route', '/logout');
    assertSameOrigin(c, settings);
    return redirected('/login', { 'Set-Cookie': guard.cookie(undefined) });
  });

  shown('/', async (_, caller) => {
    const all = await projects.list(caller.token.projects);
    return page('Projects', caller, projectsView(caller, all, await lastRuns(parts)));
  });
  sent(
    '/projects',
    'run',
    async (_, form) => `/projects/${(await projects.create(valid(newProject, form))).id}`,
  );
  shown('/projects/:project', async (c, caller) => {
    const project = await projectOf(parts, idOf(c, 'project'));
    return page(
      project.name,
      caller,
      projectView(caller, {
        project,
        models: await projects.models(project.id),
        runs: await runs.list(project.id, RUNS_SHOWN),
        history: await runs.history(project.id, HISTORY_SHOWN),
        open: await decisions.openByAssignee(project.id),
        weeks: await spans.weeks(project.id, WEEKS_SHOWN),
        remarks: await openRemarks(parts, project.id),
      }),
    );
  });
  sent('/projects/:project/runs', 'run', async (c, form) => {
    const project = await projectOf(parts, idOf(c, 'project'));
    // empty fields count as omitted
    const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
    const { models, ...options } = valid(newRun, given);
    return `/runs/${(await startRun(parts, project.id, options, models)).id}`;
  });
  sent('/projects/:project/rules', 'run', async (c, { rules = '' }) => {
    const project = await projectOf(parts, idOf(c, 'project'));
    const change = valid(changedProject, { rules: rules.trim() === '' ? null : rules });
    return `/projects/${(await projects.change(project, change)).id}`;
  });
  shown('/runs/:run', async (c, caller) => {
    const run = await runOf(parts, idOf(c, 'run'));
    const project = await projectOf(parts, run.project);
    const baseline = run.baseline === null ? undefined : await runs.get(run.baseline);
    const latest = await runs.lastDone(project.id, RUN_NUMBER_MAX);
    const hasReport = Runs.hasReport(run) && existsSync(join(folders.report(run.id), REPORT_PAGE));
    return page(
      `Run ${run.number} of ${project.name}`,
      caller,
      runView(caller, project, run, baseline, hasReport, latest?.id === run.id),
    );
  });
  sent('/runs/:run/cancel', 'run', async (c) => {
    const run = await runOf(parts, idOf(c, 'run'));
    await runner.cancel(run.id);
    return `/runs/${run.id}`;
  });
  shown('/runs/:run/report.html', async (c, caller) => {
    const run = await runOf(parts, idOf(c, 'run'));
    const folder = folders.report(run.id);
    const saving = { review: 'view/review.json', events: 'view/events', ...savingOf(caller) };
    const linked = Runs.hasReport(run) ? await linkedReportPage(folder, 'view/', saving) : undefined;
    if (linked) return new Response(linked, { headers: headersOf(REPORT_PAGE, true) });
    return runFile(folder, REPORT_PAGE, c.env.incoming);
  });
  addReviewPages(app, parts, guard);
  const viewerFile = async (c: ServiceContext, caller: Caller) => {
    const run = await runOf(parts, idOf(c, 'run'));
    const name = c.req.param('file') || 'index.html';
    if (!Runs.hasReport(run) || !isViewerFile(name)) throw new RequestError(404, 'there is no such file');
    if (name === MANIFEST) return liveManifest(await viewers.folderOf(run.id), caller);
    return runFile(await viewers.folderOf(run.id), name, c.env.incoming);
  };
  shown('/runs/:run/view/:file{.*}', viewerFile, true);
}

/** Shows errors that the user can cause as a page. */
async function withProblems(caller: Caller, work: () => Promise<Response> | Response): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError) && !(error instanceof CommandError)) throw error;
    const status = error instanceof RequestError ? error.status : 400;
    const content = html`<h1>Request failed</h1><section><p class="error">${message(error.message)}</p><div class="actions"><a class="button" href="/">Projects</a></div></section>`;
    return page('Request failed', caller, content, status);
  }
}

/** The latest first. */
async function openRemarks({ remarks, decisions }: ServiceParts, project: string): Promise<TopicFields[]> {
  const all = await remarks.list(project);
  if (all.length === 0) return [];
  const { decisions: review } = await decisions.read(project);
  return all
    .map((remark) => ({ remark, decision: review.get(remark.guid) ?? UNDECIDED }))
    .filter(({ decision: { status } }) => status !== 'approved' && status !== 'resolved')
    .slice(-REMARKS_SHOWN)
    .map(({ remark, decision }) => remarkFields(remark, decision))
    .reverse();
}

async function lastRuns({ runs }: ServiceParts): Promise<ReadonlyMap<string, Run>> {
  return new Map((await runs.lastOfEach()).map((run) => [run.project, run]));
}

/** Browsers set these headers, and other sites cannot forge them. */
function assertSameOrigin(c: ServiceContext, { publicUrl }: ServiceSettings): void {
  const { origin, host, 'sec-fetch-site': site } = c.env.incoming.headers;
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isForeign =
    origin !== undefined &&
    origin !== publicUrl?.origin &&
    !(URL.canParse(origin) && new URL(origin).host === host);
  if (isOther || isForeign) throw new RequestError(403, 'this form was sent from another site');
}

async function formOf(c: ServiceContext, bodyMs: number): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await readText(c.env.incoming, bodyMs)));
}

function redirected(to: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { Location: to, ...headers } });
}

function asset(type: string, text: string): Response {
  return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'private, max-age=300' } });
}
