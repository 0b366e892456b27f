/**
 * Files in memory, for commands that need all of them at once: collects the output of their readers. Instances share
 * their triangles, and everything is as in a store: Z up, coordinates in the file's own unit and bits.
 */
import { totalmem } from 'node:os';
import { basename } from 'node:path';
import type { ShapeArrays, SourceObject, SourceShape, StoreSourceFile } from '@impinge/model';
import { type FilePattern, settingOf, sourceSetting } from './file-settings.js';
import { FormatError } from './format-error.js';
import { openSource } from './formats.js';
import { placedLandmarks } from './landmarks.js';
import { ModelFrame } from './model-frame.js';
import type { ModelSource, SourceOptions } from './model-source.js';
import { inUnits, placedShape } from './placed-shape.js';

/** One shape and everything that is one, in memory. */
export interface LoadedShape extends SourceShape {
  readonly geometry: ShapeArrays;
  readonly objects: readonly SourceObject[];
}

export interface Model
  extends Pick<ModelSource, 'format' | 'metresPerUnit' | 'statesUnit' | 'byteLength' | 'leftOut'> {
  readonly path: string;
  readonly landmarks: Pick<StoreSourceFile, 'storeys' | 'rooms'>;
  /** Other notes about it. */
  readonly notes: readonly string[];
  readonly shapes: readonly LoadedShape[];
}

export interface ReadOptions extends Omit<SourceOptions, 'memoryBytes' | 'mostBytes' | 'onProgress'> {
  /** Memory for vertices and triangles, in bytes; by default a quarter of this machine's. */
  readonly memoryBytes?: number;
  /** Settings for single files. */
  readonly patterns?: readonly FilePattern[];
  /** The frame that relates the files to each other and to other files; by default a new one. */
  readonly frame?: ModelFrame;
  /** Bytes of all files together. */
  readonly onProgress?: (progress: { readonly done: number }) => void;
}

/** The rest is for hierarchies and other data. */
const MEMORY_SHARE = 1 / 4;
/** A reader passes on shapes of up to 1 / READER_SHARE of its memory as arrays, and streams larger ones. */
const READER_SHARE = 4;

/** Reads one file; everything that is wrong with it comes as a FormatError. */
export async function readModel(path: string, options: ReadOptions = {}): Promise<Model> {
  const [model] = await readModels([path], options);
  return model;
}

/** Reads files that have to fit into memory together. */
export async function readModels(paths: readonly string[], options: ReadOptions = {}): Promise<Model[]> {
  const limit = options.memoryBytes ?? MEMORY_SHARE * machineMemory();
  const models: Model[] = [];
  const { patterns, frame = new ModelFrame(), ...reading } = options;
  let left = limit;
  let bytesBefore = 0;
  for (const path of paths) {
    const setting = settingOf(path, patterns);
    const source = await openSource(path, {
      ...reading,
      ...sourceSetting(setting),
      memoryBytes: READER_SHARE * left,
      mostBytes: READER_SHARE * left,
      onProgress: ({ done }) => options.onProgress?.({ done: bytesBefore + done }),
    });
    try {
      const shapes: LoadedShape[] = [];
      const { pose: inMetres, notes } = frame.add(basename(path), source, setting);
      const pose = inMetres && inUnits(inMetres, source.metresPerUnit);
      const place = { pose, discipline: setting.discipline };
      for await (const shape of source.shapes()) {
        const { geometry } = shape;
        if ('indices' in geometry) left -= geometry.positions.byteLength + geometry.indices.byteLength;
        if (!('indices' in geometry) || left < 0) throw tooLarge(path, limit);
        shapes.push({ ...shape, geometry, objects: [...placedShape(shape, place).objects] });
      }
      const { format, metresPerUnit, statesUnit, byteLength, leftOut } = source;
      const landmarks = placedLandmarks(await source.landmarks(), pose, 1);
      models.push({ path, format, metresPerUnit, statesUnit, byteLength, leftOut, shapes, landmarks, notes });
      bytesBefore += byteLength;
    } finally {
      await source.close();
    }
  }
  return models;
}

/** Memory that this process may use, in bytes: a container may allow less than the machine has. */
function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

function tooLarge(path: string, limit: number): FormatError {
  return new FormatError(
    path,
    `its triangles do not fit into ${Math.round(limit / 1e6)} MB, a share of this machine's memory; ` +
      '"impinge check" reads models of any size, and "impinge pack" packs them into a store',
  );
}
