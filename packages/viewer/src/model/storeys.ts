/** The storeys of a model, by the boxes of their objects. */

import { compareNames } from '../../../ui/src/text.js';
import type { ObjectColumns } from './object-columns.js';

export interface Storey {
  readonly name: string;
  /** The height of its floor, as good as boxes tell. */
  readonly floor: number;
  readonly box: readonly number[];
}

/** Heights that differ less count as one, in metres. */
const STEP = 0.05;

/** From the lowest to the highest. */
export function storeysOf(columns: ObjectColumns): Storey[] {
  const { list, of } = columns.texts.storey;
  const members: number[][] = list.map(() => []);
  for (let object = 0; object < columns.count; object++) {
    if (columns.boxes[6 * object] <= columns.boxes[6 * object + 3]) members[of[object]].push(object);
  }
  return list
    .flatMap((name, i) => (name !== '' && members[i].length > 0 ? [storeyOf(columns, name, members[i])] : []))
    .sort((p, q) => p.floor - q.floor || compareNames(p.name, q.name));
}

function storeyOf({ boxes, metresPerUnit }: ObjectColumns, name: string, objects: readonly number[]): Storey {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const object of objects) {
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis], boxes[6 * object + axis]);
      box[axis + 3] = Math.max(box[axis + 3], boxes[6 * object + axis + 3]);
    }
  }
  return {
    name,
    floor: floorOf(
      objects.map((object) => boxes[6 * object + 2]),
      STEP / metresPerUnit,
    ),
    box,
  };
}

/**
 * Where most of them stand, of the lower half: walls, doors and furniture stand on the floor; slabs reach below it, and
 * what hangs from the ceiling is in the upper half.
 */
function floorOf(bottoms: number[], step: number): number {
  bottoms.sort((p, q) => p - q);
  const lower = bottoms.slice(0, Math.max(1, Math.ceil(bottoms.length / 2)));
  const counts = new Map<number, number>();
  for (const z of lower) counts.set(Math.round(z / step), (counts.get(Math.round(z / step)) ?? 0) + 1);
  const [most] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  return lower.find((z) => Math.round(z / step) === most)!;
}
