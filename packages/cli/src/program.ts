/** The command line: its commands, and how errors are printed. */
import { Command, CommanderError } from 'commander';
import { CommandError } from './command-error.js';
import { addBench } from './command-line/bench.js';
import { addCheck } from './command-line/check.js';
import { addCollide } from './command-line/collide.js';
import { FILES } from './command-line/common-options.js';
import { addDemo } from './command-line/demo.js';
import { addDistance } from './command-line/distance.js';
import { addFly } from './command-line/fly.js';
import { addGenerate } from './command-line/generate.js';
import { addInfo } from './command-line/info.js';
import { addPack } from './command-line/pack.js';
import { addServe } from './command-line/serve.js';
import type { AddCommand, Shell } from './command-line/shell.js';
import { addSimulate } from './command-line/simulate.js';
import { addView } from './command-line/view.js';
import { addWorker } from './command-line/worker.js';
import { FormatError } from './formats/format-error.js';
import { fileErrorCause, isMemoryRefusal } from './jobs/file-errors.js';
import { printable, type Terminal } from './terminal.js';
import { version } from './version.js';

/** In the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addInfo,
  addCheck,
  addView,
  addServe,
  addPack,
  addWorker,
  addCollide,
  addDistance,
  addFly,
  addSimulate,
  addGenerate,
  addBench,
  addDemo,
];

/** Exit code of every error. */
const FAILED = 2;

/** Runs one command line (without `node` and the script); returns the exit code and never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const program = await makeProgram({
    terminal,
    command: args[0],
    exit: (code) => {
      exitCode = code;
    },
    run: (others) => run(others, terminal),
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAILED;
    const lines = error instanceof CommandError ? error.lines : [messageOf(error)];
    for (const line of lines) terminal.error(`impinge: ${printable(line)}\n`);
    if (process.env['IMPINGE_DEBUG'] === '1' && error instanceof Error) terminal.error(`${error.stack}\n`);
    return FAILED;
  }
}

function messageOf(error: unknown): string {
  // by name: to tell the library's errors, --help need not load it
  const known = error instanceof FormatError || (error instanceof Error && error.name === 'ImpingeError');
  const message = error instanceof Error ? error.message : String(error);
  if (known) return message;
  const cause = fileErrorCause(error);
  if (cause !== undefined) {
    const { path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
    return `${dest ?? path ?? 'cannot read or write a file'}: ${cause}`;
  }
  if (isMemoryRefusal(error)) return `out of memory (${message}); a lower --memory may help`;
  return `internal error: ${message} (IMPINGE_DEBUG=1 shows where)`;
}

async function makeProgram(shell: Shell): Promise<Command> {
  const { terminal } = shell;
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
${FILES}

Examples:
  impinge demo
  impinge check building.ifc pipes.glb --clearance 50mm
  impinge view impinge-report
  impinge serve
  impinge pack models/ -o plant.impinge
  impinge info bunny.ply
  impinge collide part.stl housing.glb
  impinge distance part.stl housing.glb --pose "t=0,0,0.5"
  impinge simulate tori --record tori.glb

"impinge COMMAND --help" describes a command.`,
    );
  for (const add of COMMANDS) await add(program, shell);
  return program;
}
