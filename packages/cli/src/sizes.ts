/**
 * Sizes that make no sense, which are nearly always units: an object of kilometres, or a file a thousand times as large as
 * the others.
 */
import type { StoredModel } from 'impinge/store';
import { emptyBox, growBox } from './box.js';
import { decimal } from './terminal.js';

/** In metres. Roads and terrain may be as large; whoever checks them knows. */
const LARGE_OBJECT = 1000;
const LARGE_RATIO = 1000;
/** What a file that seems too large or too small by this factor is probably in. */
const UNITS = [
  { unit: 'mm', metres: 1e-3 },
  { unit: 'cm', metres: 1e-2 },
  { unit: 'in', metres: 0.0254 },
  { unit: 'ft', metres: 0.3048 },
] as const;

interface FileSize {
  readonly file: string;
  /** Of all its objects together, and of the largest of them. */
  extent: number;
  largest: number;
  name: string;
}

export interface SizeNote {
  readonly file: string;
  readonly note: string;
}

export function sizeNotes(model: StoredModel): SizeNote[] {
  const files = filesOf(model);
  return files.flatMap((one) => {
    const others = files.filter((other) => other !== one);
    const notes: string[] = [];
    if (one.largest > LARGE_OBJECT) {
      notes.push(`"${one.name}" is ${kilometres(one.largest)} long; ${unitHint(one)}`);
    }
    const next = others.reduce((most, { extent }) => Math.max(most, extent), 0);
    if (next > 0 && one.extent >= LARGE_RATIO * next) {
      const ratio = decimal(Number((one.extent / next).toPrecision(2)));
      notes.push(`it is ${ratio} times as large as all other files; ${unitHint(one)}`);
    }
    return notes.map((note) => ({ file: one.file, note }));
  });
}

function filesOf(model: StoredModel): FileSize[] {
  const { metresPerUnit } = model.meta;
  const found = new Map<string, FileSize & { readonly box: Float64Array }>();
  for (let i = 0; i < model.objectCount; i++) {
    const file = model.text(i, 'file');
    let own = found.get(file);
    if (own === undefined) {
      own = { file, name: model.text(i, 'name'), extent: 0, largest: 0, box: emptyBox() };
      found.set(file, own);
    }
    const box = model.box(i);
    growBox(own.box, box);
    const size = metresPerUnit * longest(box);
    if (size > own.largest) {
      own.largest = size;
      own.name = model.text(i, 'name');
    }
  }
  for (const own of found.values()) own.extent = metresPerUnit * longest(own.box);
  return [...found.values()];
}

function longest(box: ArrayLike<number>): number {
  return Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

/** The unit in which its largest object would be of a size that buildings and plants have. */
function unitHint({ file, largest }: FileSize): string {
  const fitting = UNITS.find(({ metres }) => metres * largest >= 0.1 && metres * largest <= LARGE_OBJECT / 4);
  const unit = fitting?.unit ?? 'mm';
  return `if it is in ${unit}, say so: --unit "${file}: ${unit}"`;
}

function kilometres(metres: number): string {
  return `${decimal(Number((metres / 1000).toPrecision(3)))} km`;
}
