/**
 * Temporary files. They have no name once they are open, where the system allows that, so that they are gone however
 * the process ends; elsewhere they go when they are no longer needed.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface NamelessFile {
  readonly handle: FileHandle;
  dispose(): Promise<void>;
}

export async function openNameless(folder: string = tmpdir()): Promise<NamelessFile> {
  const path = join(folder, `impinge-${randomUUID()}.tmp`);
  const handle = await open(path, 'wx+', 0o600);
  const hasName = await rm(path).then(
    () => false,
    () => true,
  );
  return {
    handle,
    dispose: async () => {
      await handle.close();
      if (hasName) await rm(path, { force: true });
    },
  };
}
