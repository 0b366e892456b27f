/** Contacts of a step: every strategy finds the same as brute force, in the same order, to the last bit. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { every, FAST, full, runs } from '../../../../test/budget.js';
import { Deformables, EDGE_EDGE, VERTEX_FACE } from '../../src/index.js';
import {
  contactsBy,
  crumpled,
  detectorOf,
  expectEqualAnswers,
  expectSameContacts,
  folding,
  type Moving,
  patch,
  plain,
  scaled,
  soup,
  translated,
} from './surfaces.js';

describe('hash finds what brute force finds', () => {
  test.each(every([0, 1e-3, 0.05], 2))('loose triangles, thickness %d, seed 11', (thickness) => {
    const random = seededRandom(11);
    let events = 0;
    for (let run = 0; run < runs(6); run++) {
      events += expectSameContacts([{ ...soup(random, 60, 0.3, 0.3), self: true }], { thickness });
    }
    expect(events).toBeGreaterThan(FAST ? 30 : 100);
  });

  full.each(every([0, 1e-3, 0.02], 2))('a crumpling cloth, thickness %d, seed 12', (thickness) => {
    const random = seededRandom(12);
    let events = 0;
    for (const change of [0, 0.1, 1, 3]) {
      events += expectSameContacts([crumpled(random, FAST ? 9 : 14, 0.5, change)], { thickness });
    }
    expect(events).toBeGreaterThan(FAST ? 20 : 100);
  });

  test.each(every([0, 1e-3, 0.02], 2))('a cloth folding through itself, thickness %d', (thickness) => {
    expect(expectSameContacts([folding(16, 0.1)], { thickness })).toBeGreaterThan(50);
  });

  full.each(every([0.01, 0], 2))(
    'several surfaces of all kinds, with collision groups, thickness %d, seed 13',
    (thickness) => {
      const random = seededRandom(13);
      const cloth = (z: number): Moving => translated(crumpled(random, 8, 0.3, 0.5), [0, 0, z]);
      const { end: _, ...ground } = crumpled(random, 10, 0.2, 0);
      const surfaces: Moving[] = [
        { ...cloth(0), collisionGroup: 1 },
        { ...cloth(0.1), collisionGroup: 1, self: false },
        { ...ground, kind: 'static' },
        { ...cloth(0.05), collisionGroup: 2 },
        { ...soup(random, 20, 0.3, 0.2), kind: 'rigid' },
        { ...ground, kind: 'static', collisionGroup: 2 },
      ];
      expect(expectSameContacts(surfaces, { thickness })).toBeGreaterThan(50);
      const events = contactsBy(surfaces, { thickness });
      for (let i = 0; i < events['kinds'].length; i++) {
        const pair = [events['surfaces'][2 * i], events['surfaces'][2 * i + 1]].sort().join(' ');
        expect(['0 1', '1 1', '4 4', '2 5', '3 5', '2 2', '5 5']).not.toContain(pair);
      }
    },
  );

  test.each(every([1e-3, 0], 2))('sizes from 1 to 1000, thickness %d, seed 14', (thickness) => {
    const random = seededRandom(14);
    const sizes = [
      soup(random, 400, 0.01, 0.05),
      scaled(soup(random, 6, 1, 0.1), 10),
      soup(random, 20, 0.3, 0.3),
    ];
    const floor: Moving = {
      positions: [-9, -9, 0.5, 9, -9, 0.5, 0, 9, 0.4],
      indices: [0, 1, 2],
      kind: 'static',
    };
    expect(expectSameContacts([...sizes, floor], { thickness })).toBeGreaterThan(30);
  });

  full.each(every([0.01, 0], 2))(
    'many bodies that do not meet themselves, thickness %d, seed 23',
    (thickness) => {
      const random = seededRandom(23);
      const bodies = Array.from({ length: 100 }, (_, i): Moving => {
        const shift = [6 * random(), 6 * random(), 6 * random()];
        const body = translated(scaled(crumpled(random, 6, 0.5, 0.3), 0.5), shift);
        return { ...body, self: false, kind: i % 10 === 0 ? 'rigid' : 'deforming' };
      });
      const { end: _, ...ground } = scaled(crumpled(random, 10, 0.2, 0), 6);
      const surfaces: Moving[] = [...bodies, { ...ground, kind: 'static' }];
      expect(expectSameContacts(surfaces, { thickness })).toBeGreaterThan(100);
      const detector = detectorOf(surfaces, { thickness });
      const { triangles, activeTriangles } = detector.continuous().stats;
      expect(triangles).toBe(5162);
      expect(activeTriangles).toBeLessThan(4000);
      detector.dispose();
    },
  );

  test.each(every([0.01, 0], 2))('far from the origin, thickness %d, seed 15', (thickness) => {
    const random = seededRandom(15);
    const far = [4e5, -3e6, 2e7];
    const surfaces = [
      translated(crumpled(random, 10, 0.5, 0.5), far),
      translated(soup(random, 30, 0.3, 0.3), far),
    ];
    expect(expectSameContacts(surfaces, { thickness })).toBeGreaterThan(20);
  });

  test('very large and very small, seed 16', () => {
    const random = seededRandom(16);
    for (const factor of [1e-25, 1e-6, 1e6, 1e25]) {
      const surface = scaled(crumpled(random, 9, 0.5, 0.8), factor);
      expect(expectSameContacts([surface])).toBeGreaterThan(0);
    }
    // one point, and two neighbouring numbers
    expectSameContacts([{ positions: [1e15, 2, 3], indices: [0, 0, 0] }]);
    expectSameContacts([{ positions: [1e6, 0, 0, 1e6 + 2 ** -33, 0, 0], indices: [0, 1, 1] }]);
  });

  full('without motion: what lies on a grid touches in many ways, seed 17', () => {
    const random = seededRandom(17);
    const grid = (list: number[]) => list.map((x) => Math.round(4 * x));
    for (let run = 0; run < runs(5); run++) {
      const loose = soup(random, 25, 1, 0);
      const still = { ...loose, positions: grid(loose.positions), end: grid(loose.positions) };
      expect(expectSameContacts([still])).toBeGreaterThan(50);
    }
  });

  full('coarse grids, repeated corners, triangles that lie twice, loose vertices, seed 18', () => {
    const index = fc.integer({ min: 0, max: 9 });
    const place = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 36, maxLength: 36 });
    const triangles = fc.array(fc.tuple(index, index, index), { minLength: 2, maxLength: 14 });
    fc.assert(
      fc.property(place, place, triangles, fc.constantFrom(0, 0.25), (positions, end, list, thickness) => {
        const indices = [...list, list[0]].flat();
        expectSameContacts([{ positions, end, indices }], { thickness });
      }),
      { seed: 18, numRuns: runs(150) },
    );
  });
});

describe('what counts', () => {
  test('the sliver between two triangles that fold onto each other', () => {
    // a long thin triangle (0 1 2) joins two ordinary ones; its normal says nothing, and they meet across it
    const positions = [0, 0, 0, 4, 0, 0, 2, 1e-6, 0, 2, -3, 0, 2, 1, 2];
    const indices = [0, 1, 2, 1, 0, 3, 2, 1, 4];
    const end = [...positions.slice(0, 12), 2, -1, -0.5]; // the raised flap comes down on the other
    const surface = { positions, indices, end };
    expect(expectSameContacts([surface])).toBeGreaterThan(0);
    const { vertices, faces } = contactsBy([surface], {});
    expect(faces.some((face, i) => face === 1 && vertices[4 * i] === 4)).toBe(true);
  });

  test('neighbours count only where they touch', () => {
    const flat = patch(12, (u, v) => [u, v, 0]);
    expect(expectSameContacts([flat], { thickness: 0.03 })).toBe(0);
    const events = contactsBy([folding(12, -0.2)], { thickness: 0.01 });
    expect(events['kinds'].length).toBeGreaterThan(0);
  });

  test('in order: vertices with faces, then edges, by their numbers, each once', () => {
    const random = seededRandom(19);
    const surfaces = [crumpled(random, 10, 0.5, 1), crumpled(random, 10, 0.5, 1)];
    const events = contactsBy(surfaces, {});
    const keys = events['kinds'].map((kind, i) => {
      const [a, b] = [events['surfaces'][2 * i], events['surfaces'][2 * i + 1]];
      const [v0, v1, v2, v3] = events['vertices'].slice(4 * i, 4 * i + 4) as [number, number, number, number];
      return kind === VERTEX_FACE ? [kind, a, v0, b, events['faces'][i]] : [kind, a, v0, v1, b, v2, v3];
    });
    for (let i = 1; i < keys.length; i++) {
      const differs = keys[i].findIndex((value, k) => value !== keys[i - 1][k]);
      if (!(keys[i][differs] > keys[i - 1][differs])) expect.fail(`${keys[i - 1]} before ${keys[i]}`);
    }
    expect(keys.length).toBeGreaterThan(500);
  });

  test('times, weights and normals say where the elements are', () => {
    const random = seededRandom(20);
    const surface = crumpled(random, 12, 0.5, 1);
    const { end, positions } = surface;
    const events = contactsBy([surface], {});
    const at = (vertex: number, t: number) =>
      [0, 1, 2].map((c) => positions[3 * vertex + c] * (1 - t) + end![3 * vertex + c] * t);
    for (let i = 0; i < events['kinds'].length; i++) {
      const t = events['times'][i];
      const p = events['vertices'].slice(4 * i, 4 * i + 4).map((vertex) => at(vertex, t));
      const [s, r] = events['weights'].slice(2 * i, 2 * i + 2) as [number, number];
      const shares = events['kinds'][i] === EDGE_EDGE ? [1 - s, s, r - 1, -r] : [1, s + r - 1, -s, -r];
      const apart = [0, 1, 2].map((c) => shares.reduce((sum, share, k) => sum + share * p[k][c], 0));
      const length = Math.hypot(...events['normals'].slice(3 * i, 3 * i + 3));
      if (!(Math.hypot(...apart) < 5e-7 && Math.abs(length - 1) < 5e-13))
        expect.fail(`event ${i}: ${apart}, ${length}`);
    }
    expect(events['kinds'].length).toBeGreaterThan(30);
  });
});

describe('surfaces that change', () => {
  test('come, go and get other triangles between steps, seed 21', () => {
    const random = seededRandom(21);
    const detectors = (['hash', 'brute'] as const).map((broadPhase) => new Deformables({ broadPhase }));
    const answers = () => {
      const [hash, brute] = detectors.map((detector) => plain(detector.continuous()));
      expectEqualAnswers(hash, brute);
      return brute['kinds'].length;
    };
    const add = (input: Moving) => detectors.map((detector) => detector.add(input));
    const cloth = crumpled(random, 10, 0.5, 0.7);
    const cloths = add(cloth);
    for (const surface of cloths) surface.moveTo(cloth.end!);
    const first = answers();
    expect(first).toBeGreaterThan(0);
    const grounds = add({ ...patch(5, (u, v) => [u, v, 0.1]), kind: 'static' });
    expect(answers()).toBeGreaterThan(first);
    // half of the cloth is torn off
    const half = cloth.indices.slice(0, cloth.indices.length / 2);
    for (const surface of cloths) surface.setTopology(cloth.end!, half);
    for (const surface of cloths) surface.moveTo(cloth.positions);
    expect(answers()).toBeGreaterThan(0);
    for (const ground of grounds) ground.setTopology([0, 0, 5, 1, 0, 5, 0, 1, 5], [0, 1, 2]);
    const apart = answers();
    for (const ground of grounds) ground.remove();
    expect(answers()).toBe(apart);
    for (const detector of detectors) detector.dispose();
  });

  test('move far away, and leave static ones behind, seed 24', () => {
    const random = seededRandom(24);
    const cloth = crumpled(random, 10, 0.5, 0.7);
    const { end: _, ...ground } = soup(random, 30, 0.4, 0);
    const detectors = (['hash', 'brute'] as const).map((broadPhase) => {
      const detector = new Deformables({ broadPhase });
      detector.add({ ...ground, kind: 'static' });
      return { detector, surface: detector.add(cloth) };
    });
    let events = 0;
    for (const far of [0, 1e5, 3, 0]) {
      const [hash, brute] = detectors.map(({ detector, surface }) => {
        surface.setStep(
          translated(cloth, [far, far, far]).positions,
          translated(cloth, [far, far, far]).end!,
        );
        return plain(detector.continuous());
      });
      expectEqualAnswers(hash, brute);
      events += brute['kinds'].length;
    }
    expect(events).toBeGreaterThan(100);
    for (const { detector } of detectors) detector.dispose();
  });

  test('the same step gives the same bits, whatever was asked before, seed 22', () => {
    const random = seededRandom(22);
    const surfaces = [crumpled(random, 12, 0.5, 1), soup(random, 30, 0.3, 0.3)];
    const detector = detectorOf(surfaces, {});
    const first = plain(detector.continuous());
    detector.intersecting();
    detector.within({ distance: 0.1 });
    expectEqualAnswers(plain(detector.continuous()), first);
    detector.dispose();
    expectEqualAnswers(contactsBy(surfaces, {}), first);
  });
});
