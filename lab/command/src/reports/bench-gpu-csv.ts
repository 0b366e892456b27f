/** Rows of `lab bench gpu` as CSV. */

import { csvCell } from '@impinge/cli/internal/reports/csv-cell.js';
import type { BenchRow } from '../jobs/gpu-bench/bench-row.js';

const COLUMNS: Readonly<Record<string, (row: BenchRow) => string | number | undefined>> = {
  environment: ({ name }) => name,
  backend: ({ backend }) => backend,
  method: ({ method }) => method,
  resolution: ({ resolution }) => resolution,
  frames: ({ frames }) => frames,
  objects: ({ objects }) => objects,
  triangles: ({ triangles }) => triangles,
  keptObjects: ({ kept }) => kept,
  candidatePairs: ({ candidates }) => candidates,
  doubtfulPairs: ({ doubts }) => doubts,
  pairs: ({ pairs }) => pairs,
  queryMs: ({ ms }) => ms.query,
  visibilityMs: ({ ms }) => ms.visibility,
  p90Ms: ({ ms }) => ms.p90,
  worstMs: ({ ms }) => ms.worst,
  setMs: ({ ms }) => ms.set,
  callsMs: ({ ms }) => ms.calls,
  deviceMs: ({ ms }) => ms.device,
  waitMs: ({ ms }) => ms.wait,
  exactMs: ({ ms }) => ms.exact,
  updateMs: ({ ms }) => ms.update,
  paperMs: ({ paperMs }) => paperMs,
  collideAllMs: (row) => engineOf(row, 'collideAll')?.query,
  collideAllUpdateMs: (row) => engineOf(row, 'collideAll')?.update,
  deformablesMs: (row) => engineOf(row, 'Deformables')?.query,
  deformablesUpdateMs: (row) => engineOf(row, 'Deformables')?.update,
  checkedFrames: ({ checked }) => checked,
  wrongFrames: ({ wrong }) => wrong.length,
};

export interface BenchMachine {
  readonly device: string;
  readonly cpu: string;
  readonly node: string;
}

export function benchCsv(rows: readonly BenchRow[], { device, cpu, node }: BenchMachine): string {
  const lines = rows.map((row) => [...Object.values(COLUMNS).map((of) => cell(of(row))), device, cpu, node]);
  return [[...Object.keys(COLUMNS), 'device', 'cpu', 'node'], ...lines]
    .map((line) => `${line.map(csvCell).join(',')}\n`)
    .join('');
}

function engineOf({ engines }: BenchRow, wanted: string) {
  return engines.find(({ name }) => name === wanted);
}

function cell(value: string | number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return typeof value === 'number' ? String(Number(value.toPrecision(5))) : value;
}
