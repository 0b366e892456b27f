/** Stores in object storage: packed into a temporary folder, and uploaded when they are complete. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isRemote } from '../remote/location.js';
import { packInThread } from './pack-in-thread.js';

/** Calls `act` with a temporary folder that is removed afterwards. */
export async function withTemporaryFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'impinge-pack-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Uploads the file that `make` writes to the given path. */
export async function uploadedAfter<T>(output: string, make: (path: string) => Promise<T>): Promise<T> {
  const { assertUploadable, uploadFile } = await import('../remote/upload.js');
  await assertUploadable(output);
  return withTemporaryFolder(async (folder) => {
    const path = join(folder, basename(output));
    const made = await make(path);
    await uploadFile(path, output);
    return made;
  });
}

/** `packInThread`, also to object storage. */
export const packLocallyOrRemotely: typeof packInThread = (files, output, options) =>
  isRemote(output)
    ? uploadedAfter(output, (path) => packInThread(files, path, options))
    : packInThread(files, output, options);
