/** The result of a check, in a few lines for people and as a record for programs. */
import type { StoredModel } from '@impinge/model';
import { type CheckStats, CLASH_KIND_TABLE, CLASH_KINDS, type ClashKind } from '@impinge/model';
import { curveErrorOf, printExactness } from '../exactness.js';
import type { CheckOutcome } from '../jobs/check-model.js';
import { openObjects } from '../open-objects.js';
import { leftOutOf, notesOf, printNotes } from '../packing.js';
import type { AccessRecord } from '../path/access.js';
import { excludedText } from '../reports/excluded.js';
import { PENETRATIONS } from '../reports/penetrations.js';
import {
  type ClashStatus,
  compareSeverity,
  depthOf,
  hasOpenDepth,
  isStillThere,
  measuredBy,
  measureText,
  type ReportClash,
  roundingOf,
} from '../reports/report-data.js';
import { count, counted, decimal, fileSize, pathEnd, printable, type Terminal, table } from '../terminal.js';
import type { Finding } from '../wire/finding.js';
import type { ExcludedCount, UnmeasuredNames } from '../wire/report.js';
import { statusText } from '../wire/review.js';
import { lengthText } from '../wire/text.js';

const WORST_SHOWN = 8;
const RULES_SHOWN = 20;
const PARTS_SHOWN = 6;

/** The reported clashes. */
export interface Compared {
  /** Clashes that count. */
  readonly clashes: readonly ReportClash[];
  /** Clashes that people have approved. */
  readonly approved: readonly ReportClash[];
  readonly resolved: readonly ReportClash[] | undefined;
  /** Number of clashes that the rules file accepts. */
  readonly ignored: number;
}

export interface Summary extends Compared {
  readonly model: StoredModel;
  readonly outcome: CheckOutcome;
  readonly unmeasured: readonly UnmeasuredNames[];
  /** Findings about files and rules. */
  readonly findings: readonly Finding[];
  readonly excluded: readonly ExcludedCount[];
  /** Objects of rules about access. */
  readonly access?: AccessRecord;
  readonly paths: readonly string[];
  /** Additional remote locations of the reports. */
  readonly uploaded: readonly string[];
  readonly seconds: { readonly total: number; readonly check: number };
}

export function printSummary(summary: Summary, terminal: Terminal): void {
  const { out, colors } = terminal;
  const {
    model,
    outcome,
    clashes,
    approved,
    resolved,
    ignored,
    unmeasured,
    excluded,
    paths,
    findings,
    uploaded,
    seconds,
  } = summary;
  const { stats, touches } = outcome;
  const issues = new Set(clashes.map(({ group }) => group)).size;
  if (unmeasured.length > 0) {
    out(`${colors.bold(colors.red(`${counted(unmeasured.length, 'pair')} could not be measured`))}\n`);
    const shown = unmeasured.slice(0, WORST_SHOWN);
    out(table(shown.map(({ a, b, why }) => [pathEnd(a, 40), pathEnd(b, 40), printable(why, 80)])));
    if (unmeasured.length > shown.length) out(`  … and ${count(unmeasured.length - shown.length)} more\n`);
  }
  const red = findings.filter(({ severity }) => severity === 'red').length;
  if (clashes.length === 0 && red > 0)
    out(
      `${colors.bold(colors.yellow(`No clashes found, but ${counted(red, 'finding')} above ${red === 1 ? 'is' : 'are'} red`))}\n`,
    );
  else if (clashes.length === 0) out(`${colors.bold(colors.green('No clashes'))}\n`);
  else {
    out(
      `${colors.bold(colors.red(counted(clashes.length, 'clash', 'clashes')))} in ${counted(issues, 'issue')}\n`,
    );
  }
  const rows = CLASH_KINDS.flatMap((kind) => {
    const own = clashes.filter((clash) => clash.kind === kind);
    return own.length === 0 ? [] : [[kind, count(own.length), worstOf(kind, own)]];
  });
  if (rows.length > 0) out(table(rows, [1]));
  if (resolved) {
    const { new: fresh, persisting, renamed } = sinceBaseline(clashes);
    out(
      `  since the baseline: ${count(fresh)} new, ${count(persisting)} persisting, ` +
        `${renamed > 0 ? `${count(renamed)} renamed (the ids of their objects have changed), ` : ''}` +
        `${count(resolved.length)} resolved\n`,
    );
  }
  if (approved.length > 0) out(`  ${count(approved.length)} approved: listed, but not counted\n`);
  printPenetrations(clashes, terminal);
  printStillThere(clashes.filter(isStillThere), terminal);
  printRules(stats, terminal);
  printAccess(summary.access, terminal);
  printExcluded(excluded, terminal);
  if (ignored > 0) out(`  ${counted(ignored, 'accepted clash', 'accepted clashes')} left out by the rules\n`);
  printNotes(model.meta.files, terminal);
  printExactness(model, terminal);
  printDepths(clashes, terminal);
  if (touches > 0) {
    out(
      `  ${counted(touches, 'pair')} touch although a clearance is required; --kinds ${CLASH_KINDS.join(',')} lists them\n`,
    );
  }
  if (clashes.length > 0) {
    out(`\n${colors.bold('Worst')}\n`);
    const worst = [...clashes].sort(compareSeverity).slice(0, WORST_SHOWN);
    out(table(worst.map((clash) => [figureOf(clash), pathEnd(clash.a.path, 40), pathEnd(clash.b.path, 40)])));
  }
  out(
    `\nChecked ${counted(stats.pairs, 'pair')} of ${counted(model.objectCount, 'object')} ` +
      `(${counted(model.triangleCount, 'triangle')}) in ${seconds.check.toFixed(1)} s; ` +
      `${fileSize(stats.peakBytes)} for geometry, ${perTriangle(stats.loadsPerTriangle)}\n`,
  );
  out(`Report: ${paths.join('  ')}\n`);
  if (uploaded.length > 0) out(`Uploaded: ${uploaded.map((name) => printable(name)).join('  ')}\n`);
}

