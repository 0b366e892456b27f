/** The history by weeks, against a count of every clash in every week. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { type LoggedDecision, mondayOf, type Span, weeksOf } from '../src/service/state/clash-spans.js';

const DAY = 86_400_000;
const BEGUN = Date.parse('2026-10-14T10:00:00Z'); // a Wednesday
const NOW = BEGUN + 40 * DAY;
const STATUSES = ['new', 'active', 'approved', 'resolved'] as const;
const SEED = 20261119;

const span = fc.record({
  clash: fc.constantFrom('a', 'b', 'c', 'd'),
  sides: fc.constantFrom('mep × mep', 'mep × structure'),
  since: fc.integer({ min: 0, max: 39 }),
  days: fc.integer({ min: 1, max: 60 }),
});
const change = fc.record({
  clash: fc.constantFrom('a', 'b', 'c', 'd'),
  day: fc.integer({ min: 0, max: 39 }),
  status: fc.constantFrom(...STATUSES),
  assignee: fc.constantFrom('', 'Ann', 'Bob'),
});

describe('weeks', () => {
  test('begin on Mondays', () => {
    expect(new Date(mondayOf(BEGUN)).toISOString()).toBe('2026-10-12T00:00:00.000Z');
    expect(mondayOf(mondayOf(BEGUN))).toBe(mondayOf(BEGUN));
    expect(mondayOf(mondayOf(BEGUN) - 1)).toBe(mondayOf(BEGUN) - 7 * DAY);
  });

  test(`are counted as by hand, seed ${SEED}`, () => {
    const most = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 12 }),
        fc.array(change, { maxLength: 12 }),
        most,
        (given, changed, limit) => {
          const spans = given.map(
            ({ clash, sides, since, days }): Span => ({
              ...{ clash, sides, since: BEGUN + since * DAY },
              until: since + days > 40 ? Infinity : BEGUN + (since + days) * DAY,
            }),
          );
          const log = changed
            .map(
              ({ clash, day, status, assignee }): LoggedDecision => ({
                ...{ clash, status, assignee, at: BEGUN + day * DAY + 1 },
              }),
            )
            .sort((p, q) => (p.clash < q.clash ? -1 : p.clash > q.clash ? 1 : p.at - q.at));
          const weeks = weeksOf(spans, log, BEGUN, NOW, limit);
          expect(weeks.length).toBe(Math.min(limit, 7));
          for (const { week, disciplines, people, ...total } of weeks) {
            const begin = Date.parse(week);
            const end = begin + 7 * DAY;
            const at = (clash: string) => log.filter((one) => one.clash === clash && one.at < end).at(-1);
            const count = (isOf: (one: Span) => boolean) => ({
              open: spans.filter(
                (one) =>
                  isOf(one) && one.since < end && one.until >= end && at(one.clash)?.status !== 'approved',
              ).length,
              new: spans.filter(
                (one) => isOf(one) && one.since >= begin && one.since < end && one.since > BEGUN,
              ).length,
              resolved: spans.filter((one) => isOf(one) && one.until >= begin && one.until < end).length,
            });
            expect(total).toEqual(count(() => true));
            for (const { name, ...counts } of disciplines)
              expect(counts).toEqual(count(({ sides }) => sides === name));
            for (const { name, ...counts } of people)
              expect(counts).toEqual(count(({ clash }) => (at(clash)?.assignee ?? '') === name));
            for (const list of [disciplines, people])
              for (const key of ['open', 'new', 'resolved'] as const)
                expect(list.reduce((sum, one) => sum + one[key], 0)).toBe(total[key]);
          }
        },
      ),
      { seed: SEED, numRuns: runs(300) },
    );
  });
});
