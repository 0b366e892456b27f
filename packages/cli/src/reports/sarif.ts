/**
 * `clashes.sarif` (SARIF 2.1.0): a result per clash, with a fingerprint. Persisting clashes are unchanged, renamed ones
 * updated, resolved ones absent, approved ones suppressed. Unmeasured pairs are notifications of a run that did not
 * succeed: their clashes are unknown. Findings about files and rules are configuration notifications.
 */
import { CLASH_KIND_TABLE, CLASH_KINDS, type Clash } from '@impinge/model';
import { version } from '../version.js';
import { FINDING_KINDS, type Finding, type FindingKind } from '../wire/finding.js';
import type { ReportRun, UnmeasuredNames } from '../wire/report.js';
import { statusText } from '../wire/review.js';
import { cleanText, oneLine } from '../wire/text.js';
import { roundCoordinate, roundLength } from './clash-record.js';
import { objectName } from './object-name.js';
import { isStillThere, measureText, type ReportClash, type ReportInput } from './report-data.js';
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
    ...(isNotified(run) && { notifications: NOTIFICATIONS }),
  };
  const invocations = isNotified(run) ? `"invocations":${JSON.stringify([invocationOf(run)])},` : '';
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

function isNotified({ unmeasured, findings }: ReportRun): boolean {
  return unmeasured !== undefined || findings.length > 0;
}

/** The descriptors of notifications. */
const NOTIFICATIONS = [
  ...Object.entries(FINDING_KINDS).map(([id, text]) => ({ id, shortDescription: { text } })),
  { id: UNMEASURED, shortDescription: { text: 'a pair that could not be measured' } },
];

function descriptorOf(id: FindingKind | typeof UNMEASURED) {
  return { id, index: NOTIFICATIONS.findIndex((one) => one.id === id) };
}

function invocationOf({ unmeasured, findings }: ReportRun) {
  return {
    executionSuccessful: unmeasured === undefined,
    ...(findings.length > 0 && { toolConfigurationNotifications: findings.map(findingNotification) }),
    ...(unmeasured && { toolExecutionNotifications: unmeasured.map(unmeasuredNotification) }),
  };
}

function findingNotification({ kind, severity, message, suggestion, files, objects }: Finding) {
  const locations = [
    ...files.map((file) => ({ physicalLocation: { artifactLocation: artifactOf(file) } })),
    ...objects.map(objectLocation),
  ];
  return {
    descriptor: descriptorOf(kind),
    level: severity === 'red' ? 'error' : 'warning',
    message: { text: oneLine([message, suggestion].filter(Boolean).join('; '), 3 * TEXT_MAX) },
    ...(locations.length > 0 && { locations }),
  };
}

function unmeasuredNotification({ a, b, why }: UnmeasuredNames) {
  return {
    descriptor: descriptorOf(UNMEASURED),
    level: 'error',
    message: { text: oneLine(`${a} / ${b} could not be measured: ${why}`, 3 * TEXT_MAX) },
    locations: [a, b].map(objectLocation),
  };
}

function objectLocation(path: string) {
  return { logicalLocations: [{ fullyQualifiedName: cleanText(path), kind: 'object' }] };
}

function artifactOf(file: string) {
  return { uri: encodeURIComponent(cleanText(file)) };
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
        : status === 'renamed'
          ? 'updated'
          : undefined;
  const stands = !gone && isStillThere(clash) ? ` (${statusText('resolved', true)})` : '';
  const said = review?.comments.map(({ text }) => oneLine(text, TEXT_MAX)).join(' ') ?? '';
  return {
    guid: nameUuid(`clash ${id}`),
    ruleId: kind,
    ruleIndex: CLASH_KINDS.indexOf(kind),
    level: levelOf(kind),
    message: {
      text: `${objectName(a)} / ${objectName(b)}: ${kind}${measure === undefined ? '' : `, ${measure}`}${stands}`,
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
      storey: clash.storey,
      room: clash.room,
      grid: clash.grid,
      issue: clash.group,
    },
  };
}

function location({ file, path, id, type }: Clash['a']) {
  const name = cleanText(path || id || 'unnamed');
  return {
    ...(file !== '' && {
      physicalLocation: { artifactLocation: artifactOf(file) },
    }),
    logicalLocations: [{ fullyQualifiedName: name, kind: cleanText(type) || 'object' }],
  };
}
