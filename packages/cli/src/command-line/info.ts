/** How `impinge info` is called. */
import { FILES, fileOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addInfo: AddCommand = (program, shell) => {
  fileOptions(program.command('info'))
    .description('Show what is in model files: objects, triangles, box, whether they are closed.')
    .argument('<model...>', 'model files, folders, globs, stores (.impinge), also https://… and s3://…')
    .option('--json', 'print JSON')
    .option('--types', 'list types, storeys, disciplines, systems, materials and the like, with counts')
    .option('--properties', 'list the names of properties, with counts and values')
    .option('--all', 'list everything of a large model')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Boxes and extents are in metres. Closed means that every edge has an even number of triangles; vertices at equal positions
count as one. Only closed objects are solids to a check: what lies inside an open one is not found.

With --types or --properties, all files together: what rules can select by.

Examples:
  impinge info bunny.ply
  impinge info building.ifc services.ifc --types --properties
  impinge info plant.glb --all
  impinge info plant.impinge
  impinge info *.stl --json`,
    )
    .action(async (files, options) =>
      shell.exit(await (await import('../commands/info.js')).info(files, options, shell.terminal)),
    );
};
