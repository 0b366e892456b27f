/**
 * Temporary names for files until they are complete. A killed process leaves them behind; the next one that writes to
 * the same folder removes those of processes that have ended, and no others.
 */
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasEnded, processTag } from './process-identity.js';

const NAME = /\.([0-9a-f]{8}-\d+-\d*)-\d+\.part$/;

/** Numbers the files of this process, so that two for the same path do not collide. */
let serial = 0;

/** The name under which the file at `path` is written. */
export function partialName(path: string): string {
  return `${path}.${processTag()}-${++serial}.part`;
}

/** Folders that this process has cleaned up. */
const swept = new Set<string>();

/** Removes files that ended processes of this user left unfinished in a folder, once per process. */
export async function removeLeftovers(folder: string): Promise<void> {
  const place = resolve(folder);
  if (swept.has(place)) return;
  swept.add(place);
  // a folder that cannot be listed, or a file that cannot be removed, does not prevent writing
  const names = await readdir(place).catch(() => []);
  for (const name of names) {
    const tag = NAME.exec(name)?.[1];
    if (tag === undefined || !hasEnded(tag)) continue;
    const path = join(place, name);
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isFile() && stat.uid === (process.getuid?.() ?? stat.uid))
      await rm(path, { force: true }).catch(() => {});
  }
}

/** Removes unfinished versions of the file at `path` that a terminated thread of this process left behind. */
export async function removePartials(path: string): Promise<void> {
  const begins = `${basename(path)}.${processTag()}-`;
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    if (name.startsWith(begins) && NAME.test(name)) await rm(join(dirname(path), name), { force: true });
  }
}
