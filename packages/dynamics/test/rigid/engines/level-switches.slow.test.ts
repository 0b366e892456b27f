/**
 * Switches of level along a simulation: at each of its poses, contacts of one error against those of another a search
 * later. Along the normal of each contact something holds that is no farther than it by more than a sixteenth of the
 * thickness, and nothing is pushed.
 */
import { spoonCup, torusPeg } from '@impinge/scenes/rigid';
import { expect, test, vi } from 'vitest';
import { LONG } from '../../../../../test/budget.js';
import { ContactSet, CONTACT_NUMBERS as STRIDE } from '../../../src/rigid/contact-set.js';
import { ContactLevelsEngine } from '../../../src/rigid/engines/contact-levels-engine.js';
import type { DualShape } from '../../../src/rigid/engines/dual-shape.js';
import { StepLevels } from '../../../src/rigid/engines/step-levels.js';
import { NORMAL } from '../../../src/rigid/exact/layout.generated.js';
import { disposed } from '../rigid-scenes.js';
import { holding, leastAlong } from './held-contacts.js';
import { levelsScene } from './levels-scene.js';

/** Metres, by turns. */
const ERRORS = [0.0005, 0.004, 0.00005, 0.002, 0.001, 0.004, 0.001];
const ROUNDING = 1e-3;
const MOST_JUMP = 1 / 16 + ROUNDING;
/** Features that come with a finer level may be nearer by this share of the thickness: it is held, not pushed apart. */
const NEARER = 1 / 64;

test.each([
  ['spoon-cup', spoonCup({ coarseness: 4 }), 70],
  ['torus-peg', torusPeg({ coarseness: 3 }), 100],
  ['spoon-cup, twice as fine', spoonCup({ coarseness: 2.83 }), 70],
  ['torus-peg, twice as fine', torusPeg({ coarseness: 2.12 }), 100],
  ...(LONG
    ? ([
        ['spoon-cup, four times as fine', spoonCup({ coarseness: 2 }), 70],
        ['torus-peg, four times as fine', torusPeg({ coarseness: 1.5 }), 100],
      ] as const)
    : []),
] as const)('%s: contacts neither jump away nor push', (_, scene, steps) => {
  const { thickness } = scene;
  const simulation = levelsScene(scene)({ error: 0.001 });
  const asked = vi.spyOn(ContactLevelsEngine.prototype, 'contacts');
  const settings = { error: 0.001, thickness, engine: 'contact-levels' as const, step: new StepLevels() };
  let engine: ContactLevelsEngine | undefined;
  let [looks, switched] = [0, 0];
  disposed(simulation, () => {
    for (let step = 0; step < steps; step++) {
      asked.mockClear();
      simulation.step();
      const call = asked.mock.lastCall;
      if (!call) continue;
      const [{ a, b, pose }, reach] = call;
      engine ??= new ContactLevelsEngine(a as DualShape, b as DualShape, settings);
      const [was, is] = [0, 1].map((look) => {
        if (look === 1) settings.error = ERRORS[looks++ % ERRORS.length];
        settings.step.begin();
        const set = new ContactSet();
        engine!.contacts({ a, b, pose: pose.slice() }, reach, set);
        return set;
      });
      for (const [i, gap] of holding(was, thickness)) {
        const after = leastAlong(is, was.data, STRIDE * i + NORMAL);
        expect((after - Math.max(thickness, gap)) / thickness).toBeLessThanOrEqual(MOST_JUMP);
        if (after !== gap) switched++;
      }
      for (const [i, gap] of holding(is, thickness)) {
        const before = leastAlong(was, is.data, STRIDE * i + NORMAL);
        expect(gap).toBeGreaterThanOrEqual(Math.min(thickness, before) - NEARER * thickness);
      }
    }
    engine?.dispose();
  });
  asked.mockRestore();
  expect(switched).toBeGreaterThan(50);
});
