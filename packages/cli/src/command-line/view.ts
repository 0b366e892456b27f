/** How `impinge view` is called. */
import { FILES, modelOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addView: AddCommand = (program, shell) => {
  modelOptions(program.command('view'))
    .description('Show a model, or a report with its model, in the browser.')
    .argument(
      '[model...]',
      'model files, folders, globs, a store (.impinge; also https://…, s3://…), or the folder of a report',
    )
    .option('-o, --output <folder>', 'folder for the packed model', 'impinge-report')
    .option('--store <file>', 'the model of a report, if it was moved')
    .option('--clash <id>', 'open the page at this clash of the report')
    .option('--replay <file>', 'replay a recording (GLB): of a simulation, or of a flight through the model')
    .option('--port <n>', 'port to listen on (default: any free port)')
    .option('--no-open', 'only print the URL')
    .option('--export <folder>', 'write the page and its data into a folder, and exit')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

The page is served on this computer only, at a secret URL, until Ctrl-C.
Model files are packed once, into model.impinge in the folder of --output, which is reused until they change.
A store without levels is shown at once; levels are built in the background and kept in the folder of the report or of
--output. The folder of --export can be put on any web host that supports range requests.

Examples:
  impinge view building.ifc services.ifc
  impinge view plant.impinge
  impinge view impinge-report --clash 0f3a9c
  impinge view plant.impinge --replay flight.glb
  impinge view --replay run.glb
  impinge view impinge-report --port 8080 --no-open
  impinge view impinge-report --export public/plant`,
    )
    .action(async (names, options) =>
      shell.exit(await (await import('../commands/view.js')).view(names, options, shell.terminal)),
    );
};
