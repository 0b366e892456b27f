/** How `impinge generate` is called. */
import type { AddCommand } from './shell.js';

export const addGenerate: AddCommand = (program, shell) => {
  program
    .command('generate')
    .description('Generate an industrial plant of any size, with known clashes.')
    .requiredOption('-o, --output <file>', 'store to write (NAME.impinge)')
    .option('--triangles <n>', 'approximate number of triangles: 300K, 15M', '1M')
    .option('--seed <n>', 'seed of the plant', '1')
    .option('--clashes <n>', 'number of clashes to add (default: one per 100 objects)')
    .option('--truth <file>', 'write the added clashes as JSON')
    .option('--path <file>', 'write a walk through the plant, for "impinge fly"')
    .option('--steps <n>', 'steps of the walk', '1000')
    .option('--levels', 'add coarser levels of every shape, with certified errors')
    .option('--workers <n>', 'maximum number of threads for levels (default: one per core)')
    .addHelpText(
      'after',
      `
Examples:
  impinge generate -o plant.impinge --triangles 15M --truth truth.json
  impinge check plant.impinge --clearance 50mm`,
    )
    .action(async (options) =>
      shell.exit(await (await import('../commands/generate.js')).generate(options, shell.terminal)),
    );
};
