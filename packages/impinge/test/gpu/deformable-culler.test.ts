/** The deformables with a culler equal the deformables without, whatever happens to the surfaces. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../scenes/index.mjs';
import { arena } from '../../src/base/arena.js';
import {
  Deformables,
  type StandingSurface,
  type Surface,
  type TrianglePairs,
} from '../../src/deform/index.js';
import { DeformableCuller, type DeformableCullerOptions, VisibilityCuller } from '../../src/gpu.js';
import { StoredSurfaces } from '../../src/query/scene/stored-surfaces.js';
import {
  crumpled,
  detectorOf,
  folding,
  type Moving,
  ofAllKinds,
  patch,
  scaled,
  soup,
  translated,
} from '../deform/surfaces.js';
import { describeOnNodeGpu } from './devices.js';

const plain = ({ count, surfaces, triangles }: TrianglePairs) => ({
  count,
  surfaces: [...surfaces],
  triangles: [...triangles],
});
const loudly = { onFallback: (message: string) => expect.fail(message) };
const CULLER: DeformableCullerOptions = { engine: 'culler', resolution: 64, ...loudly };

const random = seededRandom(41);
const { end: _, ...ground } = crumpled(random, 8, 0.3, 0);
const grid = (list: number[]) => list.map((x) => Math.round(4 * x));
const loose = soup(random, 40, 1, 1);
const welded = patch(7, (u, v) => [u, v, 0.3 * Math.sin(9 * u * v)]);
const scenes: [string, Moving[]][] = [
  ['loose triangles', [soup(random, 80, 0.4, 0.3)]],
  ['a crumpled cloth', [crumpled(random, 12, 0.6, 2)]],
  ['a cloth folding through itself', [folding(12, 0.1)]],
  ['a flat cloth', [patch(9, (u, v) => [u, v, 0])]],
  ['surfaces of all kinds', ofAllKinds(random, ground)],
  ['triangles on a grid', [{ ...loose, positions: grid(loose.positions), end: grid(loose.end!) }]],
  [
    'far away',
    [
      translated(soup(random, 60, 0.4, 0.3), [1e6, -2e6, 3e6]),
      translated(ground as Moving, [1e6, -2e6, 3e6]),
    ],
  ],
  ['sizes from 1 to 1000', [soup(random, 150, 0.01, 0.02), scaled(soup(random, 5, 1, 0.1), 10)]],
  [
    'corners that coincide without being one',
    [
      {
        indices: welded.indices.map((_, i) => i),
        positions: welded.indices.flatMap((v) => welded.positions.slice(3 * v, 3 * v + 3)),
      },
    ],
  ],
  [
    'corners that coincide in float32 only',
    [
      scaled(translated(soup(random, 30, 1e-9, 0), [1, 1, 1]), 1),
      translated(soup(random, 10, 0.5, 0), [1, 1, 1]),
    ],
  ],
];

describe.each(scenes)('%s, seed 41', (_, surfaces) => {
  test('meet and are close as by the hash', async () => {
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

/** Surfaces that come, go, move, break and drift; returns the number of pairs. */
async function live(detector: Deformables, culler: DeformableCuller, seed: number, steps: number) {
  const next = seededRandom(seed);
  const held: { surface: Surface; motion: Moving }[] = [];
  const arrive = () => {
    const motion = next() < 0.5 ? crumpled(next, 7, 0.4, 1) : soup(next, 15, 0.4, 0.5);
    const kind = next() < 0.2 ? 'static' : next() < 0.4 ? 'rigid' : 'deforming';
    held.push({ motion, surface: detector.add({ ...motion, kind, group: Math.floor(3 * next()) }) });
  };
  for (let i = 0; i < 4; i++) arrive();
  let pairs = 0;
  let drift = 0;
  for (let step = 0; step < steps; step++) {
    const distance = [0, 0.02, 0][step % 3];
    const found = await culler.within({ distance });
    expect(plain(found), `step ${step}`).toEqual(plain(detector.within({ distance })));
    pairs += found.count;
    // from the tenth step on everything flies away, far enough for an origin to be left behind
    drift += step > 10 ? 1000 : 0;
    for (const { surface, motion } of held) {
      if (surface.kind === 'static' || next() < 0.2) continue;
      const t = next();
      surface.moveTo(motion.positions.map((x, i) => x + t * (motion.end![i] - x) + drift / 3));
    }
    if (next() < 0.3) held.splice(Math.floor(held.length * next()), 1)[0]?.surface.remove();
    if (next() < 0.4) arrive();
    const broken = held[Math.floor(held.length * next())];
    if (broken && next() < 0.3) {
      const motion = soup(next, 10, 0.5, 0.5);
      broken.motion = motion;
      broken.surface.setTopology(motion.positions, motion.indices);
    }
  }
  for (const { surface } of held) surface.remove();
  return pairs;
}

async function liveOn(device: 'cpu' | GPUDevice, seed: number, steps: number, options = CULLER) {
  const detector = new Deformables();
  const culler = new DeformableCuller(detector, device, options);
  const pairs = await live(detector, culler, seed, steps);
  culler.dispose();
  detector.dispose();
  return pairs;
}

describe('surfaces with a culler', () => {
  test.each([1, 2, 3])('answer as the detector does, through anything, seed %i', async (seed) => {
    expect(await liveOn('cpu', seed, 30)).toBeGreaterThan(100);
  });

  test('leave nothing behind', async () => {
    await liveOn('cpu', 4, 10);
    const before = arena().usedBytes;
    for (let i = 0; i < 3; i++) await liveOn('cpu', 5 + i, 12);
    expect(arena().usedBytes).toBe(before);
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
    expect(() => cloth.remove()).toThrowError(/at work/);
    expect(() => detector.intersecting()).toThrowError(/at work/);
    await expect(culler.intersecting()).rejects.toThrowError(/at work/);
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
    expect(plain(detector.intersecting())).toEqual(plain(expected));
    detector.dispose();
  });
});

await describeOnNodeGpu('surfaces with a culler on WebGPU', (open) => {
  const options = { ...CULLER, resolution: 32, levels: ['boxes'] } as const;

  test('answer as the detector does, seed 8', async () => {
    const device = await open();
    expect(await liveOn(device, 8, 4, options)).toBeGreaterThan(10);
    device.destroy();
  });

  test.each(scenes.filter(([title]) => title.startsWith('corners')))('%s', async (_, surfaces) => {
    const device = await open();
    const detector = detectorOf(surfaces, {});
    const culler = new DeformableCuller(detector, device, options);
    expect(plain(await culler.intersecting())).toEqual(plain(detector.intersecting()));
    culler.dispose();
    detector.dispose();
    device.destroy();
  });
});
