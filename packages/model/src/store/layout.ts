/**
 * The layout of a model in a store.
 *
 * Layout: 64 bytes of head; pages, each a mesh and its tree (see page-layout.ts); texts of properties; the directory;
 * 64 bytes of foot with the position of the directory. Pages and the directory begin at multiples of 16 bytes.
 * Everything but the pages and the properties is in the directory, which is read as a whole; a page is read when it is
 * needed. Little endian. The foot is written last: a store that was cut off has none.
 *
 * Terms. Object: a named thing of the user's model. Shape: the triangles of one or more objects. Piece: a part of a
 * shape of at most PIECE_TRIANGLES triangles; the unit of reading. Placed piece: a piece of one object, where the
 * object is. Exact pieces hold the original triangles. With levels, coarser pieces follow those of each shape. They are
 * made by groups: a group takes some pieces, and makes one with fewer triangles, one with fewer still, …, and at its
 * end several.
 */
import { OBJECT_TEXTS } from './source.js';

export const STORE_MAGIC = 0x53504d49; // "IMPS"
export const STORE_FOOT_MAGIC = 0x46504d49; // "IMPF"
export const STORE_VERSION = 5;
export const STORE_HEAD_BYTES = 64;
export const STORE_FOOT_BYTES = 64;
export const PAGE_ALIGN = 16;

/**
 * Most triangles in a piece. Smaller: less is read that is not needed, and more is looked up. At 8 192 a piece and its
 * complete tree take 0.4 MB, a tenth of the smallest cap.
 */
export const PIECE_TRIANGLES = 8192;

/** Word positions in the foot; offsets and lengths are float64. */
export const Foot = {
  magic: 0,
  version: 1,
  directoryChecksum: 2,
  footChecksum: 3,
  directoryByteOffset: 4, // two words
  directoryByteLength: 6,
  byteLength: 8,
} as const;

/**
 * Sections of the directory, in order: element type, what they have an entry for, numbers per entry, and numbers more
 * than that. Of `levels` there are as many as pieces in a store with levels, and otherwise none.
 */
export const SECTIONS = {
  meta: ['u8'], // JSON
  pieceByteOffset: ['f64', 'pieces'],
  pieceVertices: ['u32', 'pieces'],
  pieceTriangles: ['u32', 'pieces'],
  pieceBlocks: ['u32', 'pieces'], // of its tree
  piecePending: ['u32', 'pieces'], // treelets that its tree leaves out
  pieceChecksum: ['u32', 'pieces'],
  pieceOut: ['f64', 'levels'], // no original point that a piece stands for is farther from it
  pieceIn: ['f64', 'levels'], // none of its points is farther from the originals
  pieceNext: ['f64', 'levels'], // the error, out + in, of its replacement; Infinity: none
  pieceBox: ['f64', 'levels', 6], // in the shape's frame
  pieceGroup: ['u32', 'levels'], // the group that made it; NONE: the piece is exact
  pieceInto: ['u32', 'levels'], // the group that takes it up, or, if it is not at that group's end, its own; NONE: none
  pieceLevel: ['u32', 'levels'], // 0: exact; higher from step to step of a group, and from group to group
  shapeFirstPiece: ['u32', 'shapes', 1, 1],
  shapeExactPieces: ['u32', 'shapes'], // number of exact pieces, which come first
  shapeTriangles: ['f64', 'shapes'],
  shapeFlags: ['u32', 'shapes'],
  objectShape: ['u32', 'objects'],
  objectPose: ['f64', 'objects', 12],
  objectAxes: ['f64', 'objects', 4], // quaternion (x, y, z, w) of its own axes in the shape's frame
  objectBox: ['f64', 'objects', 6], // minimum, maximum, in the world
  objectRounding: ['f64', 'objects'], // maximum distance of corners from their intended positions
  objectCurveError: ['f64', 'objects'], // maximum distance of facets from a curved surface
  objectFirstPlaced: ['u32', 'objects', 1, 1],
  placedBox: ['f64'], // 6 each
  objectText: ['u32', 'objects', OBJECT_TEXTS.length], // numbers of strings
  objectFirstNote: ['u32', 'objects', 1, 1],
  objectNote: ['u32'], // 2 each: the position in NOTES, the number of a string
  objectPropertiesByteOffset: ['f64', 'objects'],
  objectPropertiesBytes: ['u32', 'objects'],
  objectPropertiesChecksum: ['u32', 'objects'],
  stringFirstByte: ['u32'], // one more than there are strings
  stringBytes: ['u8'],
} as const satisfies Record<string, SectionSpec>;

