/** What is wrong with a command line or with the work it asked for: a line for the user, or several. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** Where a line has a line end in it, that came with a name, and is not to begin another line. */
  readonly lines: readonly string[];

  /** Those of another copy of this module, too: `@impinge/server` may have one. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'CommandError';
  }

  constructor(message: string | readonly string[], options?: ErrorOptions) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n'), options);
    this.lines = lines;
  }
}
