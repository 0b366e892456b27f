/**
 * Two sides of a question that may be stores: each is an target, or the objects of files as meshes. What has levels is
 * asked with an error, everything else exactly.
 */
import { basename } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { LevelsTarget } from '@impinge/model';
import type { Hit } from 'impinge';
import { type Box, emptyBox, growBox, transformedBox } from './box.js';
import { CommandError } from './command-error.js';
import { ModelFrame } from './formats/model-frame.js';
import { framedStore } from './formats/store/store.js';
import { openStoreAt } from './jobs/model-file.js';
import { matrixOfPose, multiply } from './matrix.js';
import { commonUnit } from './placed-model.js';
import { parsePose } from './pose-text.js';
import { type ErrorText, parseMemory } from './quantities.js';
import { readBoth, readFiles } from './reading.js';
import {
  type AskedPart,
  type AskOptions,
  isSameFile,
  lengthText,
  notesText,
  partOf,
  type Side,
  sideOf,
} from './sides.js';
import { isStore } from './store-extension.js';
import { count, counted, decimal, printable, table } from './terminal.js';

export interface AskedSide {
  readonly name: string;
  readonly parts: readonly AskedPart[];
  readonly objects: number;
  readonly triangles: number;
  readonly kind: 'levels' | 'store' | 'file';
  /** Of files; "impinge info" says what packing left out of a store. */
  readonly leftOut: Side['leftOut'];
  readonly notes: Side['notes'];
  /** The largest extent, in metres. */
  readonly size: number;
}

export interface AskedSides {
  readonly a: AskedSide;
  readonly b: AskedSide;
  readonly metresPerUnit: number;
  /** In metres; 0 where levels are missing. */
  readonly error: number;
  readonly openMs: number;
  dispose(): Promise<void>;
}

