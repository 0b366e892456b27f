/** Reports for continuous integration. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareWithBaseline } from '../src/reports/baseline.js';
import type { FailOn } from '../src/reports/choices.js';
import type { ReportClash } from '../src/reports/report-data.js';
import { UNDECIDED } from '../src/reports/review/decision.js';
import { writeReports } from '../src/reports/write-reports.js';
import { temporaryFolder } from './files.js';
import { junitFaults } from './junit-structure.js';
import { childrenOf, parseXml, type XmlElement } from './reports-bcf-schema.js';
import { grouped, plantClashes, reportInput } from './reports-clashes.js';
import { hostile } from './written-page.js';

const root = temporaryFolder();

const all = plantClashes(60, 50);
const { clashes, resolved } = compareWithBaseline(grouped(all.slice(5)), grouped(all.slice(0, 40)));
const approve = (one: ReportClash): ReportClash => ({
  ...one,
  review: { ...UNDECIDED, status: 'approved', comments: [{ author: '', date: '', text: 'fine' }] },
});
/** The clashes of two issues are approved. */
const approvedGroups = new Set(clashes.slice(0, 2).map(({ group }) => group));
const approved = clashes.filter(({ group }) => approvedGroups.has(group)).map(approve);
const counted = clashes.filter(({ group }) => !approvedGroups.has(group));

async function written(name: string, format: 'junit' | 'sarif', failOn: FailOn): Promise<string> {
  const input = reportInput(counted, [format], resolved);
  // a rule that found nothing
  const rules = [...input.run.rules, { ...input.run.rules[0], name: 'quiet <rule>', clashes: 0 }];
  const [path] = await writeReports(join(root, name), {
    ...input,
    run: { ...input.run, rules },
    approved,
    failOn,
  });
  return readFileSync(path, 'utf8');
}

const numberOf = (of: XmlElement, key: string) => Number(of.attributes[key]);

test.each(['any', 'new', 'never'] as const)(
  'JUnit has a case for each issue (--fail-on %s)',
  async (failOn) => {
    const suites = parseXml(await written(`junit-${failOn}`, 'junit', failOn));
    expect(junitFaults(suites)).toEqual([]);
    const issues = new Set(counted.map(({ group }) => group));
    const failing = new Set(
      counted.filter(({ status }) => failOn !== 'new' || status === 'new').map(({ group }) => group),
    );
    expect(numberOf(suites, 'failures')).toBe(failing.size);
    expect(numberOf(suites, 'tests')).toBe(issues.size + approvedGroups.size + 1);
    for (const suite of childrenOf(suites, 'testsuite')) {
      const cases = childrenOf(suite, 'testcase');
      expect(numberOf(suite, 'tests')).toBe(cases.length);
      expect(numberOf(suite, 'failures')).toBe(childrenOf(suite, 'testcase', 'failure').length);
      expect(numberOf(suite, 'skipped')).toBe(childrenOf(suite, 'testcase', 'skipped').length);
    }
    const quiet = childrenOf(suites, 'testsuite').find(
      ({ attributes }) => attributes['name'] === 'quiet <rule>',
    )!;
    expect(childrenOf(quiet, 'testcase').map(({ attributes }) => attributes['name'])).toEqual(['no clashes']);
    const texts = childrenOf(suites, 'testsuite', 'testcase', 'failure').map(({ text }) => text);
    for (const { id, group } of counted.filter(({ group }) => failing.has(group))) {
      expect({ group, named: texts.filter((text) => text.includes(`[${id}]`)).length }).toEqual({
        group,
        named: 1,
      });
    }
  },
);

test.each([
  ['<testsuite name="a" tests="0"/>', 'the root is testsuite'],
  ['<testsuites><testsuite tests="0"/></testsuites>', 'testsuite without name'],
  ['<testsuites><testsuite name="a" tests="one"/></testsuites>', 'testsuite: tests is "one"'],
  ['<testsuites><testsuite name="a" tests="0" rule="b"/></testsuites>', 'testsuite has rule'],
  ['<testsuites><testcase name="a" classname="b"/></testsuites>', 'testcase in testsuites'],
  [
    '<testsuites><testsuite name="a" tests="1"><testcase name="b" classname="a"><skipped/><failure/></testcase></testsuite></testsuites>',
    'testcase ends twice',
  ],
  ['<testsuites>text</testsuites>', 'text in testsuites'],
])('%s is no JUnit: %s', (text, fault) => {
  expect(junitFaults(parseXml(text))).toContain(fault);
});

