/** A model file that cannot be read: one line that names the file, the place in it and the cause. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly file: string;
  /** `line 12`, `byte 1044`, `accessor 3`; empty when the cause concerns the whole file. */
  readonly where: string;

  constructor(file: string, why: string, where = '') {
    super(`${file}: ${where === '' ? '' : `${where}: `}${why}`);
    this.file = file;
    this.where = where;
  }
}

/** A word of an untrusted file, fit to be printed in a message: short, and without control characters. */
export function quoted(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return JSON.stringify(short);
}
