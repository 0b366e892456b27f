/**
 * A worker's part of packing: makes a store of files that it sees under the same path as the submitter, there or in
 * object storage.
 */
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { uploadedAfter } from '@impinge/cli/internal/jobs/pack-elsewhere.js';
import { packInThread } from '@impinge/cli/internal/jobs/pack-in-thread.js';
import { contentsOf } from '@impinge/cli/internal/jobs/source-contents.js';
import { isRemote } from '@impinge/cli/internal/remote/location.js';
import { fileSize } from '@impinge/cli/internal/terminal.js';
import { version } from '@impinge/cli/internal/version.js';
import { openStoreFile } from '@impinge/model/node';
import { Impossible, Refusal } from './attempt.js';
import type { PackedStore, PackOrder } from './job-format.js';

/** Throws a `Refusal` if this worker, with `share` bytes per thread, cannot pack the files but another may. */
export async function assertCanPack({ files, output, ...asked }: PackOrder, share: number): Promise<void> {
  if (asked.version !== version())
    throw new Refusal(`packing by version ${asked.version} of impinge; this worker is version ${version()}`);
  const { memory } = asked.options;
  if (memory > share)
    throw new Refusal(
      `packing needs ${fileSize(memory)}, but this worker has ${fileSize(share)} per thread; raise its --memory`,
    );
  for (const file of files)
    await access(file, constants.R_OK).catch(() => {
      throw new Refusal(`${file}: cannot be read here`);
    });
  if (isRemote(output)) {
    await (await import('@impinge/cli/internal/remote/upload.js'))
      .assertUploadable(output)
      .catch((error: Error) => {
        throw new Refusal(error.message);
      });
    return;
  }
  await access(dirname(output), constants.W_OK).catch(() => {
    throw new Refusal(`${dirname(output)}: cannot be written to here`);
  });
}

/** Packs in a thread. The store appears only when complete, and has the same bytes from any worker. */
export async function packOrdered({ files, output, options }: PackOrder): Promise<PackedStore> {
  const make = async (path: string): Promise<PackedStore> => {
    const packed = await packInThread(files, path, { ...options, workers: 1 }).catch((error: unknown) => {
      // a defect of a file is the same everywhere
      if (error instanceof CommandError && error.message !== 'stopped')
        throw new Impossible(error.message.split('\n')[0]);
      throw error;
    });
    const model = await openStoreFile(path);
    const { fingerprint } = model;
    await model.dispose();
    return { packed, sha256: (await contentsOf(path)).sha256, fingerprint };
  };
  return isRemote(output) ? uploadedAfter(output, make) : make(output);
}
