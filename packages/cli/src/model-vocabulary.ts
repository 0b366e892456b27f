/**
 * The words that a model uses for its objects, and how often: types, storeys, systems, names of properties and so on;
 * needed to write rules. If there are very many different ones, only the first are counted.
 */
import { LABEL_KINDS, type ObjectInfo, type PropertyValue, type StoredModel } from '@impinge/model';

export const WORD_FIELDS = [...(['type', 'storey', 'discipline', 'file'] as const), ...LABEL_KINDS];
export type WordField = (typeof WORD_FIELDS)[number];

/** The fields that are counted. */
export type Described = Pick<ObjectInfo, 'type' | 'storey' | 'discipline' | 'file' | 'labels'>;

export interface Word {
  readonly text: string;
  readonly count: number;
}

export interface PropertyWord {
  readonly name: string;
  /** Number of objects that have it. */
  readonly count: number;
  /** The most frequent of the values that were kept. */
  readonly values: readonly Word[];
  /** The range of numeric values; undefined if there are none. */
  readonly range: { readonly min: number; readonly max: number } | undefined;
}

export interface Vocabulary {
  readonly objects: number;
  /** The most frequent first; objects without one are not counted. */
  readonly words: { readonly [Field in WordField]: readonly Word[] };
  /** By name. */
  readonly properties: readonly PropertyWord[];
}

const MAX_WORDS = 10_000;
const MAX_PROPERTIES = 10_000;
const MAX_VALUES = 100;
const MAX_VALUE_LENGTH = 80;
const VALUES_SHOWN = 5;

interface PropertyCount {
  count: number;
  readonly values: Map<string, number>;
  min: number;
  max: number;
}

export class VocabularyCounter {
  #objects = 0;
  readonly #words = new Map(WORD_FIELDS.map((field) => [field, new Map<string, number>()]));
  readonly #properties = new Map<string, PropertyCount>();

  add(object: Described, properties: Readonly<Record<string, PropertyValue>> | undefined): void {
    this.#objects++;
    for (const [field, words] of this.#words) {
      for (const text of textsOf(object, field)) if (text !== '') countIn(words, text, MAX_WORDS);
    }
    for (const [name, value] of Object.entries(properties ?? {})) this.#addProperty(name, value);
  }

  get vocabulary(): Vocabulary {
    const words = [...this.#words].map(([field, counts]) => [field, sorted(counts)]);
    const properties = [...this.#properties].map(([name, { count, values, min, max }]) => {
      const range = min <= max ? { min, max } : undefined;
      return { name, count, values: sorted(values).slice(0, VALUES_SHOWN), range };
    });
    properties.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { objects: this.#objects, words: Object.fromEntries(words), properties };
  }

  #addProperty(name: string, value: PropertyValue): void {
    let known = this.#properties.get(name);
    if (known === undefined) {
      if (this.#properties.size >= MAX_PROPERTIES) return;
      known = { count: 0, values: new Map(), min: Infinity, max: -Infinity };
      this.#properties.set(name, known);
    }
    known.count++;
    countIn(known.values, String(value).slice(0, MAX_VALUE_LENGTH), MAX_VALUES);
    if (typeof value !== 'number') return;
    known.min = Math.min(known.min, value);
    known.max = Math.max(known.max, value);
  }
}

/** The vocabulary of a stored model; reading the properties of all objects takes a while, so it is optional. */
export async function vocabularyOf(model: StoredModel, withProperties: boolean): Promise<Vocabulary> {
  const counter = new VocabularyCounter();
  await countModel(model, counter, withProperties);
  return counter.vocabulary;
}

export async function countModel(
  model: StoredModel,
  counter: VocabularyCounter,
  withProperties: boolean,
): Promise<void> {
  for (let i = 0; i < model.objectCount; i++) {
    counter.add(model.object(i), withProperties ? await model.properties(i) : undefined);
  }
}

function textsOf(object: Described, field: WordField): readonly string[] {
  switch (field) {
    case 'type':
    case 'storey':
    case 'discipline':
    case 'file':
      return [object[field]];
    default:
      return object.labels?.[field] ?? [];
  }
}

function countIn(counts: Map<string, number>, text: string, most: number): void {
  const known = counts.get(text);
  if (known !== undefined || counts.size < most) counts.set(text, (known ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Word[] {
  const words = [...counts].map(([text, count]) => ({ text, count }));
  return words.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
}
