/**
 * Culling by visibility measured: the environments of the CULLIDE paper, and its figures.
 *
 *   npm run bench:gpu                                   everything; writes bench/results/gpu-*.csv and plots
 *   npm run bench:gpu -- --scene cylinders --frames 20  options of `impinge bench gpu`; writes only with --out
 *
 * The bunny and the dragon are the scans beside this checkout, if they are there.
 *
 * On a machine that has nothing but Node.js and the package webgpu it runs as one file, with the models beside it:
 *
 *   npx esbuild bench/gpu.mjs --bundle --platform=node --format=esm --external:draco3d --external:webgpu
 *   --outfile=FOLDER/gpu.mjs node bench/gpu.mjs --write-models FOLDER/models
 *   node FOLDER/gpu.mjs --models FOLDER/models --check 10 --out FOLDER        there
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchGpu } from '../packages/cli/dist/commands/bench-gpu.js';
import { processTerminal } from '../packages/cli/dist/terminal.js';

const text = { type: 'string' };
const { values } = parseArgs({
  options: {
    backend: text,
    workers: { ...text, default: '0' },
    resolution: text,
    method: text,
    levels: text,
    scene: { ...text, multiple: true },
    frames: text,
    seed: { ...text, default: '1' },
    figures: { type: 'boolean' },
    'no-engines': { type: 'boolean', default: false },
    check: text,
    models: text,
    'write-models': text,
    out: text,
    json: { type: 'boolean' },
  },
});
const { 'no-engines': alone, 'write-models': writeModels, ...options } = values;
const beside = (path) => fileURLToPath(new URL(path, import.meta.url));
const scans = beside('../../shared/data/scans');
const request = {
  ...(existsSync(scans) && { models: scans }),
  ...options,
  ...(writeModels && { writeModels }),
  engines: !alone,
};
const terminal = processTerminal();
try {
  if (process.argv.length > 2) process.exitCode = await benchGpu(request, terminal);
  else {
    const out = beside('results');
    for (const figures of [false, true]) {
      process.exitCode ||= await benchGpu({ ...request, figures, out, check: '10' }, terminal);
    }
  }
} catch (error) {
  terminal.error(`${error.message}\n`);
  process.exitCode = 2;
}
