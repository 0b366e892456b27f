/**
 * Remote stores that are packed together with other models: all of their bytes are needed, so they are first copied to
 * this computer. A copy is kept, and reused while the remote store is the same.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { writeAtomically } from '../jobs/atomic-file.js';
import { makeFolder } from '../jobs/folder.js';
import { Progress } from '../progress.js';
import { STORE_EXTENSION } from '../store-extension.js';
import { withoutSecrets } from './location.js';

/** Approximate bytes per request. */
const PART_BYTES = 4 << 20;

/** The path of the copy of a store in `folder`. */
export async function fetchStore(there: StoredModel, location: string, folder: string): Promise<string> {
  const key = createHash('sha256').update(withoutSecrets(location)).digest('hex').slice(0, 12);
  const path = join(folder, `fetched-${key}${STORE_EXTENSION}`);
  if (await isCopy(path, there)) return path;
  await makeFolder(folder);
  await writeAtomically(path, (file, signal) =>
    copy(there, (part, at) => file.write(part, 0, part.length, at), signal),
  );
  return path;
}

async function isCopy(path: string, there: StoredModel): Promise<boolean> {
  let here: StoredModel;
  try {
    here = await openStoreFile(path);
  } catch {
    return false; // missing or unreadable: it is fetched again
  }
  const same = here.fingerprint === there.fingerprint && here.source.byteLength === there.source.byteLength;
  await here.dispose();
  return same;
}

async function copy(
  { source }: StoredModel,
  write: (part: Uint8Array, at: number) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const progress = new Progress();
  progress.begin({ label: 'fetching', total: source.byteLength, unit: 'bytes' });
  try {
    for (let at = 0; at < source.byteLength; at += PART_BYTES) {
      signal.throwIfAborted();
      const part = new Uint8Array(Math.min(PART_BYTES, source.byteLength - at));
      await source.read(at, [part]);
      await write(part, at);
      progress.update(at + part.length, '');
    }
  } finally {
    progress.end();
  }
}
