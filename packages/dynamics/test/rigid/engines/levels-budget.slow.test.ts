/**
 * Budgets of contact levels in whole simulations: a step makes at most 5 % more tests than the larger of its budget and
 * what it needs whatever the budget is, but for one in which several times as much is needed at once; and a larger
 * budget leaves out less.
 */
import { spoonCup, torusPeg } from '@impinge/scenes/rigid';
import { expect, test } from 'vitest';
import { disposed } from '../rigid-scenes.js';
import { levelsScene } from './levels-scene.js';

const MOST = 1.05;
/** Of one step of all that may, in the worst case. */
const MOST_SUDDEN = 1.2;

test.each([
  ['spoon-cup', spoonCup({ coarseness: 4 }), 90, [400, 800, 1500, 3000, 20_000]],
  ['torus-peg', torusPeg({ coarseness: 3 }), 110, [300, 700, 1500, 2500, 20_000]],
] as const)('%s: a budget of tests holds in every step', (_, scene, steps, budgets) => {
  const open = levelsScene(scene);
  let [exceeded, sudden] = [0, 0];
  const reached = budgets.map((budget) => {
    const simulation = open({ error: 0.001, budget: { tests: budget } });
    const reports = disposed(simulation, () => {
      const all = Array.from({ length: steps }, () => simulation.step().contactLevels);
      expect(simulation.intersections()).toBe(0);
      return all.filter((report) => report !== undefined);
    });
    for (const { tests, needed } of reports) {
      const over = tests / Math.max(budget, needed);
      if (over > MOST) sudden++;
      expect(over).toBeLessThanOrEqual(MOST_SUDDEN);
      expect(tests).toBeGreaterThanOrEqual(needed);
      if (needed > budget) exceeded++;
    }
    // in the mean of all steps, as a power of two
    return reports.reduce((sum, report) => sum + Math.log2(Math.max(1, report.reached)), 0) / reports.length;
  });
  expect(sudden).toBeLessThanOrEqual(1);
  expect(exceeded).toBeGreaterThan(0);
  expect(reached[0]).toBeGreaterThan(2);
  expect(reached.at(-1)).toBe(0);
  reached.slice(1).forEach((less, i) => {
    expect(less).toBeLessThanOrEqual(reached[i]);
  });
});
