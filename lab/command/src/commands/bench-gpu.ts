/** `lab bench gpu`: the environments of the CULLIDE paper, its times compared with ours, and its figures. */
import { cpus } from 'node:os';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { interruptible } from '@impinge/cli/internal/interruptible.js';
import { parseCount } from '@impinge/cli/internal/quantities.js';
import { count, json, type Terminal, table } from '@impinge/cli/internal/terminal.js';
import type { CullingMethod, CullingStage } from '@impinge/gpu';
import { type BenchRow, bestEngine } from '../jobs/gpu-bench/bench-row.js';
import { openDevice } from '../jobs/gpu-bench/device.js';
import { ENVIRONMENTS, SWEEPS } from '../jobs/gpu-bench/environments.js';
import { type Models, readModels, writeModels } from '../jobs/gpu-bench/models.js';
import { type BenchRequest, type BenchResults, runBench } from '../jobs/gpu-bench/run-bench.js';
import type { BenchMachine } from '../reports/bench-gpu-csv.js';
import { writeBenchFiles } from '../reports/bench-gpu-files.js';

export interface BenchGpuOptions {
  readonly backend?: string;
  readonly workers: string;
  readonly resolution?: string;
  readonly method?: string;
  readonly stages?: string;
  readonly scene?: readonly string[];
  readonly frames?: string;
  readonly seed: string;
  readonly figures?: boolean;
  readonly engines: boolean;
  readonly check?: string | true;
  readonly models?: string;
  readonly writeModels?: string;
  readonly out?: string;
  readonly json?: boolean;
}

const METHODS: readonly CullingMethod[] = ['queries', 'split-tree'];
const STAGES: readonly CullingStage[] = ['boxes', 'objects', 'parts', 'triangles'];
const MOST_FRAMES = 100_000;
const CHECK_EVERY = 10;
const ENGINE_QUERIES = 15;

export async function benchGpu(options: BenchGpuOptions, terminal: Terminal): Promise<number> {
  const request = readRequest(options);
  const workers = readWorkers(options);
  const wantsModels = options.writeModels !== undefined || request.environments.some(({ scans }) => scans);
  const models = wantsModels ? await readModels(options.models) : { scans: {}, origin: '' };
  if (options.writeModels !== undefined) {
    for (const file of await writeModels(options.writeModels, models)) terminal.out(`${file}\n`);
    return 0;
  }
  const say = (message: string) => terminal.error(`impinge: ${message}\n`);
  const device = await openDevice({ ...(request.backend && { backend: request.backend }), workers, say });
  try {
    const results = await interruptible((signal) => runBench(request, models.scans, device, { signal, say }));
    const machine = { device: device.description, cpu: cpus()[0]?.model.trim() ?? '', node: process.version };
    const written = options.out === undefined ? [] : await writeBenchFiles(options.out, results, machine);
    if (options.json) terminal.out(json({ machine, models: models.origin, ...plain(results), written }));
    else print(results, models, machine, written, terminal);
    return allRows(results).some(({ wrong }) => wrong.length > 0) ? 1 : 0;
  } finally {
    await device.close();
  }
}

const allRows = ({ rows, sweeps }: BenchResults) => [...rows, ...sweeps.flatMap((sweep) => sweep.rows)];

const plain = ({ rows, sweeps }: BenchResults) => ({
  rows,
  figures: sweeps.map(({ sweep: { name, values }, rows: own }) => ({ name, values, rows: own })),
});

