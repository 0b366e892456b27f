/** Options and help that several commands share. */
import { type Command, Option } from 'commander';

export const FORMATS =
  'Files: PLY, STL, OBJ, glTF and GLB (with Draco, meshopt, instances), each also as .gz.';
export const MODEL_FORMATS =
  'Files: IFC, glTF, GLB, STL, OBJ, PLY, 3MF; folders and globs ("models/**/*.ifc") of them, too.';
export const UNITS = `Units: glTF is in metres, IFC and 3MF say theirs; --unit is for the others (mm, cm, m, in, ft, or metres per
unit). Lengths: 50mm, 2in, 0.05 (metres).`;

/** The options of commands on whole models. */
export function modelOptions(command: Command): Command {
  return command
    .option('--memory <bytes>', 'memory for geometry', '256MB')
    .option('--unit <unit>', 'the unit of files that do not say theirs (STL, OBJ, PLY); metres by default')
    .addOption(
      new Option('--up <axis>', 'which axis of such files, and of 3MF, points up').choices(['y', 'z']),
    );
}

/** The arguments of commands on two files. */
export function posable(command: Command): Command {
  return command
    .argument('<A>', 'model file')
    .argument('<B>', 'model file')
    .option('--pose <pose>', 'where B is')
    .option('--pose-a <pose>', 'where A is');
}
