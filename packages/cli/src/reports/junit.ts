/**
 * `clashes.junit.xml` for CI servers: a suite per rule, a case per issue. Issues that do not fail the run, known or
 * approved ones, are skipped cases; a rule without issues has one passing case. Unmeasured pairs are errors in their
 * own suite. Findings about files and rules have a suite, too: red ones fail, amber ones are skipped.
 */
import { CLASH_KIND_TABLE } from '@impinge/model';
import { FINDING_KINDS, type Finding } from '../wire/finding.js';
import type { UnmeasuredNames } from '../wire/report.js';
import { statusText } from '../wire/review.js';
import { oneLine, plural } from '../wire/text.js';
import type { Issue } from './issue-summary.js';
import { objectName } from './object-name.js';
import { isFailure, isStillThere, measureText, type ReportClash, type ReportInput } from './report-data.js';
import { element, type Xml } from './xml.js';

/** Maximum number of clashes in a case. */
const LISTED_MAX = 50;
const TEXT_MAX = 300;
const UNMEASURED = 'pairs that could not be measured';
const FINDINGS = 'files and rules';

export function* junit(
  { model, run, failOn }: ReportInput,
  { open, approved }: { readonly open: readonly Issue[]; readonly approved: readonly Issue[] },
): Generator<string> {
  // with --fail-on never, clashes are reported all the same
  const told = failOn === 'never' ? 'any' : failOn;
  const fails = ({ clashes }: Issue) => clashes.some((clash) => isFailure(told, clash));
  const names = [...new Set([...run.rules.map(({ name }) => name), ...open.map(({ rule }) => rule)])];
  const suites = names.map((name) => {
    const own = open.filter(({ rule }) => rule === name);
    const failed = own.filter(fails);
    const skipped = [
      ...own.filter((issue) => !fails(issue)),
      ...approved.filter(({ rule }) => rule === name),
    ];
    return { name: oneLine(name, TEXT_MAX), failed, skipped };
  });
  const unmeasured = run.unmeasured ?? [];
  const { findings } = run;
  const red = findings.filter(({ severity }) => severity === 'red').length;
  const tests = suites.reduce((sum, suite) => sum + casesOf(suite), unmeasured.length + findings.length);
  const failures = suites.reduce((sum, { failed }) => sum + failed.length, red);
  const title = element('x', { name: oneLine(model.title, TEXT_MAX) }).xml.slice(3, -2);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${title} tests="${tests}" failures="${failures}" errors="${unmeasured.length}" time="0">\n`;
  if (findings.length > 0) yield `${findingSuite(findings, red).xml}\n`;
  for (const suite of suites) {
    const { name, failed, skipped } = suite;
    const counts = { tests: casesOf(suite), failures: failed.length, skipped: skipped.length };
    // case by case: a suite may contain most of the clashes
    yield suiteOf(name, counts).xml.replace(/\/>$/, '>');
    for (const issue of failed) yield caseOf(name, issue.title, failure(issue)).xml;
    for (const issue of skipped)
      yield caseOf(name, issue.title, element('skipped', { message: reason(issue) })).xml;
    if (failed.length + skipped.length === 0) yield caseOf(name, 'no clashes').xml;
    yield '</testsuite>\n';
  }
  if (unmeasured.length > 0) yield `${unmeasuredSuite(unmeasured).xml}\n`;
  yield '</testsuites>\n';
}

function findingSuite(findings: readonly Finding[], red: number): Xml {
  const cases = findings.map(({ kind, severity, message, suggestion }) => {
    const text = oneLine([message, suggestion].filter(Boolean).join('; '), 3 * TEXT_MAX);
    const result =
      severity === 'red'
        ? element('failure', { message: text, type: kind })
        : element('skipped', { message: text });
    return caseOf(FINDINGS, `${FINDING_KINDS[kind]}: ${message}`, result);
  });
  const counts = { tests: findings.length, failures: red, skipped: findings.length - red };
  return suiteOf(FINDINGS, counts, ...cases);
}

function unmeasuredSuite(pairs: readonly UnmeasuredNames[]): Xml {
  const cases = pairs.map(({ a, b, why }) =>
    caseOf(
      UNMEASURED,
      `${a} / ${b}`,
      element('error', { message: oneLine(why, TEXT_MAX), type: 'unmeasured' }),
    ),
  );
  return suiteOf(UNMEASURED, { tests: pairs.length, errors: pairs.length }, ...cases);
}

type Counts = Readonly<Partial<Record<'tests' | 'failures' | 'errors' | 'skipped', number>>>;

function suiteOf(name: string, counts: Counts, ...cases: readonly Xml[]): Xml {
  const { tests = 0, failures = 0, errors = 0, skipped = 0 } = counts;
  const all = Object.entries({ tests, failures, errors, skipped, time: 0 });
  const texts = all.map(([key, count]) => [key, String(count)]);
  return element('testsuite', { name, ...Object.fromEntries(texts) }, ...cases);
}

/** A suite without issues has one passing case. */
function casesOf({ failed, skipped }: { failed: readonly Issue[]; skipped: readonly Issue[] }): number {
  return Math.max(1, failed.length + skipped.length);
}

function caseOf(rule: string, title: string, result?: Xml): Xml {
  return element('testcase', { classname: rule, name: oneLine(title, TEXT_MAX), time: '0' }, result);
}

function reason({ clashes }: Issue): string {
  return clashes[0].review?.status === 'approved' ? 'approved' : 'there before';
}

function failure({ clashes, clashCount }: Issue): Xml {
  const [worst] = clashes;
  const message = `${plural(clashCount, 'clash', 'clashes')}, the worst ${figureOf(worst)}`;
  const lines = clashes.slice(0, LISTED_MAX).map((clash) => {
    const stands = isStillThere(clash) ? ` ${statusText('resolved', true)}` : '';
    return `${figureOf(clash)}: ${objectName(clash.a)} / ${objectName(clash.b)} [${clash.id}]${stands}`;
  });
  const left = clashCount - lines.length;
  if (left > 0) lines.push(`… and ${left} more`);
  return element('failure', { message, type: worst.kind }, lines.join('\n'));
}

/** `hard, 12 mm deep`. */
function figureOf(clash: ReportClash): string {
  const measure = measureText(clash);
  if (measure === undefined) return clash.kind;
  const way = CLASH_KIND_TABLE[clash.kind].figure;
  return `${clash.kind}, ${measure} ${way}`;
}
