/** A model in a store: its directory, and where its pages are. */
import { checksumOf } from 'impinge/internal/base/checksum.js';
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import { composePoses, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { type SectionArray, type SectionName, SHAPE_CLOSED, type StoreMeta } from './layout.js';
import { pageChecksum } from './page-hash.js';
import type { PageSource } from './page-source.js';
import {
  isLabel,
  LABEL_KINDS,
  NOTES,
  OBJECT_TEXTS,
  type ObjectInfo,
  type ObjectRelations,
  type ObjectText,
  type PropertyValue,
  RELATION_KINDS,
} from './source.js';

/** The sections of the directory as arrays; see layout.ts. */
export type Directory = { readonly [Name in Exclude<SectionName, 'meta'>]: SectionArray<Name> };

/** See `StoredModel.axes`. */
export function axesAt(
  { objectPose, objectAxes }: Pick<Directory, 'objectPose' | 'objectAxes'>,
  object: number,
): Float64Array {
  const rotation = [...objectAxes.subarray(4 * object, 4 * object + 4)];
  const own = toRigidPose({ rotation });
  const pose = objectPose.subarray(12 * object, 12 * object + 12);
  return composePoses(pose, own).subarray(0, 9);
}

/** Many objects have the same. */
const FEW_TEXTS: ReadonlySet<string> = new Set(['type', 'discipline', 'file', 'storey']);

/** Throws unless it is a model in a store. */
export function assertModel(model: StoredModel): void {
  if (typeof model?.pieceCountOf !== 'function')
    throw new ImpingeError('bad-input', 'a stored model is needed');
}

export class StoredModel implements AsyncDisposable {
  readonly source: PageSource;
  readonly meta: StoreMeta;
  readonly directory: Directory;
  /** The directory's bytes: shared memory where there is such, so that threads need no copy. */
  readonly directoryBytes: Uint8Array;
  readonly objectCount: number;
  readonly shapeCount: number;
  /** Exact and coarser ones. */
  readonly pieceCount: number;
  /** Whether there are coarser pieces, or would be if the shapes could be simplified. */
  readonly hasLevels: boolean;
  /** Every instance counts. */
  readonly triangleCount: number;
  readonly #decoder = new TextDecoder();
  readonly #shared = new Map<number, string>();
  #checksum: number | undefined;

  constructor(
    source: PageSource,
    meta: StoreMeta,
    directory: Directory,
    bytes: Uint8Array,
    checksum?: number,
  ) {
    this.#checksum = checksum;
    this.source = source;
    this.meta = meta;
    this.directory = directory;
    this.directoryBytes = bytes;
    this.objectCount = directory.objectShape.length;
    this.shapeCount = directory.shapeFlags.length;
    this.pieceCount = directory.pieceTriangles.length;
    this.hasLevels = directory.pieceLevel.length > 0;
    let triangles = 0;
    for (const shape of directory.objectShape) triangles += directory.shapeTriangles[shape];
    this.triangleCount = triangles;
  }

  /** Changes when anything in the store does: pages are named in the directory, by their checksums. */
  get fingerprint(): string {
    this.#checksum ??= pageChecksum(this.directoryBytes);
    return `${this.#checksum.toString(16).padStart(8, '0')}-${this.source.byteLength}`;
  }

  object(index: number): ObjectInfo {
    this.#assertObject(index);
    const texts = OBJECT_TEXTS.map((name) => [name, this.text(index, name)]);
    const { objectRounding, objectCurveError } = this.directory;
    const errors = { rounding: objectRounding[index], curveError: objectCurveError[index] };
    const info = Object.assign(Object.fromEntries(texts), errors) as ObjectInfo;
    const labels = this.#notes(index, LABEL_KINDS);
    return labels === undefined ? info : { ...info, labels };
  }

  /** One of the texts of an object. */
  text(object: number, name: ObjectText): string {
    this.#assertObject(object);
    const place = OBJECT_TEXTS.indexOf(name);
    if (place < 0) throw new ImpingeError('bad-input', `objects have no text ${shown(name)}`);
    const number = this.directory.objectText[OBJECT_TEXTS.length * object + place];
    return FEW_TEXTS.has(name) ? this.#sharedString(number) : this.#string(number);
  }

  /** An object's relations to other objects of its file. */
  relations(object: number): ObjectRelations {
    this.#assertObject(object);
    return this.#notes(object, RELATION_KINDS) ?? {};
  }

  /** The different texts of one kind that objects have, sorted. */
  texts(name: ObjectText): string[] {
    const { objectText } = this.directory;
    const numbers = new Set<number>();
    for (let i = OBJECT_TEXTS.indexOf(name); i < objectText.length; i += OBJECT_TEXTS.length)
      numbers.add(objectText[i]);
    return [...numbers].map((number) => this.#string(number)).sort();
  }

  pose(object: number): RigidPose {
    this.#assertObject(object);
    return this.directory.objectPose.subarray(12 * object, 12 * object + 12);
  }

  /** The object's own axes in the world, as columns: nine numbers, row by row. */
  axes(object: number): Float64Array {
    this.#assertObject(object);
    return axesAt(this.directory, object);
  }

  box(object: number): Float64Array {
    this.#assertObject(object);
    return this.directory.objectBox.subarray(6 * object, 6 * object + 6);
  }

  isClosed(object: number): boolean {
    this.#assertObject(object);
    return (this.directory.shapeFlags[this.directory.objectShape[object]] & SHAPE_CLOSED) !== 0;
  }

  /** The first exact piece of an object's shape; the k-th placed piece of the object is the k-th piece from there. */
  firstPiece(object: number): number {
    this.#assertObject(object);
    return this.directory.shapeFirstPiece[this.directory.objectShape[object]];
  }

  /** The number of exact pieces of an object. */
  pieceCountOf(object: number): number {
    this.#assertObject(object);
    return this.directory.objectFirstPlaced[object + 1] - this.directory.objectFirstPlaced[object];
  }

  trianglesOf(object: number): number {
    this.#assertObject(object);
    return this.directory.shapeTriangles[this.directory.objectShape[object]];
  }

  async properties(object: number): Promise<Readonly<Record<string, PropertyValue>> | undefined> {
    this.#assertObject(object);
    const length = this.directory.objectPropertiesBytes[object];
    if (length === 0) return undefined;
    const bytes = new Uint8Array(length);
    await this.source.read(this.directory.objectPropertiesByteOffset[object], [bytes]);
    if (checksumOf(bytes, -1) !== this.directory.objectPropertiesChecksum[object]) {
      throw new ImpingeError('bad-buffer', `the store was altered: properties of object ${object}`);
    }
    return JSON.parse(this.#decoder.decode(bytes));
  }

  /** Lets go of where the pages come from. */
  async dispose(): Promise<void> {
    await this.source.dispose?.();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }

  /** Those of these kinds; undefined where there are none. */
  #notes<Kind extends string>(
    object: number,
    kinds: readonly Kind[],
  ): { readonly [K in Kind]?: readonly string[] } | undefined {
    const { objectFirstNote, objectNote } = this.directory;
    let found: { [K in Kind]?: string[] } | undefined;
    for (let i = objectFirstNote[object]; i < objectFirstNote[object + 1]; i++) {
      const note = NOTES[objectNote[2 * i]];
      const kind = note as Kind;
      if (!kinds.includes(kind)) continue;
      found ??= {};
      const number = objectNote[2 * i + 1];
      // labels are few, and shared; ids are neither
      (found[kind] ??= []).push(isLabel(note) ? this.#sharedString(number) : this.#string(number));
    }
    return found;
  }

  #sharedString(number: number): string {
    let text = this.#shared.get(number);
    if (text === undefined) this.#shared.set(number, (text = this.#string(number)));
    return text;
  }

  #assertObject(index: number): void {
    if (Number.isInteger(index) && index >= 0 && index < this.objectCount) return;
    throw new ImpingeError('bad-input', `there is no object ${shown(index)}, but ${this.objectCount}`, {
      object: index,
    });
  }

  #string(number: number): string {
    const { stringFirstByte, stringBytes } = this.directory;
    // the decoder takes no shared memory
    return this.#decoder.decode(stringBytes.slice(stringFirstByte[number], stringFirstByte[number + 1]));
  }
}
