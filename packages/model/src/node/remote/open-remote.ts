/** Stores elsewhere. */
import { readInteger, readKnown, readPositive } from 'impinge/internal/base/options.js';
import type { UrlLike } from 'impinge/internal/base/platform-types.js';
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
 * Opens a store on a server that supports range requests (`http:` and `https:`), or from another remote source, for any
 * number of threads. Parts that were read are kept in a temporary file; errors name the store.
 */
export async function openRemoteStore(
  store: string | UrlLike | RemoteFile,
  options: RemoteStoreOptions = {},
): Promise<StoredModel> {
  const kept = readPositive('kept', readKnown('openRemoteStore', options, { kept: true }).kept ?? KEPT);
  const file = isRemoteFile(store) ? store : await HttpFile.open(store);
  readInteger('the length of a file', file.byteLength, 0);
  const source = CachedSource.of(await PartCache.open(file, kept));
  try {
    return await openNamed(source, file.name);
  } catch (error) {
    await source.dispose();
    throw error;
  }
}

function isRemoteFile(store: string | UrlLike | RemoteFile): store is RemoteFile {
  return typeof (store as RemoteFile | undefined)?.part === 'function';
}
