/** Options and help that several commands share. */
import { type Command, Option } from 'commander';
import { FORMAT_NAMES } from '../formats/formats.js';

/** What all commands read. */
export const FILES = `Files: ${FORMAT_NAMES}, also gzipped except 3MF, and .ifczip (STEP, IGES: with the package occt-import-js); folders and globs ("models/**/*.ifc").
Objects are named by their path, starting with the file: building/L1/wall.`;

export const UNITS = `Units: glTF is in metres, IFC and 3MF state theirs; --unit is for the others (mm, cm, m, in, ft, or metres per
unit). Lengths: 50mm, 2in. Z is up: glTF is turned, --up y turns the others. For single
files, or patterns of names: --unit "scan*.stl: mm", --up "hall.glb: z", --place "pipes.ifc: t=12,3.5,0 rz=60".
IFC files are placed to each other by their map conversions.`;

export const ELSEWHERE = `Stores elsewhere are read in parts, as they are needed: from servers that answer range requests (https://…), and from
object storage (s3://bucket/key; with the package @aws-sdk/client-s3, which finds credentials where AWS tools do).`;

/** Options that may be given several times. */
function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** What files do not always say. */
export function fileOptions(command: Command): Command {
  return command
    .option(
      '--unit <unit>',
      'the unit of files that do not state one, such as STL (default: metres); "FILE: UNIT" of any',
      collected,
    )
    .option('--up <axis>', 'the up axis of such files, and of 3MF: y or z; "FILE: AXIS" of any', collected)
    .option(
      '--curve-error <length>',
      'how far facets may be off from the circles of IFC files (default: 1mm)',
    )
    .option('--place <pose>', '"FILE: POSE": where a file is, instead of what it says itself', collected);
}

/** The options of commands on whole models. */
export function modelOptions(command: Command): Command {
  return fileOptions(command.option('--memory <bytes>', 'memory for geometry', '256MB'));
}

/** The arguments of commands on two sides. */
export function sideOptions(command: Command): Command {
  return fileOptions(
    command
      .argument('<A>', 'a model file, a folder, a glob or a store')
      .argument('<B>', 'the same')
      .option('--pose <pose>', 'where B is')
      .option('--pose-a <pose>', 'where A is')
      .option(
        '--error <length>',
        'how far answers may be off, for stores with levels: 2mm, or 0.04% of the size of the larger',
      )
      .option('--memory <bytes>', 'memory for the geometry of stores', '160MB'),
  );
}

/** What an error means to commands on two sides. */
export const ERRORS = `Stores (.impinge) are asked piece by piece and may be larger than memory. With --error, stores that have levels
("impinge pack --levels") answer from coarser pieces with certified errors, which is faster: a distance is then an
interval no wider than the error. Files, and stores without levels, are always asked exactly.`;

/** Where a queue is; its password is better kept in the environment. */
export function queueOption(meaning: string): Option {
  return new Option('--queue <url>', meaning).env('IMPINGE_QUEUE');
}
