/** Packs files into a store: one after the other, each object as it is read. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type SourceShape, type StoreGeoreference, type StoreSourceFile, StoreWriter } from '@impinge/model';
import { FileSink, fileSpill, modelPool } from '@impinge/model/node';
import { CommandError } from '../command-error.js';
import { assertUsed, type FilePattern, settingOf, sourceSetting } from '../formats/file-settings.js';
import { assertUnitUsed, openSource } from '../formats/formats.js';
import type { Georeference } from '../formats/georeference.js';
import { type Landmarks, placedLandmarks } from '../formats/landmarks.js';
import { LeftOutList, leftOutLines, TOO_FAR } from '../formats/left-out.js';
import { ModelFrame } from '../formats/model-frame.js';
import type { ModelSource, SourceOptions } from '../formats/model-source.js';
import { inUnits, placedShape } from '../formats/placed-shape.js';
import { scaledShape } from '../formats/scaled-shape.js';
import { PropertyTable } from '../formats/table/property-table.js';
import { writeAtomically } from './atomic-file.js';
import { isRecorded } from './kept-reading.js';
import { ReadingCache } from './reading-cache.js';
import { Ingredients, recipeOf } from './recipe.js';
import type { FileContents } from './source-contents.js';

export interface PackOptions {
  /** For formats that do not state a unit. */
  readonly metresPerUnit?: number;
  readonly up?: 'y' | 'z';
  /** Maximum tessellation error of curved surfaces, in metres. */
  readonly curveError?: number;
  /** Settings for single files. */
  readonly patterns?: readonly FilePattern[];
  /** Bytes of memory to use. */
  readonly memory: number;
  /** Whether to add levels. */
  readonly levels?: boolean;
  /** The folder of readings, if they are kept. */
  readonly readings?: string;
  /** Threads, at most: to make levels, one for each 40 MB of memory; without levels, more than one means two. */
  readonly workers?: number;
  /** The contents of the files, in their order, if they were inspected after this call began. */
  readonly contents?: Promise<readonly FileContents[] | undefined>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackProgress) => void;
}

export interface PackProgress {
  /** Bytes of all files; with levels, work in units of the time it takes to read a byte. */
  readonly done: number;
  readonly total: number;
  /** The finished share of the levels of the current shape. */
  readonly levels: number | undefined;
  readonly objects: number;
  readonly triangles: number;
}

export interface Packed {
  readonly objects: number;
  /** Counted once per instance. */
  readonly triangles: number;
  readonly pieces: number;
  readonly byteLength: number;
  readonly files: readonly StoreSourceFile[];
  /** Files that were not read again, since what they hold was kept. */
  readonly kept: number;
}

/** Time that one thread takes to make levels, relative to reading. */
const LEVELS_PER_READING = 4;
/** Maximum number of characters of names in a title. */
const TITLE_MAX = 60;
/** Bytes of memory per thread. */
const THREAD_BYTES = 40e6;

/** Disk bytes per triangle while its shape is sorted outside of memory. */
const SPILL_BYTES_PER_TRIANGLE = 200;

/**
 * Writes a store to `output`, which appears only when complete. Errors name file, object and cause. The contents of
 * every file are hashed before and after it is read, and must be the same: a store holds one state of its files.
 */
