/** How `impinge pack` is called. */
import { FILES, modelOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addPack: AddCommand = (program, shell) => {
  modelOptions(program.command('pack'))
    .description('Pack model files of any size into one store, for checks in fixed memory.')
    .argument('<model...>', 'model files, folders, globs')
    .requiredOption(
      '-o, --output <file>',
      'the store to write, here or at s3://bucket/key; its name ends with .impinge',
    )
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

Examples:
  impinge pack building.ifc -o building.impinge
  impinge pack scans/*.stl --unit mm --memory 500MB -o scans.impinge
  impinge pack statue.ply --levels -o statue.impinge`,
    )
    .action(async (names, options) =>
      shell.exit(await (await import('../commands/pack.js')).pack(names, options, shell.terminal)),
    );
};
