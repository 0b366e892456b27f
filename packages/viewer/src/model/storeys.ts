/** The storeys of a model: where files say that they are, else from the boxes of their objects. */

import { compareNames } from '../../../ui/src/text.js';
import { boxAround, type ObjectColumns } from './object-columns.js';

export interface Storey {
  readonly name: string;
  /** The height of its floor. */
  readonly floor: number;
  readonly box: readonly number[];
}

/** Heights that differ less count as equal, in metres. */
const STEP = 0.05;

/** From the lowest to the highest. */
export function storeysOf(columns: ObjectColumns): Storey[] {
  const { list, of } = columns.texts.storey;
  const members: number[][] = list.map(() => []);
  for (let object = 0; object < columns.count; object++) {
    if (columns.boxes[6 * object] <= columns.boxes[6 * object + 3]) members[of[object]].push(object);
  }
  const step = STEP / columns.metresPerUnit;
  return list
    .flatMap((name, i) => {
      const box = boxAround(columns, members[i]);
      const bottoms = members[i].map((object) => columns.boxes[6 * object + 2]);
      return name !== '' && box
        ? [{ name, floor: columns.elevations[name] ?? floorOf(bottoms, step), box }]
        : [];
    })
    .sort((p, q) => p.floor - q.floor || compareNames(p.name, q.name));
}

/**
 * The most frequent bottom among the lower half: walls, doors and furniture stand on the floor; slabs reach below it,
 * and objects under the ceiling are in the upper half.
 */
function floorOf(bottoms: number[], step: number): number {
  bottoms.sort((p, q) => p - q);
  const lower = bottoms.slice(0, Math.max(1, Math.ceil(bottoms.length / 2)));
  const counts = new Map<number, number>();
  for (const z of lower) counts.set(Math.round(z / step), (counts.get(Math.round(z / step)) ?? 0) + 1);
  const [most] = [...counts].reduce((best, one) => (one[1] > best[1] ? one : best));
  return lower.find((z) => Math.round(z / step) === most)!;
}
