/** How `impinge simulate` is called. */
import type { AddCommand } from './shell.js';

export const addSimulate: AddCommand = (program, shell) => {
  program
    .command('simulate')
    .description(
      'Simulate cloth, soft bodies and breaking things, and measure collision detection in every step.',
    )
    .argument('<scene>', 'tori, cloth-bunny, letters, cloth-ball or breaking')
    .option('--steps <n>', 'how many steps (default: depends on the scene)')
    .option('--seed <n>', 'of the initial state', '1')
    .option('--model <file>', 'for cloth-bunny: what lies under the cloth instead of the bunny, y up')
    .option('--record <file>', 'write an animation (GLB) that any glTF viewer plays')
    .option('--frames <n>', 'frames of the animation', '60')
    .option('--stats <file>', 'write the statistics of every step (CSV)')
    .option('--plot <file>', 'plot time and pairs of every stage: FILE-times.svg, FILE-culling.svg')
    .option('--check [n]', 'after every n-th step (default 1), look for intersections with exact predicates')
    .option('--workers <n>', 'threads for detection; 0 for none', '0')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Scenes:
  tori         14 soft tori of 800 triangles fall into a tray and pile up
  cloth-bunny  a cloth of 20 K triangles falls on a bunny of 60 K
  letters      1,014 elastic letters, 900 K triangles, fall into a tray
  cloth-ball   a cloth drapes over a ball, which then turns; 92 K triangles
  breaking     a ball hits a vase, which breaks

No step ends with surfaces passing through each other; --check verifies it.

Exit code: 0, 1 if --check found intersections, 2 on an error. Ctrl-C ends the simulation and writes the results so far.

Examples:
  impinge simulate tori --record tori.glb
  impinge simulate cloth-bunny --steps 4500 --stats steps.csv --plot cloth
  impinge simulate letters --workers 2 --record letters.glb`,
    )
    .action(async (scene, options) =>
      shell.exit(await (await import('../commands/simulate.js')).simulate(scene, options, shell.terminal)),
    );
};
