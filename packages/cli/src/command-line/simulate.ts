/** How `impinge simulate` is called. */
import { countedScenes, listedScenes } from '../jobs/scene-list.js';
import type { AddCommand } from './shell.js';

export const addSimulate: AddCommand = (program, shell) => {
  program
    .command('simulate')
    .description(
      'Simulate cloth, soft and rigid bodies and breaking things, and measure what every step took.',
    )
    .argument('<scene>', 'one of those below')
    .option('--steps <n>', 'how many steps (default: depends on the scene)')
    .option('--seed <n>', 'of the initial state', '1')
    .option('--count <n>', `how many: ${countedScenes()}`)
    .option(
      '--error <length>',
      'what contacts of rigid bodies may be off; 0: exact (default: depends on the scene)',
    )
    .option(
      '--contact-levels <folder>',
      'where contact levels of large rigid bodies are kept, so that they are built once',
    )
    .option(
      '--model <file>',
      'for cloth-bunny: what lies under the cloth instead of the bunny, y up; for statue: the store that falls',
    )
    .option('--on <store>', 'for statue: what it falls on')
    .option('--record <file>', 'write an animation (GLB) that any glTF viewer plays')
    .option('--frames <n>', 'frames of the animation (default: 60; of rigid bodies 60 a second)')
    .option('--stats <file>', 'write the statistics of every step (CSV)')
    .option('--plot <file>', 'plot time and pairs of every stage: FILE-times.svg, FILE-culling.svg')
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
  impinge simulate tori --record tori.glb
  impinge simulate cloth-bunny --steps 4500 --stats steps.csv --plot cloth
  impinge simulate letters --workers 2 --record letters.glb
  impinge simulate pile --count 200 --record pile.glb`,
    )
    .action(async (scene, options) =>
      shell.exit(await (await import('../commands/simulate.js')).simulate(scene, options, shell.terminal)),
    );
};
