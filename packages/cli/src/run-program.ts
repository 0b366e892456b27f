/** A command-line program with several commands: how they are found, and how errors are printed. */
import { Command, CommanderError } from 'commander';
import { CommandError } from './command-error.js';
import type { AddCommand, Shell } from './command-line/shell.js';
import { FormatError } from './formats/format-error.js';
import { fileErrorCause, isMemoryRefusal } from './jobs/file-errors.js';
import { printable, type Terminal } from './terminal.js';
import { version } from './version.js';

export interface Program {
  /** Also begins each line about an error. */
  readonly name: string;
  readonly description: string;
  /** In the order of the help. */
  readonly commands: readonly AddCommand[];
  /** Follows the list of commands in the help. */
  readonly help: string;
}

/** Exit code of every error. */
const FAILED = 2;

/** Runs one command line (without `node` and the script); returns the exit code and never throws. */
export async function runProgram(
  program: Program,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  let exitCode = 0;
  const shell: Shell = {
    terminal,
    command: args[0],
    exit: (code) => {
      exitCode = code;
    },
    run: (others) => runProgram(program, others, terminal),
  };
  try {
    const parser = await parserOf(program, shell);
    await parser.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAILED;
    const lines = error instanceof CommandError ? error.lines : [messageOf(error)];
    for (const line of lines) terminal.error(`${program.name}: ${printable(line)}\n`);
    if (process.env['IMPINGE_DEBUG'] === '1' && error instanceof Error) terminal.error(`${error.stack}\n`);
    return FAILED;
  }
}

function messageOf(error: unknown): string {
  // by name, so that --help need not load the library to recognise its errors
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

async function parserOf({ name, description, commands, help }: Program, shell: Shell): Promise<Command> {
  const { terminal } = shell;
  const parser = new Command(name);
  parser
    .description(description)
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
      outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)),
    })
    .addHelpText('after', help);
  for (const add of commands) await add(parser, shell);
  return parser;
}
