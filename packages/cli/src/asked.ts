/** Two sides of `collide` or `distance` in one form, whether both are files or one of them is a store. */
import { parseError } from './quantities.js';
import {
  type AskedPart,
  type AskOptions,
  lengthText,
  partOf,
  readSides,
  sideJson,
  sidesTable,
} from './sides.js';
import { isStore } from './store-extension.js';

export interface Asked {
  readonly a: readonly AskedPart[];
  readonly b: readonly AskedPart[];
  readonly metresPerUnit: number;
  /** In metres. */
  readonly error: number;
  /** Parts are meshes, and each is one object. */
  readonly isOfFiles: boolean;
  /** Both are one file as it lies: its objects are compared with each other. */
  readonly sameFile: boolean;
  readonly table: string;
  readonly json: object;
  readonly readMs: number;
  lengthText(metres: number): string;
  dispose(): Promise<void>;
}

/** Whether both are files that are asked exactly. */
export function areFiles(nameA: string, nameB: string, { error }: AskOptions): boolean {
  return error === undefined && !isStore(nameA) && !isStore(nameB);
}

export function openAsked(nameA: string, nameB: string, options: AskOptions): Promise<Asked> {
  return areFiles(nameA, nameB, options)
    ? readFiles(nameA, nameB, options)
    : openStores(nameA, nameB, options);
}

async function readFiles(nameA: string, nameB: string, options: AskOptions): Promise<Asked> {
  const sides = await readSides(nameA, nameB, options);
  return {
    ...sides,
    a: sides.a.objects.map(partOf),
    b: sides.b.objects.map(partOf),
    error: 0,
    isOfFiles: true,
    table: sidesTable(sides, options),
    json: { a: sideJson(sides.a), b: sideJson(sides.b) },
    dispose: async () => {},
  };
}

async function openStores(nameA: string, nameB: string, options: AskOptions): Promise<Asked> {
  const { askedJson, askedTable, openSides } = await import('./asked-sides.js');
  const permitted = parseError(options.error, '--error');
  const sides = await openSides(nameA, nameB, permitted, options);
  const { a, b, metresPerUnit, error } = sides;
  return {
    a: a.parts,
    b: b.parts,
    metresPerUnit,
    error,
    isOfFiles: false,
    sameFile: false,
    table: askedTable(sides, permitted, options),
    json: { a: askedJson(a), b: askedJson(b), error },
    readMs: sides.openMs,
    lengthText,
    dispose: () => sides.dispose(),
  };
}
