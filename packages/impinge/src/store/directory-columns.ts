/** The directory of a store while it is written: what grows with pieces, shapes and objects. */
import type { Mesh } from '../mesh/mesh.js';
import { type Column, f64Column, u32Column } from './column.js';
import {
  DIRECTORY_TABLE_BYTES,
  NONE,
  NOTES,
  padded,
  SECTION_NAMES,
  type SectionName,
  type StoreMeta,
  TEXTS,
} from './layout.js';
import type { ObjectLabels, ObjectRelations, SourceObject } from './source.js';
import { StringTable } from './strings.js';

export class DirectoryColumns {
  readonly #strings = new StringTable();
  #groups = 0;
  readonly u32 = {
    pieceVertices: u32Column(),
    pieceTriangles: u32Column(),
    pieceBlocks: u32Column(),
    piecePending: u32Column(),
    pieceChecksum: u32Column(),
    pieceGroup: u32Column(),
    pieceInto: u32Column(),
    pieceLevel: u32Column(),
    shapeFirstPiece: u32Column(),
    shapeExactPieces: u32Column(),
    shapeFlags: u32Column(),
    objectShape: u32Column(),
    objectFirstPlaced: u32Column(),
    objectText: u32Column(),
    objectFirstNote: u32Column(),
    objectNote: u32Column(),
    objectPropertiesBytes: u32Column(),
    objectPropertiesChecksum: u32Column(),
  };
  readonly f64 = {
    pieceByteOffset: f64Column(),
    pieceOut: f64Column(),
    pieceIn: f64Column(),
    pieceNext: f64Column(),
    pieceBox: f64Column(),
    shapeTriangles: f64Column(),
    objectPose: f64Column(),
    objectBox: f64Column(),
    objectRounding: f64Column(),
    objectCurveError: f64Column(),
    placedBox: f64Column(),
    objectPropertiesByteOffset: f64Column(),
  };

  readonly #columns = [...Object.values(this.u32), ...Object.values(this.f64)];

  constructor() {
    this.u32.shapeFirstPiece.push(0);
    this.u32.objectFirstPlaced.push(0);
    this.u32.objectFirstNote.push(0);
  }

  get objectCount(): number {
    return this.u32.objectShape.length;
  }
  get pieceCount(): number {
    return this.u32.pieceTriangles.length;
  }

  /** Where a piece is in the hierarchy of levels; nothing stands for it next. */
  addLevel(mesh: Mesh, level: number, group: number, out: number, inward: number): void {
    this.u32.pieceLevel.push(level);
    this.u32.pieceGroup.push(group);
    this.u32.pieceInto.push(NONE);
    this.f64.pieceOut.push(out);
    this.f64.pieceIn.push(inward);
    this.f64.pieceNext.push(Infinity);
    this.f64.pieceBox.append(outwardBox(mesh));
  }

  /** A group with this error stands for pieces next. */
  pass(pieces: Iterable<number>, group: number, error: number): void {
    const into = this.u32.pieceInto.values();
    const next = this.f64.pieceNext.values();
    for (const piece of pieces) {
      into[piece] = group;
      next[piece] = error;
    }
  }

  /** The number of a new group. */
  newGroup(): number {
    return this.#groups++;
  }

  /** The texts of an object, its labels and its relations. */
  addTexts(object: SourceObject): void {
    const { objectText, objectNote, objectFirstNote } = this.u32;
    for (const text of TEXTS) objectText.push(this.#strings.numberOf(object[text]));
    const notes: ObjectLabels & ObjectRelations = { ...object.labels, ...object.relations };
    for (const [kind, name] of NOTES.entries()) {
      for (const text of notes[name] ?? []) objectNote.append([kind, this.#strings.numberOf(text)]);
    }
    objectFirstNote.push(objectNote.length / 2);
  }

  /** Remembers what is there; the function returned takes back everything that came after. */
  mark(): () => void {
    const lengths = this.#columns.map(({ length }) => length);
    const groups = this.#groups;
    return () => {
      this.#groups = groups;
      for (const [i, column] of this.#columns.entries()) column.cut(lengths[i]);
    };
  }

  toBytes(meta: StoreMeta): Uint8Array {
    const strings = { stringFirstByte: this.#strings.firstByte, stringBytes: this.#strings.bytes };
    const columns: Record<string, Column<Uint8Array | Uint32Array | Float64Array>> = {
      ...this.u32,
      ...this.f64,
      ...strings,
    };
    const encoded = new TextEncoder().encode(JSON.stringify(meta));
    const sections = SECTION_NAMES.map((name: SectionName) => {
      const values = name === 'meta' ? encoded : columns[name].values();
      return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    });
    let byteLength = DIRECTORY_TABLE_BYTES;
    const starts = sections.map((section) => {
      const start = byteLength;
      byteLength += Math.ceil(section.length / 16) * 16;
      return start;
    });
    const out = new Uint8Array(padded(byteLength));
    const table = new DataView(out.buffer);
    sections.forEach((section, i) => {
      table.setFloat64(16 * i, starts[i], true);
      table.setFloat64(16 * i + 8, section.length, true);
      out.set(section, starts[i]);
    });
    return out;
  }
}

/** A mesh's box, widened where the origin had to be rounded in. */
function outwardBox({ box, origin }: Mesh): number[] {
  const margin = ([...box.min, ...box.max] as const).map((x, k) =>
    origin[k % 3] === 0 ? 0 : (Math.abs(x) + Math.abs(origin[k % 3])) * Number.EPSILON,
  );
  return [...box.min.map((x, k) => x - margin[k]), ...box.max.map((x, k) => x + margin[3 + k])];
}
