/**
 * A file that appears only when complete. It is written beside its final place under another name, forced to disk and
 * renamed; until then the existing file stays unchanged. Remains of a killed process are removed by the next one.
 */
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../command-error.js';
import { interruptible } from '../interruptible.js';
import { explained, fileErrorCause } from './file-errors.js';
import { partialName, removeLeftovers } from './leftovers.js';

/**
 * Lets `write` fill a new file, which then replaces `path`. If `write` fails, or `signal` or a system signal fires,
 * nothing is left of it; errors of the file system name the file.
 */
export async function writeAtomically(
  path: string,
  write: (file: FileHandle, signal: AbortSignal) => Promise<void>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  options.signal?.throwIfAborted();
  await requireReplaceable(path);
  await removeLeftovers(dirname(path));
  await interruptible((signal) => writeAndRename(path, write, signal), options.signal);
}

async function writeAndRename(
  path: string,
  write: (file: FileHandle, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const partial = partialName(path);
  try {
    const file = await open(partial, 'wx+');
    try {
      await write(file, signal);
      signal.throwIfAborted();
      await file.sync();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await rename(partial, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {}); // the first error is the one to report
    if (!isOfOutput(error, partial)) throw error;
    throw explained(error, (cause) => `${path}: cannot be written: ${cause}`);
  }
}

/** A folder would be in the way, and a device or a pipe would become a file. */
async function requireReplaceable(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there === undefined || there.isFile()) return;
  const what = there.isDirectory() ? 'it is a folder' : 'it is not a regular file';
  throw new CommandError(`${path}: cannot be written: ${what}`);
}

/** Writes a text file as a whole. */
export function writeTextAtomically(path: string, text: string): Promise<void> {
  return writeAtomically(path, (file) => file.writeFile(text));
}

/**
 * Excludes errors of a file that `write` reads from: open files have no path in errors, but are only written to here.
 */
function isOfOutput(error: unknown, partial: string): boolean {
  const { path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return path === undefined ? syscall !== 'read' : path === partial;
}

/** Makes names in a folder durable. Not every system lets a folder be opened or synced; the names are right anyway. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (fileErrorCause(error) === undefined) throw error;
  }
}
