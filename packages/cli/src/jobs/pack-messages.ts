/** Messages between a command and the thread that packs for it. */
import { CommandError } from '../command-error.js';
import { FormatError } from '../formats/format-error.js';
import type { Packed, PackOptions, PackProgress } from './pack-model.js';
import type { FileContents } from './source-contents.js';

export interface PackStart {
  readonly paths: readonly string[];
  readonly output: string;
  readonly options: Omit<PackOptions, 'signal' | 'onProgress' | 'contents'>;
}

/** To the thread: the contents of the files before it began to read them, in their order, or undefined if unknown. */
export type PackMessage = 'stop' | { readonly contents: readonly FileContents[] | undefined };

export type PackReply =
  | { readonly progress: PackProgress }
  | { readonly packed: Packed }
  | { readonly error: SentError };

/** An error in the form that messages can carry: classes are lost. */
export interface SentError {
  readonly name: string;
  readonly stack: string | undefined;
  readonly lines: readonly string[];
  /** Details of the file system, and the code of the library's errors. */
  readonly details: Readonly<Record<string, unknown>>;
}

const DETAILS = ['code', 'syscall', 'path', 'dest'] as const;

export function sentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const known = error as Error & Readonly<Record<string, unknown>>;
  return {
    name: error instanceof FormatError ? CommandError.name : error.name,
    stack: error.stack,
    lines: error instanceof CommandError ? error.lines : [error.message],
    details: Object.fromEntries(DETAILS.filter((key) => key in known).map((key) => [key, known[key]])),
  };
}

/** The error to throw here; one about a file's contents becomes a CommandError with the same line. */
export function receivedError({ name, stack, lines, details }: SentError): Error {
  const text = lines.join('\n');
  const error =
    name === CommandError.name
      ? new CommandError(lines)
      : name === RangeError.name
        ? new RangeError(text)
        : Object.assign(new Error(text), { name });
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, details);
}
