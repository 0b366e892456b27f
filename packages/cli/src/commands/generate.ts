/** `impinge generate`: a plant of any size, with known clashes. */
import { type Walk, walk } from '@impinge/scenes/plant';
import { CommandError } from '../command-error.js';
import { writeTextAtomically } from '../jobs/atomic-file.js';
import { generatePlant } from '../jobs/generate-plant.js';
import { Progress } from '../progress.js';
import { parseCount, parseWorkers } from '../quantities.js';
import { STORE_EXTENSION } from '../store-extension.js';
import { counted, fileSize, type Terminal } from '../terminal.js';

export interface GenerateOptions {
  readonly output: string;
  readonly triangles: string;
  readonly seed: string;
  readonly clashes?: string;
  readonly truth?: string;
  readonly path?: string;
  readonly steps: string;
  readonly levels?: boolean;
  readonly workers?: string;
}

export async function generate(options: GenerateOptions, { out }: Terminal): Promise<number> {
  if (!options.output.endsWith(STORE_EXTENSION)) {
    throw new CommandError(`-o ${options.output}: the name of a store must end with ${STORE_EXTENSION}`);
  }
  const wanted = {
    triangles: parseCount(options.triangles, '--triangles'),
    seed: parseCount(options.seed, '--seed'),
    ...(options.clashes === undefined ? {} : { clashes: parseCount(options.clashes, '--clashes') }),
  };
  const steps = parseCount(options.steps, '--steps');
  const workers = parseWorkers(options.workers);
  const started = performance.now();
  const progress = new Progress();
  progress.begin({ label: 'generating', total: wanted.triangles, unit: 'triangles' });
  const made = await generatePlant(wanted, options.output, {
    ...(options.levels === true && { levelWorkers: workers }),
    onTriangles: (done) => progress.update(done),
  })
    .catch((error) => {
      // from the plant's options
      throw error instanceof RangeError ? new CommandError(error.message) : error;
    })
    .finally(() => progress.end());
  const truth = made.plant.truth();
  out(
    `${options.output}: ${counted(made.objects, 'object')}, ${counted(made.triangles, 'triangle')}, ` +
      `${fileSize(made.byteLength)}, ${counted(truth.clashes.length, 'clash', 'clashes')} added, ` +
      `in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
  if (options.truth !== undefined) {
    await writeTextAtomically(options.truth, `${JSON.stringify(truth, undefined, 1)}\n`);
  }
  if (options.path !== undefined) {
    const path: Walk = walk(made.plant, { steps, seed: wanted.seed });
    await writeTextAtomically(options.path, `${JSON.stringify(path)}\n`);
  }
  return 0;
}
