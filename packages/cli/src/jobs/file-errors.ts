/** Messages for errors of the system about files and memory. */
import { CommandError } from '../command-error.js';

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an error',
  EFBIG: 'the file has become too large for its disk',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'something else is in the way',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'symbolic links form a cycle',
  ENXIO: 'it is not a regular file',
  ENOMEM: 'the system is out of memory',
  EBUSY: 'it is in use',
};

/** The cause of a failed call of the file system; undefined for errors of other origin. */
export function fileErrorCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  return CAUSES[code] ?? error.message;
}

/** The error to throw: one line about a failed call of the file system, or the error itself. */
export function explained(error: unknown, lineFor: (cause: string) => string): unknown {
  const cause = fileErrorCause(error);
  return cause === undefined ? error : new CommandError(lineFor(cause), { cause: error });
}

/** Whether the system, or its limit for this process, has refused memory. */
export function isMemoryRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return (
    ['ENOMEM', 'ERR_WORKER_OUT_OF_MEMORY', 'ERR_WORKER_INIT_FAILED', 'ERR_MEMORY_ALLOCATION_FAILED'].includes(
      code,
    ) ||
    (error instanceof RangeError && /allocat|out of memory|WebAssembly/i.test(error.message))
  );
}
