/** The contents of the pages, rendered from given data: nothing is queried here. */

import { withoutSecrets } from '@impinge/cli/internal/remote/location.js';
import type { TopicFields } from '@impinge/cli/internal/reports/bcf/topic.js';
import { PRESETS } from '@impinge/cli/internal/rules/preset-names.js';
import { fileSize } from '@impinge/cli/internal/terminal.js';
import { groupedDigits } from '@impinge/cli/internal/wire/text.js';
import type { Model, OpenClashes, Project, Run, Week } from '../api/schemas.js';
import type { Caller } from '../request-guard.js';
import { mayActAs } from '../state/tokens.js';
import { historyPlot, weekPlot } from './history-plot.js';
import { type Html, html } from './html.js';
import { hidden, moment } from './layout.js';

export function loginView(problem: string | undefined): Html {
  return html`<section class="login"><h1>Log in</h1>
<form class="row" method="post" action="/login">
<label class="wide">Token<input name="token" type="password" autocomplete="current-password" required autofocus></label>
<button class="primary">Log in</button></form>
${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
<p class="quiet">Create a token with "impinge serve token create". The first start of the service prints an admin token.</p></section>`;
}

export function projectsView(
  caller: Caller,
  projects: readonly Project[],
  last: ReadonlyMap<string, Run>,
): Html {
  const rows = projects.map(({ id, name }) => {
    const run = last.get(id);
    return html`<tr><td class="name"><a href="/projects/${id}">${name}</a></td><td>${run && stateOf(run)}</td>
<td class="number">${run && figure(run.clashes)}</td><td class="when hide-narrow">${run && moment(run.created)}</td></tr>`;
  });
  const list =
    rows.length === 0
      ? html`<p class="quiet">No projects yet. A project has models, rules, and the history of its checks.</p>`
      : html`<div class="scroll"><table class="list"><thead><tr><th>project</th><th>last run</th><th class="number">clashes</th><th class="when hide-narrow">started (UTC)</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return html`<h1>Projects</h1>
<section>${list}</section>
${
  caller.token.projects === null &&
  mayActAs(caller.token.role, 'run') &&
  html`<section><h2>New project</h2><form class="row" method="post" action="/projects">${hidden(caller)}<label>Name<input name="name" required maxlength="200"></label><button class="primary">Create</button></form></section>`
}`;
}

/** Of people, and of pairs of disciplines. */
const ROWS_SHOWN = 20;
const COLUMN_NAMES = ['open', 'undecided', 'overdue', 'new this week', 'gone this week'] as const;
/** Their classes. */
const COLUMNS = ['', 'hide-narrow', 'new', 'new', 'gone'] as const;

const DOWNLOADS = [
  ['CSV', 'clashes.csv'],
  ['JSON', 'clashes.jsonl'],
] as const;

/** What is open, by assignee and by disciplines, and what this week has changed. */
function openView(open: readonly OpenClashes[], weeks: readonly Week[]): Html {
  const { disciplines = [], people = [] } = weeks.at(-1) ?? {};
  const row = (name: string, counts: readonly (number | undefined)[]) =>
    html`<tr><td class="name">${name === '' ? html`<span class="quiet">nobody</span>` : name}</td>${counts.map(
      (count, i) =>
        html`<td class="number ${COLUMNS[i]}">${count !== undefined && count > 0 && figure(count)}</td>`,
    )}</tr>`;
  const names = [...new Set([...open.map(({ assignee }) => assignee), ...people.map(({ name }) => name)])];
  const persons = names.map((name) => {
    const now = open.find(({ assignee }) => assignee === name);
    const week = people.find((one) => one.name === name);
    return row(name, [now?.open, now?.undecided, now?.overdue, week?.new, week?.resolved]);
  });
  const pairs = disciplines.map(({ name, open: count, new: found, resolved }) =>
    row(name, [count, undefined, undefined, found, resolved]),
  );
  return html`<section><h2>Open clashes</h2><div class="scroll"><table class="list"><thead><tr><th>assigned to</th>${COLUMN_NAMES.map((name, i) => html`<th class="number ${COLUMNS[i] === 'hide-narrow' && COLUMNS[i]}">${name}</th>`)}</tr></thead><tbody>${persons.slice(0, ROWS_SHOWN)}</tbody><tbody><tr><th colspan="${COLUMNS.length + 1}">disciplines</th></tr>${pairs.slice(0, ROWS_SHOWN)}</tbody></table></div>${weeks.length > 1 && weekPlot(weeks)}</section>`;
}

function remarksView(remarks: readonly TopicFields[]): Html {
  const rows = remarks.map(
    ({ title, status, assignee, author, due, created }) =>
      html`<tr><td class="name">${title}</td><td>${status}</td><td>${assignee}</td><td class="when hide-narrow">${due.slice(0, 10)}</td><td class="hide-narrow">${author}</td><td class="when hide-narrow">${moment(created)}</td></tr>`,
  );
  return html`<section><h2>Open topics about no clash</h2><div class="scroll"><table class="list"><thead><tr><th>topic</th><th>status</th><th>assigned to</th><th class="when hide-narrow">due</th><th class="hide-narrow">by</th><th class="when hide-narrow">created (UTC)</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

const HOME = html`<p class="path"><a href="/">Projects</a></p>`;

export interface ProjectShown {
  readonly project: Project;
  readonly models: readonly Model[];
  readonly runs: readonly Run[];
  readonly history: readonly Run[];
  readonly open: readonly OpenClashes[];
  readonly weeks: readonly Week[];
  readonly remarks: readonly TopicFields[];
}

export function projectView(
  caller: Caller,
  { project, models, runs, history, open, weeks, remarks }: ProjectShown,
): Html {
  const mayRun = mayActAs(caller.token.role, 'run');
  return html`${HOME}<h1>${project.name}</h1>
${history.length > 0 && html`<section><h2>History</h2>${historyPlot(history)}</section>`}
${open.length > 0 && openView(open, weeks)}
${remarks.length > 0 && remarksView(remarks)}
${mayRun && models.length > 0 && startView(caller, project)}
${runs.length > 0 && html`<section><h2>Runs</h2>${runTable(runs)}</section>`}
<section><h2>Models</h2>${models.length === 0 ? html`<p class="quiet">${mayRun ? 'Upload the models that belong together; a run then checks them against each other.' : 'None yet.'}</p>` : modelTable(models)}
${mayRun && uploadView(project)}</section>
${mayRun && rulesView(caller, project)}`;
}

function startView(caller: Caller, { id, rules }: Project): Html {
  const presets = PRESETS.map((name) => html`<option>${name}</option>`);
  return html`<section><h2>New run</h2><form class="row" method="post" action="/projects/${id}/runs">${hidden(caller)}
<label>Rules<select name="preset"><option value="">${rules ? 'project rules' : 'default'}</option>${presets}</select></label>
<label>Clearance<input name="clearance" placeholder="50mm" maxlength="40"></label>
<label>Tolerance<input name="tolerance" placeholder="5mm" maxlength="40"></label>
<label>Compare with<select name="baseline"><option value="last">last run</option><option value="none">nothing</option></select></label>
<button class="primary">Start</button></form></section>`;
}

function uploadView({ id }: Project): Html {
  return html`<form class="row" data-upload="/api/v1/projects/${id}/models/"><label>Upload models<input type="file" multiple required></label><button>Upload</button><span class="quiet" data-said role="status"></span></form>
<noscript><p class="quiet">Uploading here requires JavaScript. You can also use PUT /api/v1/projects/${id}/models/NAME.</p></noscript>`;
}

function rulesView(caller: Caller, { id, rules }: Project): Html {
  return html`<section><details${rules ? html` open` : ''}><summary>Project rules</summary><form method="post" action="/projects/${id}/rules">${hidden(caller)}
<label class="wide">YAML, as for impinge check --rules<textarea name="rules" spellcheck="false">${rules}</textarea></label><div class="actions"><button>Save</button></div></form></details></section>`;
}

function runTable(runs: readonly Run[]): Html {
  const rows = runs.map(
    (
      run,
    ) => html`<tr><td class="number"><a href="/runs/${run.id}">${run.number}</a></td><td>${stateOf(run)}</td>
<td class="number">${figure(run.clashes)}</td><td class="number new">${figure(run.newClashes)}</td><td class="number gone">${figure(run.resolved)}</td><td class="when hide-narrow">${moment(run.created)}</td></tr>`,
  );
  return html`<div class="scroll"><table class="list"><thead><tr><th class="number">run</th><th>state</th><th class="number">clashes</th><th class="number">new</th><th class="number">gone</th><th class="when hide-narrow">started (UTC)</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function modelTable(models: readonly Model[]): Html {
  const rows = models.map(
    ({ name, address, bytes, created }) =>
      html`<tr><td class="name">${name}${address !== null && html`<br><small>${withoutSecrets(address)}</small>`}</td><td class="number">${bytes === null ? '' : fileSize(bytes)}</td><td class="when hide-narrow">${moment(created)}</td></tr>`,
  );
  return html`<div class="scroll"><table class="list"><thead><tr><th>name</th><th class="number">size</th><th class="when hide-narrow">added (UTC)</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function runView(
  caller: Caller,
  project: Project,
  run: Run,
  baseline: Run | undefined,
  hasReport: boolean,
  isLatest: boolean,
): Html {
  const isOpen = run.finished === null;
  return html`<p class="path"><a href="/">Projects</a> / <a href="/projects/${project.id}">${project.name}</a></p><h1>Run ${run.number}</h1>
<section><p>${stateOf(run)} <span class="when">${moment(run.finished ?? run.started ?? run.created)} UTC</span></p>
${isOpen && progressView(caller, run)}
${run.error !== null && html`<p class="error">${run.error}</p>`}
${run.clashes !== null && tiles(run)}
${askedFor(run)}
${baseline && run.clashes !== null && html`<p class="quiet">Compared with <a href="/runs/${baseline.id}">run ${baseline.number}</a>.</p>`}
${
  hasReport &&
  html`<div class="actions"><a class="button primary" href="/runs/${run.id}/report.html">Report</a><a class="button" href="/runs/${run.id}/view/">Viewer</a>
${DOWNLOADS.map(([label, name]) => html`<a class="button" href="/api/v1/runs/${run.id}/files/${name}" download="${name}">${label}</a>`)}${isLatest && html`<a class="button" href="/api/v1/projects/${project.id}/review?format=bcf-2.1" download="clashes.bcfzip">BCF</a><a class="button" href="/api/v1/projects/${project.id}/review?format=bcf-3.0" download="clashes.bcf">BCF 3.0</a>`}${!isLatest && html`<a class="button" href="/api/v1/runs/${run.id}/files/clashes.bcfzip" download="clashes.bcfzip">BCF</a>`}</div>`
}</section>`;
}

/** The options that differ from the defaults. */
function askedFor({ options: { rules, preset, ...rest } }: Run): Html | false {
  const words = (['clearance', 'tolerance', 'unit', 'up'] as const).flatMap((name) =>
    rest[name] === undefined ? [] : [`${name} ${rest[name]}`],
  );
  if (preset !== undefined) words.unshift(`rules ${preset}`);
  else if (rules !== undefined) words.unshift('custom rules');
  return words.length > 0 && html`<p class="quiet">With ${words.join(', ')}.</p>`;
}

function progressView(caller: Caller, run: Run): Html {
  return html`<div data-events="/api/v1/runs/${run.id}/events" data-state="${run.state}"><p data-progress class="quiet">${run.state === 'queued' ? 'Waiting for earlier runs.' : 'Starting …'}</p>${run.state === 'running' && html`<progress max="1" value="0" aria-label="Progress"></progress>`}</div>
${mayActAs(caller.token.role, 'run') && html`<form class="actions" method="post" action="/runs/${run.id}/cancel">${hidden(caller)}<button>Cancel</button></form>`}
<noscript><p class="quiet">Reload the page to see the progress.</p></noscript>`;
}

function tiles({ clashes, newClashes, resolved, approved, objects, triangles }: Run): Html {
  const tile = (kind: string, name: string, value: number | null) =>
    value !== null && html`<div class="tile ${kind}"><b>${figure(value)}</b><span>${name}</span></div>`;
  return html`<div class="tiles">${tile('active', 'clashes', clashes)}${tile('new', 'new', newClashes)}${tile('gone', 'gone', resolved)}${approved !== 0 && tile('', 'approved', approved)}${tile('', 'objects', objects)}${tile('', 'triangles', triangles)}</div>`;
}

function stateOf({ state }: Run): Html {
  return html`<span class="state ${state}">${state}</span>`;
}

function figure(value: number | null): string {
  return value === null ? '' : groupedDigits(value);
}
