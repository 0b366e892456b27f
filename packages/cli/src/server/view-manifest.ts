/** `view.json`, by which the page finds everything else; what the page knows of it is in packages/viewer/src/model. */
import type { StoredModel } from 'impinge/store';
import { STORE_EXTENSION } from '../store-extension.js';

export interface ViewManifest {
  readonly version: 1;
  readonly title: string;
  readonly store: string;
  readonly levels: 'none' | 'making' | 'ready';
  readonly report: string | null;
  readonly review: string | null;
  readonly live: boolean;
}

/** Of a model without a report; `live`: somebody listens who can do more than read. */
export function viewManifest({ meta, fingerprint, hasLevels }: StoredModel, live: boolean): ViewManifest {
  return {
    version: 1,
    title: meta.title,
    // a name that means this content and no other
    store: `store-${fingerprint}${STORE_EXTENSION}`,
    levels: hasLevels ? 'ready' : 'none',
    report: null,
    review: null,
    live,
  };
}
