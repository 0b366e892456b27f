/** Reads the manifest and mounts the page. */
import { render } from 'preact';
import { App } from './app/app.js';
import { readManifest } from './model/manifest.js';

const root = document.getElementById('app')!;
try {
  render(<App manifest={await readManifest()} />, root);
} catch (error) {
  root.textContent = error instanceof Error ? error.message : String(error);
}
