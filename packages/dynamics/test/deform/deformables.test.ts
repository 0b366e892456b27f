/** The detector from outside: what it refuses, what it keeps, and that it gives everything back. */
import { arena } from 'impinge/internal/base/arena.js';
import { describe, expect, test, vi } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { deformKernels } from '../../src/deform/kernels.generated.js';
import { Deformables, type SurfaceInput } from '../../src/index.js';
import { crumpled, detectorOf, plain, soup, translated } from './surfaces.js';

const triangle: SurfaceInput = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2], name: 'flag' };

describe('what is refused', () => {
  test.each([
    ['a coordinate too many', { positions: [0, 0, 0, 1], indices: [0, 0, 0] }, 'bad-input', /4 coordinates/],
    ['an index too many', { ...triangle, indices: [0, 1, 2, 0] }, 'bad-input', /flag: 4 indices/],
    ['no triangle', { ...triangle, indices: [] }, 'empty-mesh', /flag has no triangles/],
    [
      'an index out of range',
      { ...triangle, indices: [0, 1, 3] },
      'index-out-of-range',
      /flag: triangle 0 .* vertex 3/,
    ],
    ['half an index', { ...triangle, indices: [0, 1, 1.5] }, 'index-out-of-range', /vertex 1.5/],
    [
      'NaN',
      { ...triangle, positions: [0, 0, 0, 1, NaN, 0, 0, 1, 0] },
      'non-finite',
      /flag: vertex 1 .* NaN .* start/,
    ],
    ['an unknown kind', { ...triangle, kind: 'liquid' as 'rigid' }, 'bad-option', /liquid/],
    ['a negative collision group', { ...triangle, collisionGroup: -1 }, 'bad-option', /collisionGroup/],
  ])('%s', (_, input, code, message) => {
    const detector = new Deformables();
    expect(() => detector.add(input)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
    expect(detector.add(triangle).id).toBe(0);
    expect(detector.continuous().count).toBe(0);
    detector.dispose();
  });

  test.each([
    ['NaN', NaN, 'non-finite'],
    ['an infinite coordinate', -Infinity, 'non-finite'],
    ['an explosion', 1e31, 'bad-input'],
  ])('%s in a step, and the step before is kept', (_, value, code) => {
    const random = seededRandom(7);
    const cloth = crumpled(random, 9, 0.4, 0.6);
    const detector = detectorOf([{ ...cloth, name: 'sail' }], {});
    const surface = detector.add(translated(soup(random, 20, 0.4, 0.5), [0, 0, 0.1]));
    const before = plain(detector.continuous());
    expect(before['kinds'].length).toBeGreaterThan(0);
    const spoilt = new Float64Array(3 * surface.vertexCount);
    spoilt[31] = value;
    expect(() => surface.moveTo(spoilt)).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringMatching(/surface 1: vertex 10 .* end of the step/),
        detail: expect.objectContaining({ object: 'surface 1', vertex: 10, side: 'end' }),
      }),
    );
    expect(() => surface.setStep(spoilt, new Float64Array(spoilt.length))).toThrow(
      /vertex 10 .* start of the step/,
    );
    expect(() => surface.setTopology(spoilt, [0, 1, 2])).toThrow(/vertex 10/);
    expect(() => surface.setTopology([0, 0, 0], [0, 0, 1])).toThrow(/vertex 1, but there are 1/);
    expect(() => surface.moveTo([1, 2, 3])).toThrow(/surface 1: 3 coordinates .* 60 vertices/);
    expect(plain(detector.continuous())).toEqual(before);
    detector.dispose();
  });

  test('thickness, distance and strategy out of their domains', () => {
    for (const thickness of [-1, NaN, Infinity])
      expect(() => new Deformables({ thickness })).toThrow(/thickness/);
    expect(() => new Deformables({ broadPhase: 'guess' as 'hash' })).toThrow(/guess/);
    const detector = new Deformables();
    expect(() => detector.within({ distance: -1 })).toThrow(/distance/);
    detector.dispose();
  });

  test('a surface that was removed, a detector that was disposed, a static surface that moves', () => {
    const detector = new Deformables();
    const gone = detector.add(triangle);
    const still = detector.add({ ...triangle, kind: 'static', name: 'floor' });
    gone.remove();
    for (const use of [() => gone.remove(), () => gone.moveTo([]), () => gone.setTopology([], [])]) {
      expect(use).toThrow(expect.objectContaining({ code: 'removed', message: 'flag was removed' }));
    }
    expect(() => still.moveTo(triangle.positions)).toThrow(/floor is static/);
    detector.dispose();
    for (const use of [() => still.remove(), () => detector.continuous(), () => detector.add(triangle)]) {
      expect(use).toThrow(expect.objectContaining({ code: 'disposed' }));
    }
  });
});

