/** The deformables with a culler equal the deformables without, whatever happens to the surfaces. */
import { Deformables, type StandingSurface, type Surface } from '@impinge/dynamics';
import { arena } from 'impinge/internal/base/arena.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { every, full } from '../../../test/budget.js';
import { crumpled, detectorOf } from '../../dynamics/test/deform/surfaces.js';
import { DeformableCuller, VisibilityCuller } from '../src/index.js';
import { StoredSurfaces } from '../src/stored-surfaces.js';
import { CULLER, ground, liveOn, plain, scenes } from './deforming-life.js';

const random = seededRandom(42);

describe.each(scenes)('%s, seed 41', (_, surfaces) => {
  full('meet and are close as by the hash', async () => {
    const detector = detectorOf(surfaces, { thickness: 0.013 });
    const culler = new DeformableCuller(detector, 'cpu', CULLER);
    expect(plain(await culler.intersecting())).toEqual(plain(detector.intersecting()));
    expect(plain(await culler.within())).toEqual(plain(detector.within()));
    expect(plain(await culler.within({ distance: 0.05 }))).toEqual(
      plain(detector.within({ distance: 0.05 })),
    );
    expect(plain(await culler.within({ distance: 1e-9 }))).toEqual(
      plain(detector.within({ distance: 1e-9 })),
    );
    culler.dispose();
    detector.dispose();
  });
});

describe('surfaces with a culler', () => {
  full.each(every([1, 2, 3], 3))('answer as the detector does, through anything, seed %i', async (seed) => {
    expect(await liveOn('cpu', seed, 30)).toBeGreaterThan(100);
  });

  full('leave nothing behind', async () => {
    await liveOn('cpu', 4, 10);
    const before = arena().usedBytes;
    for (let i = 0; i < 3; i++) await liveOn('cpu', 5 + i, 12);
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });

  test('say who answered, and what was looked at', async () => {
    const detector = detectorOf([crumpled(random, 12, 0.6, 2)], {});
    for (const engine of ['culler', 'cpu', 'auto'] as const) {
      const culler = new DeformableCuller(detector, 'cpu', { engine });
      const { stats, ...found } = await culler.intersecting();
      expect(found.engine).toBe(engine === 'culler' ? 'culler' : 'cpu');
      expect(found.culling?.backend).toBe(engine === 'culler' ? 'cpu' : undefined);
      expect(stats.triangles).toBe(242);
      expect(stats.testedPairs).toBeGreaterThanOrEqual(found.count);
      expect(stats.events).toBe(found.count);
      culler.dispose();
    }
    detector.dispose();
  });

  test('cannot be changed while asked, and go on after that', async () => {
    const detector = new Deformables();
    const cloth = detector.add(crumpled(random, 8, 0.6, 0));
    const culler = new DeformableCuller(detector, 'cpu', CULLER);
    const first = culler.intersecting();
    expect(() => cloth.remove()).toThrowError(/busy with/);
    expect(() => detector.intersecting()).toThrowError(/busy with/);
    await expect(culler.intersecting()).rejects.toThrowError(/busy with/);
    expect(plain(await first)).toEqual(plain(detector.intersecting()));
    await expect(culler.within({ distance: -1 })).rejects.toThrowError(/distance/);
    await expect(culler.within({ distance: Number.NaN })).rejects.toThrowError(/distance/);
    expect(plain(await culler.intersecting())).toEqual(plain(detector.intersecting()));
    cloth.remove();
    expect((await culler.intersecting()).count).toBe(0);
    culler.dispose();
    await expect(culler.intersecting()).rejects.toThrowError(/disposed/);
    expect(detector.intersecting().count).toBe(0);
    detector.dispose();
  });
});

test.each(scenes)('the reach covers what float32 loses of %s', (_, surfaces) => {
  const culler = new VisibilityCuller('cpu');
  const stored = new StoredSurfaces(culler);
  const detector = detectorOf(surfaces, {});
  for (const shift of [0, 1e-3, 1e5]) {
    for (const { end, ...input } of surfaces) {
      detector.add({ ...input, positions: input.positions.map((x) => x + shift) });
    }
    const reach = stored.follow(detector.surfaces);
    let [worst, size] = [0, 0];
    detector.surfaces.forEach((surface, s) => {
      const { positions, origin, box } = culler.objects[s].mesh;
      const end = surface.end();
      for (let i = 0; i < end.length; i += 3) {
        const off = [0, 1, 2].map((k) => positions[i + k] - (end[i + k] - origin[k]));
        worst = Math.max(worst, Math.hypot(...off));
      }
      size = Math.max(size, ...box.max.map((x, k) => x - box.min[k]));
    });
    expect(reach).toBeGreaterThan(2 * worst);
    expect(reach).toBeLessThan(4 * worst + 1e-8 * size + 2e-12 * shift + 1e-30);
  }
  detector.dispose();
  culler.dispose();
});

test('what flies far away gets another origin', () => {
  const culler = new VisibilityCuller('cpu');
  const stored = new StoredSurfaces(culler);
  const detector = detectorOf([crumpled(random, 8, 0.3, 0)], {});
  const near = stored.follow(detector.surfaces);
  const surface = detector.surfaces[0] as StandingSurface & Surface;
  surface.moveTo(surface.end().map((x) => x + 1e6));
  expect(stored.follow(detector.surfaces)).toBeLessThan(8 * near);
  expect(culler.objects.map(({ id }) => id)).toEqual([0]);
  detector.dispose();
  culler.dispose();
});

describe('candidates of another source', () => {
  test('may be any that hold what counts: none but these are looked at', async () => {
    const detector = detectorOf([crumpled(random, 8, 0.6, 0), { ...ground, kind: 'static' }], {});
    const expected = detector.intersecting();
    expect(expected.count).toBeGreaterThan(5);
    // every pair of all triangles, the wrong way round
    const all: [number, number][] = detector.surfaces.flatMap(({ id, indices }) =>
      Array.from({ length: indices.length / 3 }, (_, t) => [id, t] as [number, number]),
    );
    const pairs = all.flatMap((a, i) => all.slice(0, i).map((b) => [a, b] as const));
    const columns = (list: typeof pairs) => ({
      count: list.length,
      surfaces: Uint32Array.from(list.flatMap(([a, b]) => [a[0], b[0]])),
      triangles: Uint32Array.from(list.flatMap(([a, b]) => [a[1], b[1]])),
    });
    const ask = (list: typeof pairs) =>
      detector.withinBy({ candidates: async () => columns(list) }, { distance: 0 });
    expect(plain(await ask(pairs))).toEqual(plain(expected));
    expect((await ask([])).count).toBe(0);
    const failing = { candidates: () => Promise.reject(new Error('no candidates today')) };
    await expect(detector.withinBy(failing, { distance: 0 })).rejects.toThrowError('no candidates today');
    const strange = ask([[[99, 0], all[0]]]);
    await expect(strange).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('candidate 0'),
    });
    expect(plain(detector.intersecting())).toEqual(plain(expected));
    detector.dispose();
  });
});