test('SARIF has a result for each clash: new, unchanged, absent, suppressed', async () => {
  const log = JSON.parse(await written('sarif', 'sarif', 'any'));
  expect(log.version).toBe('2.1.0');
  const { results, tool } = log.runs[0];
  expect(results).toHaveLength(counted.length + approved.length + resolved.length);
  const states = (state: string) =>
    results.filter((one: { baselineState: string }) => one.baselineState === state).length;
  expect(states('absent')).toBe(resolved.length);
  expect(states('new')).toBe(clashes.filter(({ status }) => status === 'new').length);
  expect(results.filter((one: { suppressions?: unknown }) => one.suppressions)).toHaveLength(approved.length);
  for (const one of results) {
    expect(tool.driver.rules[one.ruleIndex].id).toBe(one.ruleId);
    expect(one.locations[0].physicalLocation.artifactLocation.uri).toMatch(/^[\w.%-]+$/);
  }
  expect(new Set(results.map((one: { guid: string }) => one.guid)).size).toBe(results.length);
});

test('names of any kind stay within their elements and strings', async () => {
  const input = reportInput(hostile(), ['junit', 'sarif']);
  const [junit, sarif] = await writeReports(join(root, 'hostile'), input);
  const suites = parseXml(readFileSync(junit, 'utf8'));
  expect(suites.children.length).toBeGreaterThan(1);
  expect(junitFaults(suites)).toEqual([]);
  expect(JSON.parse(readFileSync(sarif, 'utf8')).runs[0].results).toHaveLength(31);
});

test('pairs that could not be measured are errors of either, and named', async () => {
  const input = reportInput(counted, ['junit', 'sarif'], resolved);
  const unmeasured = [
    { a: 'hvac/duct 1', b: 'frame/<beam>', why: 'it crashed its worker three times' },
    { a: 'hvac/duct "2"', b: 'frame/col\n1', why: 'no luck\nat all & more' },
  ];
  const run = { ...input.run, unmeasured };
  const [junit, sarif] = await writeReports(join(root, 'unmeasured'), { ...input, run });
  const suites = parseXml(readFileSync(junit, 'utf8'));
  expect(junitFaults(suites)).toEqual([]);
  expect(numberOf(suites, 'errors')).toBe(2);
  const last = childrenOf(suites, 'testsuite').at(-1)!;
  const cases = childrenOf(last, 'testcase');
  expect(['tests', 'errors', 'failures'].map((key) => numberOf(last, key))).toEqual([2, 2, 0]);
  expect(cases.map(({ attributes }) => attributes['name'])).toEqual([
    'hvac/duct 1 / frame/<beam>',
    'hvac/duct "2" / frame/col 1',
  ]);
  expect(childrenOf(last, 'testcase', 'error').map(({ attributes }) => attributes['message'])).toEqual([
    'it crashed its worker three times',
    'no luck at all & more',
  ]);
  const counts = childrenOf(suites, 'testsuite').map((suite) => numberOf(suite, 'tests'));
  expect(counts.reduce((p, q) => p + q)).toBe(numberOf(suites, 'tests'));

  const { invocations, tool, results } = JSON.parse(readFileSync(sarif, 'utf8')).runs[0];
  expect(results).toHaveLength(counted.length + resolved.length);
  expect(invocations).toHaveLength(1);
  expect(invocations[0].executionSuccessful).toBe(false);
  const told = invocations[0].toolExecutionNotifications;
  expect(told.map(({ level }: { level: string }) => level)).toEqual(['error', 'error']);
  expect(told[1].message.text).toBe(
    'hvac/duct "2" / frame/col 1 could not be measured: no luck at all & more',
  );
  for (const { descriptor } of told)
    expect(tool.driver.notifications[descriptor.index].id).toBe(descriptor.id);
});
