/** How `impinge distance` is called. */
import { POSE_HELP } from '../pose-text.js';
import { ERRORS, FILES, sideOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addDistance: AddCommand = (program, shell) => {
  sideOptions(program.command('distance'))
    .description('Measure how far apart A and B are, and where they are closest.')
    .option('--at-most <length>', 'do not search beyond this distance; faster if only small distances matter')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}
Poses, distances and coordinates are in metres.

The distance between surfaces that touch or intersect is 0.

${ERRORS}
If they may overlap then, the output says how far B has to move to be separated from A: no translation shorter than the
first length does it, and that by the second in the direction given does. Of stores with several objects, it is about
the closest ones.

${POSE_HELP}

Exit code: 0, or 2 on an error.

Examples:
  impinge distance bunny.ply dragon.ply.gz --pose "t=0.3,0,0"
  impinge distance pipes.glb walls.glb --at-most 100mm --json
  impinge distance statue.impinge hall.impinge --error 1mm`,
    )
    .action(async (a, b, options) =>
      shell.exit(await (await import('../commands/distance.js')).distance(a, b, options, shell.terminal)),
    );
};
