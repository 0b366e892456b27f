import { describe, expect, test } from 'vitest';
import type { Decisions } from '../../cli/src/wire/review.js';
import {
  type Filters,
  issueRows,
  matrixCounts,
  NO_FILTERS,
  selectClashes,
  sortClashes,
} from '../src/clash-filter.js';
import { beams } from './report-of-beams.js';

describe('which clashes are listed', () => {
  const report = beams();
  const select = (filters: Partial<Filters>, decisions: Decisions = {}) =>
    selectClashes(report, { ...NO_FILTERS, ...filters }, decisions);

  test('all that are there and not approved, worst first; also those that are said to be resolved', () => {
    expect(select({})).toEqual([0, 1, 2, 3]);
    const decisions = { c0: { status: 'approved' }, c1: { status: 'resolved' }, c2: { status: 'active' } };
    expect(select({}, decisions)).toEqual([1, 2, 3]);
    expect(
      matrixCounts(report, select({}, decisions), 0)
        .flat()
        .reduce((p, q) => p + q),
    ).toBe(3);
    expect(select({ baseline: ['gone'] })).toEqual([4]);
    expect(select({ baseline: ['renamed'] })).toEqual([2]);
    expect(report.baselineStates).toEqual(['new', 'persisting', 'renamed', 'gone']);
  });

  test('each filter', () => {
    expect(select({ kinds: ['clearance'] })).toEqual([3]);
    expect(select({ kinds: ['clearance', 'hard'] })).toEqual([0, 1, 2, 3]);
    expect(select({ rule: 'insulation' })).toEqual([2]);
    expect(select({ storey: 'Level 2' })).toEqual([1]);
    expect(select({ room: 'A102 Bathroom' })).toEqual([1]);
    expect(select({ type: 'IfcPipeSegment' })).toEqual([0, 1, 2]);
    expect(select({ issue: 'g1' })).toEqual([1]);
    expect(select({ pair: ['disciplines', 'piping', 'structure'] })).toEqual([0, 1, 2]);
    expect(select({ pair: ['disciplines', 'structure', 'structure'] })).toEqual([3]);
    expect(select({ range: ['depth', 0.1, 0.2] })).toEqual([1]);
    expect(select({ range: ['distance', 0, Infinity] })).toEqual([3]);
    expect(select({ review: ['active'] }, { c2: { status: 'active' } })).toEqual([2]);
    expect(select({ assignee: 'Ada' }, { c1: { assignee: 'Ada' } })).toEqual([1]);
  });

  test('words, all of them, wherever they are', () => {
    expect(select({ text: 'P-2' })).toEqual([1, 2]);
    expect(select({ text: 'p-2 insulation' })).toEqual([2]);
    expect(select({ text: 'idb2' })).toEqual([1, 3]);
    expect(select({ text: 'C3' })).toEqual([3]);
    expect(select({ text: 'nothing' })).toEqual([]);
    expect(select({ text: 'a102 bath' })).toEqual([1]);
    expect(select({ text: 'ada p-2' }, { c2: { assignee: 'Ada L.' }, c3: { assignee: 'Ada' } })).toEqual([2]);
    expect(select({ text: 'before2' })).toEqual([2]);
  });

  test('what a link names and the report has not, passes nothing', () => {
    expect(select({ rule: 'gone' })).toEqual([]);
    expect(select({ storey: 'Level 9' })).toEqual([]);
    expect(select({ issue: 'gx' })).toEqual([]);
    expect(select({ kinds: ['soft'] })).toEqual([]);
    expect(select({ pair: ['colours', 'red', 'blue'] })).toEqual([]);
  });

  test('in any order, equal ones worst first', () => {
    const rows = select({});
    const sorted = (sort: Parameters<typeof sortClashes>[2], descending = false, decisions: Decisions = {}) =>
      sortClashes(report, rows, sort, descending, decisions);
    expect(sorted('severity', true)).toEqual([3, 2, 1, 0]);
    expect(sorted('b')).toEqual([3, 0, 1, 2]);
    expect(sorted('b', true)).toEqual([1, 2, 0, 3]);
    expect(sorted('measure')).toEqual([0, 1, 2, 3]);
    expect(sorted('due', false, { c2: { due: '2026-05-01' }, c1: { due: '2026-06-01' } })).toEqual([
      2, 1, 0, 3,
    ]);
  });

  test('under their issues, closed ones without theirs', () => {
    const clash = (i: number) => ({ kind: 'clash', clash: i });
    expect(issueRows(report, [0, 1, 2, 3], new Set([1]))).toEqual([
      { kind: 'issue', issue: 0, clashes: [0, 2, 3] },
      clash(0),
      clash(2),
      clash(3),
      { kind: 'issue', issue: 1, clashes: [1] },
    ]);
  });

  test('counted by their sides', () => {
    expect(matrixCounts(report, [0, 1, 2, 3], 0)).toEqual([
      [1, 3],
      [0, 0],
    ]);
  });
});
