import type { Stats } from 'node:fs';
import { oneLine } from 'impinge/internal/formats/mesh-file.js';

export { oneLine, quoted } from 'impinge/internal/formats/mesh-file.js';

/** A model file that cannot be read: one line that names the file, the place in it and the cause. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly file: string;
  /** `line 12`, `byte 1044`, `accessor 3`; empty when the cause concerns the whole file. */
  readonly where: string;

  constructor(file: string, why: string, where = '') {
    super(`${file}: ${oneLine(where === '' ? why : `${where}: ${why}`)}`);
    this.file = file;
    this.where = where;
  }
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
};

/** Converts an error met while reading `path` to one about the file; errors not caused by the file are unchanged. */
export function asFormatError(error: unknown, path: string): unknown {
  if (error instanceof FormatError || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (Object.hasOwn(SYSTEM_ERRORS, code)) return new FormatError(path, SYSTEM_ERRORS[code]);
  if (error instanceof RangeError) return new FormatError(path, 'needs more memory than there is');
  if ('syscall' in error) return new FormatError(path, error.message);
  return error;
}

/** Refuses files without random access; call it before opening, which blocks on a pipe. */
export function assertFile(path: string, stats: Stats): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new FormatError(path, 'is a folder');
  if (stats.isFIFO()) {
    throw new FormatError(path, 'is a pipe, and the reader must seek; write it to a file first');
  }
  throw new FormatError(path, 'is not a regular file');
}
