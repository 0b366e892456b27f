/** Shared by `collide` and `distance`: two sides, each of one file or several, or a store; and their poses. */
import { realpath } from 'node:fs/promises';
import { FARTHEST, type LeftOut, reachOf } from '@impinge/model';
import type { Hit, Mesh, PartsTarget, Vec3 } from 'impinge';
import { type Box, emptyBox, growBox } from './box.js';
import { LeftOutList, leftOutLines, TOO_FAR } from './formats/left-out.js';
import type { Model } from './formats/read-model.js';
import { commonUnit, type PlacedObject, placedObjects } from './placed-model.js';
import { parsePose } from './pose-text.js';
import { type FileOptions, readBoth, readFiles } from './reading.js';
import { count, counted, decimal, printable, table } from './terminal.js';

export interface AskOptions extends FileOptions {
  readonly pose?: string;
  readonly poseA?: string;
  readonly json?: boolean;
  /** Only if a side may be a store. */
  readonly error?: string;
  readonly memory: string;
}

export interface Side {
  /** As given: a file, a folder, a pattern or a store. */
  readonly name: string;
  readonly parts: readonly AskedPart[];
  readonly objects: number;
  readonly triangles: number;
  readonly kind: keyof typeof KINDS;
  /** Elements left out, with their files; for a store, "impinge info" lists them. */
  readonly leftOut: readonly (LeftOut & { readonly file: string })[];
  /** Other notes, with their files. */
  readonly notes: readonly { readonly file: string; readonly note: string }[];
  /** The largest extent, in metres. */
  readonly size: number;
}

const KINDS = { levels: 'a store with levels', store: 'a store without levels', file: 'a file' } as const;

export interface Sides {
  readonly a: Side;
  readonly b: Side;
  /** The unit of all lengths and poses of the parts. */
  readonly metresPerUnit: number;
  /** In metres; 0 if there are no levels. */
  readonly error: number;
  /** A length in metres, formatted for people; without a unit if none is known. */
  lengthText(metres: number): string;
  readonly readMs: number;
  /** Both sides are one file in the same pose: its objects are compared with each other. */
  readonly sameFile: boolean;
  dispose(): Promise<void>;
}

/** The poses of both sides; parsed before the files are read, which may take long. */
export function posesAsked({ pose, poseA }: AskOptions): (Float64Array | undefined)[] {
  return [
    poseA === undefined ? undefined : parsePose(poseA, '--pose-a'),
    pose === undefined ? undefined : parsePose(pose, '--pose'),
  ];
}

export async function readSides(nameA: string, nameB: string, options: AskOptions): Promise<Sides> {
  const [poseA, poseB] = posesAsked(options);
  const start = performance.now();
  const [modelsA, modelsB] = (await isSameFile(nameA, nameB))
    ? await readFiles([nameA], options).then((models) => [models, models])
    : await readBoth([nameA], [nameB], options);
  const metresPerUnit = commonUnit([...modelsA, ...modelsB]);
  const sameFile = modelsA === modelsB && poseA === undefined && poseB === undefined;
  const a = sideOf(nameA, modelsA, metresPerUnit, poseA);
  const b = sameFile ? a : sideOf(nameB, modelsB, metresPerUnit, poseB);
  const isKnown = options.unit !== undefined || [...modelsA, ...modelsB].some(({ statesUnit }) => statesUnit);
  return {
    ...{ a, b, metresPerUnit, error: 0, sameFile },
    lengthText: (metres) => `${decimal(metres)}${isKnown ? ' m' : ''}`,
    readMs: performance.now() - start,
    dispose: async () => {},
  };
}

/** The objects of files as one side of a query. */
export function sideOf(
  name: string,
  models: readonly Model[],
  metresPerUnit: number,
  pose: Float64Array | undefined,
): Side {
  const leftOut: (LeftOut & { readonly file: string })[] = [];
  const objects: PlacedObject[] = [];
  for (const model of models) {
    const tooFar = new LeftOutList();
    for (const object of placedObjects([model], metresPerUnit, pose)) {
      if (reachOf(object.box, undefined) < FARTHEST) objects.push(object);
      else tooFar.add(TOO_FAR, '', object.path);
    }
    for (const one of [...model.leftOut, ...tooFar.all]) leftOut.push({ file: model.path, ...one });
  }
  return {
    name,
    parts: objects.map(partOf),
    objects: objects.length,
    triangles: objects.reduce((sum, object) => sum + object.triangleCount, 0),
    kind: 'file',
    leftOut,
    notes: models.flatMap(({ path, notes }) => notes.map((note) => ({ file: path, note }))),
    size: metresPerUnit * sizeOf(objects.map(({ box }) => box)),
  };
}

