/** Contacts of pairs whose searches take long are kept while bodies slide: for how long, and how well they hold. */
import { afterEach, expect, test, vi } from 'vitest';
import { CONTACT_NUMBERS, ContactSet } from '../../src/rigid/contact-set.js';
import type { ContactShape } from '../../src/rigid/contact-shape.js';
import { GAP } from '../../src/rigid/exact/layout.generated.js';
import { OwnedMemory } from '../../src/rigid/exact/owned-memory.js';
import { PairBatch } from '../../src/rigid/exact/pair-batch.js';
import { PairContacts } from '../../src/rigid/exact/pair-contacts.js';
import { NearPair } from '../../src/rigid/near-pair.js';
import { disposed, turningLens } from './rigid-scenes.js';

const STEPS = 40;
const memory = new OwnedMemory();

afterEach(() => {
  vi.restoreAllMocks();
});

/** Gaps of all contacts that are searched anew, by their ids. */
function searchedAnew({ a, b }: NearPair, pose: Float64Array, reach: number): Map<number, number> {
  const shapes = { a: a.shape as ContactShape, b: b.shape as ContactShape };
  const engine = new PairContacts(memory, shapes.a, shapes.b);
  const found = new ContactSet();
  engine.findAll({ ...shapes, pose }, reach, found);
  engine.dispose();
  return new Map(
    Array.from({ length: found.count }, (_, i) => [found.ids[i], found.data[CONTACT_NUMBERS * i + GAP]]),
  );
}

function leastAnew(pair: NearPair, pose: Float64Array, reach: number): number {
  return Math.min(...searchedAnew(pair, pose, reach).values());
}

test('contacts of a lens that turns in a bowl hold it as new ones would, until it has slid too far', () => {
  const { simulation, body, thickness } = turningLens();
  const { slidTo, measure } = NearPair.prototype;
  const searches = vi.spyOn(PairBatch.prototype, 'add');
  // a pair that is asked how far it has slid, and then measured without a search, keeps its contacts
  let asked = { slid: 0, searched: -1 };
  let kept = 0;
  vi.spyOn(NearPair.prototype, 'slidTo').mockImplementation(function (this: NearPair, pose) {
    asked = { slid: slidTo.call(this, pose), searched: searches.mock.calls.length };
    return asked.slid;
  });
  vi.spyOn(NearPair.prototype, 'measure').mockImplementation(function (this: NearPair, pose) {
    measure.call(this, pose);
    const { slid, searched } = asked;
    asked.searched = -1;
    if (searched !== searches.mock.calls.length) return;
    kept++;
    expect(slid).toBeLessThanOrEqual(Math.sqrt(thickness * this.b.shape.radius));
    expect(Math.abs(this.least - leastAnew(this, pose, 2 * thickness))).toBeLessThan(thickness / 4);
  });
  disposed(simulation, () => {
    for (let step = 0; step < STEPS; step++) {
      simulation.step();
      expect(simulation.intersections()).toBe(0);
    }
    expect(kept).toBeGreaterThan(STEPS / 2);
    expect(searches.mock.calls.length).toBeLessThan(STEPS);
    // as soon as it moves otherwise, they are searched
    for (const spin of [2, -2]) {
      const earlier = searches.mock.calls.length;
      body.spin = [0, spin, 0];
      simulation.step();
      expect(searches.mock.calls.length).toBeGreaterThan(earlier);
    }
  });
});

test('contacts that are followed are among those that a search finds, with the nearest, and searches are rarer', () => {
  const { simulation, body, thickness } = turningLens();
  body.spin = [0, 10, 0];
  const { measure } = NearPair.prototype;
  const asked = vi.spyOn(PairBatch.prototype, 'add');
  const looks = { full: 0, followed: 0 };
  const seen = new Map<NearPair, number>();
  vi.spyOn(NearPair.prototype, 'measure').mockImplementation(function (this: NearPair, pose) {
    measure.call(this, pose);
    if (seen.get(this) === this.renewals) return;
    seen.set(this, this.renewals);
    if (this.followed === 0) looks.full++;
    else {
      looks.followed++;
      expect(asked.mock.lastCall?.[3]).toBe(true);
      const anew = searchedAnew(this, pose, 20 * thickness);
      for (let i = 0; i < this.set.count; i++) {
        const gap = anew.get(this.set.ids[i]) ?? Number.NaN;
        expect(Math.abs(this.set.data[CONTACT_NUMBERS * i + GAP] - gap)).toBeLessThan(1e-12);
      }
      expect(this.least).toBeLessThan(Math.min(...anew.values()) + thickness / 8);
    }
  });
  disposed(simulation, () => {
    for (let step = 0; step < 2 * STEPS; step++) {
      simulation.step();
      expect(simulation.intersections()).toBe(0);
    }
  });
  expect(looks.followed).toBeGreaterThan(2);
  expect(looks.full).toBeLessThan(looks.followed);
});
