/** What the description of a command is given besides the program it adds itself to. */
import type { Command } from 'commander';
import type { Terminal } from '../terminal.js';

export interface Shell {
  readonly terminal: Terminal;
  /** The command that is called. */
  readonly command: string | undefined;
  /** Sets the exit code. */
  exit(code: number): void;
  /** Runs another command line as if it had been typed; returns its exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** Describes a command: arguments, options, help. What it does is imported when it is called. */
export type AddCommand = (program: Command, shell: Shell) => void | Promise<void>;
