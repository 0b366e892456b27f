/** Folders for what is written. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explained } from './file-errors.js';

/**
 * Makes a folder and those above it, where they are missing. Goes up at most once and down at most once: where a folder
 * can never be made, as in /proc, the `recursive` of Node.js tries for ever.
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

/** Undefined and false mean what is missing; whatever else is in the way is an error of the `mkdir` that follows. */
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
    // somebody else may have made it in the meantime
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}
