/** The directory of a store while it is written: columns that grow with pieces, shapes and objects. */
import { type Column, f64Column, u8Column, u32Column } from 'impinge/internal/base/column.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import {
  DIRECTORY_TABLE_BYTES,
  NONE,
  padded,
  SECTION_NAMES,
  SECTIONS,
  type SectionArray,
  type SectionName,
  type StoreMeta,
} from './layout.js';
import { NOTES, OBJECT_TEXTS, type ObjectLabels, type ObjectRelations, type SourceObject } from './source.js';
import { StringTable } from './strings.js';

const COLUMNS = { u8: u8Column, u32: u32Column, f64: f64Column } as const;
type SectionColumns = { readonly [Name in SectionName]: Column<SectionArray<Name>> };

export class DirectoryColumns {
  readonly #strings = new StringTable();
  #groups = 0;
  readonly columns = Object.fromEntries(
    SECTION_NAMES.map((name) => [name, COLUMNS[SECTIONS[name][0]]()]),
  ) as unknown as SectionColumns;

  constructor() {
    this.columns.shapeFirstPiece.push(0);
    this.columns.objectFirstPlaced.push(0);
    this.columns.objectFirstNote.push(0);
  }

  get objectCount(): number {
    return this.columns.objectShape.length;
  }
  get pieceCount(): number {
    return this.columns.pieceTriangles.length;
  }

  /** Where a piece is in the hierarchy of levels; nothing stands for it next. */
  addLevel(mesh: Mesh, level: number, group: number, out: number, inward: number): void {
    this.columns.pieceLevel.push(level);
    this.columns.pieceGroup.push(group);
    this.columns.pieceInto.push(NONE);
    this.columns.pieceOut.push(out);
    this.columns.pieceIn.push(inward);
    this.columns.pieceNext.push(Infinity);
    this.columns.pieceBox.append(outwardBox(mesh));
  }

  /** A group with this error stands for pieces next. */
  pass(pieces: Iterable<number>, group: number, error: number): void {
    for (const piece of pieces) {
      this.columns.pieceInto.set(piece, group);
      this.columns.pieceNext.set(piece, error);
    }
  }

  /** The number of a new group. */
  newGroup(): number {
    return this.#groups++;
  }

  /** The texts of an object, its labels and its relations. */
  addTexts(object: SourceObject): void {
    const { objectText, objectNote, objectFirstNote } = this.columns;
    for (const text of OBJECT_TEXTS) objectText.push(this.#strings.numberOf(object[text]));
    const notes: ObjectLabels & ObjectRelations = { ...object.labels, ...object.relations };
    for (const [kind, name] of NOTES.entries()) {
      for (const text of notes[name] ?? []) objectNote.append([kind, this.#strings.numberOf(text)]);
    }
    objectFirstNote.push(objectNote.length / 2);
  }

  /** Marks the current state; the returned function rolls back to it. */
  mark(): () => void {
    const lengths = Object.values(this.columns).map(({ length }) => length);
    const groups = this.#groups;
    return () => {
      this.#groups = groups;
      for (const [i, column] of Object.values(this.columns).entries()) column.cut(lengths[i]);
    };
  }

  /** All of it in blocks, of which each is overwritten by the next: as one it would be in memory twice. */
  *toBlocks(meta: StoreMeta): Generator<Uint8Array> {
    const columns = {
      ...this.columns,
      ...{ stringFirstByte: this.#strings.firstByte, stringBytes: this.#strings.bytes },
      meta: metaColumn(meta),
    };
    const sections = SECTION_NAMES.map((name) => columns[name]);
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
