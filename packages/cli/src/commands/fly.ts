/** `impinge fly`: moves a body along a path through a stored model and measures every step. */
import { basename, dirname } from 'node:path';
import { avatar as builtInAvatar } from '@impinge/scenes/plant';
import { Mesh, Session, type SessionBody } from 'impinge';
import { CommandError } from '../command-error.js';
import { writeTextAtomically } from '../jobs/atomic-file.js';
import { type FlightPath, readPath, wanderingPath } from '../jobs/flight-path.js';
import { makeFolder } from '../jobs/folder.js';
import { openStoreAt } from '../jobs/model-file.js';
import { placedObjects } from '../placed-model.js';
import { parseCount, parseLength, parseMemory } from '../quantities.js';
import { type FileOptions, readFiles } from '../reading.js';
import { type FlightStep, flightPlot } from '../reports/flight-plot.js';
import { count, counted, fileSize, json, milliseconds, type Terminal, table } from '../terminal.js';

export interface FlyOptions extends FileOptions {
  readonly path?: string;
  readonly wander?: string;
  readonly seed: string;
  readonly savePath?: string;
  readonly within?: string;
  readonly distance?: boolean;
  readonly memory: string;
  readonly plot?: string;
  readonly json?: boolean;
}

export async function fly(
  store: string,
  avatar: string | undefined,
  options: FlyOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.path === undefined && options.wander === undefined) {
    throw new CommandError('give --path FILE, or --wander STEPS for a path that is made up');
  }
  const wander = options.wander === undefined ? 0 : parseCount(options.wander, '--wander');
  if (options.path === undefined && wander === 0) throw new CommandError('--wander: at least 1 step');
  const within = options.within === undefined ? undefined : parseLength(options.within, '--within');
  const memory = parseMemory(options.memory);
  const model = await openStoreAt(store);
  try {
    const path =
      options.path === undefined
        ? wanderingPath(model, wander, parseCount(options.seed, '--seed'))
        : await readPath(options.path);
    if (options.savePath !== undefined)
      await writeTextAtomically(options.savePath, `${JSON.stringify(path)}\n`);
    const unit = model.meta.metresPerUnit;
    const meshes = await avatarMeshes(avatar, unit, options);
    const session = new Session(model, { memory });
    const first = poseOf(path.steps[0], unit);
    const bodies = meshes.map((mesh) => session.add(mesh, { pose: first }));
    const question = {
      within: within === undefined ? undefined : within / unit,
      distance: options.distance,
    };
    const started = performance.now();
    const steps = await replay(session, bodies, path, unit, question);
    const seconds = (performance.now() - started) / 1000;
    const summary = summarise(steps, session, seconds);
    if (options.plot !== undefined) {
      await makeFolder(dirname(options.plot));
      const what = `${basename(avatar ?? 'a person')} through ${basename(store)}`;
      await writeTextAtomically(options.plot, flightPlot(`${what}: milliseconds per step`, steps));
    }
    await session.dispose();
    if (options.json) terminal.out(json(summary));
    else {
      const triangles = meshes.reduce((sum, mesh) => sum + mesh.triangleCount, 0);
      terminal.out(
        `${counted(triangles, 'triangle')} through ${counted(model.triangleCount, 'triangle')} ` +
          `in ${counted(model.objectCount, 'object')}\n`,
      );
      printSummary(summary, options, terminal);
    }
    return 0;
  } finally {
    await model.dispose();
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

function poseOf(step: readonly number[], metresPerUnit: number) {
  return { rotation: step.slice(0, 9), translation: step.slice(9).map((x) => x / metresPerUnit) };
}

async function replay(
  session: Session,
  bodies: readonly SessionBody[],
  path: FlightPath,
  metresPerUnit: number,
  question: { readonly within: number | undefined; readonly distance: boolean | undefined },
): Promise<FlightStep[]> {
  const steps: FlightStep[] = [];
  for (const step of path.steps) {
    const waitedBefore = session.stats.waits;
    const pose = poseOf(step, metresPerUnit);
    const started = performance.now();
    let hits = 0;
    for (const body of bodies) {
      body.move(pose);
      const met = question.within
        ? await body.within({ distance: question.within, mode: 'any' })
        : await body.collide({ mode: 'any' });
      hits += met.hits.filter(({ object }) => object !== undefined).length;
      if (question.distance) await body.distance();
    }
    steps.push({ ms: performance.now() - started, hits, waits: session.stats.waits - waitedBefore });
    // between two steps a program does other things; reads that are under way get their turn
    await new Promise((resolve) => setImmediate(resolve));
  }
  return steps;
}

interface FlightSummary {
  readonly steps: number;
  readonly meanMs: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly stepsWithContact: number;
  /** Steps, after the first, that needed something that was not in memory. */
  readonly stepsThatWaited: number;
  readonly pagesRead: number;
  readonly bytesRead: number;
  readonly peakBytes: number;
  readonly seconds: number;
}

function summarise(steps: readonly FlightStep[], session: Session, seconds: number): FlightSummary {
  const sorted = steps.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const { loads, bytesRead, peakBytes } = session.stats;
  return {
    steps: steps.length,
    meanMs: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted[sorted.length - 1],
    stepsWithContact: steps.filter(({ hits }) => hits > 0).length,
    stepsThatWaited: steps.slice(1).filter(({ waits }) => waits > 0).length,
    pagesRead: loads,
    bytesRead,
    peakBytes,
    seconds,
  };
}

function printSummary(summary: FlightSummary, options: FlyOptions, { out }: Terminal): void {
  out(
    table(
      [
        ['steps', count(summary.steps)],
        ['with contact', count(summary.stepsWithContact)],
        ['mean', milliseconds(summary.meanMs)],
        ['median', milliseconds(summary.medianMs)],
        ['99 % within', milliseconds(summary.p99Ms)],
        ['slowest', milliseconds(summary.maxMs)],
        ['waited for the disk', `${counted(summary.stepsThatWaited, 'step')} after the first`],
        ['read', `${counted(summary.pagesRead, 'page')}, ${fileSize(summary.bytesRead)}`],
        ['memory for geometry', fileSize(summary.peakBytes)],
      ],
      [],
    ),
  );
  if (options.plot !== undefined) out(`Plot: ${options.plot}\n`);
}