/** Opens both sides; `error` is what answers may be off by, at most. */
export async function openSides(
  nameA: string,
  nameB: string,
  error: ErrorText,
  options: AskOptions,
): Promise<AskedSides> {
  const poseA = options.poseA === undefined ? undefined : parsePose(options.poseA, '--pose-a');
  const poseB = options.pose === undefined ? undefined : parsePose(options.pose, '--pose');
  const memory = parseMemory(options.memory);
  if (poseA === undefined && poseB === undefined && (await isSameFile(nameA, nameB))) {
    throw new CommandError(
      `${nameA}: is given twice; give a copy another place with --pose, or compare its objects with each other with "impinge check"`,
    );
  }
  const start = performance.now();
  const opened: { model: StoredModel; target: LevelsTarget }[] = [];
  const close = async () => {
    for (const { target, model } of opened) {
      await target.dispose();
      await model.dispose();
    }
  };
  const open = async (name: string) => {
    const model = await openStoreAt(name);
    const one = { model, target: new LevelsTarget(model, { memory }) };
    opened.push(one);
    return one;
  };
  try {
    const names = [nameA, nameB] as const;
    const stores = [
      isStore(nameA) ? await open(nameA) : undefined,
      isStore(nameB) ? await open(nameB) : undefined,
    ];
    const frame = new ModelFrame();
    const places = stores.map(
      (store, i) => store && frame.add(basename(names[i]), framedStore(store.model), {}),
    );
    const files =
      stores[0] || stores[1]
        ? [
            stores[0] ? [] : await readFiles([nameA], options, frame),
            stores[1] ? [] : await readFiles([nameB], options, frame),
          ]
        : await readBoth([nameA], [nameB], options);
    if (stores[0] && stores[1]) assertSameUnit([nameA, stores[0].model], [nameB, stores[1].model]);
    const metresPerUnit = opened[0]?.model.meta.metresPerUnit ?? commonUnit(files.flat());
    const sideAt = (i: 0 | 1, pose: Float64Array | undefined): AskedSide => {
      const store = stores[i];
      if (store) {
        const notes = (places[i]?.notes ?? []).map((note) => ({ file: names[i], note }));
        const placed = inUnits(withPlace(pose, places[i]?.pose), metresPerUnit);
        return { ...storeSide(names[i], store.model, store.target, placed), notes };
      }
      const { objects, triangleCount, leftOut, notes } = sideOf(names[i], files[i], metresPerUnit, pose);
      return {
        name: names[i],
        objects: objects.length,
        triangles: triangleCount,
        leftOut,
        notes,
        kind: 'file',
        size: metresPerUnit * sizeOf(objects.map(({ box }) => box)),
        parts: objects.map(partOf),
      };
    };
    const a = sideAt(0, poseA);
    const b = sideAt(1, poseB);
    const larger = Math.max(a.size, b.size);
    const usesLevels = (a.kind === 'levels' || b.kind === 'levels') && withoutLevels([a, b]) === undefined;
    return {
      a,
      b,
      metresPerUnit,
      error: usesLevels ? error.metres(larger) : 0,
      openMs: performance.now() - start,
      dispose: close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** A pose on top of where a file is. */
function withPlace(
  pose: Float64Array | undefined,
  place: ArrayLike<number> | undefined,
): Float64Array | undefined {
  const own = place && matrixOfPose(place);
  return pose && own ? multiply(pose, own) : (pose ?? own);
}

type NamedModel = readonly [name: string, model: StoredModel];

/** Stores are asked as they are, so both must be in the same unit. */
export function assertSameUnit([nameA, a]: NamedModel, [nameB, b]: NamedModel): void {
  const [unitA, unitB] = [a.meta.metresPerUnit, b.meta.metresPerUnit];
  if (unitA === unitB) return;
  throw new CommandError(
    `${nameA} is in units of ${decimal(unitA)} m, ${nameB} of ${decimal(unitB)} m; pack both in the same unit`,
  );
}

function storeSide(
  name: string,
  model: StoredModel,
  target: LevelsTarget,
  pose: Float64Array | undefined,
): AskedSide {
  const own = Float64Array.of(...target.box.min, ...target.box.max);
  return {
    name,
    objects: model.objectCount,
    triangles: model.triangleCount,
    kind: model.hasLevels ? 'levels' : 'store',
    leftOut: [],
    notes: [],
    size: model.meta.metresPerUnit * sizeOf([own]),
    parts: [
      {
        thing: target,
        pose,
        box: transformedBox(own, pose),
        pathOf: (object) => model.object(object).path,
      },
    ],
  };
}

/** A pose in metres as one in the sides' unit. */
function inUnits(pose: Float64Array | undefined, metresPerUnit: number): Float64Array | undefined {
  return pose?.map((x, i) => (i >= 12 && i < 15 ? x / metresPerUnit : x));
}

function sizeOf(boxes: readonly Box[]): number {
  const all = emptyBox();
  for (const box of boxes) growBox(all, box);
  return Math.max(0, all[3] - all[0], all[4] - all[1], all[5] - all[2]);
}

const KINDS = { levels: 'a store with levels', store: 'a store without levels', file: 'a file' } as const;

/** The lines that say what is asked, and how exactly. */
export function askedTable(sides: AskedSides, permitted: ErrorText, options: AskOptions): string {
  const row = (label: string, side: AskedSide, pose: string | undefined) => [
    label,
    printable(side.name),
    counted(side.triangles, 'triangle'),
    [
      ...(side.objects > 1 ? [`${count(side.objects)} objects`] : []),
      KINDS[side.kind],
      ...(pose === undefined ? [] : [`posed ${printable(pose.trim(), 60)}`]),
    ].join(', '),
  ];
  const { a, b, error } = sides;
  const rows = [row('A', a, options.poseA), row('B', b, options.pose)];
  const files = a.kind === 'file' && b.kind === 'file' ? 'files' : undefined;
  const without = files ?? withoutLevels([a, b]);
  const lines = table(rows, [2], '') + notesText([a, b]);
  return `${lines}${errorLine(error, permitted, without)}\n`;
}

/** A store that has no levels: then the whole question is asked exactly. */
function withoutLevels(sides: readonly AskedSide[]): string | undefined {
  return sides.find(({ kind }) => kind === 'store')?.name;
}

/** How far answers may be off, and, if not at all, who has no levels. */
export function errorLine(error: number, { text, isShare }: ErrorText, without: string | undefined): string {
  if (error > 0)
    return `Permitted error: ${lengthText(error)}${isShare ? `, ${text} of the larger extent` : ''}.`;
  if (text === undefined || without === undefined) return 'Asked exactly.';
  const who = without === 'files' ? 'files have' : `${printable(without)} has`;
  return `The answer is exact, since ${who} no levels; "impinge pack --levels" builds them.`;
}

export function scaledBounds([lower, upper]: Hit['bounds'], factor: number): Hit['bounds'] {
  return [factor * lower, factor * upper];
}

/** The same for machines. */
export function askedJson({ name, objects, triangles, kind, leftOut, notes }: AskedSide) {
  const levels = kind === 'levels';
  const more = { ...(notes.length > 0 && { notes }), ...(leftOut.length > 0 && { leftOut }) };
  return { file: name, objects, triangles, levels, ...more };
}
