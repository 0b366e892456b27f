/** An error in a command line or in the work it asked for: one or more lines for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** A line end within a line came with a name, and must not start a new line. */
  readonly lines: readonly string[];

  /** Also true for errors of another copy of this module, which `@impinge/server` may have. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'CommandError';
  }

  constructor(message: string | readonly string[], options?: ErrorOptions) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n'), options);
    this.lines = lines;
  }
}
