/** The objects of STL, PLY, OBJ and glTF sources, and their rotation to Z up. */
import { basename } from 'node:path';
import type { SourceObject } from '@impinge/model';
import type { SourceFile } from './source-file.js';

/** (x, y, z) ↦ (x, −z, y): Y up to Z up, exact to the bit. */
const Y_UP_POSE = [1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0] as const;

/** Smaller entries of a rotation are taken as 0, as the library does: their products would underflow. */
const NEGLIGIBLE = 1e-30;

/** An object's pose as readers give it: twelve numbers. */
export function placeOf({ pose }: Pick<SourceObject, 'pose'>): Float64Array | undefined {
  return pose as Float64Array | undefined;
}

/** Maps the objects of a shape; an iterable that makes them anew each time still does. */
export function changedObjects(
  objects: Iterable<SourceObject>,
  change: (object: SourceObject) => SourceObject,
): Iterable<SourceObject> {
  if (Array.isArray(objects)) return objects.map(change);
  return madeEachTime(function* () {
    for (const object of objects) yield change(object);
  });
}

export function madeEachTime<T>(make: () => Iterator<T>): Iterable<T> {
  return { [Symbol.iterator]: make };
}

/** Gives every object of a file an id of its own: its name, or the name with a number where it is taken. */
export class ObjectIds {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  take(name: string): string {
    return numberedId(name, this.takeNumber(name));
  }

  /** The number for the name; 0: none. */
  takeNumber(name: string): number {
    let number = 0;
    while (this.#taken.has(numberedId(name, number))) {
      number = this.#next.get(name) ?? 2;
      this.#next.set(name, number + 1);
    }
    this.#taken.add(numberedId(name, number));
    return number;
  }
}

export function numberedId(name: string, number: number): string {
  return number === 0 ? name : `${name}#${number}`;
}

/** An object of a format that has only names; `path` is without the file's. */
export function plainObject(file: SourceFile, ids: ObjectIds, name: string, path: string): SourceObject {
  file.growth.object(name.length + 2 * path.length);
  return {
    id: ids.take(path),
    name,
    path: path === file.stem ? path : `${file.stem}/${path}`,
    type: '',
    discipline: file.stem,
    file: basename(file.path),
    storey: '',
    pose: file.options.up === 'y' ? Float64Array.from(Y_UP_POSE) : undefined,
  };
}

/** The pose of a Y-up matrix (column-major, rigid; undefined: the identity) in the Z-up world. */
export function poseFromYUp(matrix: ArrayLike<number> | undefined): Float64Array {
  const pose = Float64Array.from(Y_UP_POSE);
  if (matrix === undefined) return pose;
  for (let column = 0; column < 4; column++) {
    const x = matrix[4 * column];
    const y = matrix[4 * column + 1];
    const z = matrix[4 * column + 2];
    // a translation is behind the rotation, not a column of it
    const first = column === 3 ? 9 : column;
    const step = column === 3 ? 1 : 3;
    pose[first] = x;
    // 0 − z: there is no reason to hand on a −0
    pose[first + step] = 0 - z;
    pose[first + 2 * step] = y;
  }
  for (let i = 0; i < 9; i++) if (Math.abs(pose[i]) < NEGLIGIBLE) pose[i] = 0;
  return pose;
}
