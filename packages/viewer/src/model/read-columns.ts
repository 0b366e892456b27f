/** Reads the objects' data from a store's directory. Runs in a worker. */
import type { PropertyValue, StoredModel } from '@impinge/model';
import { oneLine } from '../../../ui/src/text.js';
import type { ObjectColumns, ObjectDetails, SharedTexts, TreeText } from './object-columns.js';
import { TREE_TEXTS } from './object-columns.js';

const NAME_MAX = 200;

export function readColumns(model: StoredModel): ObjectColumns {
  const count = model.objectCount;
  const names: string[] = new Array(count);
  const ids: string[] = new Array(count);
  const triangles = new Float64Array(count);
  const texts = Object.fromEntries(TREE_TEXTS.map((text) => [text, new Texts(count)])) as Record<
    TreeText,
    Texts
  >;
  for (let object = 0; object < count; object++) {
    const info = model.object(object);
    names[object] = shownName(info);
    ids[object] = info.id;
    triangles[object] = model.trianglesOf(object);
    for (const text of TREE_TEXTS) texts[text].set(object, info[text]);
  }
  return {
    count,
    title: oneLine(model.meta.title),
    metresPerUnit: model.meta.metresPerUnit,
    names,
    ids,
    texts: Object.fromEntries(TREE_TEXTS.map((text) => [text, texts[text].shared])) as Record<
      TreeText,
      SharedTexts
    >,
    boxes: model.directory.objectBox.slice(),
    triangles,
  };
}

/** The displayed name of an object. */
function shownName({
  name,
  path,
  id,
  type,
}: {
  name: string;
  path: string;
  id: string;
  type: string;
}): string {
  return oneLine(name || path.slice(path.lastIndexOf('/') + 1) || id || type || 'unnamed', NAME_MAX);
}

export async function readDetails(model: StoredModel, object: number): Promise<ObjectDetails> {
  const { labels = {}, ...info } = model.object(object);
  const properties = (await model.properties(object)) ?? {};
  return {
    object,
    ...info,
    name: shownName(info),
    labels: Object.entries(labels).map(([kind, texts]) => [kind, texts.map((text) => oneLine(text))]),
    relations: Object.entries(model.relations(object)).map(([kind, ids]) => [kind, [...ids]]),
    properties: Object.entries(properties).map(([name, value]) => [oneLine(name), valueText(value)]),
    box: [...model.box(object)],
    triangles: model.trianglesOf(object),
    closed: model.isClosed(object),
  };
}

function valueText(value: PropertyValue): string {
  // files contain 0.6090000000000002 for 0.609
  return oneLine(String(typeof value === 'number' ? Number(value.toPrecision(9)) : value), 2000);
}

/** Numbers texts. */
class Texts {
  readonly #list: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #of: Uint32Array;

  constructor(count: number) {
    this.#of = new Uint32Array(count);
  }

  set(object: number, text: string): void {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#list.push(oneLine(text)) - 1;
      this.#numbers.set(text, number);
    }
    this.#of[object] = number;
  }

  get shared(): SharedTexts {
    return { list: this.#list, of: this.#of };
  }
}