function readRequest(options: BenchGpuOptions): BenchRequest {
  const { backend } = options;
  if (backend !== undefined && backend !== 'webgpu' && backend !== 'cpu') {
    throw new CommandError(`--backend: "${backend}" is not webgpu or cpu`);
  }
  const { method } = options;
  if (method !== undefined) oneOf(method, METHODS, '--method');
  const stages = options.stages?.split(',').filter((stage) => stage !== '');
  for (const stage of stages ?? []) oneOf(stage, STAGES, '--stages');
  const chosen = options.scene ?? (options.figures ? [] : ENVIRONMENTS.map(({ name }) => name));
  return {
    backend,
    culling: {
      ...(options.resolution !== undefined && {
        resolution: inRange(options.resolution, '--resolution', 1, 8192),
      }),
      ...(method !== undefined && { method: method as CullingMethod }),
      ...(stages && { stages: stages as CullingStage[] }),
    },
    environments: chosen.flatMap((name) => {
      oneOf(
        name,
        ENVIRONMENTS.map((environment) => environment.name),
        '--scene',
      );
      return ENVIRONMENTS.filter((environment) => environment.name === name);
    }),
    sweeps: options.figures ? SWEEPS : [],
    frames: options.frames === undefined ? undefined : inRange(options.frames, '--frames', 1, MOST_FRAMES),
    seed: parseCount(options.seed, '--seed'),
    checkEvery:
      options.check === undefined
        ? 0
        : options.check === true
          ? CHECK_EVERY
          : inRange(options.check, '--check', 1, MOST_FRAMES),
    engineQueries: options.engines ? ENGINE_QUERIES : 0,
  };
}

function readWorkers({ workers, backend }: BenchGpuOptions): number {
  const threads = inRange(workers, '--workers', 0, 256);
  if (threads > 0 && backend !== 'cpu') throw new CommandError('--workers is for --backend cpu');
  return threads;
}

function inRange(text: string, option: string, least: number, most: number): number {
  const value = parseCount(text, option);
  if (value >= least && value <= most) return value;
  throw new CommandError(`${option}: ${text} is not from ${count(least)} to ${count(most)}`);
}

function oneOf(value: string, allowed: readonly string[], option: string): void {
  if (!allowed.includes(value)) {
    throw new CommandError(`${option}: "${value}" is not one of ${allowed.join(', ')}`);
  }
}

const HEAD = [
  ...['environment', 'objects', 'triangles', 'kept', 'set', 'pairs', 'ms', 'visibility', 'p90', 'worst'],
  ...['calls', 'device', 'wait', 'exact', 'update', 'paper', 'ratio', 'cpu engine'],
];

function cells(row: BenchRow): string[] {
  const { ms, paperMs } = row;
  const share = (part: number | undefined) =>
    part === undefined ? '–' : `${Math.round((100 * part) / ms.query)} %`;
  const engine = bestEngine(row);
  return [
    ...[row.name, count(row.objects), count(row.triangles)],
    ...(Number.isNaN(row.kept) ? ['–', '–'] : [count(row.kept), time(ms.set)]),
    ...[count(row.pairs), time(ms.query), ms.visibility === undefined ? '–' : time(ms.visibility)],
    ...[time(ms.p90), time(ms.worst)],
    ...[share(ms.calls), share(ms.device), share(ms.wait), share(ms.exact)],
    ...[time(ms.update), paperMs === undefined ? '–' : time(paperMs)],
    paperMs === undefined ? '–' : `${Number((paperMs / ms.query).toPrecision(2))} ×`,
    engine === undefined ? '–' : `${time(engine.query)} ${engine.name}`,
  ];
}

const time = (ms: number) => (ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : count(Math.round(ms)));

function print(
  results: BenchResults,
  { origin }: Models,
  { device, cpu }: BenchMachine,
  written: readonly string[],
  { out, colors }: Terminal,
): void {
  const all = allRows(results);
  const first = all[0];
  const where = first.backend === 'cpu' ? device : `${device}; ${cpu}`;
  out(`${colors.bold(first.backend)}, ${first.method}: ${where}, Node ${process.version}\n`);
  if (origin !== '') out(`${origin}\n`);
  out(table([HEAD, ...all.map(cells)], HEAD.map((_, i) => i).slice(1, -1)));
  out(
    'Milliseconds per query: median over frames; shares of it; visibility: the same query with the paper’s stages drawn;\nset: the query for objects alone (share kept); update: sending the changes to the culler.\n',
  );
  const checked = all.reduce((sum, row) => sum + row.checked, 0);
  if (checked > 0) {
    const wrong = all.flatMap((row) => row.wrong.map((what) => `${row.name}, ${what}`));
    if (wrong.length === 0)
      out(`${colors.green('Equal')} to the CPU engine in ${count(checked)} checked frames.\n`);
    for (const what of wrong) out(`${colors.red('WRONG')}: ${what}\n`);
  }
  for (const path of written) out(`${path}\n`);
}
