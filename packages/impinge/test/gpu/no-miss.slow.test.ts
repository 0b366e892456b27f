/** No pair is missed and none is invented, whatever is asked of the CPU's rasteriser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arena } from '../../src/base/arena.js';
import { nodePool } from '../../src/node/index.js';
import { LONG } from '../budget.js';
import { FAMILY_NAMES } from './configurations.js';
import { Examiner, summaryOf, WAYS } from './examiner.js';

/** Each family by all levels and methods at every third resolution, others for the next family; or by each way. */
const NUMBERS = Array.from({ length: LONG ? 10_000 : WAYS.length * FAMILY_NAMES.length }, (_, n) => n).filter(
  (n) => LONG || (Math.floor(n / FAMILY_NAMES.length / 12) + (n % FAMILY_NAMES.length)) % 3 === 0,
);
const CONFIGURATIONS = NUMBERS.length;

describe(`${CONFIGURATIONS} configurations, ${WAYS.length} ways to ask`, () => {
  const examiner = new Examiner('cpu');
  let before: number;
  beforeAll(async () => {
    const first = new Examiner('cpu'); // kernels keep some scratch for good
    await first.meeting(0);
    first.dispose();
    before = arena().usedBytes;
  });
  afterAll(() => {
    process.stdout.write(`cpu: ${summaryOf(examiner.findings)}\n`);
    examiner.dispose();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });

  test.each(FAMILY_NAMES)('%s', async (family) => {
    const place = FAMILY_NAMES.indexOf(family);
    for (const number of NUMBERS) {
      if (number % FAMILY_NAMES.length === place) await examiner.meeting(number);
    }
    expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
  });

  test('all of them were asked about, and half of them have a contact', () => {
    const { configurations, meeting, kept, objects, colliding } = examiner.findings;
    expect(configurations).toBe(CONFIGURATIONS);
    expect(meeting / configurations).toBeGreaterThan(0.4);
    expect(meeting / configurations).toBeLessThan(0.7);
    expect(kept).toBeGreaterThanOrEqual(colliding);
    expect(kept).toBeLessThan(objects); // it does cull
  });
});

test('on threads, the same', async () => {
  const pool = nodePool(2);
  const examiner = new Examiner(pool);
  try {
    for (let number = 0; number < (LONG ? 600 : 60); number++) await examiner.meeting(20_000 + 7 * number);
    expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
  } finally {
    examiner.dispose();
    await pool.dispose();
  }
});

test('within a distance, and the closest', async () => {
  const examiner = new Examiner('cpu');
  for (let number = 0; number < (LONG ? 240 : 24); number++) await examiner.near(30_000 + 13 * number);
  expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
  examiner.dispose();
});

test('objects that pass through themselves', async () => {
  const examiner = new Examiner('cpu');
  for (let way = 0; way < WAYS.length; way += LONG ? 5 : 17) await examiner.folded(way, way);
  expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
  expect(examiner.findings.pairs).toBeGreaterThan(1000);
  examiner.dispose();
});
