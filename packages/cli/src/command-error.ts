/** What is wrong with a command line or with the work it asked for: one line for the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
