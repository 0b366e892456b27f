/** How a budget is shared among pairs of bodies. */
import { describe, expect, test } from 'vitest';
import { RATIOS, StepLevels } from '../../../src/rigid/engines/step-levels.js';

/** Tests of a walk down to the coarsest surfaces. */
const COARSEST = 1;
/** What is set aside or left of a budget, at most, as a power of two. */
const UNUSED = 0.35;
const NOTHING = { error: 0, patches: 1, levels: [1] };

/** A pair for which a ratio takes `size` / ratio tests. */
class Pair {
  readonly size: number;
  last = 0;

  constructor(size: number) {
    this.size = size;
  }

  search(step: StepLevels): number {
    const allotted = step.allot(this);
    if (!allotted) throw new Error('there is a budget');
    const { limit, most, costs } = allotted;
    const tests = COARSEST + most(COARSEST);
    for (let i = RATIOS - 1; i >= 0 && 2 ** i >= limit && this.size / 2 ** i <= tests; i--)
      costs[i] = this.size / 2 ** i;
    const made = Math.min(tests, this.size / limit);
    this.last = this.size / made;
    step.searched(
      this,
      { ...NOTHING, reached: this.last },
      { walked: made, coarsest: COARSEST, beyond: 0 },
      costs,
    );
    return made;
  }
}

describe('a budget of tests', () => {
  test.each([
    [[8000, 1000], 900],
    [[500, 500, 100_000], 3000],
    [[100, 200], 1000],
  ])('of pairs that need %j is shared so that none loses more than another: %d', (sizes, tests) => {
    const step = new StepLevels({ tests });
    const pairs = sizes.map((size) => new Pair(size));
    for (let i = 0; i < 12; i++) {
      step.begin();
      const made = pairs.reduce((sum, pair) => sum + pair.search(step), 0);
      expect(made).toBeLessThanOrEqual(1.05 * tests);
      expect(step.report()?.tests).toBe(made);
    }
    const right = Math.max(1, sizes.reduce((sum, size) => sum + size) / tests);
    for (const { last } of pairs) expect(Math.abs(Math.log2(last / right))).toBeLessThan(UNUSED);
    expect(step.report()?.reached).toBe(Math.max(...pairs.map(({ last }) => last)));
  });

  test('has more for the others when a pair is gone, and less when one comes', () => {
    const step = new StepLevels({ tests: 1000 });
    const [one, other] = [new Pair(4000), new Pair(4000)];
    const run = (pairs: readonly Pair[]) => {
      for (let i = 0; i < 12; i++) {
        step.begin();
        for (const pair of pairs) pair.search(step);
      }
    };
    run([one]);
    const alone = one.last;
    run([one, other]);
    expect(one.last).toBeGreaterThan(1.5 * alone);
    run([one]);
    expect(one.last).toBeCloseTo(alone, 1);
  });
});

test('milliseconds are tests as measured', () => {
  let now = 0;
  const step = new StepLevels({ time: { ms: 10, now: () => now } });
  const pair = new Pair(1e5);
  for (let i = 0; i < 40; i++) {
    step.begin();
    // a test takes 0.01 ms
    step.timed(() => (now += 0.01 * pair.search(step)));
    if (i > 30) expect(step.report()?.ms).toBeLessThanOrEqual(10.5);
  }
  expect(step.report()?.ms).toBeGreaterThan(8);
});

test('without a budget nothing is limited, and without searches nothing is reported', () => {
  const step = new StepLevels();
  step.begin();
  expect([step.allot({}), step.limit, step.report()]).toEqual([undefined, 1, undefined]);
});
