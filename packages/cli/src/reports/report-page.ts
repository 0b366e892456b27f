/**
 * `report.html`: one self-contained file. Figures first, then maps, then issues with their clashes. The figures are
 * plain markup and readable without scripts.
 *
 * Invariant: all text from a model goes through `escapeMarkup` or, for the script, through JSON in which no tag can
 * begin; the page's policy allows its own script and style by their hashes, and nothing else.
 */
import { createHash } from 'node:crypto';
import { CLASH_KIND_TABLE, CLASH_KINDS, type ClashKind } from '@impinge/model';
import { leftOutLines } from '../formats/left-out.js';
import { kindStyle } from '../wire/kind-style.js';
import type { PagePictures, ReportPageData, ReportRule } from '../wire/report.js';
import { groupedDigits, lengthText, oneLine, plural } from '../wire/text.js';
import { excludedText } from './excluded.js';
import { type Issues, sideName } from './issue-summary.js';
import { objectName } from './object-name.js';
import { LISTED_MAX, pageData } from './page-data.js';
import { compareSeverity, measureText, type ReportClash, type ReportInput } from './report-data.js';
import { findingBoxes } from './report-findings.js';
import { matricesOf } from './sides.js';
import { escapeMarkup } from './text.js';
import { figureMarkup, uiFile } from './ui-files.js';

export interface PageIssues extends Issues {
  /** Whether the BCF file has only the worst issues. */
  readonly bcfCut: boolean;
}

/** Yields the page in parts: as one string it would be in memory several times. */
export function* reportPage(
  input: ReportInput,
  issues: PageIssues,
  pictures: PagePictures,
): Generator<string> {
  const title = oneLine(input.model.title, 120) || 'Model';
  const matrices = matricesOf([...input.clashes, ...input.approved, ...(input.resolved ?? [])]);
  const data: ReportPageData = {
    ...pageData(input, matrices, [...issues.open, ...issues.approved, ...issues.closed]),
    ...pictures,
    telling: telling(input),
  };
  const found = data.clashes.id.length === 0 ? undefined : figureMarkup(data, input.clashes.length);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)} – clash report</title>
<style>${pageStyle()}</style>
</head>
<body>
${pageHead(title, input)}
<main>
${findingBoxes(input.run.findings)}${notMeasured(input)}${input.clashes.length === 0 ? nothingFound(input) : ''}
<section id="summary"><div id="tiles">${found?.tiles ?? ''}</div>
${tested(input)}</section>
${found ? lists(input, found.figures) : ''}
${checked(input)}
</main>
<footer>${footnotes(input, issues)}</footer>
<script type="application/json" id="report-data">`;
  for (const part of jsonParts(data)) {
    yield part.replaceAll('<', '\\u003c');
  }
  yield `</script>
<script>${uiFile('report.js')}</script>
</body>
</html>
`;
}

/** The page's Content-Security-Policy: only its own script and style; with `saves`, requests to its server. */
export function reportPolicy(saves = false): string {
  return [
    "default-src 'none'",
    `script-src '${integrity(uiFile('report.js'))}'`,
    `style-src '${integrity(pageStyle())}'`,
    ...(saves ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The JSON of an object, value by value. */
function* jsonParts(value: object): Generator<string> {
  let before = '{';
  for (const [key, of] of Object.entries(value)) {
    yield `${before}${JSON.stringify(key)}:`;
    if (of === null || Array.isArray(of) || typeof of !== 'object') yield JSON.stringify(of);
    else yield* jsonParts(of);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function pageStyle(): string {
  return kindStyle() + uiFile('report.css');
}

function integrity(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function pageHead(title: string, { model }: ReportInput): string {
  const date = dayOf(model.date);
  const facts = [
    plural(model.objectCount, 'object'),
    plural(model.triangleCount, 'triangle'),
    plural(model.files.length, 'file'),
    ...(date ? [`model of ${date}`] : []),
  ];
  return `<header><span class="mark" aria-hidden="true"><i></i><i></i></span><div class="titles"><h1>${escapeMarkup(title)}</h1>
