/** The input and output of model file readers: shapes, one after the other. */
import type { LeftOut, SourceShape, StoreSourceFile } from '@impinge/model';
import type { Georeference } from './georeference.js';
import type { Landmarks } from './landmarks.js';

export interface SourceOptions {
  /** Metres per unit where the format does not state it (STL, PLY, OBJ); 1 by default. */
  readonly metresPerUnit?: number;
  /** Metres per unit, overriding file and format. */
  readonly unit?: number;
  /** The file's up axis; by default the format's, z where it has none. */
  readonly up?: 'y' | 'z';
  /** Maximum tessellation error of curved surfaces, in metres, where the format has any. */
  readonly curveError?: number;
  /** The memory limit of the reader, in bytes. */
  readonly memoryBytes: number;
  /** Maximum size of a decompressed file, where all of it is going to be in memory. */
  readonly mostBytes?: number;
  /** Where temporary files go; the system's folder by default. */
  readonly tempDir?: string;
  /** Bytes per read; small in tests. */
  readonly chunkBytes?: number;
  readonly signal?: AbortSignal;
  /** Progress in bytes of the file. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ModelSource {
  /** For people: `IFC, IFC2X3`. */
  readonly format: string;
  /** Metres per unit of the coordinates it yields. */
  readonly metresPerUnit: number;
  /** Whether the file or its format states it; otherwise it comes from the options. */
  readonly statesUnit: boolean;
  /** The location stated in the file. */
  readonly georeference: Georeference | undefined;
  /** Whether the format can state one. */
  readonly mayBeGeoreferenced: boolean;
  /** Whether it is Y up by its format, and was turned. */
  readonly isTurnedUp: boolean;
  /** The project id stated in the file; empty where there is none. */
  readonly projectId: string;
  /** When the file says that it was written: ISO 8601. */
  readonly written?: string;
  /** Bytes on disk. */
  readonly byteLength: number;
  /** Other files that are read with this one: buffers of a glTF file. */
  readonly filesBeside: readonly string[];
  /** Of a store: its source files. */
  readonly files?: readonly StoreSourceFile[];
  /** Can be called once; errors in the file are thrown as FormatErrors. */
  shapes(): AsyncIterable<SourceShape>;
  /** Not while shapes are read. */
  landmarks(): Promise<Landmarks>;
  /** Contents of the file that `shapes()` omits; complete when that has ended. */
  readonly leftOut: readonly LeftOut[];
  /** Must be called, also after an error. */
  close(): Promise<void>;
}
