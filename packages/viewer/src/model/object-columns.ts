/**
 * What lists, trees and plans need of all objects of a store, in its unit; made in a worker, see `object-worker.ts`.
 */

/** By what the tree of objects can be ordered. */
export const TREE_TEXTS = ['file', 'discipline', 'storey', 'type'] as const;
export type TreeText = (typeof TREE_TEXTS)[number];

export interface SharedTexts {
  /** The different ones. */
  readonly list: readonly string[];
  /** For every object the number of its own. */
  readonly of: Uint32Array;
}

export interface ObjectColumns {
  readonly count: number;
  readonly title: string;
  /** Of coordinates. */
  readonly metresPerUnit: number;
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly texts: Readonly<Record<TreeText, SharedTexts>>;
  /** Six numbers each: the least and the greatest corner. */
  readonly boxes: Float64Array;
  readonly triangles: Float64Array;
}

export function textOf(columns: ObjectColumns, text: TreeText, object: number): string {
  const { list, of } = columns.texts[text];
  return list[of[object]];
}

/** All that is said about one object. */
export interface ObjectDetails {
  readonly object: number;
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly type: string;
  readonly discipline: string;
  readonly file: string;
  readonly storey: string;
  readonly rounding: number;
  readonly curveError: number;
  readonly labels: readonly (readonly [kind: string, texts: readonly string[]])[];
  readonly relations: readonly (readonly [kind: string, ids: readonly string[]])[];
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly box: readonly number[];
  readonly triangles: number;
  readonly closed: boolean;
}

export interface Found {
  readonly objects: Uint32Array;
  /** False where the properties are too many to be searched. */
  readonly withProperties: boolean;
}

/** What the worker is asked. */
export type ObjectQuestion = 'open' | 'details' | 'search';

/** The least box around objects; undefined without any. */
export function boxAround(columns: ObjectColumns, objects: Iterable<number>): number[] | undefined {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const object of objects) {
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis], columns.boxes[6 * object + axis]);
      box[axis + 3] = Math.max(box[axis + 3], columns.boxes[6 * object + axis + 3]);
    }
  }
  return box[0] <= box[3] ? box : undefined;
}

export function* allObjects(columns: ObjectColumns): Generator<number> {
  for (let object = 0; object < columns.count; object++) yield object;
}