describe('the life of a detector', () => {
  test('an empty detector finds nothing', () => {
    for (const broadPhase of ['hash', 'brute'] as const) {
      const detector = new Deformables({ broadPhase });
      expect(detector.continuous().count).toBe(0);
      expect(detector.intersecting().count).toBe(0);
      detector.dispose();
    }
  });

  test('static surfaces alone, and a rigid one that crosses itself, find nothing', () => {
    const crossing = soup(seededRandom(9), 40, 0.5, 0.5);
    for (const broadPhase of ['hash', 'brute'] as const) {
      const { end: _, ...still } = crossing;
      const detector = detectorOf(
        [
          { ...still, kind: 'static' },
          { ...still, kind: 'static', self: true },
        ],
        {
          broadPhase,
          thickness: 0.01,
        },
      );
      expect(detector.continuous().count).toBe(0);
      expect(detector.intersecting().count).toBe(0);
      const rigid = detector.add({ ...translated(crossing, [9, 0, 0]), kind: 'rigid' });
      rigid.moveTo(translated(crossing, [9.1, 0, 0]).positions);
      expect(detector.continuous().count).toBe(0);
      expect(detector.within().count).toBe(0);
      detector.dispose();
    }
  });

  test('ids are never given twice', () => {
    const detector = new Deformables();
    detector.add(triangle).remove();
    expect(detector.add(triangle).id).toBe(1);
    detector.dispose();
  });

  test('moveTo begins where the last step ended', () => {
    const detector = new Deformables();
    detector.add({ positions: [-9, -9, 0, 9, -9, 0, 0, 9, 0], indices: [0, 1, 2], kind: 'static' });
    const flag = detector.add(triangle);
    const at = (z: number) => [0, 0, z, 1, 0, z, 0, 1, z];
    flag.setStep(at(3), at(2));
    expect(detector.continuous().count).toBe(0);
    flag.moveTo(at(1));
    expect(detector.continuous().count).toBe(0);
    flag.moveTo(at(-1));
    const { count, times } = detector.continuous();
    expect(count).toBe(3);
    for (const time of times) expect(time).toBeCloseTo(0.5, 9);
    flag.moveTo(at(-2));
    expect(detector.continuous().count).toBe(0);
    detector.dispose();
  });

  test('nothing is left in the arena, and nothing more taken from step to step', () => {
    const random = seededRandom(3);
    const surfaces = [
      crumpled(random, 20, 0.5, 0.5),
      { ...soup(random, 50, 0.3, 0.3), kind: 'rigid' as const },
    ];
    detectorOf(surfaces, {}).dispose(); // compiles the kernels, which stay
    detectorOf(surfaces, {}).continuous();
    const used = arena().usedBytes;
    const detector = detectorOf(surfaces, {});
    detector.continuous();
    detector.intersecting();
    detector.within({ distance: 0.01 });
    const atWork = arena().usedBytes;
    for (let step = 0; step < 3; step++) {
      detector.continuous();
      detector.intersecting();
      detector.within({ distance: 0.01 });
    }
    expect(arena().usedBytes).toBeLessThanOrEqual(atWork);
    detector.dispose();
    expect(arena().usedBytes).toBeLessThanOrEqual(used);
  });

  test('without SIMD everything is compared with everything', async () => {
    const surfaces = [crumpled(seededRandom(8), 10, 0.5, 0.8)];
    const expected = plain(detectorOf(surfaces, {}).continuous());
    const supported = vi.spyOn(deformKernels, 'supported').mockReturnValue(false);
    const detector = detectorOf(surfaces, {});
    const events = detector.continuous();
    expect(events.stats.candidates).toBe(0);
    expect(plain(events)).toEqual(expected);
    const pool = {
      size: 0,
      call: () => Promise.reject(new Error('not called')),
      dispose: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    expect(plain(await detector.continuousParallel({ pool }))).toEqual(expected);
    supported.mockRestore();
    detector.dispose();
  });

  test('a clock gives the times of the stages', () => {
    let clock = 0;
    const detector = detectorOf([crumpled(seededRandom(5), 12, 0.5, 0.5)], { now: () => clock++ });
    const { ms } = detector.continuous().stats;
    expect(Object.keys(ms!)).toEqual(['sweep', 'grid', 'primitives', 'elements', 'exact', 'sort']);
    for (const value of Object.values(ms!)) expect(value).toBeGreaterThanOrEqual(1);
    detector.dispose();
  });
});
