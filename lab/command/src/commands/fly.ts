/** `lab fly`: moves a body along a path through a stored model, reports its hits, and measures every step. */
import { basename, dirname } from 'node:path';
import { assertSameUnit, errorLine } from '@impinge/cli/internal/asked-sides.js';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { writeAtomically, writeTextAtomically } from '@impinge/cli/internal/jobs/atomic-file.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { openStoreAt } from '@impinge/cli/internal/jobs/model-file.js';
import { placedObjects } from '@impinge/cli/internal/placed-model.js';
import { parseCount, parseError, parseLength, parseMemory } from '@impinge/cli/internal/quantities.js';
import { type FileOptions, readFiles } from '@impinge/cli/internal/reading.js';
import { isStore } from '@impinge/cli/internal/store-extension.js';
import { counted, json, type Terminal } from '@impinge/cli/internal/terminal.js';
import type { StoredModel } from '@impinge/model';
import { LevelsTarget, Session } from '@impinge/model';
import { avatar as builtInAvatar } from '@impinge/scenes/plant';
import { Mesh } from 'impinge';
import { poseOf, replay } from '../jobs/flight.js';
import { readPath, wanderingPath } from '../jobs/flight-path.js';
import { storedSurface } from '../jobs/stored-surface.js';
import { flightPlot } from '../reports/flight-plot.js';
import { flightRecording } from '../reports/flight-recording.js';
import { flightSummary, printedFlight } from '../reports/flight-summary.js';

export interface FlyOptions extends FileOptions {
  readonly path?: string;
  readonly wander?: string;
  readonly seed: string;
  readonly savePath?: string;
  readonly within?: string;
  readonly distance?: boolean;
  readonly error?: string;
  readonly memory: string;
  readonly plot?: string;
  readonly record?: string;
  readonly json?: boolean;
}

export async function fly(
  store: string,
  avatar: string | undefined,
  options: FlyOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.path === undefined && options.wander === undefined) {
    throw new CommandError('give --path FILE, or --wander STEPS to generate a path');
  }
  const wander = options.wander === undefined ? 0 : parseCount(options.wander, '--wander');
  if (options.path === undefined && wander === 0) throw new CommandError('--wander: at least 1 step');
  const within = options.within === undefined ? undefined : parseLength(options.within, '--within');
  const permitted = parseError(options.error, '--error');
  const memory = parseMemory(options.memory);
  const opened: { dispose(): Promise<void> }[] = [];
  const open = async (path: string) => {
    const model = await openStoreAt(path);
    opened.unshift(model);
    return model;
  };
  const targetOf = (model: StoredModel) => {
    const target = new LevelsTarget(model, { memory });
    opened.unshift(target);
    return target;
  };
  try {
    const model = await open(store);
    const path =
      options.path === undefined
        ? wanderingPath(model, wander, parseCount(options.seed, '--seed'))
        : await readPath(options.path);
    if (options.savePath !== undefined)
      await writeTextAtomically(options.savePath, `${JSON.stringify(path)}\n`);
    const unit = model.meta.metresPerUnit;
    const moving = avatar !== undefined && isStore(avatar) ? await open(avatar) : undefined;
    if (moving) assertSameUnit([store, model], [avatar!, moving]);
    const meshes = moving ? [] : await avatarMeshes(avatar, unit, options);
    const movers = moving ? [targetOf(moving)] : [];
    const still = targetOf(model);
    // a moving store needs its own levels; a static one without levels is queried piece by piece
    const { hasLevels } = moving ?? model;
    const size = unit * Math.max(extentOf([still]), extentOf([...movers, ...meshes]));
    const error = hasLevels ? permitted.metres(size) : 0;
    const usesLevels = error > 0 && model.hasLevels;
    const session = new Session(usesLevels ? still : model, { memory });
    opened.unshift(session);
    const first = poseOf(path.steps[0], unit);
    const bodies = [...movers, ...meshes].map((thing) => session.add(thing, { pose: first }));
    const targets = usesLevels ? [still, ...movers] : movers;
    const question = { within, error, distance: options.distance === true };
    const flight = await replay({ session, bodies, model, targets }, path, question);
    const summary = flightSummary(flight, error);
    if (options.plot !== undefined) {
      await makeFolder(dirname(options.plot));
      const what = `${basename(avatar ?? 'a person')} through ${basename(store)}`;
      await writeTextAtomically(options.plot, flightPlot(`${what}: milliseconds per step`, flight.steps));
    }
    if (options.record !== undefined) {
      const surfaces = moving ? [await storedSurface(moving, extentOf(movers))] : meshes.map(surfaceOf);
      const of = { model: basename(store), metresPerUnit: unit, interval: path.interval };
      await makeFolder(dirname(options.record));
      const chunks = flightRecording(flight, of, surfaces).chunks();
      await writeAtomically(options.record, async (file) => {
        for (const chunk of chunks) await file.write(chunk);
      });
    }
    if (options.json) terminal.out(json(summary));
    else {
      const triangles = moving?.triangleCount ?? meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0);
      terminal.out(
        `${counted(triangles, 'triangle')} through ${counted(model.triangleCount, 'triangle')} ` +
          `in ${counted(model.objectCount, 'object')}\n`,
      );
      if (permitted.text !== undefined)
        terminal.out(
          `${errorLine(error, permitted, hasLevels ? undefined : basename(moving ? avatar! : store))}\n`,
        );
      terminal.out(printedFlight(summary, within !== undefined));
      if (options.plot !== undefined) terminal.out(`Plot: ${options.plot}\n`);
      if (options.record !== undefined) terminal.out(`Recording: ${options.record}\n`);
    }
    return 0;
  } finally {
    for (const one of opened) await one.dispose();
  }
}

async function avatarMeshes(
  file: string | undefined,
  metresPerUnit: number,
  options: FileOptions,
): Promise<Mesh[]> {
  if (file === undefined) {
    const { positions, indices } = builtInAvatar();
    const scaled = metresPerUnit === 1 ? positions : Float64Array.from(positions, (x) => x / metresPerUnit);
    return [Mesh.from({ positions: scaled, indices, name: 'a person' })];
  }
  const objects = placedObjects(await readFiles([file], options), metresPerUnit, undefined);
  return objects.map(({ mesh, pose }) => (pose ? mesh.transformed(pose) : mesh));
}

function surfaceOf({ positions, indices, origin }: Mesh) {
  return { positions: Float64Array.from(positions, (x, i) => x + origin[i % 3]), indices };
}

/** The largest extent of all together. */
function extentOf(things: readonly Pick<Mesh, 'box'>[]): number {
  const end = (which: 'min' | 'max', axis: number) => things.map(({ box }) => box[which][axis]);
  const along = (axis: number) => Math.max(...end('max', axis)) - Math.min(...end('min', axis));
  return Math.max(along(0), along(1), along(2));
}
