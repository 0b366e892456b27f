/** Validates a writer's input before any of it is written. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readPositive } from 'impinge/internal/base/options.js';
import type { StoreMeta } from './layout.js';
import { isStoreMeta } from './meta.js';
import { LABEL_KINDS, OBJECT_TEXTS, RELATION_KINDS, type SourceObject, type SourceShape } from './source.js';

function refuse(why: string, detail = {}): never {
  throw new ImpingeError('bad-input', why, detail);
}

/** A shape: of the geometry, only that it is one; the objects are looked at one by one. */
export function readShape(shape: SourceShape): SourceShape {
  const { geometry, objects } = Object(shape) as Partial<SourceShape>;
  const parts = Object(geometry) as { positions?: unknown; indices?: unknown; batches?: unknown };
  if (
    !(ArrayBuffer.isView(parts.indices) && ArrayBuffer.isView(parts.positions)) &&
    typeof parts.batches !== 'function'
  ) {
    refuse('the geometry of a shape must be positions and indices, or a stream');
  }
  if (
    typeof Object(objects)[Symbol.iterator] !== 'function' ||
    typeof objects === 'string' ||
    ArrayBuffer.isView(objects)
  )
    refuse('the objects of a shape must be a list, or make them each time they are gone through');
  // such as a generator
  if (!Array.isArray(objects) && objects![Symbol.iterator]() === (objects as unknown))
    refuse('the objects of a shape are gone through more than once');
  if (!isError(shape.precision)) refuse('the precision of a shape must be a share of at least 0');
  return shape;
}

/** The object with this number of a shape: that its texts are texts, and so on. */
export function readObject(object: SourceObject, i: number): SourceObject {
  const missing = OBJECT_TEXTS.find((name) => typeof object?.[name] !== 'string');
  if (missing !== undefined) refuse(`object ${i} of a shape: ${missing} must be a string`, { object: i });
  for (const name of ['rounding', 'curveError'] as const) {
    if (!isError(object[name])) refuse(`object "${object.path}": ${name} must be a length of at least 0`);
  }
  const wrong = wrongNote(object, 'labels', LABEL_KINDS) ?? wrongNote(object, 'relations', RELATION_KINDS);
  if (wrong !== undefined) refuse(`object "${object.path}": ${wrong} must be lists of texts`);
  if (object.axes !== undefined && !isQuaternion(object.axes)) {
    refuse(`object "${object.path}": axes must be a quaternion of length 1`);
  }
  if (object.properties !== undefined && !isRecord(object.properties)) {
    refuse(`object "${object.path}": properties must be an object that JSON can hold`);
  }
  return object;
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

/** The first invalid label or relation of an object, by name. */
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

/** Four numbers, of length 1 but for rounding. */
export function isQuaternion(value: unknown): boolean {
  const numbers = value as ArrayLike<number>;
  return Object(value).length === 4 && Math.abs(Math.hypot(...Array.from(numbers)) - 1) < 1e-6;
}

function isRecord(value: unknown): boolean {
  try {
    return JSON.stringify(value)?.startsWith('{') ?? false;
  } catch {
    return false; // bigints and circles
  }
}
