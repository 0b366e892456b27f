/** Contacts by contact levels or by triangles, whichever takes less. */
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../../test/budget.js';
import { ContactSet, CONTACT_NUMBERS as STRIDE } from '../../../src/rigid/contact-set.js';
import { CheaperEngine } from '../../../src/rigid/engines/cheaper-engine.js';
import { ContactLevelsEngine } from '../../../src/rigid/engines/contact-levels-engine.js';
import { DualShape } from '../../../src/rigid/engines/dual-shape.js';
import { HeldContacts } from '../../../src/rigid/engines/held-contacts.js';
import { StepLevels } from '../../../src/rigid/engines/step-levels.js';
import { GAP } from '../../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../../src/rigid/exact/owned-memory.js';
import { PairContacts } from '../../../src/rigid/exact/pair-contacts.js';
import { torus } from '../../contact-levels/models.js';
import { distanceAt, levelsOf, nearPoses, surfaceOf } from './posed-shapes.js';

const arrays = torus(20, 8, 3);
const shape = new DualShape(surfaceOf('ring', arrays), [0.02, -0.01, 0.03], levelsOf(arrays));
const poses = nearPoses(shape, shape, runs(20), 6, 0.04);
const settingsOf = (thickness: number, error = 0.1) => ({
  error,
  thickness,
  engine: 'auto' as const,
  step: new StepLevels(),
});

afterAll(() => shape.dispose());

test('what is told is certain, whichever engine it comes from, and both come', () => {
  const engines = new Set<boolean>();
  const set = new ContactSet();
  for (const { pose, apart } of poses) {
    const engine = new CheaperEngine(new OwnedMemory(), shape, shape, settingsOf(0.8 * apart));
    for (let look = 0; look < 40; look++) {
      engine.prepare();
      engines.add(engine.block !== undefined);
      const moved = pose.slice();
      moved[9] += 1e-4 * look;
      engine.contacts({ a: shape, b: shape, pose: moved }, 0.05, set);
      expect(set.atLeast).toBeLessThanOrEqual(distanceAt(shape, shape, moved) + 1e-9);
      expect(set.count).toBeGreaterThan(0);
    }
    engine.dispose();
  }
  expect(engines.size).toBe(2);
});

describe('triangles that take over from patches', () => {
  test('let nothing go by more than a sixteenth with each search, and push nothing', () => {
    let sinking = 0;
    for (const { pose, apart } of poses) {
      const thickness = 0.7 * apart;
      const pair = { a: shape, b: shape, pose };
      const levels = new ContactLevelsEngine(shape, shape, settingsOf(thickness));
      const [set, all] = [new ContactSet(), new ContactSet()];
      for (let look = 0; look < 2; look++) levels.contacts(pair, 4 * thickness, set);
      const held = new HeldContacts(shape, shape, levels.held(), thickness);
      const exact = new PairContacts(new OwnedMemory(), shape, shape);
      let was = leastOf(set);
      while (held.room > 0) {
        exact.findAll(pair, 4 * thickness + held.room, all);
        held.hold(all, pose);
        const is = leastOf(all);
        expect(is).toBeGreaterThanOrEqual(Math.min(thickness, was) - 1e-9);
        expect(is).toBeLessThanOrEqual(Math.max(thickness, was) + (1 / 16 + 1 / 64) * thickness);
        if (is > was) sinking++;
        was = is;
      }
      exact.findAll(pair, 4 * thickness, all);
      expect(was).toBeCloseTo(leastOf(all), 9);
      for (const engine of [levels, exact]) engine.dispose();
    }
    expect(sinking).toBeGreaterThan(0);
  });
});

function leastOf({ count, data }: ContactSet): number {
  let least = Infinity;
  for (let i = 0; i < count; i++) least = Math.min(least, data[STRIDE * i + GAP]);
  return least;
}
