/** Bodies as surfaces of a detector, and its answers about those that meet. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { Deformables } from '../deform/deformables.js';
import type { ContactEvents, SurfaceInput, TrianglePairs } from '../deform/types.js';
import type { Body } from './body.js';
import type { PairFilter } from './pair-filter.js';
import { seamAdvice } from './surface-input.js';

/** The collision group of bodies that keep their shape. */
const SHAPED = 1;

/** Pairs of triangles that meet, and the first of them. */
export interface Meeting {
  readonly count: number;
  readonly first: readonly { readonly object: string; readonly triangle: number }[] | undefined;
}

/** Compares all bodies that meet at all, but for scenery with scenery. */
export function meetingOf(all: readonly Body[], thickness: number, filter: PairFilter): Meeting {
  // those without triangles are not in memory
  const bodies = all.filter(({ indices }) => indices.length > 0);
  const detector = new Deformables({ thickness });
  try {
    for (const body of bodies) detector.add(surfaceInput(body, body.kind !== 'dynamic'));
    return meetingIn(detector.intersecting(), (id) => bodies[id], filter);
  } finally {
    detector.dispose();
  }
}

export function surfaceInput(
  { positions, indices, name, kind, self }: Body,
  isShaped: boolean,
): SurfaceInput {
  return {
    positions,
    indices,
    name,
    kind: ({ dynamic: 'deforming', kinematic: 'rigid', fixed: 'static' } as const)[kind],
    self: self && kind === 'dynamic',
    ...(isShaped && { collisionGroup: SHAPED }),
  };
}

/** Of pairs of triangles, those of bodies that meet. */
export function meetingIn(
  { count: all, surfaces, triangles }: TrianglePairs,
  bodyOf: (id: number) => Body,
  filter: PairFilter,
): Meeting {
  let count = 0;
  let first: Meeting['first'];
  for (let i = 0; i < 2 * all; i += 2) {
    const [a, b] = [bodyOf(surfaces[i]), bodyOf(surfaces[i + 1])];
    if (a !== b && !filter.meet(a, b)) continue;
    count++;
    first ??= [a, b].map(({ name }, side) => ({ object: name, triangle: triangles[i + side] }));
  }
  return { count, first };
}

/** The events of bodies that meet. */
export function eventsOf(
  events: ContactEvents,
  bodyOf: (id: number) => Body,
  filter: PairFilter,
): ContactEvents {
  const { surfaces } = events;
  const kept = Array.from({ length: events.count }, (_, e) => e).filter((e) => {
    const [p, q] = [surfaces[2 * e], surfaces[2 * e + 1]];
    return p === q || filter.meet(bodyOf(p), bodyOf(q));
  });
  if (kept.length === events.count) return events;
  const pick = <T extends Float64Array | Uint32Array | Uint8Array>(list: T, width: number): T => {
    const picked = list.slice(0, width * kept.length) as T;
    kept.forEach((e, i) => {
      for (let k = 0; k < width; k++) picked[width * i + k] = list[width * e + k];
    });
    return picked;
  };
  return {
    count: kept.length,
    kinds: pick(events.kinds, 1),
    surfaces: pick(surfaces, 2),
    vertices: pick(events.vertices, 4),
    faces: pick(events.faces, 1),
    times: pick(events.times, 1),
    weights: pick(events.weights, 2),
    normals: pick(events.normals, 3),
    stats: events.stats,
  };
}

/** Throws, where triangles meet at the start of a step. */
export function assertFree({ count, first }: Meeting, bodies: readonly Body[]): void {
  if (!first) return;
  const [a, b] = first;
  const alone = bodies.find(({ name }) => name === a.object && a.object === b.object);
  throw new ImpingeError(
    'bad-input',
    `the start is not free: triangle ${a.triangle} of ${a.object} meets triangle ${b.triangle} of ${b.object}` +
      (count > 1 ? `, and ${count - 1} other pairs meet` : '') +
      (alone ? seamAdvice(alone.positions) : '') +
      '; nothing has moved, and stepping can continue once ' +
      (a.object === b.object ? 'it is' : 'one of the two is') +
      ' removed (remove() of its handle) or, if rigid, placed elsewhere (position, orientation)',
    { count, a, b },
  );
}
