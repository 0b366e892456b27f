/** `view.json`, by which the page finds everything else; what the page knows of it is in packages/viewer/src/model. */
import type { StoredModel } from 'impinge/store';
import { STORE_EXTENSION } from '../store-extension.js';

export interface ViewManifest {
  readonly version: 1;
  readonly title: string;
  readonly store: string;
  readonly levels: 'none' | 'making' | 'ready';
  /** While they are made: which share of the work is done. */
  readonly levelsDone?: number;
  readonly report: string | null;
  readonly review: string | null;
  readonly live: boolean;
}

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
