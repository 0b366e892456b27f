/** Filters of the BCF API against the same questions in JavaScript. */
import { describe, expect, test } from 'vitest';
import { type Item, queried } from '../src/service/bcf/odata.js';

const ITEMS: readonly Item[] = [
  { name: "O'Neill", rank: 3, date: '2026-01-02T00:00:00Z', labels: ['a', 'b'], who: null },
  { name: 'and', rank: 1, date: '2026-01-01T23:30:00-01:00', labels: [], who: 'Ann' },
  { name: 'x:y (z)', rank: 2, date: '2025-12-31', labels: ['b'], who: 'Bob' },
];
const FIELDS = ['name', 'rank', 'date', 'labels', 'who'];
const ranks = (query: Parameters<typeof queried>[1]) =>
  queried(ITEMS, query, FIELDS, ['rank', 'date', 'who']).map(({ rank }) => rank);

describe('OData', () => {
  test.each([
    ["name eq 'O''Neill'", [3]],
    ["name eq 'and'", [1]],
    ["name eq 'x:y (z)'", [2]],
    ['rank gt 1', [3, 2]],
    ['rank ge 2 and rank le 2', [2]],
    ["rank eq 1 or rank eq 2 and name eq 'and'", [1]],
    ["(rank eq 1 or rank eq 2) and name eq 'and'", [1]],
    ["(rank eq 1 or rank eq 2) and not name eq 'and'", [2]],
    ['not (rank eq 1 or rank eq 2)', [3]],
    ['who eq null', [3]],
    ['who ne null', [1, 2]],
    ["who ne 'Ann'", [3, 2]],
    ["who lt 'Z'", [1, 2]],
    // the same moment in two zones, and one without
    ['date gt 2026-01-02T00:00:00Z', [1]],
    ['date ge 2026-01-02T01:00:00+01:00', [3, 1]],
    ['date lt 2026-01-01T00:00:00', [2]],
    ["labels/any(label: label eq 'b')", [3, 2]],
    ["labels/any(l:l eq 'a') or rank eq 1", [3, 1]],
  ])('%s', (filter, expected) => {
    expect(ranks({ $filter: filter })).toEqual(expected);
  });

  test('sorts and cuts', () => {
    expect(ranks({ $orderby: 'rank' })).toEqual([1, 2, 3]);
    expect(ranks({ $orderby: 'rank desc', $top: '2' })).toEqual([3, 2]);
    expect(ranks({ $orderby: 'date desc', $skip: '1' })).toEqual([3, 2]);
    expect(ranks({ $top: '0' })).toEqual([]);
  });

  test.each([
    ['rank', 'expected'],
    ['rank is 1', 'is is none of'],
    ['age eq 1', 'age is none of'],
    ["name eq 'open", 'quotation mark'],
    ['(rank eq 1', 'expected )'],
    ['rank eq 1)', 'unexpected )'],
    ['rank eq x', 'expected a value'],
    ['rank eq 1 rank eq 2', 'unexpected rank'],
    ['rank constructor 1', 'constructor is none of'],
    [`${'('.repeat(100)}rank eq 1`, 'nested too deep'],
    [`${'not '.repeat(100)}rank eq 1`, 'nested too deep'],
  ])('%s is refused', (filter, why) => {
    expect(() => ranks({ $filter: filter })).toThrow(why === 'expected' ? /none of|unexpected/ : why);
  });

  test.each([{ $orderby: 'name' }, { $orderby: 'rank up' }, { $top: 'many' }, { $skip: '-1' }])(
    '%j is refused',
    (query) => {
      expect(() => ranks(query)).toThrow(/none of|asc or desc|a number/);
    },
  );
});