/** The longest side of the box around all of these. */
export function sizeOf(boxes: readonly Box[]): number {
  const all = emptyBox();
  for (const box of boxes) growBox(all, box);
  return Math.max(0, all[3] - all[0], all[4] - all[1], all[5] - all[2]);
}

export async function isSameFile(nameA: string, nameB: string): Promise<boolean> {
  if (nameA === nameB) return true;
  try {
    return (await realpath(nameA)) === (await realpath(nameB));
  } catch {
    return false; // a pattern; or reading reports the error
  }
}

/** A part to query: a whole store, or one object of a file. */
export interface AskedPart {
  readonly thing: Mesh | PartsTarget;
  readonly pose: Float64Array | undefined;
  /** In world coordinates, with a small margin. */
  readonly box: Box;
  pathOf(object: number): string;
  /** An object by itself. */
  objectOf(object: number): Mesh | PartsTarget;
}

function partOf(object: PlacedObject): AskedPart {
  return {
    get thing() {
      return object.mesh;
    },
    pose: object.pose,
    box: object.box,
    pathOf: () => object.path,
    objectOf: () => object.mesh,
  };
}

interface Posed {
  readonly pose: Float64Array | undefined;
}

/** The poses of two objects, as the library's options. */
export function posesOf(a: Posed, b: Posed) {
  return { ...(a.pose && { poseA: a.pose }), ...(b.pose && { poseB: b.pose }) };
}

export function scaledPoint([x, y, z]: Vec3, factor: number): Vec3 {
  return [factor * x, factor * y, factor * z];
}

export function lengthText(metres: number): string {
  return `${decimal(metres)} m`;
}

/** Bounds that differ by no more than rounding are printed as one number. */
const NEGLIGIBLE = 1e-9;

/** Bounds of a distance, in metres. */
export function intervalText([lower, upper]: Hit['bounds'], textOf = lengthText): string {
  return upper - lower <= NEGLIGIBLE ? textOf(lower) : `${decimal(lower)} … ${textOf(upper)}`;
}

/** The lines that say what was compared and, if there are stores, which sides are stores. */
export function sidesTable({ a, b, sameFile }: Sides, options: AskOptions, hasStores: boolean): string {
  const row = (label: string, { name, triangles, objects, kind }: Side, pose: string | undefined) => [
    label,
    printable(name),
    counted(triangles, 'triangle'),
    [
      ...(objects > 1 ? [`${count(objects)} objects`] : []),
      ...(hasStores ? [KINDS[kind]] : []),
      ...(pose === undefined ? [] : [`posed ${printable(pose.trim(), 60)}`]),
    ].join(', '),
  ];
  const rows = sameFile
    ? [row('A = B', a, undefined)]
    : [row('A', a, options.poseA), row('B', b, options.pose)];
  return table(rows, [2], '') + notesText(sameFile ? [a] : [a, b]);
}

/** The notes about files, and the elements left out of each. */
function notesText(sides: readonly Side[]): string {
  const all = sides.flatMap(({ leftOut }) => leftOut);
  const notes = sides.flatMap(({ notes }) => notes.map(({ file, note }) => `${file}: ${note}`));
  const leftOut = [...new Set(all.map(({ file }) => file))].flatMap((file) =>
    leftOutLines(all.filter((one) => one.file === file)).map((line) => `${file}: ${line}`),
  );
  return [...notes, ...leftOut].map((line) => `  ${printable(line)}\n`).join('');
}

/** The same for programs. */
export function sideJson({ name, objects, triangles, kind, leftOut, notes }: Side, hasStores: boolean) {
  return {
    ...{ file: name, objects, triangles },
    ...(hasStores && { levels: kind === 'levels' }),
    ...(notes.length > 0 && { notes }),
    ...(leftOut.length > 0 && { leftOut }),
  };
}

/** Sums of the library's statistics over several queries. */
export class StatsSum {
  volumeTests = 0;
  triangleTests = 0;
  exactTests = 0;

  add(stats: {
    readonly volumeTests: number;
    readonly triangleTests: number;
    readonly exactTests: number;
  }): void {
    this.volumeTests += stats.volumeTests;
    this.triangleTests += stats.triangleTests;
    this.exactTests += stats.exactTests;
  }
}
