/** How `impinge fly` is called. */
import { Option } from 'commander';
import { FILES, fileOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addFly: AddCommand = (program, shell) => {
  fileOptions(program.command('fly'))
    .description(
      'Move a body along a path through a stored model: what it hits, where, and how long each step takes.',
    )
    .argument('<store>', 'a store (.impinge), here or elsewhere (https://…, s3://…)')
    .argument('[avatar]', 'a model file or a store; a person of 4,000 triangles by default')
    .addOption(new Option('--path <file>', 'JSON: { "steps": [[12 numbers], …] }').conflicts('wander'))
    .option('--wander <steps>', 'generate a smooth path of this many steps')
    .option('--seed <n>', 'of the generated path', '1')
    .option('--save-path <file>', 'write the path as JSON')
    .option('--within <length>', 'find what comes closer than this, instead of what is hit')
    .option('--distance', 'also find the distance to the nearest surface at each step')
    .option(
      '--error <length>',
      'how far answers may be off, for stores with levels: 2mm, or 0.04% of the size of the larger',
    )
    .option('--memory <bytes>', 'memory for geometry', '160MB')
    .option('--plot <file>', 'draw the time of each step (SVG)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Hits are listed by object, each with the nearest that the body came to it, and where; --json lists every hit of every
step. With --error, a store that has levels ("impinge pack --levels") answers from coarser pieces with certified errors,
which is faster: nothing that meets is left out, what is listed may be that much farther apart, and distances come as
intervals no wider than that.

A step is a pose in metres: rotation (nine numbers, row by row), then translation (three).

Examples:
  impinge generate -o plant.impinge --triangles 15M --path walk.json --steps 2000
  impinge fly plant.impinge --path walk.json --plot walk.svg
  impinge fly plant.impinge dragon.ply --wander 5000 --within 100mm
  impinge fly plant.impinge dragon.impinge --path walk.json --error 5mm`,
    )
    .action(async (store, avatar, options) =>
      shell.exit(await (await import('../commands/fly.js')).fly(store, avatar, options, shell.terminal)),
    );
};
