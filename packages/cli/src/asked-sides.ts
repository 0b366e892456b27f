/**
 * Two sides of which one may be a store: each is a target, or the objects of files as meshes. Models with levels are
 * queried with an error, everything else exactly.
 */
import { basename } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { LevelsTarget } from '@impinge/model';
import type { Hit } from 'impinge';
import { transformedBox } from './box.js';
import { CommandError } from './command-error.js';
import { ModelFrame } from './formats/model-frame.js';
import { framedStore } from './formats/store/store.js';
import { openStoreAt } from './jobs/model-file.js';
import { matrixOfPose, multiply } from './matrix.js';
import { commonUnit } from './placed-model.js';
import { type ErrorText, parseMemory } from './quantities.js';
import { readBoth, readFiles } from './reading.js';
import {
  type AskOptions,
  isSameFile,
  lengthText,
  posesAsked,
  type Side,
  type Sides,
  sideOf,
  sizeOf,
} from './sides.js';
import { isStore } from './store-extension.js';
import { decimal, printable } from './terminal.js';

/** Opens both sides; `error` is the maximum error of answers. */
export async function openSides(
  nameA: string,
  nameB: string,
  error: ErrorText,
  options: AskOptions,
): Promise<Sides> {
  const poses = posesAsked(options);
  const memory = parseMemory(options.memory);
  if (poses.every((pose) => pose === undefined) && (await isSameFile(nameA, nameB))) {
    throw new CommandError(
      `${nameA}: is given twice; give a copy another place with --pose, or compare its objects with each other with "impinge check"`,
    );
  }
  const start = performance.now();
  const opened: { model: StoredModel; target: LevelsTarget }[] = [];
  const dispose = async () => {
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
    const [a, b] = names.map((name, i): Side => {
      const store = stores[i];
      if (!store) return sideOf(name, files[i], metresPerUnit, poses[i]);
      const notes = (places[i]?.notes ?? []).map((note) => ({ file: name, note }));
      const placed = inUnits(withPlace(poses[i], places[i]?.pose), metresPerUnit);
      return { ...storeSide(name, store.model, store.target, placed), notes };
    });
    const usesLevels = (a.kind === 'levels' || b.kind === 'levels') && withoutLevels([a, b]) === undefined;
    return {
      ...{ a, b, metresPerUnit, lengthText, sameFile: false, dispose },
      error: usesLevels ? error.metres(Math.max(a.size, b.size)) : 0,
      readMs: performance.now() - start,
    };
  } catch (cause) {
    await dispose();
    throw cause;
  }
}

/** A pose combined with the place of a file. */
function withPlace(
  pose: Float64Array | undefined,
  place: ArrayLike<number> | undefined,
): Float64Array | undefined {
  const own = place && matrixOfPose(place);
  return pose && own ? multiply(pose, own) : (pose ?? own);
}

type NamedModel = readonly [name: string, model: StoredModel];

/** Stores are queried in their own units, so both must be in the same one. */
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
): Side {
  const own = Float64Array.of(...target.box.min, ...target.box.max);
  const box = transformedBox(own, pose);
  const part = {
    ...{ thing: target, pose, box },
    pathOf: (object: number) => model.object(object).path,
    // levels are of all of it
    objectOf: (object: number) => (model.objectCount === 1 ? target : target.select([object])),
  };
  return {
    name,
    parts: [part],
    objects: model.objectCount,
    triangles: model.triangleCount,
    kind: model.hasLevels ? 'levels' : 'store',
    leftOut: [],
    notes: [],
    size: model.meta.metresPerUnit * sizeOf([own]),
  };
}

/** Converts a pose in metres to the sides' unit. */
function inUnits(pose: Float64Array | undefined, metresPerUnit: number): Float64Array | undefined {
  return pose?.map((x, i) => (i >= 12 && i < 15 ? x / metresPerUnit : x));
}

/** The name of a store without levels, if there is one: then the whole query is exact. */
function withoutLevels(sides: readonly Side[]): string | undefined {
  return sides.find(({ kind }) => kind === 'store')?.name;
}

/** The line that says how exactly both sides are queried. */
export function exactnessLine({ a, b, error }: Sides, permitted: ErrorText): string {
  const files = a.kind === 'file' && b.kind === 'file' ? 'files' : undefined;
  return errorLine(error, permitted, files ?? withoutLevels([a, b]));
}

/** The line about the error of answers and, if there is none, the store without levels. */
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
