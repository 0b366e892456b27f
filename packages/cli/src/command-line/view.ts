/** How `impinge view` is called. */
import { FILES, modelOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addView: AddCommand = (program, shell) => {
  modelOptions(program.command('view'))
    .description('Show a model, or a report with its model, in the browser.')
    .argument(
      '<model...>',
      'model files, folders, globs, a store (.impinge; also https://…, s3://…), or the folder of a report',
    )
    .option('-o, --output <folder>', 'where model files are packed to', 'impinge-report')
    .option('--store <file>', 'the model of a report, where it is not where it was')
    .option('--clash <id>', 'open the page at this clash of the report')
    .option('--port <n>', 'where to listen (default: any free port)')
    .option('--no-open', 'only print the address')
    .option('--export <folder>', 'write the page and all it shows into a folder, and end')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

The page is served on this computer only, at an address that nobody can guess, until Ctrl-C.
Model files are packed once, into model.impinge in the folder of --output, which is reused until they change.
A store without levels is shown as it is; levels are made meanwhile, and kept in the folder of the report or of --output.
The folder of --export is for any web host that answers requests for parts of files (range requests).

Examples:
  impinge view building.ifc services.ifc
  impinge view plant.impinge
  impinge view impinge-report --clash 0f3a9c
  impinge view impinge-report --port 8080 --no-open
  impinge view impinge-report --export public/plant`,
    )
    .action(async (names, options) =>
      shell.exit(await (await import('../commands/view.js')).view(names, options, shell.terminal)),
    );
};
