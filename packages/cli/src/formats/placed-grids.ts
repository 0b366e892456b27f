/** Grids where their file is put, and in the unit of the model. */
import type { StoreGrid } from '@impinge/model';

/** `pose` is in the unit of the file: rotation (9, row-major), translation (3). */
export function placedGrids(
  grids: readonly StoreGrid[],
  pose: ArrayLike<number> | undefined,
  factor: number,
): StoreGrid[] {
  type Vector = readonly [number, number, number];
  const turned = (p: Vector, scale: number, isPoint: boolean): [number, number, number] => {
    const row = (k: number) => {
      if (!pose) return scale * p[k];
      const [x, y, z] = [pose[3 * k], pose[3 * k + 1], pose[3 * k + 2]];
      return scale * (x * p[0] + y * p[1] + z * p[2] + (isPoint ? pose[9 + k] : 0));
    };
    return [row(0), row(1), row(2)];
  };
  return grids.map(({ axes }) => ({
    axes: axes.map(({ tag, family, point, along }) => ({
      tag,
      family,
      point: turned(point, factor, true),
      along: turned(along, 1, false),
    })),
  }));
}
