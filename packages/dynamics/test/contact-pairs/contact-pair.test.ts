// Contacts and distances from contact levels against all pairs of the originals; many more poses in random-poses.slow.
import { distance, Mesh, within } from 'impinge';
import { afterAll, describe, expect, it } from 'vitest';
import { randomRotation, seededRandom, torus } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { buildContactLevels, type ContactLevels, ContactPair } from '../../src/index.js';

const MESHES = {
  ring: Mesh.from(torus(1, 0.4, 16, 8)),
  small: Mesh.from(torus(0.6, 0.2, 14, 6)),
};
const LEVELS = {
  hulls: { a: buildContactLevels(MESHES.ring), b: buildContactLevels(MESHES.small) },
  boxes: {
    a: buildContactLevels(MESHES.ring, { volumes: 'boxes' }),
    b: buildContactLevels(MESHES.small, { volumes: 'boxes' }),
  },
};
const KINDS = ['hulls', 'boxes'] as const;
const ALLOWED = [0, 0.01];

const pairs: ContactPair[] = [];
afterAll(() => {
  for (const pair of pairs) pair.dispose();
});
function pairOf(kind: (typeof KINDS)[number]): ContactPair {
  const pair = new ContactPair(LEVELS[kind].a, LEVELS[kind].b);
  pairs.push(pair);
  return pair;
}

/** Node of level 0 of each triangle. */
function leafOf(levels: ContactLevels): Uint32Array {
  const [starts, originals] = [levels.array('originalStart'), levels.array('originals')];
  const leaf = new Uint32Array(originals.length);
  for (let n = 0; n + 1 < starts.length; n++) {
    for (let i = starts[n]; i < starts[n + 1]; i++) leaf[originals[i]] = n;
  }
  return leaf;
}

function isBelow(levels: ContactLevels, node: number, above: number): boolean {
  const parents = levels.array('parent');
  let at = node;
  while (at < above) at = parents[at];
  return at === above;
}

/** The small ring on its way through the other, turning a little. */
function* poses(steps: number, seed: number): Generator<{ rotation: Float64Array; translation: number[] }> {
  const random = seededRandom(seed);
  let rotation = randomRotation(random);
  for (let step = 0; step < steps; step++) {
    if (step % 8 === 0) rotation = randomRotation(random);
    yield { rotation, translation: [2.4 - (2.4 * step) / steps, 0.1, 0.1 * random()] };
  }
}

