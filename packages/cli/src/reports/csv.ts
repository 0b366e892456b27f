/**
 * `clashes.csv` (RFC 4180) for spreadsheets, with a byte order mark, without which Excel misreads UTF-8, and without
 * cells that would be executed as formulas.
 */
import { OBJECT_TEXTS } from '@impinge/model';
import { roundCoordinate, roundLength } from './clash-record.js';
import { csvRow } from './csv-cell.js';
import type { ReportClash } from './report-data.js';

type Value = (clash: ReportClash, isResolved: boolean) => string | number;

/** Columns of a table of clashes: titles and values. */
export const CLASH_COLUMNS: readonly (readonly [string, Value])[] = [
  ['id', (c) => c.id],
  ['kind', (c) => c.kind],
  ['form', (c) => c.form ?? ''],
  ['status', (c, isResolved) => (isResolved ? 'resolved' : (c.status ?? ''))],
  ['review', (c) => c.review?.status ?? ''],
  ['assignee', (c) => c.review?.assignee ?? ''],
  ['due', (c) => c.review?.due ?? ''],
  ['comments', (c) => (c.review?.comments ?? []).map(({ text }) => text).join(' | ')],
  ['depth (m)', (c) => roundLength(c.depth)],
  ['depth at most (m)', (c) => roundLength(c.depthBound)],
  ['distance (m)', (c) => roundLength(c.distance)],
  ['storey', (c) => c.storey],
  ['room', (c) => c.room],
  ['grid', (c) => c.grid],
  ['penetration', (c) => c.penetration],
  ['rule', (c) => c.rule],
  ['group', (c) => c.group],
  ...OBJECT_TEXTS.map((key) => [`a ${key}`, (c: ReportClash) => c.a[key]] as const),
  ...OBJECT_TEXTS.map((key) => [`b ${key}`, (c: ReportClash) => c.b[key]] as const),
  ...['x', 'y', 'z'].map(
    (axis, k) => [`${axis} (m)`, (c: ReportClash) => roundCoordinate(c.point[k])] as const,
  ),
  ...['x', 'y', 'z'].map(
    (axis, k) => [`min ${axis} (m)`, (c: ReportClash) => roundCoordinate(c.box.min[k])] as const,
  ),
  ...['x', 'y', 'z'].map(
    (axis, k) => [`max ${axis} (m)`, (c: ReportClash) => roundCoordinate(c.box.max[k])] as const,
  ),
  ['triangle pairs', (c) => c.trianglePairs],
  ['former ids', (c) => c.formerIds.join(' ')],
];

export function csvHead(): string {
  return `\ufeff${csvRow(CLASH_COLUMNS.map(([title]) => title))}`;
}

/** `isResolved`: the clash is from the baseline and no longer exists. */
export function csvLine(clash: ReportClash, isResolved = false): string {
  return csvRow(CLASH_COLUMNS.map(([, value]) => value(clash, isResolved)));
}
