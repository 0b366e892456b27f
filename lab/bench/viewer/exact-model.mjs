/** The viewer's exact queries on a store, without its worker and page. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStoreFile } from '@impinge/model/node';
import { build } from 'esbuild';

const VIEWER = fileURLToPath(new URL('../../../packages/viewer', import.meta.url));
/** Bytes, as in the page. */
const MEMORY = 160 * 2 ** 20;

export async function openExactModel(store) {
  const outfile = join(VIEWER, 'dist', 'exact-model.mjs');
  await build({
    entryPoints: [join(VIEWER, 'src', 'exact', 'exact-model.ts')],
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', external: ['impinge'], logLevel: 'error' },
    absWorkingDir: dirname(VIEWER),
  });
  const { ExactModel } = await import(outfile);
  return new ExactModel(await openStoreFile(store), { memory: MEMORY });
}

/** Processor time in milliseconds of each step after a warm-up. */
export async function timeSteps(count, warmUp, step) {
  const times = [];
  for (let i = -warmUp; i < count; i++) {
    const before = process.cpuUsage();
    await step(i);
    const { user, system } = process.cpuUsage(before);
    if (i >= 0) times.push((user + system) / 1000);
  }
  times.sort((p, q) => p - q);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return { mean, most: times[times.length - 1], p99: times[Math.floor(0.99 * times.length)] };
}

/** Quantities of several runs. */
export function quantitiesOf(runs, asked) {
  const of = (name) => runs.map((run) => run[name]);
  return {
    mean: { value: of('mean'), unit: 'ms', asked: { most: asked } },
    '99 %': { value: of('p99'), unit: 'ms' },
    most: { value: of('most'), unit: 'ms' },
  };
}
