/** What the system says about files, in words. */
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
  EEXIST: 'something else is in its place',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
};

/** The cause of a failed call of the file system; undefined for errors of other origin. */
export function fileErrorCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  return CAUSES[code] ?? error.message;
}
