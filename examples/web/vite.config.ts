/** Four pages and a list of them, built into `dist`: static files that may lie in any folder of any host. */
import { join } from 'node:path';
import { defineConfig } from 'vite';

const pages = ['.', 'drag', 'raycast', 'character', 'sculpt'];

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: pages.map((page) => join(import.meta.dirname, page, 'index.html')) },
  },
});
