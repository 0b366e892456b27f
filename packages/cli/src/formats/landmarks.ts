/** By which people find their way in a building: grids, storeys, rooms. */
import type { StoreGrid, StoreOpening, StoreRoom, StoreSourceFile, StoreStorey } from '@impinge/model';

export interface Landmarks {
  readonly grids: readonly StoreGrid[];
  readonly storeys: readonly StoreStorey[];
  readonly rooms: readonly StoreRoom[];
  /** For services: these are no places, but in their files just like them. */
  readonly openings: readonly StoreOpening[];
}

export const NO_LANDMARKS: Landmarks = { grids: [], storeys: [], rooms: [], openings: [] };

type Vector = readonly [number, number, number];

/** Where their file is put, and in the unit of the model, without empty lists. */
export function placedLandmarks(
  { grids = [], storeys = [], rooms = [], openings = [] }: Partial<Landmarks>,
  pose: ArrayLike<number> | undefined,
  factor: number,
): Pick<StoreSourceFile, 'grids' | 'storeys' | 'rooms' | 'openings'> {
  const placed = placing(pose, factor);
  const placedShape = <Shape extends StoreRoom>(shape: Shape): Shape => ({
    ...shape,
    positions: shape.positions.flatMap((_, i, all) =>
      i % 3 === 0 ? placed([all[i], all[i + 1], all[i + 2]]) : [],
    ),
  });
  return {
    ...(grids.length > 0 && {
      grids: grids.map(({ axes }) => ({
        axes: axes.map(({ tag, family, point, along }) => ({
          tag,
          family,
          point: placed(point),
          along: placing(pose, 1)(along, 0),
        })),
      })),
    }),
    ...(storeys.length > 0 && {
      storeys: storeys.map(({ name, elevation }) => ({ name, elevation: placed([0, 0, elevation])[2] })),
    }),
    ...(rooms.length > 0 && { rooms: rooms.map(placedShape) }),
    ...(openings.length > 0 && { openings: openings.map(placedShape) }),
  };
}

/** `pose` is in the unit of the file: rotation (9, row-major), translation (3), which directions (0) do without. */
function placing(pose: ArrayLike<number> | undefined, factor: number) {
  return (p: Vector, translated: 0 | 1 = 1): [number, number, number] => {
    const row = (k: number) => {
      if (!pose) return factor * p[k];
      const [x, y, z] = [pose[3 * k], pose[3 * k + 1], pose[3 * k + 2]];
      return factor * (x * p[0] + y * p[1] + z * p[2] + translated * pose[9 + k]);
    };
    return [row(0), row(1), row(2)];
  };
}
