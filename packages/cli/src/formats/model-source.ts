/** What readers of model files are asked, and what they give: shapes one after the other. */
import type { LeftOut, SourceShape, StoreGrid, StoreSourceFile } from '@impinge/model';
import type { Georeference } from './georeference.js';

export interface SourceOptions {
  /** How long one unit of the file is, where the format does not say (STL, PLY, OBJ); a metre by default. */
  readonly metresPerUnit?: number;
  /** How long it is whatever file and format say. */
  readonly unit?: number;
  /** Which axis of the file points up; by default what the format says, z where it says nothing. */
  readonly up?: 'y' | 'z';
  /** What facets may be off from curved surfaces, in metres, where the format has any. */
  readonly curveError?: number;
  /** What the reader may hold at a time. */
  readonly memoryBytes: number;
  /** What a compressed file may come to, where all of it is going to be in memory. */
  readonly mostBytes?: number;
  /** Where temporary files go; the system's folder by default. */
  readonly tempDir?: string;
  /** How much is read at a time; tests make it small. */
  readonly chunkBytes?: number;
  readonly signal?: AbortSignal;
  /** Of the file's bytes. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ModelSource {
  /** For people: `IFC, IFC2X3`. */
  readonly format: string;
  /** Of the coordinates it yields. */
  readonly metresPerUnit: number;
  /** Whether the file, or its format, says so; else it is what the options say. */
  readonly statesUnit: boolean;
  /** Where the file says that it is. */
  readonly georeference: Georeference | undefined;
  /** Whether files of its kind can say so. */
  readonly mayBeGeoreferenced: boolean;
  /** Whether it is Y up by its format, and was turned. */
  readonly isTurnedUp: boolean;
  /** The id of the project that the file says it belongs to; empty where it says none. */
  readonly projectId: string;
  /** By which people find their way in it. */
  readonly grids: readonly StoreGrid[];
  /** Bytes on disk. */
  readonly byteLength: number;
  /** Other files that are read with this one: buffers of a glTF file. */
  readonly filesBeside: readonly string[];
  /** Of a store: what it was made of. */
  readonly files?: readonly StoreSourceFile[];
  /** Can be called once; what is wrong with the file comes as a FormatError. */
  shapes(): AsyncIterable<SourceShape>;
  /** What the file has and `shapes()` has not; complete when that has ended. */
  readonly leftOut: readonly LeftOut[];
  /** Must be called, also after an error. */
  close(): Promise<void>;
}
