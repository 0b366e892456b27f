/** Runs the requested environments and figures one after the other, with progress on standard error. */

import { CommandError } from '@impinge/cli/internal/command-error.js';
import { Progress } from '@impinge/cli/internal/progress.js';
import type { CullerOptions } from '@impinge/gpu';
import type { ScanOptions } from '@impinge/scenes/gpu';
import { type BenchRow, benchRow, type RowRequest } from './bench-row.js';
import type { BenchDevice } from './device.js';
import type { Environment, Sweep } from './environments.js';

export interface BenchRequest {
  /** Undefined: any available. */
  readonly backend: 'webgpu' | 'cpu' | undefined;
  readonly culling: CullerOptions;
  readonly environments: readonly Environment[];
  readonly sweeps: readonly Sweep[];
  /** Undefined: each scene's own number. */
  readonly frames: number | undefined;
  readonly seed: number;
  readonly checkEvery: number;
  readonly engineQueries: number;
}

export interface BenchResults {
  readonly rows: readonly BenchRow[];
  readonly sweeps: readonly SweepRows[];
}

/** One row per value of the sweep. */
export interface SweepRows {
  readonly sweep: Sweep;
  readonly rows: readonly BenchRow[];
}

export async function runBench(
  request: BenchRequest,
  scans: ScanOptions,
  { device }: BenchDevice,
  options: { readonly signal: AbortSignal; readonly say: (message: string) => void },
): Promise<BenchResults> {
  const { environments, sweeps, frames, seed, checkEvery, engineQueries, backend } = request;
  const { signal, say } = options;
  const progress = new Progress();
  let fallen = '';
  const onFallback = (message: string) => {
    // once: the culler of every scene reports it
    if (fallen === message) return;
    fallen = message;
    if (backend !== undefined) return;
    progress.clear();
    say(message);
  };
  const run = async (
    wanted: Pick<RowRequest, 'name' | 'title' | 'paperMs' | 'frames' | 'make'>,
    culling: CullerOptions = {},
  ): Promise<BenchRow> => {
    let done = 0;
    const passes = engineQueries > 0 ? 3 : 1;
    progress.begin({ label: wanted.name, total: passes * wanted.frames, unit: 'frames' });
    const row = await benchRow({
      ...wanted,
      ...{ device, checkEvery, engineQueries, signal },
      culling: { ...request.culling, ...culling, onFallback },
      onFrame: () => progress.update(++done),
    });
    if (backend === undefined || row.backend === backend) return row;
    throw new CommandError(`--backend ${backend}: ${fallen}`);
  };
  try {
    const rows: BenchRow[] = [];
    for (const { name, title, paperMs, frames: usual, skipped = 0, make } of environments) {
      const scene = () => {
        const made = make(seed, scans);
        for (let i = 0; i < skipped; i++) made.step();
        return made;
      };
      const paper = paperMs === undefined ? {} : { paperMs };
      rows.push(await run({ name, title, ...paper, frames: frames ?? usual, make: scene }));
    }
    const swept: SweepRows[] = [];
    for (const sweep of sweeps) {
      const points: BenchRow[] = [];
      for (const value of sweep.values) {
        const { title, frames: usual } = sweep;
        const scene = () => sweep.make(value, seed);
        const wanted = { name: `${sweep.name} ${value}`, title, frames: frames ?? usual, make: scene };
        points.push(await run(wanted, sweep.culling(value)));
      }
      swept.push({ sweep, rows: points });
    }
    return { rows, sweeps: swept };
  } finally {
    progress.end();
  }
}
