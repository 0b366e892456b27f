/** All of the page. */
import type { ViewManifest } from '../model/manifest.js';

export function App({ manifest }: { readonly manifest: ViewManifest }) {
  return <h1>{manifest.title}</h1>;
}
