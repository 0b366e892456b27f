/** How `impinge info` is called. */
import { FILES, fileOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addInfo: AddCommand = (program, shell) => {
  fileOptions(program.command('info'))
    .description('Describe model files: objects, triangles, bounding boxes, open and closed objects.')
    .argument('<model...>', 'model files, folders, globs, stores (.impinge), also https://… and s3://…')
    .option('--json', 'print JSON')
    .option('--types', 'list types, storeys, disciplines, systems, materials and the like, with counts')
    .option('--properties', 'list the names of properties, with counts and values')
    .option('--all', 'list all objects, even of a large model')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Boxes and extents are in metres. An object is closed if every edge has an even number of triangles; vertices at equal
positions count as one. A check treats only closed objects as solids: it does not find objects inside an open one.

--types and --properties list the values that rules can select by, over all files together.

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
