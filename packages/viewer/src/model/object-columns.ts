/**
 * The data of all objects for lists, trees and plans, in the store's unit; read in a worker, see `object-worker.ts`.
 */

import type { ObjectInfo } from '@impinge/model';

/** The ways to group the tree of objects. */
export const TREE_TEXTS = ['file', 'discipline', 'storey', 'type'] as const;
export type TreeText = (typeof TREE_TEXTS)[number];

export interface SharedTexts {
  /** The distinct texts. */
  readonly list: readonly string[];
  /** The index of every object's text. */
  readonly of: Uint32Array;
}

export interface ObjectColumns {
  readonly count: number;
  readonly title: string;
  /** Unit of coordinates. */
  readonly metresPerUnit: number;
  readonly names: readonly string[];
  readonly ids: readonly string[];
  readonly texts: Readonly<Record<TreeText, SharedTexts>>;
  /** Six numbers each: minimum and maximum. */
  readonly boxes: Float64Array;
  readonly triangles: Float64Array;
  /** Heights of floors by the names of storeys, as far as files state them. */
  readonly elevations: Readonly<Record<string, number>>;
}

export function textOf(columns: ObjectColumns, text: TreeText, object: number): string {
  const { list, of } = columns.texts[text];
  return list[of[object]];
}

/** All data of one object. */
export interface ObjectDetails extends Omit<ObjectInfo, 'labels'> {
  readonly object: number;
  readonly labels: readonly (readonly [kind: string, texts: readonly string[]])[];
  readonly relations: readonly (readonly [kind: string, ids: readonly string[]])[];
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly box: readonly number[];
  readonly triangles: number;
  readonly closed: boolean;
}

export interface Found {
  readonly objects: Uint32Array;
  /** False if there are too many properties to search. */
  readonly withProperties: boolean;
}

/** The worker's queries. */
export type ObjectQuestion = 'open' | 'details' | 'search';

/** The bounding box of objects; undefined if there are none. */
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