export async function packModel(
  paths: readonly string[],
  output: string,
  options: PackOptions,
): Promise<Packed> {
  assertUsed(paths, options.patterns);
  await assertUnitUsed(paths, options.metresPerUnit);
  const ingredients = new Ingredients(options.signal, paths, await options.contents);
  for (const path of paths) await ingredients.contents(path);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const cache = options.readings === undefined ? undefined : new ReadingCache(options.readings);
  const open = async (path: string, onProgress: NonNullable<SourceOptions['onProgress']>) => {
    const asked = sourceOptions(path, options, onProgress);
    return cache?.open(path, asked, await ingredients.contents(path)) ?? openSource(path, asked);
  };
  let packed: Packed | undefined;
  const threads = Math.max(1, Math.min(options.workers ?? 1, Math.floor(options.memory / THREAD_BYTES)));
  // without levels, one additional thread: it makes pages while pieces are cut here
  const pool = options.levels ? modelPool(threads) : (options.workers ?? 1) > 1 ? modelPool(1) : undefined;
  await writeAtomically(
    output,
    async (file) => {
      const spill = fileSpill(Math.floor(options.memory / SPILL_BYTES_PER_TRIANGLE), dirname(output));
      let tooFar = new LeftOutList();
      let ahead = { bytes: 0, objects: 0, triangles: 0 }; // read to learn the units
      let read = 0;
      let withLevels = 0; // bytes read whose levels are done
      let share: number | undefined;
      const weight = options.levels ? LEVELS_PER_READING / threads : 0;
      const report = () =>
        options.onProgress?.({
          done: Math.max(ahead.bytes, read) + weight * (withLevels + (share ?? 0) * (read - withLevels)),
          total: total * (1 + weight),
          levels: share,
          objects: Math.max(ahead.objects, writer.objectCount),
          triangles: Math.max(ahead.triangles, triangles),
        });
      const writer = new StoreWriter(new FileSink(file), {
        spill,
        ...(pool && { pool }),
        levels: options.levels ?? false,
        onLevels: ({ done, total }) => {
          share = done / total;
          report();
        },
        onTooFar: ({ path, type }) => tooFar.add(TOO_FAR, type, path),
      });
      const files: StoreSourceFile[][] = [];
      const besides: (readonly string[])[] = [];
      const frame = new ModelFrame();
      const notes: (readonly string[])[] = [];
      let bytesBefore = 0;
      let triangles = 0;
      const units = await unitsOf(paths, open, (progress) => {
        ahead = progress;
        report();
      });
      for (const [i, path] of paths.entries()) {
        const source = await open(path, ({ done }) => {
          read = bytesBefore + done;
          report();
        });
        units.add(source.metresPerUnit);
        const setting = settingOf(path, options.patterns);
        besides.push([...source.filesBeside, ...(setting.table === undefined ? [] : [setting.table])]);
        try {
          for (const other of besides[i]) await ingredients.contents(other);
          const before = { objects: writer.objectCount, triangles };
          tooFar = new LeftOutList();
          const table = setting.table === undefined ? undefined : await PropertyTable.read(setting.table);
          const placed = frame.add(basename(path), source, setting);
          const pose = placed.pose && inUnits(placed.pose, source.metresPerUnit);
          for await (const own of source.shapes()) {
            options.signal?.throwIfAborted();
            const shape = placedShape(table?.joined(own) ?? own, { pose, discipline: setting.discipline });
            const objectsBefore = writer.objectCount;
            await writer.add(units.size > 1 ? scaledShape(shape, source.metresPerUnit) : shape);
            withLevels = read;
            share = undefined;
            triangles += (writer.objectCount - objectsBefore) * trianglesOf(shape);
          }
          const placedHere = (landmarks: Partial<Landmarks>) =>
            placedLandmarks(landmarks, pose, units.size > 1 ? source.metresPerUnit : 1);
          notes.push([...placed.notes, ...(table?.notes ?? [])]);
          const leftOut = [...source.leftOut, ...tooFar.all];
          const whole = {
            name: basename(path),
            byteLength: sizes[i],
            modified: source.written ?? (await stat(path)).mtime.toISOString(),
            objects: writer.objectCount - before.objects,
            triangles: triangles - before.triangles,
            unit: { metres: source.metresPerUnit, stated: source.statesUnit },
            ...(placed.place && { place: Array.from(placed.place) }),
            ...(source.projectId && { projectId: source.projectId }),
            ...(leftOut.length > 0 && { leftOut }),
            ...placedHere(await source.landmarks()),
          };
          const inside = source.files?.map((one) => ({ ...one, ...placedHere(one) }));
          files.push(inside?.length ? inside : [whole]);
        } finally {
          await source.close();
        }
        bytesBefore += sizes[i];
        read = withLevels = bytesBefore;
        report();
      }
      if (writer.objectCount === 0) {
        const lines = files.flat().flatMap(({ leftOut = [] }) => leftOutLines(leftOut));
        throw new CommandError([`${paths.join(', ')}: no object with triangles`, ...lines].join('; '));
      }
      const title = titleOf(
        files.map((own) => own[0].name),
        files.flat().length,
      );
      const metresPerUnit = units.size > 1 ? 1 : [...units][0];
      await ingredients.assertUnchanged();
      const recipe = await recipeOf(paths, besides, options, ingredients);
      const { georeference } = frame;
      const noted = files.flatMap((own, i) => withNotes(own, notes[i]));
      await writer.finish({
        ...{ title, metresPerUnit, files: noted, recipe },
        ...(georeference && { georeference: storedGeoreference(georeference) }),
      });
      packed = {
        objects: writer.objectCount,
        triangles,
        pieces: writer.pieceCount,
        byteLength: writer.byteLength,
        files: noted,
        kept: cache?.kept ?? 0,
      };
    },
    options,
  ).finally(() => pool?.dispose());
  await cache?.trim();
  return packed!;
}

