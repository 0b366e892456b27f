// Builds what report.html and the pages of the service are made of into the command: see packages/ui.
import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..', 'packages');
const source = (name) => join(root, 'ui', 'src', name);
const options = {
  outdir: join(root, 'cli', 'dist', 'ui'),
  bundle: true,
  minify: true,
  charset: 'utf8',
  logLevel: 'warning',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

await Promise.all([
  build({
    ...options,
    entryPoints: { report: source('report/main.tsx') },
    format: 'iife',
    target: 'es2022',
  }),
  build({ ...options, entryPoints: ['report', 'service'].map((name) => source(`style/${name}.css`)) }),
  // what can be read without a script is written by the command
  build({
    ...options,
    entryPoints: { markup: source('report/markup.ts') },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  }),
]);

// the letters of drawn documents, with their licence
const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
const to = join(options.outdir, 'fonts');
mkdirSync(to, { recursive: true });
for (const name of ['ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf', 'LICENSE']) {
  const [from, copy] = [join(fonts, name), join(to, name.replace('ttf/', ''))];
  if (!existsSync(copy) || statSync(copy).size !== statSync(from).size) copyFileSync(from, copy);
}
