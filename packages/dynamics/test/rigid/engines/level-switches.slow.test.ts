/**
 * Switches of level along a simulation: at each of its poses, contacts of one error against those of another a search
 * later. Nothing is let go by more than a sixteenth of the thickness, and nothing pushed.
 */
import { spoonCup, torusPeg } from '@impinge/scenes/rigid';
import { expect, test, vi } from 'vitest';
import { ContactSet, CONTACT_NUMBERS as STRIDE } from '../../../src/rigid/contact-set.js';
import { ContactLevelsEngine } from '../../../src/rigid/engines/contact-levels-engine.js';
import type { DualShape } from '../../../src/rigid/engines/dual-shape.js';
import { StepLevels } from '../../../src/rigid/engines/step-levels.js';
import { GAP, NORMAL } from '../../../src/rigid/exact/layout.generated.js';
import { disposed } from '../rigid-scenes.js';
import { levelsScene } from './levels-scene.js';

/** Metres, by turns. */
const ERRORS = [0.0005, 0.004, 0.00005, 0.002, 0.001, 0.004, 0.001];
/** Contacts beyond this many thicknesses hold nothing. */
const TOUCHING = 2;
/** Cosine of the angle between normals of contacts that hold the same. */
const ALIKE = 0.7;
const ROUNDING = 1e-3;

test.each([
  ['spoon-cup', spoonCup({ coarseness: 4 }), 70],
  ['torus-peg', torusPeg({ coarseness: 3 }), 100],
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
        const [before, after] = [was, is].map((set) => leastAlong(set, was.data, STRIDE * i + NORMAL));
        expect(after).toBeLessThanOrEqual(Math.max(thickness, before) + (1 / 16 + ROUNDING) * thickness);
        if (after !== gap) switched++;
      }
      for (const [i, gap] of holding(is, thickness)) {
        const before = leastAlong(was, is.data, STRIDE * i + NORMAL);
        expect(gap).toBeGreaterThanOrEqual(Math.min(thickness, before) - ROUNDING * thickness);
      }
    }
    engine?.dispose();
  });
  asked.mockRestore();
  expect(switched).toBeGreaterThan(50);
});

function holding({ count, data }: ContactSet, thickness: number): [number, number][] {
  return Array.from({ length: count }, (_, i): [number, number] => [i, data[STRIDE * i + GAP]]).filter(
    ([, gap]) => gap < TOUCHING * thickness,
  );
}

/** The least gap of contacts whose normals are near a direction. */
function leastAlong({ count, data }: ContactSet, way: Float64Array, at: number): number {
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const n = STRIDE * i + NORMAL;
    const along = data[n] * way[at] + data[n + 1] * way[at + 1] + data[n + 2] * way[at + 2];
    if (along > ALIKE) least = Math.min(least, data[STRIDE * i + GAP]);
  }
  return least;
}
