/** Reads `view.json`. */
import type { ViewManifest } from '../../../cli/src/wire/view-manifest.js';

/** Throws an `Error` with a one-line message. */
export async function readManifest(): Promise<ViewManifest> {
  const response = await fetch('view.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`cannot read the view: the server responded ${response.status}`);
  const manifest = (await response.json()) as ViewManifest;
  if (manifest.version !== 1)
    throw new Error('this page and the command that serves it have different versions');
  return manifest;
}
