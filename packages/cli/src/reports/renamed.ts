/**
 * Recognises clashes of a baseline whose objects have other ids now: elements that were exported with other GUIDs, and
 * objects without GUIDs in a file of another name.
 *
 * Idea: an object of the baseline whose id is in the model no more is the one of now that has its name, type, tag and
 * place, if there is exactly one, and that one could be no other of the baseline. Then the rest of the clash, its other
 * object and its rule, decides. Objects that cannot be told apart are left alone: their clashes are new and resolved.
 */
import { isIfcGuid, type StoredModel } from '@impinge/model';
import { objectKey } from './group-clashes.js';
import type { ReportClash } from './report-data.js';

/** Which of these ids objects of the model have. */
export type IdsInModel = (ids: ReadonlySet<string>) => ReadonlySet<string>;

export function idsIn(model: StoredModel): IdsInModel {
  return (ids) => {
    const found = new Set<string>();
    for (let object = 0; object < model.objectCount; object++) {
      const id = model.text(object, 'id');
      if (ids.has(id)) found.add(id);
    }
    return found;
  };
}

type ClashObject = ReportClash['a'];
type Objects = ReadonlyMap<string, ClashObject>;

/** Coordinates of reports are written to the nanometre, and places computed anew differ by more, in metres. */
const PLACE_ERROR = 1e-6;

/** The clash of the baseline that each of these clashes was, by their ids: those that are not known by their own. */
export function renamedClashes(
  clashes: readonly ReportClash[],
  baseline: readonly ReportClash[],
  idsInModel: IdsInModel,
): Map<string, ReportClash> {
  const [present, known] = [clashes, baseline].map((of) => new Set(of.map(({ id }) => id)));
  const fresh = clashes.filter(({ id }) => !known.has(id));
  const gone = baseline.filter(({ id }) => !present.has(id));
  const found = new Map<string, ReportClash>();
  if (fresh.length === 0 || gone.length === 0) return found;
  const [now, then] = [objectsOf(clashes), objectsOf(baseline)];
  const became = sameObjects(without(objectsOf(gone), now), without(objectsOf(fresh), then), idsInModel);
  const byPair = new Map<string, ReportClash | undefined>();
  for (const clash of fresh) {
    const key = pairKey(clash, objectKey);
    byPair.set(key, byPair.has(key) ? undefined : clash);
  }
  const keyNow = (object: ClashObject) => {
    const key = objectKey(object);
    return now.has(key) ? key : (became.get(key) ?? '');
  };
  for (const clash of gone) {
    const same = byPair.get(pairKey(clash, keyNow));
    if (same) found.set(same.id, clash);
  }
  return found;
}

/** A zone is its owner's: there the order of the objects tells clashes apart. */
function pairKey({ a, b, kind, rule }: ReportClash, keyOf: (object: ClashObject) => string): string {
  const keys = [keyOf(a), keyOf(b)];
  return JSON.stringify([rule, ...(kind === 'obstruction' ? ['zone', ...keys] : keys.sort())]);
}

function objectsOf(clashes: readonly ReportClash[]): Map<string, ClashObject> {
  return new Map(clashes.flatMap(({ a, b }) => [a, b].map((object) => [objectKey(object), object] as const)));
}

function without(objects: Objects, others: Objects): Map<string, ClashObject> {
  return new Map([...objects].filter(([key]) => !others.has(key)));
}

/** The keys of the objects that these became, where that is certain. */
function sameObjects(before: Objects, after: Objects, idsInModel: IdsInModel): Map<string, string> {
  const still = idsInModel(new Set([...before.values()].map(({ id }) => id)));
  const byId = indexed(after, ({ id }) => id);
  const alike = indexed(after, appearance);
  const candidates = [...before].map(([key, object]) => {
    const ofId = byId.get(object.id) ?? [];
    const kept = ofId.length === 1 && isIfcGuid(object.id) ? ofId : placedAs(object, ofId);
    return [
      key,
      still.has(object.id) ? kept : placedAs(object, alike.get(appearance(object)) ?? []),
    ] as const;
  });
  const claims = new Map<Entry, number>();
  for (const [, those] of candidates) for (const one of those) claims.set(one, (claims.get(one) ?? 0) + 1);
  return new Map(
    candidates.flatMap(([key, those]) =>
      those.length === 1 && claims.get(those[0]) === 1 ? [[key, those[0].key]] : [],
    ),
  );
}

interface Entry {
  readonly key: string;
  readonly object: ClashObject;
}

/** A name that the id was made of changes with it. */
function appearance({ name, id, type, labels }: ClashObject): string {
  return JSON.stringify([id.startsWith(name) ? '' : name, type, labels?.tag ?? []]);
}

/** Lists of objects with equal keys, sorted by their places along x. */
function indexed(objects: Objects, keyOf: (object: ClashObject) => string): Map<string, Entry[]> {
  const lists = new Map<string, Entry[]>();
  for (const [key, object] of objects) {
    const own = lists.get(keyOf(object));
    if (own) own.push({ key, object });
    else lists.set(keyOf(object), [{ key, object }]);
  }
  for (const list of lists.values()) list.sort((p, q) => p.object.box.min[0] - q.object.box.min[0]);
  return lists;
}

/** Those of a list that are where this object was. */
function placedAs(object: ClashObject, list: readonly Entry[]): Entry[] {
  const found: Entry[] = [];
  const xOf = (i: number) => list[i].object.box.min[0];
  // objects of one file were rounded alike; where they were not, a match at another x is missed
  const error = 2 * errorOf(object, object);
  const x = object.box.min[0];
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xOf(middle) < x - error) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < list.length && xOf(i) <= x + error; i++)
    if (isSamePlace(object, list[i].object)) found.push(list[i]);
  return found;
}

/** Reports of earlier versions do not say where objects are: nothing is at their place. */
function isSamePlace(p: ClashObject, q: ClashObject): boolean {
  const error = errorOf(p, q);
  return (['min', 'max'] as const).every((end) =>
    p.box[end].every((x, k) => Math.abs(x - q.box[end][k]) <= error),
  );
}

function errorOf(p: ClashObject, q: ClashObject): number {
  return p.rounding + q.rounding + PLACE_ERROR;
}
