/**
 * Opens a store: foot, directory, and everything in them that later reads rely on.
 *
 * Invariant: after this, every number in the directory can be followed without leaving the arrays or the file. The
 * contents of pages are checked when they are read.
 */

import { ImpingeError } from 'impinge/internal/base/errors.js';
import { isQuaternion } from './input.js';
import {
  DIRECTORY_TABLE_BYTES,
  Foot,
  padded,
  SECTION_NAMES,
  SECTIONS,
  type SectionName,
  type SectionSpec,
  STORE_FOOT_BYTES,
  STORE_FOOT_MAGIC,
  STORE_HEAD_BYTES,
  STORE_MAGIC,
  STORE_VERSION,
  type StoreMeta,
} from './layout.js';
import { assertLevels } from './levels-check.js';
import { isStoreMeta } from './meta.js';
import { type Directory, StoredModel } from './model.js';
import { pageChecksum } from './page-hash.js';
import { pageBytes } from './page-layout.js';
import type { PageSource } from './page-source.js';
import { NOTES } from './source.js';

function fail(why: string): never {
  throw new ImpingeError('bad-buffer', why);
}

/** Reads the directory of a store. Its pages stay where they are until they are needed. */
export async function openStore(source: PageSource): Promise<StoredModel> {
  if (typeof source?.read !== 'function' || typeof source.byteLength !== 'number') {
    throw new ImpingeError('bad-input', 'a source of pages is needed');
  }
  const head = new Uint8Array(STORE_HEAD_BYTES);
  const foot = new Uint8Array(STORE_FOOT_BYTES);
  if (source.byteLength < STORE_HEAD_BYTES + STORE_FOOT_BYTES) fail('not a store: too short');
  await source.read(0, [head]);
  const [magic, version] = new Uint32Array(head.buffer);
  if (magic !== STORE_MAGIC) fail('not a store: it does not begin like one');
  if (version !== STORE_VERSION) {
    fail(`the store has version ${version}, this library reads version ${STORE_VERSION}; pack it again`);
  }
  await source.read(source.byteLength - STORE_FOOT_BYTES, [foot]);
  const words = new Uint32Array(foot.buffer);
  const numbers = new DataView(foot.buffer);
  if (words[Foot.magic] !== STORE_FOOT_MAGIC) fail('the store was cut off: its end is missing');
  const checksum = words[Foot.footChecksum];
  words[Foot.footChecksum] = 0;
  if (checksum !== pageChecksum(foot)) fail('the store was altered: its end does not match its checksum');
  const at = numbers.getFloat64(4 * Foot.directoryByteOffset, true);
  const length = numbers.getFloat64(4 * Foot.directoryByteLength, true);
  if (
    numbers.getFloat64(4 * Foot.byteLength, true) !== source.byteLength ||
    at + length + STORE_FOOT_BYTES !== source.byteLength ||
    !(at >= STORE_HEAD_BYTES) ||
    length < DIRECTORY_TABLE_BYTES ||
    length !== padded(length)
  ) {
    fail('the store was altered: its end contradicts its length');
  }
  const bytes = sharedBytes(length);
  await source.read(at, [bytes]);
  if (words[Foot.directoryChecksum] !== pageChecksum(bytes)) {
    fail('the store was altered: its directory does not match its checksum');
  }
  const model = checkedModel(source, bytes, words[Foot.directoryChecksum]);
  assertDirectory(model.directory, at);
  return model;
}

/** A model over the directory of an open one, for use in another thread; `checksum` of the directory, where known. */
export function checkedModel(source: PageSource, directoryBytes: Uint8Array, checksum?: number): StoredModel {
  const { meta, ...directory } = readSections(directoryBytes);
  return new StoredModel(source, readMeta(meta), directory, directoryBytes, checksum);
}

function sharedBytes(length: number): Uint8Array {
  const Buffer = typeof SharedArrayBuffer === 'undefined' ? ArrayBuffer : SharedArrayBuffer;
  return new Uint8Array(new Buffer(length));
}

const ARRAYS = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array } as const;

function readSections(bytes: Uint8Array): Directory & { meta: Uint8Array } {
  const table = new DataView(bytes.buffer, bytes.byteOffset, DIRECTORY_TABLE_BYTES);
  let end = DIRECTORY_TABLE_BYTES;
  const sections = SECTION_NAMES.map((name: SectionName, i) => {
    const start = table.getFloat64(16 * i, true);
    const length = table.getFloat64(16 * i + 8, true);
    const Numbers = ARRAYS[SECTIONS[name][0]];
    if (start !== end || !(length >= 0) || length % Numbers.BYTES_PER_ELEMENT !== 0) {
      fail(`the store was altered: section ${name} is out of place`);
    }
    end = start + Math.ceil(length / 16) * 16;
    if (end > bytes.length) fail(`the store was altered: section ${name} is too long`);
    const count = length / Numbers.BYTES_PER_ELEMENT;
    return [name, new Numbers(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, count)];
  });
  return Object.fromEntries(sections);
}

