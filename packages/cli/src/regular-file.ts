/** Reads files from beginning to end: only regular files, so that it never waits for input that may not come. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { assertFile } from './formats/format-error.js';
import { explained } from './jobs/file-errors.js';

const READ_BYTES = 1 << 20;

/** Opening a pipe waits for a writer; with this flag it does not. For regular files it changes nothing. */
export const READ_NOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file for reading; folders, pipes and devices are refused. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  let file: FileHandle;
  try {
    file = await open(path, READ_NOW);
  } catch (error) {
    throw unreadable(path, error);
  }
  try {
    assertFile(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Yields the bytes of a regular file in parts; each part is overwritten by the next. */
export async function* partsOf(path: string, most = Infinity): AsyncGenerator<Uint8Array, void, void> {
  const file = await openRegularFile(path);
  try {
    const bytes = new Uint8Array(Math.min(READ_BYTES, most));
    for (let left = most; left > 0; ) {
      const { bytesRead } = await file.read(bytes, 0, Math.min(bytes.length, left), null);
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await file.close();
  }
}

/** The first `most` bytes of a regular file. */
export async function readBytes(path: string, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of partsOf(path, most)) parts.push(part.slice());
  return Buffer.concat(parts);
}

function unreadable(path: string, error: unknown): unknown {
  return explained(error, (cause) => `${path}: cannot be read: ${cause}`);
}
