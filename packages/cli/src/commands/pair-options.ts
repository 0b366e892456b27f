/** What `collide` and `distance` have in common: two files, their poses, their objects. */
import { realpath } from 'node:fs/promises';
import { CommandError } from '../command-error.js';
import { PlacedModel, type PlacedObject } from '../placed-model.js';
import { parsePose } from '../pose-text.js';
import { count, counted, printable, table } from '../terminal.js';

export interface PairOptions {
  readonly pose?: string;
  readonly poseA?: string;
  readonly json?: boolean;
}

export interface Sides {
  readonly a: PlacedModel;
  readonly b: PlacedModel;
  readonly readMs: number;
  /** Both are one file as it lies: its objects are compared with each other. */
  readonly sameFile: boolean;
}

export async function readSides(fileA: string, fileB: string, options: PairOptions): Promise<Sides> {
  // before the files, which may take long to read
  const poseA = options.poseA === undefined ? undefined : parsePose(options.poseA, '--pose-a');
  const poseB = options.pose === undefined ? undefined : parsePose(options.pose, '--pose');
  const start = performance.now();
  const [a, b] = await Promise.all([PlacedModel.read(fileA, poseA), PlacedModel.read(fileB, poseB)]);
  return { a, b, readMs: performance.now() - start, sameFile: false };
}

/** The same, but one file given twice without a pose is read once. */
export async function readSidesOnce(fileA: string, fileB: string, options: PairOptions): Promise<Sides> {
  const posed = options.pose !== undefined || options.poseA !== undefined;
  if (posed || !(await isSameFile(fileA, fileB))) return readSides(fileA, fileB, options);
  const start = performance.now();
  const model = await PlacedModel.read(fileA, undefined);
  return { a: model, b: model, readMs: performance.now() - start, sameFile: true };
}

async function isSameFile(fileA: string, fileB: string): Promise<boolean> {
  if (fileA === fileB) return true;
  try {
    return (await realpath(fileA)) === (await realpath(fileB));
  } catch {
    return false; // reading it says what is wrong
  }
}

/** The poses of two objects, as the library's options. */
export function posesOf(a: PlacedObject, b: PlacedObject) {
  return { ...(a.pose && { poseA: a.pose }), ...(b.pose && { poseB: b.pose }) };
}

/** A finite number ≥ 0. */
export function parseLength(text: string, option: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value < Infinity)) throw new CommandError(`${option}: "${text}" is not a length`);
  return value;
}

/** An integer ≥ 1. */
export function parseLimit(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new CommandError(`${option}: "${text}" is not a count`);
  return value;
}

/** The two lines that say what was compared. */
export function sidesTable({ a, b, sameFile }: Sides, options: PairOptions): string {
  const row = (side: string, model: PlacedModel, pose: string | undefined) => [
    side,
    printable(model.file),
    counted(model.triangleCount, 'triangle'),
    (model.objects.length > 1 ? `${count(model.objects.length)} objects` : '') +
      (pose === undefined
        ? ''
        : `${model.objects.length > 1 ? ', ' : ''}posed ${printable(pose.trim(), 60)}`),
  ];
  if (sameFile) {
    return table([['A = B', ...row('', a, undefined).slice(1)]], [2], '');
  }
  return table([row('A', a, options.poseA), row('B', b, options.pose)], [2], '');
}

/** The same for machines. */
export function sideJson(model: PlacedModel) {
  return { file: model.file, objects: model.objects.length, triangles: model.triangleCount };
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
