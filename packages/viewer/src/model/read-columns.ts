/** Reads the objects' data from a store's directory. Runs in a worker. */
import type { ObjectInfo, PropertyValue, StoredModel } from '@impinge/model';
import { Names } from '../../../cli/src/wire/names.js';
import { oneLine } from '../../../ui/src/text.js';
import { type ObjectColumns, type ObjectDetails, TREE_TEXTS, type TreeText } from './object-columns.js';

const NAME_MAX = 200;

export function readColumns(model: StoredModel): ObjectColumns {
  const count = model.objectCount;
  const names: string[] = new Array(count);
  const ids: string[] = new Array(count);
  const triangles = new Float64Array(count);
  const texts = byTreeText(() => ({ names: new Names(), of: new Uint32Array(count) }));
  for (let object = 0; object < count; object++) {
    const info = model.object(object);
    names[object] = shownName(info);
    ids[object] = info.id;
    triangles[object] = model.trianglesOf(object);
    for (const text of TREE_TEXTS) texts[text].of[object] = texts[text].names.indexOf(info[text]);
  }
  return {
    count,
    title: oneLine(model.meta.title),
    metresPerUnit: model.meta.metresPerUnit,
    names,
    ids,
    texts: byTreeText((text) => ({
      list: texts[text].names.list.map((one) => oneLine(one)),
      of: texts[text].of,
    })),
    boxes: model.directory.objectBox.slice(),
    triangles,
    elevations: Object.fromEntries(
      model.meta.files
        .flatMap(({ storeys = [] }) => storeys)
        .map(({ name, elevation }) => [oneLine(name), elevation]),
    ),
  };
}

function byTreeText<T>(make: (text: TreeText) => T): Record<TreeText, T> {
  return Object.fromEntries(TREE_TEXTS.map((text) => [text, make(text)])) as Record<TreeText, T>;
}

/** The displayed name of an object. */
function shownName({ name, path, id, type }: ObjectInfo): string {
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
