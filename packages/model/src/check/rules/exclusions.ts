/**
 * Pairs of objects that belong together according to their file, and are left out of a check: every coordinator would
 * write these rules first.
 *
 * Layout: objects are named by file and id, as numbers of strings of the store; a name that nothing refers to has none.
 * A reference to a whole is a reference to its parts.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import type { StoredModel } from '../../store/model.js';
import { isLabel, NOTES, OBJECT_TEXTS, type RelationKind } from '../../store/source.js';

/** In the order in which a pair counts for them: descriptions of the excluded pairs. */
export const EXCLUSION_TABLE = {
  openings: 'a door or window, and the element with its opening',
  coverings: 'insulation or a covering, and the element that it covers',
  connections: 'elements connected by ports, such as a pipe and its fitting',
  wholes: 'a part, and the whole that it belongs to',
  assemblies: 'parts of one assembly',
} as const;

export type Exclusion = keyof typeof EXCLUSION_TABLE;
export const EXCLUSIONS = Object.keys(EXCLUSION_TABLE) as Exclusion[];

/** The exclusions to apply: all, none, or all but the false ones. */
export type ExclusionChoice = boolean | { readonly [Name in Exclusion]?: boolean };

/** Throws `bad-option`. */
export function readExclusions(choice: ExclusionChoice = true): Exclusion[] {
  if (typeof choice === 'boolean') return choice ? EXCLUSIONS : [];
  if (typeof choice !== 'object' || choice === null)
    throw new ImpingeError(
      'bad-option',
      `exclusions is ${shown(choice)}, not true, false or a list of names`,
    );
  for (const [name, value] of Object.entries(choice)) {
    if (!Object.hasOwn(EXCLUSION_TABLE, name))
      throw new ImpingeError(
        'bad-option',
        `there is no exclusion "${name}"; the exclusions are ${EXCLUSIONS.join(', ')}`,
      );
    if (value !== undefined && typeof value !== 'boolean')
      throw new ImpingeError('bad-option', `exclusion ${name} is ${shown(value)}, not true or false`);
  }
  return EXCLUSIONS.filter((name) => choice[name] !== false);
}

const FILE = OBJECT_TEXTS.indexOf('file');
const ID = OBJECT_TEXTS.indexOf('id');

/** The names that an object refers to, by relation. */
type Ties = { readonly [Kind in RelationKind]: readonly number[] };

const NO_TIES: Ties = { fills: [], partOf: [], connectedTo: [], covers: [] };

export class Exclusions {
  readonly #applied: ReadonlySet<Exclusion>;
  readonly #ties = new Map<number, Ties>();
  /** By object: its name; 0 if nothing refers to it. */
  readonly #self: Uint32Array;

  constructor({ directory: d, objectCount }: StoredModel, applied: readonly Exclusion[]) {
    this.#applied = new Set(applied);
    const names = new Map<string, number>();
    const nameOf = (object: number, id: number) =>
      `${d.objectText[OBJECT_TEXTS.length * object + FILE]} ${id}`;
    for (let object = 0; object < objectCount && applied.length > 0; object++) {
      const [first, end] = [d.objectFirstNote[object], d.objectFirstNote[object + 1]];
      if (first === end) continue;
      const ties: { [Kind in RelationKind]?: number[] } = {};
      for (let i = first; i < end; i++) {
        const note = NOTES[d.objectNote[2 * i]];
        if (isLabel(note)) continue;
        const name = nameOf(object, d.objectNote[2 * i + 1]);
        if (!names.has(name)) names.set(name, names.size + 1);
        (ties[note] ??= []).push(names.get(name)!);
      }
      if (Object.keys(ties).length > 0) this.#ties.set(object, { ...NO_TIES, ...ties });
    }
    this.#self = new Uint32Array(names.size === 0 ? 0 : objectCount);
    for (let object = 0; object < this.#self.length; object++) {
      this.#self[object] = names.get(nameOf(object, d.objectText[OBJECT_TEXTS.length * object + ID])) ?? 0;
    }
  }

  /** Why a pair is left out; undefined: it is not. */
  of(i: number, j: number): Exclusion | undefined {
    const a = this.#ties.get(i);
    const b = this.#ties.get(j);
    if (a === undefined && b === undefined) return undefined;
    return EXCLUSIONS.find((name) => this.#applied.has(name) && this.#applies(name, i, j));
  }

  #applies(name: Exclusion, i: number, j: number): boolean {
    if (name === 'openings') return this.#refers('fills', i, j) || this.#refers('fills', j, i);
    if (name === 'coverings') return this.#refers('covers', i, j) || this.#refers('covers', j, i);
    if (name === 'connections') return this.#refers('connectedTo', i, j) || this.#refers('connectedTo', j, i);
    const [ofI, ofJ] = [this.#ties.get(i)?.partOf ?? [], this.#ties.get(j)?.partOf ?? []];
    if (name === 'wholes') return ofI.includes(this.#self[j]) || ofJ.includes(this.#self[i]);
    return ofI.some((whole) => ofJ.includes(whole));
  }

  /** Whether i refers to j, or to a whole that j is a part of. */
  #refers(kind: RelationKind, i: number, j: number): boolean {
    const names = this.#ties.get(i)?.[kind] ?? [];
    if (names.length === 0) return false;
    return (
      names.includes(this.#self[j]) ||
      (this.#ties.get(j)?.partOf.some((whole) => names.includes(whole)) ?? false)
    );
  }
}