describe.each(KINDS)('contacts of %s', (kind) => {
  it.each(ALLOWED)('stand for every pair of triangles within a distance, %d left out', (allowed) => {
    const pair = pairOf(kind);
    const [leafA, leafB] = [leafOf(pair.a), leafOf(pair.b)];
    const reach = 0.02;
    let found = 0;
    for (const poseB of poses(runs(4), 3)) {
      const { contacts, error, reached } = pair.contacts({ poseB, distance: reach, allowed, bounded: true });
      expect(reached).toBeLessThanOrEqual(1);
      const exact = within(MESHES.ring, MESHES.small, { poseB, distance: reach });
      for (let i = 0; i < exact.pairs.length; i += 2) {
        const [a, b] = [leafA[exact.pairs[i]], leafB[exact.pairs[i + 1]]];
        const above = contacts.filter(
          ({ nodeA, nodeB }) => isBelow(pair.a, a, nodeA) && isBelow(pair.b, b, nodeB),
        );
        expect(above).toHaveLength(1);
        expect(above[0].lower).toBeLessThanOrEqual(reach);
      }
      found += exact.count;
      for (const { distance: apart, lower, upper, normal } of contacts) {
        expect(lower).toBeLessThanOrEqual(upper as number);
        expect(Math.max(apart, 0) - lower).toBeLessThanOrEqual(error + 1e-9);
        expect(Math.hypot(...normal)).toBeCloseTo(1, 9);
      }
    }
    expect(found).toBeGreaterThan(0);
  });

  it.each(ALLOWED)('are the same from a kept walk as from the start, %d left out', (allowed) => {
    const kept = pairOf(kind);
    for (const poseB of poses(runs(8), 4)) {
      const options = { poseB, distance: 0.02, allowed };
      const fresh = new ContactPair(LEVELS[kind].a, LEVELS[kind].b);
      const [one, other] = [kept.contacts(options), fresh.contacts(options)];
      fresh.dispose();
      const nodes = ({ nodeA, nodeB }: { nodeA: number; nodeB: number }) => [nodeA, nodeB];
      expect(one.contacts.map(nodes)).toEqual(other.contacts.map(nodes));
      one.contacts.forEach((contact, i) => {
        expect(contact.distance).toBeCloseTo(other.contacts[i].distance, 9);
      });
    }
  });

  it.each(ALLOWED)('bound the distance, %d left out', (allowed) => {
    const pair = pairOf(kind);
    let apart = 0;
    for (const poseB of poses(runs(6), 5)) {
      const exact = distance(MESHES.ring, MESHES.small, { poseB }).distance;
      const { lower, upper, pointA, pointB } = pair.distance({ poseB, allowed });
      expect(lower).toBeLessThanOrEqual(exact + 1e-12);
      expect(upper).toBeGreaterThanOrEqual(exact - 1e-12);
      const between = Math.hypot(...[0, 1, 2].map((k) => (pointA?.[k] ?? 0) - (pointB?.[k] ?? 0)));
      expect(between).toBeCloseTo(upper, 9);
      if (exact > 0) apart++;
      const beyond = pair.distance({ poseB, allowed, atMost: exact / 2 });
      if (exact > 0) expect(beyond.upper).toBe(Infinity);
      expect(beyond.lower).toBeGreaterThanOrEqual(0);
    }
    expect(apart).toBeGreaterThan(0);
  });

  it('are never worse with more budget, and keep to it', () => {
    const poseB = { translation: [1.5, 0.1, 0.05] };
    let last = { reached: Infinity, lower: -Infinity };
    for (let tests = 8; tests < 5000; tests *= 2) {
      const pair = pairOf(kind);
      const options = { poseB, distance: 0.05, allowed: 1e-6, budget: { tests } };
      const { reached, contacts, stats } = pair.contacts(options);
      const lower = Math.min(...contacts.map((contact) => contact.lower));
      expect(stats.tests).toBeLessThanOrEqual(tests);
      expect(reached).toBeLessThanOrEqual(last.reached);
      expect(lower).toBeGreaterThanOrEqual(last.lower);
      last = { reached, lower };
    }
    expect(last.reached).toBeLessThan(Infinity);
  });

  it('stop when the time is over', () => {
    const pair = pairOf(kind);
    // a clock that goes on a millisecond at every look
    let time = 0;
    const budget = { ms: 20, now: () => time++ };
    const ask = { poseB: { translation: [1.5, 0.1, 0.05] as const }, distance: 0.05, allowed: 1e-6 };
    const short = pair.contacts({ ...ask, budget });
    // no more than a twentieth over, but for four looks that only learn from it
    expect(time).toBeLessThanOrEqual(21 + 4);
    expect(short.reached).toBeGreaterThan(1);
    expect(pairOf(kind).contacts(ask).reached).toBeLessThanOrEqual(1);
  });
});

describe('what may be left out', () => {
  const poseB = { translation: [1.5, 0.1, 0.05] as const };
  const count = (allowed: Parameters<ContactPair['contacts']>[0]['allowed']) =>
    pairOf('hulls').contacts({ poseB, distance: 0.05, allowed }).stats.tests;

  it('is more where bodies move fast against each other', () => {
    const speed = (metres: number) => ({
      speed: { seconds: 0.01, b: { velocity: [metres, 0, 0] as const } },
    });
    expect(count(speed(100))).toBeLessThan(count(speed(0.01)));
    // both the same: nothing moves against anything
    const motion = { velocity: [100, 0, 0] as const };
    expect(count({ speed: { seconds: 0.01, a: motion, b: motion } })).toBeGreaterThanOrEqual(
      count(speed(0.01)),
    );
  });

  it('is more for spins about a far centre', () => {
    const spin = (y: number) => ({
      speed: {
        seconds: 0.01,
        b: { velocity: [0, 0, 0] as const, spin: [0, 1, 0] as const, centre: [0, 0, y] as const },
      },
    });
    expect(count(spin(1000))).toBeLessThan(count(spin(0.5)));
  });

  it('is more where the camera is far away', () => {
    const view = (z: number) => ({
      view: { pixels: 1, camera: [0, 0, z] as const, angle: 1, height: 1000 },
    });
    expect(count(view(1000))).toBeLessThan(count(view(2)));
  });

  it('is the smallest, the largest or the product of several', () => {
    const [fine, coarse] = [count(0.001), count(0.1)];
    expect(coarse).toBeLessThan(fine);
    const speed = { seconds: 0.001, b: { velocity: [1, 0, 0] as const } };
    expect(count({ size: 0.1, speed })).toBe(fine);
    expect(count({ size: 0.1, speed, combined: 'max' })).toBe(coarse);
    expect(count({ size: 1, speed, combined: 'product' })).toBe(fine);
  });
});