<p>${facts.join(' · ')}</p></div>
<div class="actions"><button type="button" id="theme" title="Light or dark">◐</button><button type="button" id="print" title="Print">Print</button></div></header>`;
}

function dayOf(date: string): string | undefined {
  return /^\d{4}-\d\d-\d\d/.exec(date)?.[0];
}

/** Maximum number of unmeasured pairs that are named. */
const UNMEASURED_NAMED = 100;

function notMeasured({ run: { unmeasured = [] } }: ReportInput): string {
  if (unmeasured.length === 0) return '';
  const items = unmeasured
    .slice(0, UNMEASURED_NAMED)
    .map(({ a, b, why }) => `<li>${escapeMarkup(oneLine(`${a} × ${b}: ${why}`, 1000))}</li>`);
  return `<section class="empty"><h2>${plural(unmeasured.length, 'pair')} could not be measured</h2><p>Their clashes are unknown.</p><ul>${items.join('')}</ul></section>`;
}

function nothingFound({ run }: ReportInput): string {
  if (run.unmeasured) return '';
  const idle = run.rules.filter(({ objects }) => objects.includes(0));
  if (idle.length > 0) {
    const names = idle.map(({ name }) => escapeMarkup(oneLine(name, 120))).join(', ');
    return `<section class="empty"><h2>No clashes were found, but not every rule was checked</h2><p>A side of these rules selects no object: ${names}.</p></section>`;
  }
  if (run.findings.some(({ severity }) => severity === 'red'))
    return '<section class="empty"><h2>No clashes were found, but not everything was compared</h2><p>See the red findings above.</p></section>';
  const clearance = run.clearance > 0 ? `, and nothing is closer than ${lengthText(run.clearance)}` : '';
  return `<section class="clean"><h2>No clashes</h2><p>Nothing is in conflict${clearance}.</p></section>`;
}

/** Kinds whose absence is worth a tile: the most severe one, and clearance if one is required. */
function telling({ run }: ReportInput): ClashKind[] {
  return CLASH_KINDS.filter((kind, i) => i === 0 || (kind === 'clearance' && run.clearance > 0));
}

function tested({ run }: ReportInput): string {
  const touches =
    run.touches > 0
      ? `<p class="quiet">${plural(run.touches, 'pair')} of objects only touch; they do not count as clashes.</p>`
      : '';
  return `<p>${plural(run.pairsChecked, 'pair')} of objects came close enough to be tested, under ${plural(run.rules.length, 'rule')}${requirement(run.clearance, run.tolerance)}.</p>${touches}`;
}

function requirement(clearance: number, tolerance: number): string {
  const parts = [
    ...(clearance > 0 ? [`clearance ${lengthText(clearance)}`] : []),
    ...(tolerance > 0 ? [`overlaps up to ${lengthText(tolerance)} permitted`] : []),
  ];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

/** The elements that the script fills. */
function lists({ clashes }: ReportInput, figures: string): string {
  return `${worst([...clashes].sort(compareSeverity))}
