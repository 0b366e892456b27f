/** The command line of `lab fly`. */

import { FILES, fileOptions, UNITS } from '@impinge/cli/internal/command-line/common-options.js';
import type { AddCommand } from '@impinge/cli/internal/command-line/shell.js';
import { Option } from 'commander';

export const addFly: AddCommand = (program, shell) => {
  fileOptions(program.command('fly'))
    .description(
      'Move a body along a path through a stored model; list hits and their places, and time each step.',
    )
    .argument('<store>', 'a store (.impinge), local or remote (https://…, s3://…)')
    .argument('[avatar]', 'a model file or a store; a person of 4,000 triangles by default')
    .addOption(new Option('--path <file>', 'JSON: { "steps": [[12 numbers], …] }').conflicts('wander'))
    .option('--wander <steps>', 'generate a smooth path of this many steps')
    .option('--seed <n>', 'seed of the generated path', '1')
    .option('--save-path <file>', 'write the path as JSON')
    .option('--within <length>', 'report objects closer than this, instead of hits')
    .option('--distance', 'also find the distance to the nearest surface at each step')
    .option('--error <length>', 'permitted error, for stores with levels: 2mm, or 0.04% of the larger extent')
    .option('--memory <bytes>', 'memory for geometry', '160MB')
    .option('--plot <file>', 'draw the times of each step, collide and prefetch (SVG)')
    .option(
      '--record <file>',
      'record poses, hits and times of all steps, for "impinge view --replay" and any glTF viewer (GLB)',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}

Hits are listed by object, with the smallest distance and its place; --json lists every hit of every step.
With --error, a store that has levels ("impinge pack --levels") answers from coarser pieces with certified errors, which
is faster: no hit is missed, listed objects may be farther apart by up to the error, and distances are intervals as wide
as the error at most.

The time of a step has two phases: collide, for questions, and prefetch, for reading ahead and waiting for the disk.

A step is a pose in metres: rotation (nine numbers, row by row), then translation (three).

Examples:
  impinge generate -o plant.impinge --triangles 15M --path walk.json --steps 2000
  npm run lab -- fly plant.impinge --path walk.json --plot walk.svg
  npm run lab -- fly plant.impinge dragon.ply --wander 5000 --within 100mm
  npm run lab -- fly plant.impinge dragon.impinge --path walk.json --error 5mm`,
    )
    .action(async (store, avatar, options) =>
      shell.exit(await (await import('../commands/fly.js')).fly(store, avatar, options, shell.terminal)),
    );
};
