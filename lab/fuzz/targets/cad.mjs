/** STEP and IGES, if the package that reads them is installed; its own test files are the seeds. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cadModule } from '../../../packages/cli/dist/formats/cad/engine.js';
import { readOnce } from './models.mjs';

const module = cadModule();
const samples = module === undefined ? '' : join(dirname(module), '../test/testfiles');

const SEEDS = [
  ['cube.step', 'cube-units/cube-mm.step'],
  ['cube.igs', 'cube-10x10mm/Cube 10x10.igs'],
];

export const CAD_TARGETS = {
  cad: {
    ...(!existsSync(samples) && { skipped: 'occt-import-js is not installed with its test files' }),
    seeds: () =>
      SEEDS.map(([name, file]) => ({
        name,
        extension: name.split('.')[1],
        bytes: readFileSync(join(samples, file)),
      })),
    run: readOnce,
    // memory of OpenCASCADE itself before it reads anything
    engineBytes: 512e6,
    share: 0.1,
  },
};
