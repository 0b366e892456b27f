/** The command line of `lab simulate`. */

import type { AddCommand } from '@impinge/cli/internal/command-line/shell.js';
import { countedScenes, listedScenes } from '../jobs/scene-list.js';

export const addSimulate: AddCommand = (program, shell) => {
  program
    .command('simulate')
    .description('Simulate cloth, soft, rigid and breaking bodies, and time every step.')
    .argument('<scene>', 'one of the scenes below')
    .option('--steps <n>', 'number of steps (default: depends on the scene)')
    .option('--seed <n>', 'seed of the initial state', '1')
    .option('--count <n>', `number of bodies: ${countedScenes()}`)
    .option(
      '--error <length>',
      'permitted error of contacts of rigid bodies; 0: exact (default: depends on the scene)',
    )
    .option(
      '--speed-error <seconds>',
      'permit an error of this many seconds times the speed at which bodies touch, where that is more than --error',
    )
    .option(
      '--engine <name>',
      'how contacts of rigid bodies are found: auto, exact or contact-levels',
      'auto',
    )
    .option(
      '--contact-levels <folder>',
      'cache for contact levels of large rigid bodies, which take long to build',
    )
    .option(
      '--model <file>',
      'for cloth-bunny: the model under the cloth instead of the bunny, y up; for statue: the store that falls',
    )
    .option('--on <store>', 'for statue: the store it falls on')
    .option('--record <file>', 'record it, for "impinge view" and any glTF viewer (GLB)')
    .option('--frames <n>', 'frames of the recording (default: 60; for rigid bodies 60 per second)')
    .option('--stats <file>', 'write the statistics of every step (CSV)')
    .option(
      '--plot <file>',
      'plot time and pairs of every stage, and contact levels: FILE-times.svg, FILE-culling.svg, FILE-levels.svg',
    )
    .option('--check [n]', 'after every n-th step (default 1), look for intersections with exact predicates')
    .option('--workers <n>', 'threads for detection; 0 for none', '0')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Scenes:
${listedScenes()}

No step ends with surfaces passing through each other; --check verifies it.

Exit code: 0, 1 if --check found intersections, 2 on an error. Ctrl-C ends the simulation and writes the results so far.

Examples:
  npm run lab -- simulate tori --record tori.glb
  npm run lab -- simulate cloth-bunny --steps 4500 --stats steps.csv --plot cloth
  npm run lab -- simulate letters --workers 2 --record letters.glb
  npm run lab -- simulate spoon-cup --engine contact-levels --error 0.2mm --speed-error 0.005 --plot spoon
  npm run lab -- simulate pile --count 200 --record pile.glb`,
    )
    .action(async (scene, options) =>
      shell.exit(await (await import('../commands/simulate.js')).simulate(scene, options, shell.terminal)),
    );
};
