/** Levels and contact levels that keep fronts between questions, against new ones and against brute force. */
import { buildContactLevels } from '@impinge/dynamics';
import { ContactPair } from '@impinge/dynamics/internal/contact-pairs/contact-pair.js';
import { LevelsTarget } from '@impinge/model';
import { ShellGaps } from '@impinge/model/internal/level-queries/shells.js';
import { buildLevels } from '@impinge/model/internal/store/build-levels.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { within } from 'impinge/internal/query/pair/within.js';
import { describe, expect, test } from 'vitest';
import { icosphere, randomRotation, seededRandom } from '../../lab/scenes/index.mjs';
import { full, least, runs } from '../budget.js';

const TINY = 1e-9;
type Random = () => number;

/** A ball with bumps, of another size each time. */
const bumpy = (random: Random, radius: number, size: number) =>
  icosphere(size, radius).positions.map((x: number) => x * (0.97 + 0.03 * random()));
const lump = (random: Random, radius: number, size: number) =>
  Mesh.from({ positions: bumpy(random, radius, size), indices: icosphere(size, radius).indices });

/** A way: most steps are short, some are jumps. */
function* way(random: Random, steps: number) {
  let at = [0, 0, 0];
  for (let step = 0; step < steps; step++) {
    const reach = random() < 0.2 ? 1.5 : 0.05;
    at = at.map((x) => 0.9 * x + reach * (2 * random() - 1));
    yield { rotation: Array.from(randomRotation(random)), translation: at };
  }
}

describe('a model with levels', () => {
  full('is asked about a mesh that moves and deforms as a new one is (seed 3131)', async () => {
    const random = seededRandom(3131);
    const ball = lump(random, 1, 8);
    const model = await buildLevels(ball, { pieceTriangles: 128 });
    const target = new LevelsTarget(model);
    const probe = lump(random, 0.6, 5);
    let apart = 0;
    for (const pose of way(random, runs(60))) {
      const error = [0, 0.02, 0.2][Math.floor(3 * random())];
      const exact = distance(ball, probe, { pose }).distance;
      const { bounds } = await distance(target, probe, { pose, error });
      expect(bounds[0]).toBeLessThanOrEqual(exact + TINY);
      expect(bounds[1]).toBeGreaterThanOrEqual(exact - TINY);
      expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(error + TINY);
      const found = await within(target, probe, { pose, error: 0, distance: 0.1 });
      expect(found.count).toBe(within(ball, probe, { pose, distance: 0.1 }).count);
      apart += exact > 0 ? 1 : 0;
      if (random() < 0.5)
        probe.setPositions(bumpy(random, [0.3, 0.6, 0.9, 1.4][Math.floor(4 * random())], 5));
    }
    expect(apart).toBeGreaterThan(least(20));
    await target.dispose();
    ball.dispose();
    probe.dispose();
  });
});

describe('shells around parts', () => {
  test('are of where these are: never farther apart than they (seed 3133)', () => {
    const random = seededRandom(3133);
    const [outer, inner] = [lump(random, 1, 4), lump(random, 0.3, 3)];
    let told = 0;
    for (let step = 0; step < runs(60); step++) {
      const shift = [0, 1, 2].map(() => 0.1 * (random() - 0.5));
      const gap = new ShellGaps(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, ...shift)).between(outer, inner);
      expect(gap).toBeLessThanOrEqual(distance(outer, inner, { pose: { translation: shift } }).distance);
      told += gap > 0 ? 1 : 0;
      inner.setPositions(bumpy(random, 0.2 + 0.7 * random(), 3));
    }
    expect(told).toBeGreaterThan(least(20));
    outer.dispose();
    inner.dispose();
  });
});

describe('a pair with contact levels', () => {
  full('answers as a new one does, wherever it was before (seed 3132)', () => {
    const random = seededRandom(3132);
    const [a, b] = [lump(random, 1, 6), lump(random, 0.5, 5)];
    const [levelsA, levelsB] = [buildContactLevels(a), buildContactLevels(b)];
    const kept = new ContactPair(levelsA, levelsB);
    let near = 0;
    for (const pose of way(random, runs(20))) {
      const allowed = random() < 0.5 ? 0 : 0.05;
      const exact = distance(a, b, { pose }).distance;
      const fresh = new ContactPair(levelsA, levelsB);
      const { lower, upper } = kept.distance({ pose, allowed });
      expect(lower).toBeLessThanOrEqual(exact + TINY);
      expect(upper).toBeGreaterThanOrEqual(exact - TINY);
      const nodes = (pair: ContactPair) =>
        pair.contacts({ pose, allowed, distance: 0.1 }).contacts.map(({ nodeA, nodeB }) => [nodeA, nodeB]);
      const found = nodes(kept);
      // every pair of originals that is near is below one of the contacts
      if (exact <= 0.1) expect(found.length).toBeGreaterThan(0);
      if (allowed === 0) expect(found).toEqual(nodes(fresh));
      near += found.length;
      fresh.dispose();
    }
    expect(near).toBeGreaterThan(least(20));
    kept.dispose();
    for (const levels of [levelsA, levelsB]) levels.dispose();
  });
});
