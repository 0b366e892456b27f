/** Stores elsewhere. */
import { HttpFile, type RemoteFile } from '../../store/http-file.js';
import type { StoredModel } from '../../store/model.js';
import { openNamed } from '../../store/url-source.js';
import { CachedSource } from './cached-source.js';
import { PartCache } from './part-cache.js';

export interface RemoteStoreOptions {
  /** Bytes of it that are kept in a temporary file (default 4 GiB). */
  readonly kept?: number;
}

const KEPT = 2 ** 32;

/**
 * Opens a store on a server that sends parts of files (`http:` and `https:`), or elsewhere, for any number of threads. What
 * is read is kept in a temporary file; errors name the store.
 */
export async function openRemoteStore(
  store: string | URL | RemoteFile,
  { kept = KEPT }: RemoteStoreOptions = {},
): Promise<StoredModel> {
  const file = typeof store === 'string' || store instanceof URL ? await HttpFile.open(store) : store;
  const source = CachedSource.of(await PartCache.open(file, kept));
  try {
    return await openNamed(source, file.name);
  } catch (error) {
    await source.dispose();
    throw error;
  }
}
