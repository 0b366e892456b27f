/** Places and sizes of the files of a model, to detect one that is out of place. Lengths are metres. */
import type { StoredModel, StoreSourceFile } from '@impinge/model';
import { type Box, distanceBoxBox, emptyBox, growBox } from '../box.js';

export interface FileExtent {
  readonly name: string;
  readonly source: StoreSourceFile | undefined;
  readonly objects: number;
  readonly box: Box;
  /** The longest side of the box around all its objects. */
  readonly extent: number;
  readonly largest: { readonly name: string; readonly extent: number };
}

/** The extents of files that have objects, in the order of these. */
export function fileExtents(model: StoredModel): FileExtent[] {
  const { metresPerUnit, files } = model.meta;
  const found = new Map<string, { objects: number; box: Box; largest: { name: string; extent: number } }>();
  for (let i = 0; i < model.objectCount; i++) {
    const name = model.text(i, 'file');
    let own = found.get(name);
    if (own === undefined)
      found.set(name, (own = { objects: 0, box: emptyBox(), largest: { name: '', extent: -1 } }));
    const box = Float64Array.from(model.box(i), (x) => metresPerUnit * x);
    growBox(own.box, box);
    own.objects++;
    if (longestSide(box) > own.largest.extent)
      own.largest = { name: model.text(i, 'name'), extent: longestSide(box) };
  }
  return [...found].map(([name, own]) => ({
    name,
    source: files.find((file) => file.name === name),
    ...own,
    extent: longestSide(own.box),
  }));
}

export function longestSide(box: Box): number {
  return Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

export function shortestSide(box: Box): number {
  return Math.min(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

/** The box around all of them. */
export function boxOfAll(files: readonly FileExtent[]): Box {
  const box = emptyBox();
  for (const file of files) growBox(box, file.box);
  return box;
}

/** The distance of a box from the origin. */
export function fromOrigin(box: Box): number {
  return distanceBoxBox(box, new Float64Array(6));
}
