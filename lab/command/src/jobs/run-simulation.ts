/** Runs a scene step by step: statistics of every step, frames for a recording, checks in between. */
import { type Body, Recording, Simulation, type StepReport } from '@impinge/dynamics';
import { nodePool } from 'impinge/node';
import { LEVEL_COLUMNS, type StepRow } from '../reports/simulation-stats.js';
import type { SimulatedScene } from './simulated-scene.js';

export interface SimulationRun {
  readonly scene: SimulatedScene;
  readonly steps: number;
  /** Worker threads for detection; 0 for none. */
  readonly workers: number;
  /** Frames to record, the first and the last step included; 0 for none. */
  readonly frames: number;
  /** Interval in steps between searches for intersections by exact predicates; 0 for never. */
  readonly checkEvery: number;
  readonly signal: AbortSignal;
  /** Called after every step with the bodies in their new places. */
  readonly onStep?: (row: StepRow, bodies: readonly Body[]) => void;
}

export interface SimulationOutcome {
  readonly rows: readonly StepRow[];
  readonly recording: Recording | undefined;
  /** Steps after which intersections were searched, and intersecting pairs of triangles. */
  readonly checked: number;
  readonly intersections: number;
  readonly broken: readonly string[];
  readonly bodies: readonly Body[];
  /** Whether Ctrl-C came before the last step. */
  readonly stopped: boolean;
}

/** Runs until done or stopped; the steps made so far count. */
export async function runSimulation(run: SimulationRun): Promise<SimulationOutcome> {
  const { scene, steps, workers, frames, signal } = run;
  const pool = workers > 0 ? nodePool(workers) : undefined;
  const simulation = new Simulation({
    ...scene.options,
    contactEvents: frames > 0,
    now: () => performance.now(),
    ...(pool && { pool }),
  });
  const recording = frames > 0 ? new Recording(simulation, { lookOf: scene.lookOf }) : undefined;
  const rows: StepRow[] = [];
  const broken: string[] = [];
  let checked = 0;
  let intersections = 0;
  try {
    for (const body of scene.bodies) simulation.add(body);
    for (const joint of scene.joints ?? []) simulation.join(joint);
    recording?.take();
    await signalsHeard();
    for (let step = 1; step <= steps && !signal.aborted; step++) {
      scene.act?.();
      const report = pool ? await simulation.stepParallel() : simulation.step();
      broken.push(...report.broken);
      const row = rowOf(report);
      rows.push(row);
      if (isFrame(step, run)) recording?.take();
      if (run.checkEvery > 0 && (step % run.checkEvery === 0 || step === steps)) {
        checked++;
        await signalsHeard();
        intersections += simulation.intersections();
      }
      run.onStep?.(row, simulation.bodies);
      await signalsHeard();
    }
    const { bodies } = simulation;
    return { rows, recording, checked, intersections, broken, bodies, stopped: signal.aborted };
  } finally {
    simulation.dispose();
    await pool?.dispose();
  }
}

function signalsHeard(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Frames are spread evenly over the steps. */
function isFrame(step: number, { steps, frames }: SimulationRun): boolean {
  const intervals = Math.max(1, frames - 1);
  return Math.floor((step * intervals) / steps) !== Math.floor(((step - 1) * intervals) / steps);
}

function rowOf(report: StepReport): StepRow {
  const { detections, ms, contactLevels } = report;
  const [first] = detections;
  const stage = (name: 'sweep' | 'grid' | 'primitives' | 'elements' | 'exact' | 'sort') =>
    detections.reduce((sum, stats) => sum + (stats.ms?.[name] ?? 0), 0);
  return {
    step: report.step,
    passes: detections.length,
    candidates: first?.candidates ?? 0,
    boxPairs: first?.boxPairs ?? 0,
    dopPairs: first?.dopPairs ?? 0,
    primitivePairs: first?.primitivePairs ?? 0,
    elementPairs: first?.elementPairs ?? 0,
    testedPairs: first?.testedPairs ?? 0,
    exactPairs: first?.exactPairs ?? 0,
    events: report.events,
    heldBack: report.rolledBackVertices,
    shortened: report.shortened,
    asleep: report.asleep,
    solverMs: ms?.solver ?? 0,
    sweepMs: stage('sweep'),
    gridMs: stage('grid'),
    primitivesMs: stage('primitives'),
    elementsMs: stage('elements'),
    exactMs: stage('exact'),
    sortMs: stage('sort'),
    responseMs: ms?.response ?? 0,
    patches: contactLevels?.patches ?? 0,
    patchTests: contactLevels?.tests ?? 0,
    patchError: 1000 * (contactLevels?.error ?? 0),
    reached: contactLevels?.reached ?? 0,
    ...byLevel(contactLevels?.levels ?? []),
  };
}

function byLevel(levels: readonly number[]): Record<(typeof LEVEL_COLUMNS)[number], number> {
  const last = LEVEL_COLUMNS.length - 1;
  const counts = LEVEL_COLUMNS.map((column, i) => {
    const own = i < last ? levels.slice(i, i + 1) : levels.slice(last);
    return [column, own.reduce((sum, count) => sum + count, 0)];
  });
  return Object.fromEntries(counts);
}
