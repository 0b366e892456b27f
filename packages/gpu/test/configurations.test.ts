/** The configurations that culling is tested with are what they are said to be. */
import { expect, test } from 'vitest';
import { FAST, full, least } from '../../../test/budget.js';
import { configuration, disposeAll, FAMILY_NAMES, realise } from './configurations.js';
import { libraryRows, meetingRows, type Row } from './oracle.js';
import { trianglesOf } from './shapes.js';

const NUMBERS = Array.from({ length: FAST ? 60 : 1200 }, (_, i) => i);

const known = new Map<number, Row[]>();
/** What meets in a configuration: found once for both tests. */
function meetingIn(number: number): Row[] {
  let rows = known.get(number);
  if (rows) return rows;
  const placed = realise(configuration(number));
  rows = meetingRows(placed);
  disposeAll(placed);
  known.set(number, rows);
  return rows;
}

full('they are small, of all families, and about half of each family have a contact', () => {
  const meeting = new Map(FAMILY_NAMES.map((family) => [family, { yes: 0, all: 0 }]));
  for (const number of NUMBERS) {
    const { family, items } = configuration(number);
    expect(items.length, `${number}`).toBeGreaterThanOrEqual(2);
    expect(items.length, `${number}`).toBeLessThanOrEqual(8);
    for (const { shape } of items) {
      expect(trianglesOf(shape), `${number}`).toBeGreaterThan(0);
      expect(trianglesOf(shape), `${number}`).toBeLessThanOrEqual(60);
    }
    const count = meeting.get(family)!;
    count.all++;
    if (meetingIn(number).some(([a, , b]) => a !== b)) count.yes++;
  }
  const shares = [...meeting].map(([family, { yes, all }]) => ({ family, share: yes / all }));
  for (const { family, share } of shares) expect.soft(share, family).toBeGreaterThan(FAST ? 0.1 : 0.3);
  for (const { family, share } of shares) expect.soft(share, family).toBeLessThan(FAST ? 0.9 : 0.75);
});

test('the oracle and the library agree on all of them', () => {
  let pairs = 0;
  for (const number of NUMBERS) {
    const placed = realise(configuration(number));
    const rows = meetingIn(number);
    expect(libraryRows(placed), `configuration ${number}`).toEqual(rows);
    pairs += rows.length;
    disposeAll(placed);
  }
  expect(pairs).toBeGreaterThan(least(10_000));
});
