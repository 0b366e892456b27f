/** Bodies as surfaces of a detector, and which of them meet. */
import { Deformables } from '../deform/deformables.js';
import type { SurfaceInput, TrianglePairs } from '../deform/types.js';
import type { Body } from './body.js';

/** The collision group of bodies that keep their shape. */
const SHAPED = 1;

/** Pairs of triangles that meet, and the first of them. */
export interface Meeting {
  readonly count: number;
  readonly first: readonly { readonly object: string; readonly triangle: number }[] | undefined;
}

/** Compares all bodies but scenery with scenery. */
export function meetingOf(all: readonly Body[], thickness: number): Meeting {
  // those without triangles are not in memory
  const bodies = all.filter(({ indices }) => indices.length > 0);
  const detector = new Deformables({ thickness });
  try {
    for (const body of bodies) detector.add(surfaceInput(body, body.kind !== 'dynamic'));
    return meetingIn(detector.intersecting(), (id) => bodies[id]);
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

export function meetingIn(
  { count, surfaces, triangles }: TrianglePairs,
  bodyOf: (id: number) => Body,
): Meeting {
  const first = [0, 1].map((side) => ({
    object: count > 0 ? bodyOf(surfaces[side]).name : '',
    triangle: triangles[side],
  }));
  return { count, first: count > 0 ? first : undefined };
}
