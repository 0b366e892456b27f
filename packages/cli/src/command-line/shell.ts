/** The context in which a command describes itself, besides the program it is added to. */
import type { Command } from 'commander';
import type { Terminal } from '../terminal.js';

export interface Shell {
  readonly terminal: Terminal;
  /** The command that was called. */
  readonly command: string | undefined;
  /** Sets the exit code. */
  exit(code: number): void;
  /** Runs another command line as if it had been typed; returns its exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** Describes a command: arguments, options, help. Its implementation is imported when it is called. */
export type AddCommand = (program: Command, shell: Shell) => void | Promise<void>;
