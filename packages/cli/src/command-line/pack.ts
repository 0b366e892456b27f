/** How `impinge pack` is called. */
import { FILES, modelOptions, queueOption, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addPack: AddCommand = (program, shell) => {
  modelOptions(program.command('pack'))
    .description('Pack model files of any size into one store, for checks in fixed memory.')
    .argument('<model...>', 'model files, folders, globs')
    .requiredOption(
      '-o, --output <file>',
      'store to write (NAME.impinge), local or s3://bucket/key; with --each: a folder, local or s3://…',
    )
    .option('--each', 'write one store per file, into the folder of -o')
    .addOption(queueOption('distribute the work to "impinge worker" processes of a queue: postgres://…'))
    .option('--levels', 'add coarser levels of every shape, with certified errors')
    .option(
      '--workers <n>',
      'maximum number of threads (default: one per core); two without --levels, else one per 40 MB of --memory',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Objects keep id, name, path, type, discipline, storey, file and properties; instances share their triangles.
--levels takes several times as long and doubles the size of the store; "impinge info" shows the levels of a store.
IFC, STEP and IGES files that were read before are not read again: IMPINGE_CACHE names the folder for that, or is off.
The store appears only when it is complete. Truncated and altered stores are detected.
With --queue, workers read the files and write the stores, under the same paths as here or at s3://…; with --each they
pack several files in parallel. A file that crashes its worker three times is left out and named; the exit code is 2.

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
