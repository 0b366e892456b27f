/** Folders for output. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explained } from './file-errors.js';

/**
 * Makes a folder and its missing parents. Goes up at most once and down at most once: where a folder can never be made,
 * as in /proc, the `recursive` option of Node.js tries forever.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  try {
    for (let folder = path; !(await isFolder(folder)); folder = dirname(folder)) {
      missing.push(folder);
      if (dirname(folder) === folder) break;
    }
    for (const folder of missing.reverse()) await made(folder);
  } catch (error) {
    throw explained(error, (cause) => `${path}: cannot create this folder: ${cause}`);
  }
}

/** Undefined and false mean that it is missing; anything else in the way makes the following `mkdir` fail. */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function made(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // another process may have made it in the meantime
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}
