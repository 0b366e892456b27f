/** How `impinge place` is called. */
import { Option } from 'commander';
import { PATH_POSE_HELP } from '../path/pose-help.js';
import { FILES, fileOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addPlace: AddCommand = (program, shell) => {
  fileOptions(
    program
      .command('place')
      .argument('<model>', 'a model file, a folder, a glob or a store')
      .option('--body <body>', 'what is placed: a file, or an object of the model by a selector or its path')
      .option('--near <pose>', 'where it is wished to be (default: where the object stands)')
      .option('--clearance <length>', 'how far it keeps from everything, at least', '0')
      .option('--region <box>', 'x0,y0,z0,x1,y1,z1 in metres: where the middle of the body may be')
      .addOption(
        new Option('--turn <turn>', 'whether it may be turned: upright is about the vertical')
          .choices(['none', 'upright', 'any'])
          .default('none'),
      )
      .option('--rest', 'it is to stand on what is below')
      .option('--accuracy <length>', 'places that are nearer by less are not looked for')
      .option('--memory <bytes>', 'memory for the geometry of the region', '160MB')
      .option('-o, --output <file>', 'write the place: NAME.json, or NAME.glb with the body there')
      .option('--view', 'show it in the browser')
      .option('--json', 'print JSON'),
  )
    .description('Find the free place of a body that is nearest to a wish.')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

${PATH_POSE_HELP}

The place is free by the exact test: no surface is nearer than the clearance, and the body is inside of no closed
object. "no free place is nearer than" is proved, for the turn that it has. A turn counts as far as the farthest point
of the body moves. With --rest the body stands no more than clearance and accuracy above what is below.
Without --region, places within four times the body's radius are looked at. Only what lies around them is read.

Exit code: 0 a place was found, 1 none, 2 error.

Examples:
  impinge place hall.glb --body cabinet.glb --near 4,2,1 --rest --clearance 20mm
  impinge place plant.impinge --body pump.glb --near 2,3,1 --turn upright -o place.json
  impinge place hall.glb --body "name:cabinet 7" --region=0,0,0,12,8,3 --rest -o place.glb --view`,
    )
    .action(async (model, options) =>
      shell.exit(
        await (await import('../commands/place.js')).place(model, options, shell.terminal, (args) =>
          shell.run(args),
        ),
      ),
    );
};
