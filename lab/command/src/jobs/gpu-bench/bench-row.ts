/** One row of the benchmark: a scene through the culler and through the CPU's engines, in medians. */
import type { CullerOptions, CullingDevice, CullingStage } from '@impinge/gpu';
import type { MovingScene } from '@impinge/scenes/gpu';
import { type RunOptions, runCuller, runSets } from './run-culler.js';
import { ENGINE_NAMES, type EngineName, runEngine } from './run-engines.js';

export interface BenchRow {
  readonly name: string;
  readonly title: string;
  readonly backend: string;
  readonly method: string;
  readonly resolution: number;
  readonly frames: number;
  /** Maximum of all frames. */
  readonly objects: number;
  readonly triangles: number;
  /** Medians over frames: objects of the potentially colliding set, triangle pairs at every stage. */
  readonly kept: number;
  readonly candidates: number;
  readonly doubts: number;
  readonly pairs: number;
  /**
   * Milliseconds: medians over frames, but for p90 and the worst. `set`: of the potentially colliding set alone.
   * `visibility`: of the same query with the paper's stages, where something is drawn and no stages were chosen.
   */
  readonly ms: {
    readonly query: number;
    readonly visibility: number | undefined;
    readonly p90: number;
    readonly worst: number;
    readonly set: number;
    readonly update: number;
    readonly calls: number;
    readonly device: number | undefined;
    readonly wait: number;
    readonly exact: number;
  };
  readonly paperMs: number | undefined;
  readonly engines: readonly EngineFigures[];
  readonly checked: number;
  readonly wrong: readonly string[];
}

/** Medians in milliseconds. */
export interface EngineFigures {
  readonly name: EngineName;
  readonly query: number;
  readonly update: number;
}

export interface RowRequest {
  readonly name: string;
  readonly title: string;
  readonly paperMs?: number;
  readonly frames: number;
  /** Makes the scene at its start; may be called repeatedly. */
  readonly make: () => MovingScene;
  readonly device: CullingDevice;
  readonly culling: CullerOptions;
  readonly checkEvery: number;
  /** Number of frames for the CPU's engines; 0: none. */
  readonly engineQueries: number;
  readonly signal?: AbortSignal;
  readonly onFrame?: () => void;
}

/** The paper's stages after the sweep over boxes. */
const PAPER_STAGES: readonly CullingStage[] = ['objects', 'triangles'];
/** Warm-up of a row: repetitions, or time. */
const REHEARSALS = 5;
const REHEARSAL_MS = 4000;

export async function benchRow(request: RowRequest): Promise<BenchRow> {
  const { name, title, paperMs, frames, make, device, culling, checkEvery, engineQueries } = request;
  const watched = {
    ...(request.signal && { signal: request.signal }),
    ...(request.onFrame && { onFrame: request.onFrame }),
  };
  const { signal } = watched;
  const alone = { frames, checkEvery: 0, ...(signal && { signal }) };
  const rehearsed = async (chosen: CullerOptions, options: RunOptions) => {
    // unmeasured: programs are compiled in the first hundreds of frames, and an idle GPU is slow
    const began = performance.now();
    for (let i = 0; i < REHEARSALS && performance.now() - began < REHEARSAL_MS; i++) {
      await runCuller(make(), device, chosen, alone);
    }
    return runCuller(make(), device, chosen, options);
  };
  const run = await rehearsed(culling, { frames, checkEvery, ...watched });
  const draws = run.backend === 'webgpu' && culling.stages === undefined;
  const seen = draws
    ? await rehearsed({ ...culling, stages: PAPER_STAGES }, { ...alone, checkEvery })
    : undefined;
  const sets = await runSets(make(), device, culling, alone);
  const engines: EngineFigures[] = [];
  for (const engine of engineQueries === 0 ? [] : ENGINE_NAMES) {
    const { query, update } = await runEngine(engine, make(), {
      frames,
      queries: engineQueries,
      ...watched,
    });
    engines.push({ name: engine, query: quantile(query, 0.5), update: quantile(update, 0.5) });
  }
  type Figure = keyof (typeof run.frames)[0];
  const values = (figure: Figure) =>
    run.frames.flatMap((frame) => {
      const value = frame[figure];
      return value === undefined || Number.isNaN(value) ? [] : [value];
    });
  const median = (figure: Figure) => quantile(values(figure), 0.5);
  const { backend, method, resolution } = run;
  const checked = run.checked + (seen?.checked ?? 0);
  const wrong = [...run.wrong, ...(seen?.wrong ?? []).map((what) => `with visibility, ${what}`)];
  const devices = values('device');
  return {
    ...{ name, title, backend, method, resolution, frames: run.frames.length, paperMs },
    objects: Math.max(...values('objects')),
    triangles: Math.max(...values('triangles')),
    kept: quantile(
      sets.map(({ kept }) => kept),
      0.5,
    ),
    candidates: median('candidates'),
    doubts: median('doubts'),
    pairs: median('pairs'),
    ms: {
      query: median('query'),
      visibility:
        seen &&
        quantile(
          seen.frames.map(({ query }) => query),
          0.5,
        ),
      p90: quantile(values('query'), 0.9),
      worst: Math.max(...values('query')),
      set: quantile(
        sets.map(({ ms }) => ms),
        0.5,
      ),
      update: median('update'),
      calls: median('calls'),
      device: devices.length > 0 ? quantile(devices, 0.5) : undefined,
      wait: median('wait'),
      exact: median('exact'),
    },
    ...{ engines, checked, wrong },
  };
}

/** The faster of the CPU's engines. */
export function bestEngine({ engines }: BenchRow): EngineFigures | undefined {
  return engines.reduce<EngineFigures | undefined>(
    (best, engine) => (best === undefined || engine.query < best.query ? engine : best),
    undefined,
  );
}

/** NaN without values. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
