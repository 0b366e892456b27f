/** `lab simulate`: runs a scene step by step, with statistics of detection. */
import { dirname } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { writeAtomically } from '@impinge/cli/internal/jobs/atomic-file.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { Progress } from '@impinge/cli/internal/progress.js';
import { parseCount, parseLength } from '@impinge/cli/internal/quantities.js';
import {
  count,
  counted,
  fileSize,
  json,
  milliseconds,
  type Terminal,
  table,
} from '@impinge/cli/internal/terminal.js';
import { readScene } from '../jobs/read-scene.js';
import { runSimulation, type SimulationOutcome } from '../jobs/run-simulation.js';
import type { SimulatedScene } from '../jobs/simulated-scene.js';
import { cullingPlot, levelsPlot, stageTimePlot } from '../reports/simulation-plots.js';
import { type StepColumn, stepCsv } from '../reports/simulation-stats.js';

export interface SimulateOptions {
  readonly steps?: string;
  readonly seed: string;
  readonly count?: string;
  readonly error?: string;
  readonly speedError?: string;
  readonly engine: string;
  readonly contactLevels?: string;
  readonly model?: string;
  readonly on?: string;
  readonly record?: string;
  readonly frames?: string;
  readonly stats?: string;
  readonly plot?: string;
  readonly check?: string | true;
  readonly workers: string;
  readonly json?: boolean;
}

const ENGINES = ['auto', 'exact', 'contact-levels'] as const;
const MOST_STEPS = 1e6;
const MOST_FRAMES = 1000;
const DETECTION: readonly StepColumn[] = [
  'sweepMs',
  'gridMs',
  'primitivesMs',
  'elementsMs',
  'exactMs',
  'sortMs',
];

const STEP_TIMES: readonly StepColumn[] = [...DETECTION, 'solverMs', 'responseMs'];

export async function simulate(name: string, options: SimulateOptions, terminal: Terminal): Promise<number> {
  const seed = parseCount(options.seed, '--seed');
  const asked = options.frames && inRange(options.frames, '--frames', 2, MOST_FRAMES);
  const workers = inRange(options.workers, '--workers', 0, 256);
  const checkEvery =
    options.check === undefined ? 0 : options.check === true ? 1 : inRange(options.check, '--check', 1, 1e6);
  const scene = await readScene(name, {
    seed,
    ...(options.model && { model: options.model }),
    ...(options.on && { on: options.on }),
    ...(options.count !== undefined && { count: parseCount(options.count, '--count') }),
    ...(options.error !== undefined && { error: parseLength(options.error, '--error') }),
    ...(options.speedError !== undefined && {
      speedError: parseSeconds(options.speedError, '--speed-error'),
    }),
    engine: engineOf(options.engine),
    ...(options.contactLevels !== undefined && { contactLevels: options.contactLevels }),
    drawn: options.record !== undefined,
    onBuild: (model) => terminal.error(`building contact levels of the ${model}\n`),
  });
  const steps = options.steps === undefined ? scene.steps : inRange(options.steps, '--steps', 1, MOST_STEPS);
  const progress = new Progress();
  progress.begin({ label: 'simulating', total: steps, unit: 'steps' });
  const started = performance.now();
  const outcome = await interruptedOnce((signal) =>
    runSimulation({
      scene,
      steps,
      workers,
      frames: options.record === undefined ? 0 : asked || framesOf(scene, steps),
      checkEvery,
      signal,
      onStep: ({ step, events }) => progress.update(step, counted(events, 'contact')),
    }),
  ).finally(async () => {
    progress.end();
    await scene.dispose?.();
  });
  const seconds = (performance.now() - started) / 1000;
  const written = await writeResults(scene, outcome, options);
  const summary = summarise(scene, outcome, seconds);
  if (options.json) terminal.out(json({ ...summary, written }));
  else print(scene, outcome, summary, written, terminal);
  return outcome.intersections > 0 ? 1 : 0;
}

/** A frame rate close to that of a recording of all steps, within limits. */
function framesOf(scene: SimulatedScene, steps: number): number {
  const share = steps / scene.steps;
  return Math.round(Math.min(Math.max(scene.frames, scene.frames * share), MOST_FRAMES, steps + 1));
}

/** The first Ctrl-C ends the simulation and writes its results; the next one ends the process. */
async function interruptedOnce<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

function parseSeconds(text: string, option: string): number {
  const value = Number(text);
  if (value > 0 && value < Infinity) return value;
  throw new CommandError(`${option}: ${text} is not a number of seconds`);
}

function engineOf(text: string): (typeof ENGINES)[number] {
  const engine = ENGINES.find((name) => name === text);
  if (engine) return engine;
  throw new CommandError(`--engine: ${text} is none of ${ENGINES.join(', ')}`);
}

function inRange(text: string, option: string, least: number, most: number): number {
  const value = parseCount(text, option);
  if (value >= least && value <= most) return value;
  throw new CommandError(`${option}: ${text} is not from ${count(least)} to ${count(most)}`);
}

interface Written {
  readonly path: string;
  readonly byteLength: number;
}

