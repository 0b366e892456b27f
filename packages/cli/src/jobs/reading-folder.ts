/** Where readings of files (reading-cache.ts) and answers (kept-pairs.ts) are kept: among the user's caches. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export const READING_EXTENSION = '.reading';
export const PAIRS_EXTENSION = '.pairs';

/** The folder that `IMPINGE_CACHE` names, or the usual one of this system; undefined, with `off`, for none. */
export function readingFolder(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['IMPINGE_CACHE'];
  if (named !== undefined && named !== '') return named === 'off' ? undefined : named;
  const caches =
    env['XDG_CACHE_HOME'] || (process.platform === 'win32' ? env['LOCALAPPDATA'] : join(homedir(), '.cache'));
  return caches && isAbsolute(caches) ? join(caches, 'impinge') : undefined;
}
