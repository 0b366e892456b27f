/** The facts about the objects of a model by which pairs are left out: classes, boxes, and ties to each other. */
import type { StoredModel } from '../../store/model.js';
import {
  isIfcGuid,
  isRelation,
  type LabelKind,
  NOTES,
  OBJECT_TEXTS,
  type RelationKind,
} from '../../store/source.js';

const FILE = OBJECT_TEXTS.indexOf('file');
const ID = OBJECT_TEXTS.indexOf('id');
const TYPE = OBJECT_TEXTS.indexOf('type');

/** The names that an object refers to, by relation. */
type Ties = { readonly [Kind in RelationKind]?: readonly number[] };

const NONE: readonly number[] = [];

export class ObjectFacts {
  readonly #model: StoredModel;
  #ties: ObjectTies | undefined;

  constructor(model: StoredModel) {
    this.#model = model;
  }

  /** A length in the model's unit. */
  metres(length: number): number {
    return length / this.#model.meta.metresPerUnit;
  }

  /** Six numbers: the least and the greatest corner. */
  box(object: number): Float64Array {
    return this.#model.box(object);
  }

  /** The extent of an object's box along an axis. */
  extent(object: number, axis: 0 | 1 | 2): number {
    const box = this.box(object);
    return box[3 + axis] - box[axis];
  }

  /** One of an object's own axes in the model, by its number. */
  ownAxis(object: number, k: number): readonly number[] {
    const axes = this.#model.axes(object);
    return [axes[k], axes[3 + k], axes[6 + k]];
  }

  discipline(object: number): string {
    return this.#model.text(object, 'discipline');
  }

  materials(object: number): readonly string[] {
    return this.#model.object(object).labels?.material ?? [];
  }

  /** The labels of one kind of the objects that have any; undefined where none has. */
  labels(kind: LabelKind): ReadonlyMap<number, readonly string[]> | undefined {
    const { directory: d, objectCount } = this.#model;
    const note = NOTES.indexOf(kind);
    const found = new Map<number, readonly string[]>();
    for (let object = 0; object < objectCount; object++) {
      for (let i = d.objectFirstNote[object]; i < d.objectFirstNote[object + 1]; i++) {
        if (d.objectNote[2 * i] === note) found.set(object, this.#model.object(object).labels?.[kind] ?? []);
      }
    }
    return found.size === 0 ? undefined : found;
  }

  /** Whether two objects have one GUID in different files; names such as `cube` say nothing. */
  isOneInTwoFiles(a: number, b: number): boolean {
    const { objectText: text } = this.#model.directory;
    const [atA, atB] = [OBJECT_TEXTS.length * a, OBJECT_TEXTS.length * b];
    if (text[atA + ID] !== text[atB + ID] || text[atA + FILE] === text[atB + FILE]) return false;
    return isIfcGuid(this.#model.object(a).id);
  }

  /** Selects objects by their class; undefined where there are none. Each class is compared once. */
  ofType(pattern: RegExp): ((object: number) => boolean) | undefined {
    const { directory, objectCount } = this.#model;
    const matches = new Map<number, boolean>();
    const has = (object: number) => {
      const type = directory.objectText[OBJECT_TEXTS.length * object + TYPE];
      let is = matches.get(type);
      if (is === undefined) matches.set(type, (is = pattern.test(this.#model.object(object).type)));
      return is;
    };
    for (let object = 0; object < objectCount; object++) if (has(object)) return has;
    return undefined;
  }

  /** Undefined where the model has no relations. */
  get ties(): ObjectTies | undefined {
    this.#ties ??= new ObjectTies(this.#model);
    return this.#ties.count === 0 ? undefined : this.#ties;
  }
}

/**
 * The relations of a model's objects.
 *
 * Layout: objects are named by file and id, as numbers of strings of the store; a name that nothing refers to has none.
 * A reference to a whole is a reference to its parts.
 */
export class ObjectTies {
  readonly #ties = new Map<number, Ties>();
  /** By object: its name; 0 if nothing refers to it. */
  readonly #self: Uint32Array;

  constructor({ directory: d, objectCount }: StoredModel) {
    const names = new Map<string, number>();
    const nameOf = (object: number, id: number) =>
      `${d.objectText[OBJECT_TEXTS.length * object + FILE]} ${id}`;
    for (let object = 0; object < objectCount; object++) {
      const [first, end] = [d.objectFirstNote[object], d.objectFirstNote[object + 1]];
      const ties: { [Kind in RelationKind]?: number[] } = {};
      for (let i = first; i < end; i++) {
        const note = NOTES[d.objectNote[2 * i]];
        if (!isRelation(note)) continue;
        const name = nameOf(object, d.objectNote[2 * i + 1]);
        if (!names.has(name)) names.set(name, names.size + 1);
        (ties[note] ??= []).push(names.get(name)!);
      }
      if (Object.keys(ties).length > 0) this.#ties.set(object, ties);
    }
    this.#self = new Uint32Array(names.size === 0 ? 0 : objectCount);
    for (let object = 0; object < this.#self.length; object++) {
      this.#self[object] = names.get(nameOf(object, d.objectText[OBJECT_TEXTS.length * object + ID])) ?? 0;
    }
  }

  /** The number of objects that refer to others. */
  get count(): number {
    return this.#ties.size;
  }

  /** Whether a refers to b, or to a whole that b is a part of. */
  refers(kind: RelationKind, a: number, b: number): boolean {
    const names = this.#ties.get(a)?.[kind] ?? NONE;
    if (names.length === 0) return false;
    return names.includes(this.#self[b]) || this.#wholes(b).some((whole) => names.includes(whole));
  }

  /** Whether a is a part of b. */
  isPart(a: number, b: number): boolean {
    return this.#wholes(a).includes(this.#self[b]);
  }

  shareWhole(a: number, b: number): boolean {
    const wholes = this.#wholes(b);
    return wholes.length > 0 && this.#wholes(a).some((whole) => wholes.includes(whole));
  }

  #wholes(object: number): readonly number[] {
    return this.#ties.get(object)?.partOf ?? NONE;
  }
}
