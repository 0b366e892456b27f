/**
 * Pairs that were left out because they meet by design: a line for each reason, and `excluded.csv`, in which they are
 * listed on request.
 */
import {
  CLASH_KIND_TABLE,
  EXCLUSION_TABLE,
  EXCLUSIONS,
  type ExcludedClash,
  type ExcludedPair,
  OBJECT_TEXTS,
} from '@impinge/model';
import type { CheckOutcome } from '../jobs/check-model.js';
import type { ExcludedCount } from '../wire/report.js';
import { groupedDigits, plural } from '../wire/text.js';
import { roundCoordinate, roundLength } from './clash-record.js';
import { csvRow } from './csv-cell.js';

/** The reasons for which pairs were left out. */
export async function excludedCounts({ stats, excludedClashes }: CheckOutcome): Promise<ExcludedCount[]> {
  const counts = EXCLUSIONS.map((name) => ({
    name,
    why: EXCLUSION_TABLE[name],
    pairs: stats.excluded[name],
  })).filter(({ pairs }) => pairs > 0);
  if (stats.excluded.copies === 0) return counts;
  const copies = (await excludedClashes()).filter(({ why }) => why === 'copies');
  // an element in twelve files makes 66 pairs
  const elements = new Set(copies.map(({ a }) => a.id)).size;
  return counts.map((count) => (count.name === 'copies' ? { ...count, elements } : count));
}

/** `12 pairs: parts of one assembly`; of copies the number of elements, which says more. */
export function excludedText({ why, pairs, elements }: ExcludedCount): string {
  if (elements === undefined) return `${plural(pairs, 'pair')}: ${why}`;
  const are = elements === 1 ? 'element is' : 'elements are';
  return `${groupedDigits(elements)} ${are} in several files, the same in each (${plural(pairs, 'pair')})`;
}

type Excluded = ExcludedPair | ExcludedClash;

const COLUMNS: readonly (readonly [string, (pair: Excluded) => string | number])[] = [
  ['reason', ({ why }) => why],
  ['meaning', ({ why }) => EXCLUSION_TABLE[why]],
  ['kind', (pair) => ('kind' in pair ? pair.kind : '')],
  [
    'depth (m)',
    (pair) =>
      'kind' in pair && CLASH_KIND_TABLE[pair.kind].measure === 'depth' ? roundLength(pair.depth) : '',
  ],
  ['rule', ({ rule }) => rule],
  ...(['a', 'b'] as const).flatMap((side) =>
    OBJECT_TEXTS.map((key) => [`${side} ${key}`, (pair: Excluded) => pair[side][key]] as const),
  ),
  ...['x', 'y', 'z'].map(
    (axis, k) =>
      [`${axis} (m)`, (pair: Excluded) => ('kind' in pair ? roundCoordinate(pair.point[k]) : '')] as const,
  ),
];

export function excludedHead(): string {
  return `\ufeff${csvRow(COLUMNS.map(([title]) => title))}`;
}

export function excludedLine(pair: Excluded): string {
  return csvRow(COLUMNS.map(([, value]) => value(pair)));
}
