/** No pair is missed and none is invented on the CPU. */
import { arena } from 'impinge/internal/base/arena.js';
import { nodePool } from 'impinge/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { FAMILY_NAMES } from './configurations.js';
import { CPU_WAYS, Examiner, summaryOf } from './examiner.js';

const CONFIGURATIONS = (LONG ? 800 : 80) * FAMILY_NAMES.length;

describe(`${CONFIGURATIONS} configurations, ${CPU_WAYS.length} sizes of parts`, () => {
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
    for (let n = FAMILY_NAMES.indexOf(family); n < CONFIGURATIONS; n += FAMILY_NAMES.length) {
      await examiner.meeting(n);
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
  for (let number = 0; number < (LONG ? 48 : 14); number++) await examiner.folded(number, number % 2);
  expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
  expect(examiner.findings.pairs).toBeGreaterThan(1000);
  examiner.dispose();
});
