/**
 * The input of a store: shapes, and the objects that use them. File readers and scene generators yield them one at a
 * time, so that no model has to be in memory as a whole.
 */
import type { Pose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';

export type PropertyValue = string | number | boolean;

/** The texts of an object: one string each, empty where unknown. */
export const OBJECT_TEXTS = ['id', 'name', 'path', 'type', 'discipline', 'file', 'storey'] as const;
export type ObjectText = (typeof OBJECT_TEXTS)[number];

/**
 * Notes of which an object may have several, by their place in stores: new ones come last. Labels are in files besides
 * the names of objects. Relations are to other objects of the file, by their ids: it fills an opening of them, is a
 * part of them (of an assembly, directly or not), is connected to them by ports, covers them, is joined to them. They
 * need not have triangles.
 */
const NOTE_TABLE = {
  ...({
    system: 'label',
    classification: 'label',
    material: 'label',
    layer: 'label',
    group: 'label',
  } as const),
  ...({ fills: 'relation', partOf: 'relation', connectedTo: 'relation', covers: 'relation' } as const),
  joinedTo: 'relation',
  ...({ operation: 'label', period: 'label', cavities: 'label', tag: 'label' } as const),
} as const;
type Note = keyof typeof NOTE_TABLE;
type NoteOf<Sort> = { [Name in Note]: (typeof NOTE_TABLE)[Name] extends Sort ? Name : never }[Note];

export const NOTES: readonly Note[] = Object.keys(NOTE_TABLE) as Note[];
export type LabelKind = NoteOf<'label'>;
export const LABEL_KINDS: readonly LabelKind[] = NOTES.filter((note) => isLabel(note));
export type ObjectLabels = { readonly [Kind in LabelKind]?: readonly string[] };
export type RelationKind = NoteOf<'relation'>;
export const RELATION_KINDS: readonly RelationKind[] = NOTES.filter((note) => isRelation(note));
export type ObjectRelations = { readonly [Kind in RelationKind]?: readonly string[] };

/** Whether a field of an object, or a note of it, is a label. */
export function isLabel(field: ObjectText | Note): field is LabelKind {
  return (NOTE_TABLE as Partial<Record<string, string>>)[field] === 'label';
}

/** Whether a note is a relation. */
export function isRelation(note: Note): note is RelationKind {
  return NOTE_TABLE[note] === 'relation';
}

/** Whether an id is one of IFC, which no two elements share: 128 bits in 22 base-64 digits, the first holds two. */
export function isIfcGuid(id: string): boolean {
  return typeof id === 'string' && /^[0-3][0-9A-Za-z_$]{21}$/.test(id);
}

/** Data of an object besides its triangles. Unknown strings are empty. */
export interface ObjectInfo {
  /** Stable from run to run and unique in its file: an IFC GUID, a node's name. */
  readonly id: string;
  readonly name: string;
  /** Where it is in the model, joined by `/`: file or discipline first, its own name last. */
  readonly path: string;
  /** `IfcWall`, `pipe`. */
  readonly type: string;
  readonly discipline: string;
  /** The file it came from, without folders. */
  readonly file: string;
  readonly storey: string;
  /**
   * Bound on the rounding of its corners on each axis, by the source and the store. In the model's unit.
   */
  readonly rounding: number;
  /**
   * Bound on the distance of its facets from the curved surface that they approximate; 0 if nothing is curved, or
   * unknown.
   */
  readonly curveError: number;
  /** Undefined: none. */
  readonly labels?: ObjectLabels;
}

export interface SourceObject extends Omit<ObjectInfo, 'rounding' | 'curveError'> {
  /** Where the shape is; undefined stands for the identity. */
  readonly pose: Pose | undefined;
  readonly properties?: Readonly<Record<string, PropertyValue>>;
  /** The source's own rounding, apart from `precision`; the store's rounding is added. Default 0. */
  readonly rounding?: number;
  /** Default 0. */
  readonly curveError?: number;
  readonly relations?: ObjectRelations;
  /**
   * Its own axes in the frame of its shape, as a quaternion (x, y, z, w), where they are not those of the shape. Front
   * is −y, up is z.
   */
  readonly axes?: readonly number[];
}

/** Triangles in the model's unit: float64 where the source holds more than float32. */
export interface ShapeArrays {
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
}

/** Triangles by the numbers of their vertices, of which all fit into memory. */
export interface IndexedTriangles {
  readonly vertexCount: number;
  /** Writes all vertices, three numbers each. */
  readVertices(into: Float32Array): Promise<void>;
  /** Three numbers per triangle, in batches, repeatable. A batch may be overwritten once the next one is requested. */
  indices(): AsyncIterable<Uint32Array>;
}

/**
 * Too many triangles for memory: corners in batches, nine numbers each, repeatable. A batch may be overwritten once the
 * next one is requested.
 */
export interface ShapeStream {
  /** Expected number of triangles; an estimate is enough. */
  readonly triangleCount: number;
  batches(): AsyncIterable<Float32Array | Float64Array>;
  /** The same triangles in the same order; if present, it is read instead of the corners, which is faster. */
  readonly indexed?: IndexedTriangles;
}

/** One shape and everything that is one. */
export interface SourceShape {
  /** A mesh stays the caller's. */
  readonly geometry: ShapeArrays | ShapeStream | Mesh;
  /**
   * A list. Or, so that very many are not in memory at once, anything that makes them anew each time it is gone
   * through: always the same ones, and only until `add` has returned.
   */
  readonly objects: Iterable<SourceObject>;
  /**
   * How exact coordinates and places are in the source, as a share of each: 2⁻²⁴ where they were float32. Default 0.
   */
  readonly precision?: number;
}
