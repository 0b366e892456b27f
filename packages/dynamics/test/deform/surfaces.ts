/** Surfaces for tests of the detector: soups, patches, and how they move. All from a seeded generator. */
import { expect } from 'vitest';
import {
  type ContactEvents,
  Deformables,
  type DeformablesOptions,
  type SurfaceInput,
} from '../../src/index.js';

export interface Moving extends SurfaceInput {
  readonly positions: number[];
  readonly indices: number[];
  /** Where the vertices go; static surfaces have none. */
  readonly end?: number[];
}

/** Loose triangles of about `size` in a cube, each vertex flying `speed` in a direction of its own. */
export function soup(random: () => number, count: number, size: number, speed: number): Moving {
  const positions: number[] = [];
  const end: number[] = [];
  for (let t = 0; t < count; t++) {
    const middle = [random(), random(), random()];
    for (let k = 0; k < 9; k++) {
      const x = middle[k % 3] + size * (random() - 0.5);
      positions.push(x);
      end.push(x + speed * (random() - 0.5));
    }
  }
  return { positions, end, indices: positions.slice(0, 3 * count).map((_, i) => i) };
}

/** A square cloth of n by n vertices over [0, 1]², `place` says where a point of it is. */
export function patch(n: number, place: (u: number, v: number) => readonly number[]): Moving {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) positions.push(...place(i / (n - 1), j / (n - 1)));
  }
  for (let j = 0; j + 1 < n; j++) {
    for (let i = 0; i + 1 < n; i++) {
      const at = j * n + i;
      indices.push(at, at + 1, at + n, at + 1, at + n + 1, at + n);
    }
  }
  return { positions, indices };
}

/** A cloth in random waves, whose waves change during the step. */
export function crumpled(random: () => number, n: number, height: number, change: number): Moving {
  const waves = Array.from({ length: 6 }, () => [
    1 + 9 * random(),
    9 * random(),
    7 * random(),
    random(),
    random(),
    random(),
  ]);
  const wavy = (shift: number) =>
    patch(n, (u, v) => {
      const p = [u, v, 0];
      for (const [k, l, phase, ...direction] of waves) {
        const wave = height * Math.sin(k * u + l * v + phase + shift);
        for (let c = 0; c < 3; c++) p[c] += wave * (direction[c] - 0.5);
      }
      return p;
    });
  return { ...wavy(0), end: wavy(change).positions };
}

/** A cloth folded in half, whose upper half comes down through the lower one. */
export function folding(n: number, depth: number): Moving {
  const folded = (gap: number) =>
    patch(n, (u, v) =>
      u < 0.5 ? [u, v, 0] : [1.0037 - u, v + 0.013, gap * (u - 0.5) + 0.02 * Math.sin(40 * v)],
    );
  return { ...folded(0.3), end: folded(-depth).positions };
}

export function translated(surface: Moving, shift: readonly number[]): Moving {
  const move = (list: number[]) => list.map((x, i) => x + shift[i % 3]);
  return {
    ...surface,
    positions: move(surface.positions),
    ...(surface.end && { end: move(surface.end) }),
  };
}

export function scaled(surface: Moving, factor: number): Moving {
  const scale = (list: number[]) => list.map((x) => x * factor);
  return { ...surface, positions: scale(surface.positions), ...(surface.end && { end: scale(surface.end) }) };
}

/** Two of one collision group, one rigid, and a ground that stands, twice. */
export function ofAllKinds(random: () => number, ground: SurfaceInput): Moving[] {
  return [
    { ...crumpled(random, 8, 0.3, 0.5), collisionGroup: 1 },
    { ...ground, kind: 'static' } as Moving,
    { ...crumpled(random, 8, 0.3, 0.5), collisionGroup: 1, self: false },
    { ...soup(random, 20, 0.3, 0.2), kind: 'rigid' },
    { ...translated(ground as Moving, [0.05, 0, 0.05]), kind: 'static' },
  ];
}

/** A detector that holds the surfaces, each at the start of its step. */
export function detectorOf(surfaces: readonly Moving[], options: DeformablesOptions): Deformables {
  const detector = new Deformables(options);
  for (const { end, ...input } of surfaces) {
    const surface = detector.add(input);
    if (end) surface.moveTo(end);
  }
  return detector;
}

/** Everything an answer holds, as plain arrays that outlive it. */
export function plain(events: ContactEvents) {
  const { kinds, surfaces, vertices, faces, times, weights, normals } = events;
  return Object.fromEntries(
    Object.entries({ kinds, surfaces, vertices, faces, times, weights, normals }).map(([name, list]) => [
      name,
      [...list],
    ]),
  );
}

type Answer = ReturnType<typeof plain>;

/** Equal to the last bit; compared by hand, since matchers take their time with 10⁵ numbers. */
export function expectEqualAnswers(found: Answer, expected: Answer, what = ''): void {
  const same = Object.keys(expected).every((name) => {
    const [a, b] = [found[name], expected[name]];
    return a.length === b.length && a.every((x, i) => Object.is(x, b[i]));
  });
  if (!same) expect(found, what).toEqual(expected);
  expect(same, what).toBe(true);
}

/** The answer of one strategy for a step. */
export function contactsBy(surfaces: readonly Moving[], options: DeformablesOptions) {
  const detector = detectorOf(surfaces, options);
  try {
    return plain(detector.continuous());
  } finally {
    detector.dispose();
  }
}

/** Holds `hash` to brute force, and returns the number of events. */
export function expectSameContacts(surfaces: readonly Moving[], options: DeformablesOptions = {}): number {
  const expected = contactsBy(surfaces, { ...options, broadPhase: 'brute' });
  expectEqualAnswers(contactsBy(surfaces, { ...options, broadPhase: 'hash' }), expected);
  return expected['kinds'].length;
}
