/**
 * `clashes.sarif`, after SARIF 2.1.0: a result for each clash, by which tools that collect findings know it again. What
 * was there before is unchanged, what is resolved is absent, what is approved is suppressed. Pairs that could not be measured
 * are notifications of a run that did not succeed: whether they clash is not known.
 */
import { CLASH_KIND_TABLE, CLASH_KINDS, type Clash } from 'impinge/check';
import { version } from '../version.js';
import type { UnmeasuredNames } from '../wire/report.js';
import { cleanText, oneLine } from '../wire/text.js';
import { roundCoordinate, roundLength } from './clash-record.js';
import { objectName } from './object-name.js';
import { measureText, type ReportClash, type ReportInput } from './report-data.js';
import { nameUuid } from './uuid.js';

const TEXT_MAX = 300;
const UNMEASURED = 'unmeasured';

export function* sarif({ run, clashes, approved, resolved }: ReportInput): Generator<string> {
  const driver = {
    name: 'impinge',
    semanticVersion: version(),
    rules: CLASH_KINDS.map((kind) => ({
      id: kind,
      shortDescription: { text: CLASH_KIND_TABLE[kind].meaning },
      defaultConfiguration: { level: levelOf(kind) },
    })),
    ...(run.unmeasured && {
      notifications: [{ id: UNMEASURED, shortDescription: { text: 'a pair that could not be measured' } }],
    }),
  };
  const invocations = run.unmeasured
    ? `"invocations":${JSON.stringify([invocationOf(run.unmeasured)])},`
    : '';
  yield `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":${JSON.stringify({ driver })},${invocations}"results":[`;
  let before = '\n';
  for (const [list, gone] of [
    [clashes, false],
    [approved, false],
    [resolved ?? [], true],
  ] as const) {
    for (const clash of list) {
      yield `${before}${JSON.stringify(resultOf(clash, gone))}`;
      before = ',\n';
    }
  }
  yield '\n]}]}\n';
}

function invocationOf(pairs: readonly UnmeasuredNames[]) {
  const names = (...list: string[]) =>
    list.map((name) => ({ logicalLocations: [{ fullyQualifiedName: cleanText(name), kind: 'object' }] }));
  return {
    executionSuccessful: false,
    toolExecutionNotifications: pairs.map(({ a, b, why }) => ({
      descriptor: { id: UNMEASURED, index: 0 },
      level: 'error',
      message: { text: oneLine(`${a} / ${b} could not be measured: ${why}`, 3 * TEXT_MAX) },
      locations: names(a, b),
    })),
  };
}

function levelOf(kind: Clash['kind']): 'error' | 'warning' | 'note' {
  const { measure, bcf } = CLASH_KIND_TABLE[kind];
  return measure === 'depth'
    ? 'error'
    : measure === 'distance' || bcf.priority === 'Medium'
      ? 'warning'
      : 'note';
}

function resultOf(clash: ReportClash, gone: boolean) {
  const { id, kind, a, b, rule, status, review } = clash;
  const measure = measureText(clash);
  const state = gone
    ? 'absent'
    : status === 'new'
      ? 'new'
      : status === 'persisting'
        ? 'unchanged'
        : undefined;
  const said = review?.comments.map(({ text }) => oneLine(text, TEXT_MAX)).join(' ') ?? '';
  return {
    guid: nameUuid(`clash ${id}`),
    ruleId: kind,
    ruleIndex: CLASH_KINDS.indexOf(kind),
    level: levelOf(kind),
    message: {
      text: `${objectName(a)} / ${objectName(b)}: ${kind}${measure === undefined ? '' : `, ${measure}`}`,
    },
    ...(state && { baselineState: state }),
    ...(review?.status === 'approved' && {
      suppressions: [{ kind: 'external', status: 'accepted', ...(said !== '' && { justification: said }) }],
    }),
    locations: [location(a)],
    relatedLocations: [location(b)],
    partialFingerprints: { clash: id },
    properties: {
      rule,
      depth: roundLength(clash.depth),
      distance: roundLength(clash.distance),
      point: clash.point.map(roundCoordinate),
      issue: clash.group,
    },
  };
}

function location({ file, path, id, type }: Clash['a']) {
  const name = cleanText(path || id || 'unnamed');
  return {
    ...(file !== '' && {
      physicalLocation: { artifactLocation: { uri: encodeURIComponent(cleanText(file)) } },
    }),
    logicalLocations: [{ fullyQualifiedName: name, kind: cleanText(type) || 'object' }],
  };
}
