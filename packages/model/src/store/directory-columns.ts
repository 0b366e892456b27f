/** The directory of a store while it is written: columns that grow with pieces, shapes and objects. */
import { type Column, f64Column, u8Column, u32Column } from 'impinge/internal/base/column.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import {
  DIRECTORY_TABLE_BYTES,
  NONE,
  NOTES,
  padded,
  SECTION_NAMES,
  type SectionName,
  type StoreMeta,
} from './layout.js';
import { OBJECT_TEXTS, type ObjectLabels, type ObjectRelations, type SourceObject } from './source.js';
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
    for (const piece of pieces) {
      this.u32.pieceInto.set(piece, group);
      this.f64.pieceNext.set(piece, error);
    }
  }

  /** The number of a new group. */
  newGroup(): number {
    return this.#groups++;
  }

  /** The texts of an object, its labels and its relations. */
  addTexts(object: SourceObject): void {
    const { objectText, objectNote, objectFirstNote } = this.u32;
    for (const text of OBJECT_TEXTS) objectText.push(this.#strings.numberOf(object[text]));
    const notes: ObjectLabels & ObjectRelations = { ...object.labels, ...object.relations };
    for (const [kind, name] of NOTES.entries()) {
      for (const text of notes[name] ?? []) objectNote.append([kind, this.#strings.numberOf(text)]);
    }
    objectFirstNote.push(objectNote.length / 2);
  }

  /** Marks the current state; the returned function rolls back to it. */
  mark(): () => void {
    const lengths = this.#columns.map(({ length }) => length);
    const groups = this.#groups;
    return () => {
      this.#groups = groups;
      for (const [i, column] of this.#columns.entries()) column.cut(lengths[i]);
    };
  }

  /** All of it in blocks, of which each is overwritten by the next: as one it would be in memory twice. */
  *toBlocks(meta: StoreMeta): Generator<Uint8Array> {
    const columns: Record<string, Pick<Column<Uint8Array>, 'byteLength' | 'bytes'>> = {
      ...{ ...this.u32, ...this.f64 },
      ...{ stringFirstByte: this.#strings.firstByte, stringBytes: this.#strings.bytes },
      meta: metaColumn(meta),
    };
    const sections = SECTION_NAMES.map((name: SectionName) => columns[name]);
    const table = new DataView(new ArrayBuffer(DIRECTORY_TABLE_BYTES));
    let end = DIRECTORY_TABLE_BYTES;
    sections.forEach(({ byteLength }, i) => {
      table.setFloat64(16 * i, end, true);
      table.setFloat64(16 * i + 8, byteLength, true);
      end += aligned(byteLength);
    });
    const block = new Uint8Array(BLOCK_BYTES);
    let filled = 0;
    function* fill(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
      for (const part of parts)
        for (let at = 0; at < part.length; ) {
          const count = Math.min(part.length - at, BLOCK_BYTES - filled);
          block.set(part.subarray(at, at + count), filled);
          at += count;
          filled += count;
          if (filled < BLOCK_BYTES) continue;
          yield block;
          filled = 0;
        }
    }
    yield* fill([new Uint8Array(table.buffer)]);
    for (const section of sections) {
      yield* fill(section.bytes());
      yield* fill([new Uint8Array(aligned(section.byteLength) - section.byteLength)]);
    }
    yield* fill([new Uint8Array(padded(end) - end)]);
    if (filled > 0) yield block.subarray(0, filled);
  }
}

/** A multiple of the checksum's block size. */
const BLOCK_BYTES = 1 << 16;

function aligned(byteLength: number): number {
  return Math.ceil(byteLength / 16) * 16;
}

function metaColumn(meta: StoreMeta): Column<Uint8Array> {
  const column = u8Column();
  column.append(new TextEncoder().encode(JSON.stringify(meta)));
  return column;
}

/** A mesh's box, widened by the rounding of adding the origin. */
function outwardBox({ box, origin }: Mesh): number[] {
  const margin = ([...box.min, ...box.max] as const).map((x, k) =>
    origin[k % 3] === 0 ? 0 : (Math.abs(x) + Math.abs(origin[k % 3])) * Number.EPSILON,
  );
  return [...box.min.map((x, k) => x - margin[k]), ...box.max.map((x, k) => x + margin[3 + k])];
}