/** A few names are listed, many are counted. */
function titleOf(names: readonly string[], count: number): string {
  const all = names.join(' + ');
  return names.length === 1 || all.length <= TITLE_MAX ? all : `${count} files`;
}

/**
 * The units of several files: if there is more than one unit, everything is converted to metres. The unit of a single
 * file becomes known when it is packed. Where readings are kept, files that take half the time to be opened are read.
 */
async function unitsOf(
  paths: readonly string[],
  open: (path: string, onProgress: NonNullable<SourceOptions['onProgress']>) => Promise<ModelSource>,
  onProgress: (ahead: { bytes: number; objects: number; triangles: number }) => void,
): Promise<Set<number>> {
  const units = new Set<number>();
  if (paths.length === 1) return units;
  let [bytes, objects, triangles] = [0, 0, 0];
  for (const path of paths) {
    const source = await open(path, ({ done }) => onProgress({ bytes: bytes + done, objects, triangles }));
    try {
      if (isRecorded(source)) {
        for await (const shape of source.shapes()) {
          const count = [...shape.objects].length;
          objects += count;
          triangles += count * trianglesOf(shape);
        }
        await source.landmarks();
      }
    } finally {
      await source.close();
    }
    bytes += source.byteLength;
    units.add(source.metresPerUnit);
    if (units.size > 1) break;
  }
  return units;
}

function trianglesOf({ geometry }: SourceShape): number {
  return 'indices' in geometry ? geometry.indices.length / 3 : geometry.triangleCount;
}

function sourceOptions(
  path: string,
  { metresPerUnit, up, curveError, memory, signal, patterns }: PackOptions,
  onProgress: NonNullable<SourceOptions['onProgress']>,
): SourceOptions {
  return {
    memoryBytes: memory,
    onProgress,
    ...(metresPerUnit === undefined ? {} : { metresPerUnit }),
    ...(up === undefined ? {} : { up }),
    ...(curveError === undefined ? {} : { curveError }),
    ...sourceSetting(settingOf(path, patterns)),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Notes about a store with several files are attached to the first. */
function withNotes(
  [first, ...others]: readonly StoreSourceFile[],
  more: readonly string[],
): StoreSourceFile[] {
  const notes = [...(first.notes ?? []), ...more];
  return [{ ...first, ...(notes.length > 0 && { notes }) }, ...others];
}

function storedGeoreference({ crs, pose, scale }: Georeference): StoreGeoreference {
  return { crs, pose: [...pose], scale };
}
