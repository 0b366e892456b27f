/** Two sides of `collide` or `distance` in one form, whether both are files or one of them is a store. */
import { parseError } from './quantities.js';
import { type AskedPart, type AskOptions, readSides, type Sides, sideJson, sidesTable } from './sides.js';
import { isStore } from './store-extension.js';

export interface Asked extends Omit<Sides, 'a' | 'b'> {
  readonly a: readonly AskedPart[];
  readonly b: readonly AskedPart[];
  /** Parts are meshes, and each is one object. */
  readonly isOfFiles: boolean;
  readonly table: string;
  readonly json: object;
}

/** Whether both are files that are queried exactly. */
export function areFiles(nameA: string, nameB: string, { error }: AskOptions): boolean {
  return error === undefined && !isStore(nameA) && !isStore(nameB);
}

export async function openAsked(nameA: string, nameB: string, options: AskOptions): Promise<Asked> {
  if (areFiles(nameA, nameB, options)) return askedOf(await readSides(nameA, nameB, options), options);
  const { exactnessLine, openSides } = await import('./asked-sides.js');
  const permitted = parseError(options.error, '--error');
  const sides = await openSides(nameA, nameB, permitted, options);
  return askedOf(sides, options, `${exactnessLine(sides, permitted)}\n`);
}

/** `exactness`: how exactly stores are queried. */
function askedOf(sides: Sides, options: AskOptions, exactness?: string): Asked {
  const { a, b, error } = sides;
  const hasStores = exactness !== undefined;
  return {
    ...sides,
    ...{ a: a.parts, b: b.parts, isOfFiles: !hasStores },
    table: `${sidesTable(sides, options, hasStores)}${exactness ?? ''}`,
    json: { a: sideJson(a, hasStores), b: sideJson(b, hasStores), ...(hasStores && { error }) },
  };
}
