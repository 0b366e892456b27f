/** `view.json`, by which the page finds everything else. */
import type { StoredModel } from 'impinge/store';
import { STORE_EXTENSION } from '../store-extension.js';
import type { ViewManifest } from '../wire/view-manifest.js';

/** A name that means this content and no other. */
export function storeName({ fingerprint }: StoredModel): string {
  return `store-${fingerprint}${STORE_EXTENSION}`;
}

/** `live`: somebody listens who can do more than read. */
export function viewManifest(model: StoredModel, hasReport: boolean, live: boolean): ViewManifest {
  return {
    version: 1,
    title: model.meta.title,
    store: storeName(model),
    levels: model.hasLevels ? 'ready' : 'none',
    report: hasReport ? 'report.json' : null,
    review: hasReport ? 'review.json' : null,
    live,
  };
}