/** Prints how many services go through other elements, with and without openings. */
function printPenetrations(clashes: readonly ReportClash[], { out }: Terminal): void {
  const parts = PENETRATIONS.flatMap((kind) => {
    const own = clashes.filter(({ penetration }) => penetration === kind).length;
    return own === 0 ? [] : [`${count(own)} ${kind}`];
  });
  if (parts.length > 0) out(`  services through walls, floors and the frame: ${parts.join(', ')}\n`);
}

/** Prints clashes that are marked as resolved but still exist. */
function printStillThere(clashes: readonly ReportClash[], { out, colors }: Terminal): void {
  if (clashes.length === 0) return;
  out(`  ${colors.bold(`${count(clashes.length)} ${statusText('resolved', true)}`)}\n`);
  const shown = [...clashes].sort(compareSeverity).slice(0, WORST_SHOWN);
  const rows = shown.map((clash) => [
    figureOf(clash),
    pathEnd(clash.a.path, 40),
    pathEnd(clash.b.path, 40),
    printable(clash.review?.assignee ?? '', 40),
  ]);
  out(table(rows, [], '    '));
  if (clashes.length > shown.length) out(`    … and ${count(clashes.length - shown.length)} more\n`);
}

/** Prints the work of each rule. */
function printRules({ rules }: CheckStats, { out }: Terminal): void {
  const asking = rules.filter(({ ignore, name }) => !ignore && !(rules.length === 1 && name === 'default'));
  const working = asking.filter(({ a, b }) => a > 0 && b > 0);
  // a file of rules for every building has many about what this one has not
  const listed = asking.length > RULES_SHOWN ? working : asking;
  const shown = listed.slice(0, RULES_SHOWN);
  const rows = shown.map(({ name, a, b, pairs }) => [
    printable(name, 40),
    `${count(a)} × ${counted(b, 'object')}`,
    counted(pairs, 'pair'),
    a === 0 || b === 0 ? 'selects nothing' : '',
  ]);
  if (rows.length > 0) out(table(rows, [1, 2]));
  if (listed.length > shown.length) out(`  … and ${counted(listed.length - shown.length, 'more rule')}\n`);
  if (asking.length > listed.length)
    out(`  ${counted(asking.length - listed.length, 'rule')} of which a side selects nothing\n`);
  for (const { name, unmatched } of shown.filter((rule) => rule.unmatched.length > 0)) {
    out(`  ${printable(name, 40)}: no object has ${printable(unmatched.slice(0, PARTS_SHOWN).join(', '))}`);
    out(unmatched.length > PARTS_SHOWN ? ` and ${count(unmatched.length - PARTS_SHOWN)} more\n` : '\n');
  }
}

