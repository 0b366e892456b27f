/** The command line: what there is to call, and how errors look. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { CommandError } from './command-error.js';
import { FormatError } from './formats/format-error.js';
import { POSE_HELP } from './pose-text.js';
import { printable, type Terminal } from './terminal.js';

/** Exit code of every error. */
const FAILED = 2;

const FORMATS = 'Files: PLY, STL, OBJ, glTF and GLB (with Draco, meshopt, instances), each also as .gz.';

/** Runs one command line (without `node` and the script); returns the exit code and never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = makeProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAILED;
    terminal.error(`impinge: ${printable(messageOf(error))}\n`);
    if (process.env['IMPINGE_DEBUG'] === '1' && error instanceof Error) terminal.error(`${error.stack}\n`);
    return FAILED;
  }
}

function messageOf(error: unknown): string {
  // by name: to tell the library's errors, --help need not load it
  const known =
    error instanceof FormatError ||
    error instanceof CommandError ||
    (error instanceof Error && error.name === 'ImpingeError');
  const message = error instanceof Error ? error.message : String(error);
  return known ? message : `internal error: ${message} (IMPINGE_DEBUG=1 shows where)`;
}

function makeProgram(terminal: Terminal, exit: (code: number) => void): Command {
  const program = new Command('impinge');
  program
    .description('Finds where triangle models touch, overlap or come too close.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'impinge: ')),
    })
    .addHelpText(
      'after',
      `
${FORMATS}

Examples:
  impinge demo
  impinge info bunny.ply
  impinge collide part.stl housing.glb
  impinge distance part.stl housing.glb --pose "t=0,0,0.5"

"impinge COMMAND --help" says more about a command.`,
    );

  program
    .command('info')
    .description('Say what is in model files: objects, triangles, box, whether they are closed.')
    .argument('<file...>', 'model files')
    .option('--json', 'print JSON')
    .option('--all', 'list every object of a large model')
    .addHelpText(
      'after',
      `
${FORMATS}
Closed means that every edge has two triangles or more, vertices at equal positions counted as one.

Examples:
  impinge info bunny.ply
  impinge info plant.glb --all
  impinge info *.stl --json`,
    )
    .action(async (files, options) =>
      exit(await (await import('./commands/info.js')).info(files, options, terminal)),
    );

  posable(program.command('collide'))
    .description('Find the triangles of B that intersect, or come too close to, triangles of A.')
    .option('--tolerance <length>', 'find pairs at most this far apart, instead of intersecting ones')
    .addOption(new Option('--all', 'find every pair of triangles (the default)').conflicts(['any', 'limit']))
    .addOption(new Option('--any', 'stop at the first pair').conflicts(['all', 'limit']))
    .addOption(new Option('--limit <n>', 'stop after n pairs').conflicts(['all', 'any']))
    .addOption(
      new Option('--contacts', 'say where they meet, how deep and which way out, region by region').conflicts(
        ['any', 'limit', 'tolerance'],
      ),
    )
    .option('--pairs <file>', 'write the pairs of triangles to a CSV file')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FORMATS}
Touching counts as intersecting. Surfaces are compared: a part that lies wholly inside another
does not collide with it. A file of several objects is compared object by object. The same file
twice, without a pose: its objects are compared with each other, each pair once, and none with itself.

A contact region is a part of the contact that hangs together. Its depth says how far the innermost
point of one lies under the surface of the other; objects that are not closed have no inside.

${POSE_HELP}

Exit code: 0 no collision, 1 collision, 2 error.

Examples:
  impinge collide bunny.ply dragon.ply.gz
  impinge collide bunny.ply dragon.ply.gz --pose "rz=90 t=0,0,0.5" --any
  impinge collide pipes.glb walls.glb --tolerance 0.05 --json
  impinge collide part.stl housing.stl --contacts
  impinge collide plant.glb plant.glb
  impinge collide a.stl b.stl --pairs pairs.csv`,
    )
    .action(async (a, b, options) =>
      exit(await (await import('./commands/collide.js')).collide(a, b, options, terminal)),
    );

  posable(program.command('distance'))
    .description('Measure how far A and B are apart, and where they are closest.')
    .option('--at-most <length>', 'do not look farther than this; quicker when only small distances matter')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
${FORMATS}
The distance of surfaces that touch or intersect is 0.

${POSE_HELP}

Exit code: 0, or 2 on an error.

Examples:
  impinge distance bunny.ply dragon.ply.gz --pose "t=0.3,0,0"
  impinge distance pipes.glb walls.glb --at-most 0.1 --json`,
    )
    .action(async (a, b, options) =>
      exit(await (await import('./commands/distance.js')).distance(a, b, options, terminal)),
    );

  program
    .command('demo')
    .description('Collide two generated models of over 100,000 triangles, with figures.')
    .addHelpText('after', '\nExample:\n  impinge demo')
    .action(async () => exit((await import('./commands/demo.js')).demo(terminal)));

  return program;
}

/** The arguments of commands on two files. */
function posable(command: Command): Command {
  return command
    .argument('<A>', 'model file')
    .argument('<B>', 'model file')
    .option('--pose <pose>', 'where B is')
    .option('--pose-a <pose>', 'where A is');
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
