/** Shapes of a file where it stands in the model. */
import type { SourceObject, SourceShape } from '@impinge/model';
import { changedObjects, placeOf } from './source-object.js';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] as const;

/** The transformation of every object of a file. */
export interface FilePlace {
  /** Rotation (9, row-major) and translation (3), in the file's unit; undefined: it stays where it is. */
  readonly pose: ArrayLike<number> | undefined;
  readonly discipline?: string | undefined;
}

export function placedShape(shape: SourceShape, { pose, discipline }: FilePlace): SourceShape {
  if (pose === undefined && discipline === undefined) return shape;
  const placed = (object: SourceObject): SourceObject => ({
    ...object,
    ...(discipline !== undefined && { discipline }),
    ...(pose !== undefined && { pose: composed(pose, placeOf(object) ?? IDENTITY) }),
  });
  return { ...shape, objects: changedObjects(shape.objects, placed) };
}

/** Poses of twelve numbers: `b` is applied first. */
export function composed(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(12);
  for (let row = 0; row < 3; row++) {
    const r = 3 * row;
    for (let column = 0; column < 3; column++) {
      out[r + column] = a[r] * b[column] + a[r + 1] * b[3 + column] + a[r + 2] * b[6 + column];
    }
    out[9 + row] = a[r] * b[9] + a[r + 1] * b[10] + a[r + 2] * b[11] + a[9 + row];
  }
  return out;
}

/** The same pose with lengths in another unit, given in metres. */
export function inUnits(pose: ArrayLike<number>, metresPerUnit: number): Float64Array {
  return Float64Array.from(pose, (x, i) => (i < 9 ? x : x / metresPerUnit));
}
