/** Builds the page into the command, which serves it: see packages/cli/src/server. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // relative, since the page is served below a token, or from any folder of a static host
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  worker: { format: 'es' },
  build: {
    outDir: join(import.meta.dirname, '../cli/dist/viewer'),
    emptyOutDir: true,
    target: 'es2022',
    // the page's content policy refuses inlined assets
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
});
