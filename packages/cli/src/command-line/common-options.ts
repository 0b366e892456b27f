/** Options and help that several commands share. */
import { type Command, Option } from 'commander';
import { FORMAT_NAMES } from '../formats/formats.js';

/** Inputs that every command reads. */
export const FILES = `Files: ${FORMAT_NAMES}; all but 3MF also gzipped; .ifczip.
STEP and IGES need the package occt-import-js. Folders and globs work too: "models/**/*.ifc".
Objects are named by their path, starting with the file: building/L1/wall.`;

export const UNITS = `Units: glTF is in metres, IFC and 3MF state their unit; --unit sets it for other files (mm, cm, m,
in, ft, or metres per unit). Lengths: 50mm, 2in. Z is up: glTF is rotated, --up y rotates other files. To set one file,
or files that match a pattern: --unit "scan*.stl: mm", --up "hall.glb: z", --place "pipes.ifc: t=12,3.5,0 rz=60".
IFC files are placed relative to each other by their map conversions.`;

export const REMOTE_STORES = `Remote stores are read on demand, range by range: from web servers that support range requests
(https://…), and from object storage (s3://bucket/key). The latter needs the package @aws-sdk/client-s3, which looks up
credentials like other AWS tools.`;

/** Options that may be given several times. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Properties that files do not always state. */
export function fileOptions(command: Command): Command {
  return command
    .option(
      '--unit <unit>',
      'unit of files that do not state one, such as STL (default: metres); "FILE: UNIT" sets it for any file',
      collected,
    )
    .option(
      '--up <axis>',
      'up axis of such files and of 3MF: y or z; "FILE: AXIS" sets it for any file',
      collected,
    )
    .option('--curve-error <length>', 'maximum tessellation error of curves in IFC files (default: 1mm)')
    .option('--place <pose>', '"FILE: POSE": place a file here, instead of where it places itself', collected)
    .option(
      '--table <table>',
      '"FILE: TABLE": join properties from a CSV or XLSX file to the objects of a file, by id or name',
      collected,
    );
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
      .argument('<B>', 'likewise')
      .option('--pose <pose>', 'pose of B')
      .option('--pose-a <pose>', 'pose of A')
      .option(
        '--error <length>',
        'permitted error, for stores with levels: 2mm, or 0.04% of the larger extent',
      )
      .option('--memory <bytes>', 'memory for the geometry of stores', '160MB'),
  );
}

/** The meaning of --error for commands on two sides. */
export const ERRORS = `Stores (.impinge) are read piece by piece and may be larger than memory. With --error, stores
that have levels ("impinge pack --levels") answer from coarser pieces with certified errors, which is faster: a distance
is then an interval no wider than the error. Files, and stores without levels, always give exact answers.`;

/** Where a queue is; its password is better kept in the environment. */
export function queueOption(meaning: string): Option {
  return new Option('--queue <url>', meaning).env('IMPINGE_QUEUE');
}