<div class="columns" id="figures">${figures}</div>
<noscript><p>Maps and the list of clashes need JavaScript. clashes.csv lists everything.</p></noscript>
<div id="filtered"></div>
<section class="scripted"><h2>Location</h2><div class="columns" id="maps"></div></section>
<section class="scripted clashes"><h2>Clashes</h2><div class="list-and-details"><div id="list"></div><div id="shown-clash"></div></div></section>`;
}

function worst(ranked: readonly ReportClash[]): string {
  if (ranked.length === 0) return '';
  const items = ranked.slice(0, 5).map((clash, i) => {
    const { kind, a, b } = clash;
    const measure = measureText(clash) ?? '';
    const names = `${escapeMarkup(objectName(a))} <i>/</i> ${escapeMarkup(objectName(b))}`;
    const between = sideName(a) === sideName(b) ? '' : `${sideName(a)} × ${sideName(b)}`;
    const where = [clash.storey, clash.room, clash.grid, between].filter((text) => text !== '').join(', ');
    return `<li><button type="button" data-clash="${i}"><span class="kind ${kind}">${kind}</span> <b>${measure}</b> <span>${names}</span> <small>${escapeMarkup(oneLine(where, 80))}</small></button></li>`;
  });
  return `<section class="worst"><h2>Worst clashes</h2><ol>${items.join('')}</ol></section>`;
}

/** Of more rules than these, those without objects are only counted. */
const RULES_ALL = 20;

function checked({ model, run }: ReportInput): string {
  const isIdle = ({ objects }: ReportRule) => run.rules.length > RULES_ALL && objects.includes(0);
  const idle = run.rules.filter(isIdle).length;
  const working = run.rules.filter((rule) => !isIdle(rule));
  const rules = working.map(
    ({ name, objects, clearance, tolerance, kinds, clashes }) =>
      `<tr><td>${escapeMarkup(oneLine(name, 120))}</td><td class="number">${objects.map(groupedDigits).join(' × ')}</td><td>${kinds.join(', ')}</td><td class="number">${clearance > 0 ? lengthText(clearance) : '–'}</td><td class="number">${lengthText(tolerance)}</td><td class="number">${groupedDigits(clashes)}</td></tr>`,
  );
  const files = model.files.map(
    ({ name, modified, objects, triangles }) =>
      `<tr><td>${escapeMarkup(oneLine(name, 120))}</td><td>${dayOf(modified) ?? '–'}</td><td class="number">${groupedDigits(objects)}</td><td class="number">${groupedDigits(triangles)}</td></tr>`,
  );
  const excluded = run.excluded.map((count) => `left out, ${excludedText(count)} (${count.name})`);
  const notes = model.files.flatMap(({ name, notes = [], leftOut = [] }) =>
    [...notes, ...leftOutLines(leftOut)].map((line) => `${name}: ${line}`),
  );
  const without = idle === 0 ? [] : [`${plural(idle, 'rule')} of which a side selects nothing`];
  const leftOut = [...without, ...excluded, ...notes].map(
    (line) => `<li>${escapeMarkup(oneLine(line, 1000))}</li>`,
  );
  return `<section class="scope"><h2>Scope of the check</h2>
${rules.length === 0 ? '' : `<div class="scroll"><table class="list"><thead><tr><th>Rule</th><th class="number">Objects</th><th>Kinds</th><th class="number">Clearance</th><th class="number">Tolerance</th><th class="number">Clashes</th></tr></thead><tbody>${rules.join('')}</tbody></table></div>`}
<div class="scroll"><table class="list"><thead><tr><th>File</th><th>Written</th><th class="number">Objects</th><th class="number">Triangles</th></tr></thead><tbody>${files.join('')}</tbody></table></div>
${leftOut.length === 0 ? '' : `<ul class="quiet">${leftOut.join('')}</ul>`}</section>`;
}

function footnotes({ clashes, resolved }: ReportInput, { bcfCut }: PageIssues): string {
  const cut = clashes.length > LISTED_MAX || (resolved?.length ?? 0) > LISTED_MAX;
  const notes = [
    `${CLASH_KINDS.map((kind) => `<b>${kind}</b>: ${CLASH_KIND_TABLE[kind].meaning}`).join('; ')}.`,
    'Depth is how far the innermost part of one lies inside the other; a gap is the shortest distance between the two.',
    ...(cut
      ? [
          `Only the worst ${groupedDigits(LISTED_MAX)} clashes are listed here; clashes.jsonl and clashes.csv have all.`,
        ]
      : []),
    ...(bcfCut ? ['clashes.bcfzip contains only the worst issues; the format cannot hold more.'] : []),
  ];
  return notes.map((note) => `<p>${note}</p>`).join('');
}
