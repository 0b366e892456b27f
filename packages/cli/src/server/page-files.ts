/** The built page: read once, and served from memory under its original names. */
import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { CommandError } from '../command-error.js';

/** Contents by name, relative to the page; includes `index.html`. */
export type PageFiles = ReadonlyMap<string, Buffer>;

export async function readPageFiles(folder = builtFolder()): Promise<PageFiles> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch {
    entries = [];
  }
  const files = new Map<string, Buffer>();
  // links are not served
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path).split(sep).join('/'), await readFile(path));
  }
  if (!files.has('index.html')) throw notBuilt();
  return files;
}

function builtFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('#viewer-page'));
  } catch {
    throw notBuilt();
  }
}

function notBuilt(): CommandError {
  return new CommandError('the page is not built; npm run build builds it');
}

/** Whether a name contains a hash of the contents, so that the contents never change. */
export function isLasting(name: string): boolean {
  return name.startsWith('assets/');
}
