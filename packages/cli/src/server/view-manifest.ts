/** `view.json`, through which the page finds everything else. */
import type { StoredModel } from '@impinge/model';
import { STORE_EXTENSION } from '../store-extension.js';
import type { ViewManifest } from '../wire/view-manifest.js';
import { REPORT_PAGE } from './report-page-file.js';
import type { ShownReport } from './shown-report.js';

/** The recording that is replayed, as a file beside the manifest. */
export const RECORDING = 'recording.glb';

export interface Replayed {
  readonly bytes: Uint8Array;
  /** Whether the model is the recording itself: its objects are the bodies. */
  readonly isModel: boolean;
}

/** A name that is unique to this content. */
export function storeName({ fingerprint }: StoredModel): string {
  return `store-${fingerprint}${STORE_EXTENSION}`;
}

/** `live`: a server is running that can do more than serve files. */
export function viewManifest(
  model: StoredModel,
  report: ShownReport | undefined,
  replayed: Replayed | undefined,
  live: boolean,
): ViewManifest {
  return {
    version: 1,
    title: model.meta.title,
    store: storeName(model),
    levels: model.hasLevels ? 'ready' : 'none',
    report: report ? 'report.json' : null,
    reportPage: report?.hasPage ? REPORT_PAGE : null,
    review: report ? 'review.json' : null,
    recording: replayed ? { url: RECORDING, isModel: replayed.isModel } : null,
    live,
  };
}