async function writeResults(
  scene: SimulatedScene,
  { rows, recording }: SimulationOutcome,
  { record, stats, plot }: SimulateOptions,
): Promise<Written[]> {
  const written: Written[] = [];
  const write = async (
    path: string,
    fill: (file: Parameters<Parameters<typeof writeAtomically>[1]>[0]) => Promise<unknown>,
  ) => {
    await makeFolder(dirname(path));
    let byteLength = 0;
    await writeAtomically(path, async (file) => {
      await fill(file);
      byteLength = (await file.stat()).size;
    });
    written.push({ path, byteLength });
  };
  if (record !== undefined && recording)
    await write(record, async (file) => {
      for (const chunk of recording.chunks()) await file.write(chunk);
    });
  if (stats !== undefined) await write(stats, (file) => file.write(stepCsv(rows)));
  if (plot !== undefined && rows.length > 0) {
    const stem = plot.replace(/\.svg$/i, '');
    await write(`${stem}-times.svg`, (file) =>
      file.write(stageTimePlot(`${scene.title}: milliseconds of every stage`, rows)),
    );
    const detects = rows.some(({ passes }) => passes > 0);
    const counts = detects ? 'pairs left by every stage' : 'contacts, and bodies at rest';
    await write(`${stem}-culling.svg`, (file) => file.write(cullingPlot(`${scene.title}: ${counts}`, rows)));
    if (rows.some(({ patches }) => patches > 0))
      await write(`${stem}-levels.svg`, (file) =>
        file.write(levelsPlot(`${scene.title}: contact levels chosen`, rows)),
      );
  }
  return written;
}

function summarise(scene: SimulatedScene, outcome: SimulationOutcome, seconds: number) {
  const { rows, checked, intersections, broken, stopped } = outcome;
  const detection = rows
    .map((row) => DETECTION.reduce((sum, column) => sum + row[column], 0) / Math.max(1, row.passes))
    .sort((a, b) => a - b);
  const times = rows.map((row) => STEP_TIMES.reduce((sum, column) => sum + row[column], 0));
  const mean = (values: readonly number[]) =>
    values.reduce((sum, v) => sum + v, 0) / Math.max(1, values.length);
  return {
    scene: scene.name,
    bodies: outcome.bodies.length,
    triangles: outcome.bodies.reduce(
      (sum, { indices }) => sum + indices.length / 3,
      scene.storedTriangles ?? 0,
    ),
    steps: rows.length,
    stopped,
    seconds,
    detectionMs: { mean: mean(detection), most: detection.at(-1) ?? 0 },
    detectionsPerStep: mean(rows.map(({ passes }) => passes)),
    solverMs: mean(rows.map(({ solverMs }) => solverMs)),
    responseMs: mean(rows.map(({ responseMs }) => responseMs)),
    stepMs: { mean: mean(times), most: times.reduce((most, ms) => Math.max(most, ms), 0) },
    asleep: rows.at(-1)?.asleep ?? 0,
    contacts: {
      mean: mean(rows.map(({ events }) => events)),
      most: rows.reduce((most, { events }) => Math.max(most, events), 0),
    },
    stepsWithContact: rows.filter(({ events }) => events > 0).length,
    broken,
    checkedSteps: checked,
    intersections,
  };
}

function print(
  scene: SimulatedScene,
  outcome: SimulationOutcome,
  summary: ReturnType<typeof summarise>,
  written: readonly Written[],
  { out, colors }: Terminal,
): void {
  const { contacts } = summary;
  out(
    `${colors.bold(scene.title)}: ${counted(summary.bodies, 'body', 'bodies')}, ${counted(summary.triangles, 'triangle')}\n`,
  );
  const lines: [string, string][] = [
    [
      'steps',
      `${count(summary.steps)}${outcome.stopped ? ' (stopped)' : ''} in ${summary.seconds.toFixed(1)} s`,
    ],
    ['step', `${milliseconds(summary.stepMs.mean)} on average, ${milliseconds(summary.stepMs.most)} at most`],
    ...(summary.detectionsPerStep > 0 ? detectionLines(summary) : []),
    ['contacts', `${count(Math.round(contacts.mean))} on average, ${count(contacts.most)} at most`],
  ];
  if (summary.asleep > 0) lines.push(['at rest', counted(summary.asleep, 'body', 'bodies')]);
  if (summary.broken.length > 0) lines.push(['broken', summary.broken.join(', ')]);
  if (summary.checkedSteps > 0) {
    const found =
      summary.intersections === 0 ? colors.green('none') : colors.red(count(summary.intersections));
    lines.push(['intersections', `${found} in ${counted(summary.checkedSteps, 'checked step')}`]);
  }
  out(table(lines));
  for (const { path, byteLength } of written) out(`${path}  ${fileSize(byteLength)}\n`);
}

/** For scenes with surface detection; rigid bodies have none. */
function detectionLines(summary: ReturnType<typeof summarise>): [string, string][] {
  const { detectionMs, detectionsPerStep, solverMs, responseMs } = summary;
  return [
    [
      'detection',
      `${milliseconds(detectionMs.mean)} on average, ${milliseconds(detectionMs.most)} at most; ${detectionsPerStep.toFixed(1)} per step`,
    ],
    ['bodies, response', `${milliseconds(solverMs)}, ${milliseconds(responseMs)} per step`],
  ];
}
