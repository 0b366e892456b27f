/** What callers hand to a writer, looked at before anything of it is written. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readPositive } from 'impinge/internal/base/options.js';
import { LABELS, RELATIONS, type StoreMeta, TEXTS } from './layout.js';
import { isStoreMeta } from './meta.js';
import type { SourceObject, SourceShape } from './source.js';

function refuse(why: string, detail = {}): never {
  throw new ImpingeError('bad-input', why, detail);
}

/** A shape with its objects: of the geometry, only that it is one; of the objects, that their texts are texts. */
export function readShape(shape: SourceShape): SourceShape {
  const { geometry, objects } = Object(shape) as Partial<SourceShape>;
  const parts = Object(geometry) as { positions?: unknown; indices?: unknown; batches?: unknown };
  if (
    !(ArrayBuffer.isView(parts.indices) && ArrayBuffer.isView(parts.positions)) &&
    typeof parts.batches !== 'function'
  ) {
    refuse('the geometry of a shape must be positions and indices, or a stream');
  }
  if (!Array.isArray(objects)) refuse('the objects of a shape must be a list');
  for (const [i, object] of objects.entries()) {
    const missing = TEXTS.find((name) => typeof object?.[name] !== 'string');
    if (missing !== undefined) refuse(`object ${i} of a shape: ${missing} must be a string`, { object: i });
    for (const name of ['rounding', 'curveError'] as const) {
      if (!isError(object[name])) refuse(`object "${object.path}": ${name} must be a length of at least 0`);
    }
    const wrong = wrongNote(object, 'labels', LABELS) ?? wrongNote(object, 'relations', RELATIONS);
    if (wrong !== undefined) refuse(`object "${object.path}": ${wrong} must be lists of texts`);
    if (object.properties !== undefined && !isRecord(object.properties)) {
      refuse(`object "${object.path}": properties must be an object that JSON can hold`);
    }
  }
  if (!isError(shape.precision)) refuse('the precision of a shape must be a share of at least 0');
  return shape;
}

/** Not given, or finite and not negative. */
function isError(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0 && value < Infinity);
}

export function readMeta(meta: StoreMeta): StoreMeta {
  const { metresPerUnit = 0, files } = Object(meta) as Partial<StoreMeta>;
  if (!(readPositive('metresPerUnit', metresPerUnit) < Infinity)) refuse('metresPerUnit must be finite');
  if (!Array.isArray(files)) refuse('files must be a list');
  if (!isRecord(meta)) refuse('the description of a store must be an object that JSON can hold');
  if (!isStoreMeta(meta)) refuse('title and recipe must be texts, and files say name, date and counts');
  return meta;
}

/** What is wrong with the labels or relations of an object, by name. */
function wrongNote(
  object: SourceObject,
  which: 'labels' | 'relations',
  kinds: readonly string[],
): string | undefined {
  const given: unknown = object[which];
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null) return which;
  for (const kind of kinds) {
    const list: unknown = (given as Record<string, unknown>)[kind];
    const isFine = Array.isArray(list) && list.every((text) => typeof text === 'string');
    if (list !== undefined && !isFine) return `its ${which}, ${kind},`;
  }
  return undefined;
}

function isRecord(value: unknown): boolean {
  try {
    return JSON.stringify(value)?.startsWith('{') ?? false;
  } catch {
    return false; // bigints and circles
  }
}