/** Prints how many objects can be taken where rules want them. */
function printAccess(access: AccessRecord = [], { out }: Terminal): void {
  for (const rule of new Set(access.map((one) => one.rule))) {
    const own = access.filter((one) => one.rule === rule);
    const found = own.filter((one) => one.found).length;
    out(
      `  ${printable(rule, 40)}: a way is proved for ${count(found)} of ${counted(own.length, 'object')}` +
        `${found < own.length ? `; none was found for ${count(own.length - found)}, there may be one` : ''}\n`,
    );
  }
}

/** Prints the pairs that were left out because they meet by design, by reason. */
function printExcluded(excluded: readonly ExcludedCount[], { out }: Terminal): void {
  for (const count of excluded) out(`  left out, ${excludedText(count)} (${count.name})\n`);
  if (excluded.length > 0) out('  --formats excluded lists these pairs, --include NAME reports them\n');
}

/** Prints how many depths are known, and how many only between two bounds. */
function printDepths(clashes: readonly ReportClash[], { out }: Terminal): void {
  const deep = clashes.filter(measuredBy('depth'));
  if (deep.length === 0) return;
  const open = deep.filter(hasOpenDepth).length;
  const known = open === 0 ? 'all known' : `${count(open)} open, the others known`;
  out(`  ${counted(deep.length, 'depth')}, ${known} to 1 %\n`);
}

function worstOf(kind: ClashKind, clashes: readonly ReportClash[]): string {
  const { measure, figure } = CLASH_KIND_TABLE[kind];
  if (measure === 'excess') {
    const largest = clashes.reduce((p, q) => (q.distance > p.distance ? q : p));
    return `most ${lengthText(largest.distance, roundingOf(largest))} ${figure}`;
  }
  if (measure === 'distance') {
    const closest = clashes.reduce((p, q) => (q.distance < p.distance ? q : p));
    const least = lengthText(closest.distance, roundingOf(closest));
    return kind === 'clearance' ? `closest ${least}` : `least ${least} ${figure}`;
  }
  const most = clashes.reduce((p, q) => (depthOf(q) > depthOf(p) ? q : p));
  const deepest = depthOf(most) > 0 ? `deepest ${lengthText(depthOf(most), roundingOf(most))}` : '';
  const open = clashes.filter(hasOpenDepth);
  if (open.length === 0) return deepest;
  const bound = open.reduce((p, q) => (q.depthBound > p.depthBound ? q : p));
  const upTo = lengthText(bound.depthBound, roundingOf(bound));
  return `${deepest} (${counted(open.length, 'depth')} open, up to ${upTo})`.trim();
}

function figureOf(clash: ReportClash): string {
  const { kind, form, depth } = clash;
  const what = form === undefined ? kind : `${kind}, ${form}`;
  const figure = measureText(clash) ?? (depth > 0 ? lengthText(depth) : '');
  return `${what} ${figure}`.trimEnd();
}

/** `0.7 reads per triangle`. */
function perTriangle(loads: number): string {
  const rounded = Number(loads.toFixed(2));
  return `${decimal(rounded)} ${rounded === 1 ? 'read' : 'reads'} per triangle`;
}

function sinceBaseline(clashes: readonly ReportClash[]): Record<ClashStatus, number> {
  const counts = { new: 0, persisting: 0, renamed: 0 };
  for (const { status } of clashes) if (status) counts[status]++;
  return counts;
}

export function summaryRecord(summary: Summary): unknown {
  const { model, outcome, clashes, resolved, unmeasured } = summary;
  const kinds = Object.fromEntries(
    CLASH_KINDS.map((kind) => [kind, clashes.filter((clash) => clash.kind === kind).length]),
  );
  return {
    clashes: clashes.length,
    kinds,
    depths: clashes.filter(measuredBy('depth')).length,
    openDepths: clashes.filter(hasOpenDepth).length,
    touches: outcome.touches,
    ...(unmeasured.length > 0 && { unmeasured }),
    approved: summary.approved.length,
    stillThere: clashes.filter(isStillThere).length,
    ignored: summary.ignored,
    ...(resolved ? { ...sinceBaseline(clashes), resolved: resolved.length } : {}),
    objects: model.objectCount,
    triangles: model.triangleCount,
    excluded: summary.excluded,
    ...(summary.access && { access: summary.access }),
    stats: outcome.stats,
    seconds: summary.seconds,
    curveError: curveErrorOf(model),
    notes: notesOf(model.meta.files),
    findings: summary.findings,
    openObjects: openObjects(model).map((i) => model.object(i).path),
    leftOut: leftOutOf(model.meta.files),
    files: summary.paths,
    uploaded: summary.uploaded,
  };
}
