/** The files of `lab bench gpu --out`: rows as CSV, a plot of every figure. */
import { join } from 'node:path';
import { writeAtomically } from '@impinge/cli/internal/jobs/atomic-file.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { type BenchRow, bestEngine } from '../jobs/gpu-bench/bench-row.js';
import type { Sweep } from '../jobs/gpu-bench/environments.js';
import type { BenchResults } from '../jobs/gpu-bench/run-bench.js';
import { type BenchMachine, benchCsv } from './bench-gpu-csv.js';
import { logPlot, type PlotLine } from './log-plot.js';

/** Returns the files; their names contain the device, so that results of several machines can share a folder. */
export async function writeBenchFiles(
  folder: string,
  { rows, sweeps }: BenchResults,
  machine: BenchMachine,
): Promise<string[]> {
  await makeFolder(folder);
  const slug = machine.device
    .toLowerCase()
    .replace(/\((r|tm)\)/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const written: string[] = [];
  const write = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeAtomically(path, async (file) => {
      await file.write(text);
    });
    written.push(path);
  };
  if (rows.length > 0) await write(`gpu-${slug}.csv`, benchCsv(rows, machine));
  const points = sweeps.flatMap((sweep) => sweep.rows);
  if (points.length > 0) await write(`gpu-figures-${slug}.csv`, benchCsv(points, machine));
  for (const { sweep, rows: own } of sweeps) {
    await write(`gpu-${sweep.name}-${slug}.svg`, sweepPlot(sweep, own, machine));
  }
  return written;
}

function sweepPlot(sweep: Sweep, rows: readonly BenchRow[], { device }: BenchMachine): string {
  const points = (value: (row: BenchRow) => number | undefined) =>
    rows.flatMap((row, i): [number, number][] => {
      const ms = value(row);
      return ms !== undefined && ms > 0 ? [[sweep.values[i], ms]] : [];
    });
  const lines: PlotLine[] = [
    { name: 'whole query', colour: '#1f6feb', points: points(({ ms }) => ms.query) },
    {
      name: 'with visibility, as in the paper',
      colour: '#cf222e',
      points: points(({ ms }) => ms.visibility),
    },
    { name: 'on the device', colour: '#2da44e', points: points(({ ms }) => ms.device) },
    { name: 'set of objects', colour: '#bf3989', points: points(({ ms }) => ms.set) },
    {
      name: 'best CPU engine',
      colour: '#57606a',
      dashed: true,
      points: points((row) => bestEngine(row)?.query),
    },
  ];
  const drawn = lines.filter((line) => line.points.length > 0);
  return logPlot(`${sweep.title}, ${device}`, sweep.xLabel, 'milliseconds', drawn);
}
