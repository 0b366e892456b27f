/** How `impinge pack` is called. */
import { FILES, modelOptions, queueOption, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addPack: AddCommand = (program, shell) => {
  modelOptions(program.command('pack'))
    .description('Pack model files of any size into one store, for checks in fixed memory.')
    .argument('<model...>', 'model files, folders, globs')
    .requiredOption(
      '-o, --output <file>',
      'the store to write, here or at s3://bucket/key; its name ends with .impinge; with --each a folder, here or there',
    )
    .option('--each', 'a store for each file, in the folder that -o names')
    .addOption(queueOption('have workers pack that "impinge worker" starts: postgres://… or redis://…'))
    .option('--levels', 'add coarser levels of every shape, with certified errors')
    .option(
      '--workers <n>',
      'threads, at most (default: one per core); for levels one for each 40 MB of --memory, else two',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Objects keep id, name, path, type, discipline, storey, file and properties; instances share their triangles.
--levels takes several times as long and makes the store twice as large; "impinge info" shows what there is.
The store appears when it is complete. Truncated and altered stores are detected.
With --queue, workers read the files and write the stores, under the same paths as here or at s3://…; with --each they pack
several files at the same time. A file that ends its worker three times is left out and named, and the exit code is 2.

Examples:
  impinge pack building.ifc -o building.impinge
  impinge pack scans/*.stl --unit mm --memory 500MB -o scans.impinge
  impinge pack statue.ply --levels -o statue.impinge
  impinge pack /shared/models --each -o /shared/stores --queue redis://queue.example.com`,
    )
    .action(async (names, options) =>
      shell.exit(await (await import('../commands/pack.js')).pack(names, options, shell.terminal)),
    );
};