function readMeta(bytes: Uint8Array): StoreMeta {
  try {
    const meta = JSON.parse(new TextDecoder().decode(bytes.slice()));
    if (!isStoreMeta(meta)) throw new Error();
    return meta;
  } catch {
    return fail('the store was altered: its description cannot be read');
  }
}

/** Checks everything that is later used as a position without further checks. */
function assertDirectory(d: Directory, pagesEnd: number): void {
  const pieces = d.pieceTriangles.length;
  const shapes = d.shapeFlags.length;
  const objects = d.objectShape.length;
  const counts = { pieces, levels: d.pieceLevel.length === 0 ? 0 : pieces, shapes, objects };
  for (const name of Object.keys(d) as (keyof Directory)[]) {
    const [, of, each = 1, more = 0]: SectionSpec = SECTIONS[name];
    if (of !== undefined && d[name].length !== each * counts[of] + more)
      fail(`the store was altered: ${name} has a wrong length`);
  }
  assertRising(d.shapeFirstPiece, pieces, 'shapeFirstPiece');
  assertRising(d.objectFirstPlaced, d.placedBox.length / 6, 'objectFirstPlaced');
  assertRising(d.objectFirstNote, d.objectNote.length / 2, 'objectFirstNote');
  assertRising(d.stringFirstByte, d.stringBytes.length, 'stringFirstByte');
  for (let i = 0; i < pieces; i++) {
    const at = d.pieceByteOffset[i];
    if (!(at >= STORE_HEAD_BYTES && at + pageBytes(d, i) <= pagesEnd) || at !== padded(at)) {
      fail(`the store was altered: page ${i} lies outside the file`);
    }
  }
  for (let shape = 0; shape < shapes; shape++) {
    if (d.shapeExactPieces[shape] > d.shapeFirstPiece[shape + 1] - d.shapeFirstPiece[shape]) {
      fail(`the store was altered: shape ${shape} has more exact pieces than pieces`);
    }
  }
  assertLevels(d);
  const strings = d.stringFirstByte.length - 1;
  for (let i = 0; i < d.objectText.length; i++) {
    if (d.objectText[i] >= strings) fail('the store was altered: an object has an unknown text');
  }
  for (let i = 0; i < d.objectNote.length; i += 2) {
    if (d.objectNote[i] >= NOTES.length || d.objectNote[i + 1] >= strings)
      fail('the store was altered: an object has an unknown label or relation');
  }
  for (let i = 0; i < objects; i++) {
    const shape = d.objectShape[i];
    if (shape >= shapes) fail(`the store was altered: object ${i} has an unknown shape`);
    const placed = d.objectFirstPlaced[i + 1] - d.objectFirstPlaced[i];
    if (placed !== d.shapeExactPieces[shape]) {
      fail(`the store was altered: object ${i} has another number of pieces than its shape`);
    }
    const end = d.objectPropertiesByteOffset[i] + d.objectPropertiesBytes[i];
    if (!(d.objectPropertiesByteOffset[i] >= 0 && end <= pagesEnd)) {
      fail(`the store was altered: the properties of object ${i} lie outside the file`);
    }
  }
  for (const numbers of [d.objectPose, d.objectBox, d.placedBox]) {
    for (let i = 0; i < numbers.length; i++) {
      if (!Number.isFinite(numbers[i])) fail('the store was altered: a pose or a box is not finite');
    }
  }
  for (let i = 0; i < objects; i++) {
    if (!isQuaternion(d.objectAxes.subarray(4 * i, 4 * i + 4)))
      fail(`the store was altered: the axes of object ${i} are no rotation`);
  }
  for (const errors of [d.objectRounding, d.objectCurveError]) {
    for (let i = 0; i < errors.length; i++) {
      if (!(errors[i] >= 0 && errors[i] < Infinity))
        fail('the store was altered: the error of an object is not a length');
    }
  }
  for (const boxes of [d.objectBox, d.placedBox]) {
    for (let i = 0; i < boxes.length; i++) {
      if (i % 6 < 3 && !(boxes[i] <= boxes[i + 3]))
        fail('the store was altered: a box ends before it begins');
    }
  }
}

function assertRising(values: Uint32Array, last: number, name: string): void {
  for (let i = 1; i < values.length; i++) {
    if (values[i] < values[i - 1]) fail(`the store was altered: ${name} falls`);
  }
  if (values[0] !== 0 || values[values.length - 1] !== last)
    fail(`the store was altered: ${name} is cut short`);
}
