/** The page is built into the command, which serves it: see packages/cli/src/server. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // addresses are relative: the page is served below a token, or from any folder of a static host
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  worker: { format: 'es' },
  build: {
    outDir: join(import.meta.dirname, '../cli/dist/viewer'),
    emptyOutDir: true,
    target: 'es2022',
    // nothing inside the page itself, which its content policy would refuse
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
});
