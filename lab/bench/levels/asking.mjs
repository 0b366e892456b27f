/** Runs queries in their own process, several times, and converts the measurements to figures. */
import { fileURLToPath } from 'node:url';
import { count, megabytes, milliseconds } from '../measure/figures.mjs';
import { measureScript } from '../measure/measure-child.mjs';

const ASK = fileURLToPath(new URL('./ask.mjs', import.meta.url));
/** For the pieces of both stores in memory. */
const STORE_MEMORY = 128 * 2 ** 20;

/** Permitted errors of answers, as shares of a model's size. */
export const ERRORS = [0.0004, 0.002, 0.01];
/** The distance of "all within", as a share of a model's size. */
export const NEAR = 0.00025;

/**
 * @param {import('./ask.mjs').Job} job
 * @param {number} runs
 * @returns {Promise<(import('./ask.mjs').Asked & { peakRss: number })[]>}
 */
export async function ask(job, runs) {
  const found = [];
  for (let run = 0; run < runs; run++) {
    const { stdout, peakRss } = await measureScript(ASK, [JSON.stringify({ memory: STORE_MEMORY, ...job })]);
    found.push({ ...JSON.parse(stdout), peakRss });
  }
  return found;
}

/** Times of one query over all poses, and the memory of the process. */
export function describe(runs, asked = {}) {
  const over = (statistic) => runs.map(({ ms }) => statistic(ms));
  const overCpu = (statistic) => runs.map(({ cpu }) => statistic(cpu));
  return {
    mean: milliseconds(over(mean), asked.mean),
    median: milliseconds(over((ms) => quantile(ms, 0.5))),
    p99: milliseconds(
      over((ms) => quantile(ms, 0.99)),
      asked.p99,
    ),
    max: milliseconds(over((ms) => Math.max(...ms))),
    'mean processor time': milliseconds(overCpu(mean)),
    'p99 processor time': milliseconds(overCpu((cpu) => quantile(cpu, 0.99))),
    'first query': milliseconds(
      runs.map(({ first }) => first[0]),
      asked.first,
    ),
    'first query processor time': milliseconds(runs.map(({ firstCpu }) => firstCpu[0])),
    'peak RSS': megabytes(
      runs.map(({ peakRss }) => peakRss),
      asked.megabytes,
    ),
    answer: count(mean(runs[0].answers)),
  };
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

export function percent(share) {
  return `${Number((100 * share).toPrecision(3))} %`;
}