export type SectionSpec = readonly [
  type: keyof SectionArrays,
  of?: 'pieces' | 'levels' | 'shapes' | 'objects',
  each?: number,
  more?: number,
];

interface SectionArrays {
  readonly u8: Uint8Array;
  readonly u32: Uint32Array;
  readonly f64: Float64Array;
}

export type SectionName = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];
/** The numbers of a section. */
export type SectionArray<Name extends SectionName> = SectionArrays[(typeof SECTIONS)[Name][0]];

/** In `pieceGroup` and `pieceInto`: no group. */
export const NONE = 0xffffffff;

/** Bits of `shapeFlags`. */
export const SHAPE_CLOSED = 1;

/** Bytes of the directory before its sections: for each, where it begins and how long it is (float64). */
export const DIRECTORY_TABLE_BYTES = 16 * SECTION_NAMES.length;

export function padded(byteLength: number): number {
  return Math.ceil(byteLength / PAGE_ALIGN) * PAGE_ALIGN;
}

/** Parts of a file that are not in the store, by reason and type. */
export interface LeftOut {
  /** Completes "left out, because …". */
  readonly why: string;
  /** `IfcSpace`; empty where there is no type. */
  readonly type: string;
  readonly count: number;
  /** Names, where a count is not enough; the first ones of many. */
  readonly objects: readonly string[];
}

export interface StoreSourceFile {
  readonly name: string;
  readonly byteLength: number;
  /** ISO date at which the file says that it was written, else of its last change, where known. */
  readonly modified: string;
  readonly objects: number;
  readonly triangles: number;
  /** The project id stated in the file, such as the GUID of an IfcProject. */
  readonly projectId?: string;
  /** The unit of its numbers; `stated`: given by the file or its format. */
  readonly unit?: { readonly metres: number; readonly stated: boolean };
  /**
   * Where its own origin and axes are, in metres: rotation (9, row-major) and translation (3). Undefined: those of the
   * model.
   */
  readonly place?: readonly number[];
  /** Undefined: nothing. */
  readonly leftOut?: readonly LeftOut[];
  /** Notes about the file, a line each. */
  readonly notes?: readonly string[];
  /** Undefined: none. */
  readonly grids?: readonly StoreGrid[];
  readonly storeys?: readonly StoreStorey[];
  readonly rooms?: readonly StoreRoom[];
  readonly openings?: readonly StoreOpening[];
}

/** A storey as the file has it: its floor, in the unit and the frame of the model. */
export interface StoreStorey {
  readonly name: string;
  readonly elevation: number;
}

/** A space that people have a name for, as triangles: not an object of the model. */
export interface StoreRoom {
  readonly name: string;
  /** Three numbers per corner, and three corners per triangle. */
  readonly positions: readonly number[];
  readonly indices: readonly number[];
}

/** A hole that no door or window fills, as triangles. */
export interface StoreOpening extends StoreRoom {
  /** The id of the object of this file that it is in; empty: it is proposed, and cuts nothing. */
  readonly host: string;
}

/** Straight axes by which people find their way in a building, in the unit and the frame of the model. */
export interface StoreGrid {
  readonly axes: readonly StoreGridAxis[];
}

export interface StoreGridAxis {
  readonly tag: string;
  /** Axes of different families cross. */
  readonly family: number;
  readonly point: readonly [number, number, number];
  readonly along: readonly [number, number, number];
}

/** Where the model is on the map. */
export interface StoreGeoreference {
  /** The name of the coordinate reference system. */
  readonly crs: string;
  /** From the model to the map: rotation (9, row-major), then the translation in metres on the ground. */
  readonly pose: readonly number[];
  /** Metres on the map per metre on the ground. */
  readonly scale: number;
}

export interface StoreMeta {
  readonly title: string;
  readonly metresPerUnit: number;
  readonly files: readonly StoreSourceFile[];
  /** Undefined: unknown. */
  readonly georeference?: StoreGeoreference;
  /** Describes the inputs and settings of the store: equal text means an equal store. */
  readonly recipe: string;
}
