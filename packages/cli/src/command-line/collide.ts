/** How `impinge collide` is called. */
import { Option } from 'commander';
import { POSE_HELP } from '../pose-text.js';
import { ERRORS, FILES, sideOptions, UNITS } from './common-options.js';
import type { AddCommand } from './shell.js';

export const addCollide: AddCommand = (program, shell) => {
  sideOptions(program.command('collide'))
    .description('Find the triangles of B that intersect triangles of A, or come too close to them.')
    .option('--within <length>', 'find pairs at most this far apart, instead of intersecting ones')
    .addOption(new Option('--all', 'find every pair of triangles (the default)').conflicts(['any', 'limit']))
    .addOption(new Option('--any', 'stop at the first pair').conflicts(['all', 'limit']))
    .addOption(new Option('--limit <n>', 'stop after n pairs').conflicts(['all', 'any']))
    .addOption(
      new Option(
        '--contacts',
        'list contact regions with place, depth and direction of separation',
      ).conflicts(['any', 'limit', 'within']),
    )
    .option('--pairs <file>', 'write the pairs of triangles to a CSV file')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FILES}
${UNITS}
Poses, distances and coordinates are in metres.

Touching counts as intersecting. Surfaces are compared: a part that lies entirely inside another does not collide with
it. Files with several objects are compared object by object. If the same file is given twice without a pose, its
objects are compared with each other, each pair once.

A contact region is a connected part of the contact. Its depth is how far the innermost point of one object lies below
the surface of the other; open objects have no inside. "clash" is what impinge check would call the whole pair.

${ERRORS}
No collision is missed; listed objects may be farther apart by up to the error. Objects are listed with their distance
and their closest points. --any does not count pairs; --pairs and --limit work with files only.
With --contacts, regions have intervals of another depth: B's part of a region moved that far in the direction given, a
plane separates it from A's.

${POSE_HELP}

Exit code: 0 no collision, 1 collision (with --error: or nearly one), 2 error.

Examples:
  impinge collide bunny.ply dragon.ply.gz
  impinge collide building.ifc pipes.glb
  impinge collide bunny.ply dragon.ply.gz --pose "rz=90 t=0,0,0.5" --any
  impinge collide pipes.glb walls.glb --within 50mm --json
  impinge collide part.stl housing.stl --contacts
  impinge collide plant.glb plant.glb
  impinge collide a.stl b.stl --pairs pairs.csv
  impinge collide plant.impinge dragon.impinge --pose "t=4,0,1" --error 0.04%
  impinge collide ground.impinge statue.impinge --contacts --error 5mm`,
    )
    .action(async (a, b, options) =>
      shell.exit(await (await import('../commands/collide.js')).collide(a, b, options, shell.terminal)),
    );
};
