/** Stores that several threads read: each opens the file, or they share one cache of a remote store. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { assertModel, type StoredModel } from '../store/model.js';
import { checkedModel } from '../store/open.js';
import type { PageSource } from '../store/page-source.js';
import { FileSource } from './files.js';
import { CachedSource, type SharedParts } from './remote/cached-source.js';

/** A store as it passes to one other thread, in which `openSharedStore` opens it. */
export interface SharedStore {
  /** Where it is, for that thread alone. */
  readonly source: object;
  /** Has been checked already. */
  readonly directoryBytes: Uint8Array;
}

/** For one thread; everything in `ports` (each a `MessagePort`) must be in its transfer list. */
export function shareStore(model: StoredModel): { store: SharedStore; ports: object[] } {
  assertModel(model);
  const { source, directoryBytes } = model;
  if (source instanceof FileSource)
    return { store: { source: { path: source.path }, directoryBytes }, ports: [] };
  if (source instanceof CachedSource) {
    const shared = source.share();
    return { store: { source: shared, directoryBytes }, ports: [shared.port] };
  }
  throw new ImpingeError('bad-option', 'threads can only read a store that is in a file');
}

export async function openSharedStore(store: SharedStore): Promise<StoredModel> {
  const { source, directoryBytes } = store ?? {};
  if (typeof source !== 'object' || source === null || !(directoryBytes instanceof Uint8Array))
    throw new ImpingeError('bad-input', 'expected a result of shareStore');
  const place = source as { readonly path: string } | SharedParts;
  const opened: PageSource = 'path' in place ? await FileSource.open(place.path) : CachedSource.from(place);
  return checkedModel(opened, directoryBytes);
}
