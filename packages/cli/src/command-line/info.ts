/** How `impinge info` is called. */
import { FILES, fileOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addInfo: AddCommand = (program, shell) => {
  fileOptions(program.command('info'))
    .description('Show what is in model files: objects, triangles, box, whether they are closed.')
    .argument('<model...>', 'model files, folders, globs, stores (.impinge)')
    .option('--json', 'print JSON')
    .option('--all', 'list every object of a large model')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Boxes and extents are in metres. Closed means that every edge has at least two triangles; vertices at equal positions
count as one.

Examples:
  impinge info bunny.ply
  impinge info plant.glb --all
  impinge info plant.impinge
  impinge info *.stl --json`,
    )
    .action(async (files, options) =>
      shell.exit(await (await import('../commands/info.js')).info(files, options, shell.terminal)),
    );
};
