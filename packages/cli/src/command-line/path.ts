/** How `impinge path` is called. */
import { PATH_POSE_HELP } from '../path/pose-help.js';
import { FILES, fileOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addPath: AddCommand = (program, shell) => {
  fileOptions(
    program
      .command('path')
      .argument('[model]', 'a model file, a folder, a glob or a store')
      .option('--body <body>', 'what is moved: a file, or an object of the model by a selector or its path')
      .option('--from <pose>', 'where it starts (default: where the object stands)')
      .option('--to <pose>', 'where it goes')
      .option('--clearance <length>', 'how far it keeps from everything, at least', '0')
      .option(
        '--upright [degrees]',
        'it leans by no more than this (default: 0, it only turns about the vertical)',
      )
      .option('--walk [size]', 'it walks on floors: what --body names, or a box such as 0.6x0.4x1.8m')
      .option('--step <length>', 'the highest step that it climbs where it walks', '300mm')
      .option('--slope <degrees>', 'the steepest floor that it walks on', '50')
      .option('--snap <length>', 'start and goal may be moved this far to be free, out of contact')
      .option('--bounds <box>', 'x0,y0,z0,x1,y1,z1 in metres: where the middle of the body may be')
      .option('--seed <n>', 'of the search; equal seeds find equal paths, unless time runs out', '1')
      .option('--time <seconds>', 'how long to search', '60')
      .option('--memory <bytes>', 'memory for the geometry around the way', '160MB')
      .option('-o, --output <file>', 'write the path: NAME.json to be verified, or NAME.glb to be played')
      .option('--view', 'show the recording in the browser')
      .option('--verify <file>', 'prove a path that was written as JSON once more')
      .option('--json', 'print JSON'),
  )
    .description('Find a way to move a body through a model, proved at every instant.')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

${PATH_POSE_HELP}

A path that is found is proved for every instant, not at samples: the body keeps more than the clearance from all
surfaces, and is inside of no closed object. That none is found proves nothing: there may be one. Between two poses of
the path, "centre" moves straight and the body turns by the shorter angle, both evenly.
With --upright it is proved as well that the body leans no farther from how it stands unturned.
With --walk it goes on foot, upright, through doors, up stairs and over ramps. All of it above half the step height
keeps the clearance; its feet, below the middle of its box, are at most half the step height above or below a floor:
both are proved for every instant. Start and goal are put on the floor that is no farther than the step height. Where no
way is found, "closest" is where the search came nearest to the goal.
What touches something at the start, like anything that stands on a floor, is not free there: --snap lets it be lifted
first.
Of the model, only what lies around start and goal is read; --bounds sets another box. If it does not fit into
--memory, the box is made smaller.

Exit code: 0 a path was found or verified, 1 none was found, or it is not proved, 2 error (start or goal is not free).

Examples:
  impinge path plant.impinge --body pump.glb --from 2,3,1 --to 14,3,1 --clearance 50mm -o path.json
  impinge path hospital.ifc --body "id:2O2Fr$t4X7Zf8NOew3FNr2" --to 12,4.5,1 --snap 20mm
  impinge path hall.glb --body "hall/cabinet*" --to "rz=90 t=8,2,1" -o path.glb --view
  impinge path hospital.ifc --body fridge.glb --from 2,3,0.1 --to 14,3,0.1 --upright --clearance 20mm
  impinge path house.ifc --walk 0.6x0.4x1.8m --from 1,3,0 --to 1,3,2.8 --clearance 20mm -o way.glb --view
  impinge path --verify path.json`,
    )
    .action(async (model, options) =>
      shell.exit(
        await (await import('../commands/path.js')).path(model, options, shell.terminal, (args) =>
          shell.run(args),
        ),
      ),
    );
};
