// Puts the command and each of its threads into few files: Node takes half a millisecond to find and load a module, and
// a check starts five threads of up to two hundred. Names and lines stay as they are, so that stack traces can be read.
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

const packages = join(import.meta.dirname, '..', 'packages');
const outdir = join(packages, 'cli', 'dist', 'command');

/** Threads and processes that are started by file name, next to the file that starts them. */
const STARTED = [
  'cli/dist/jobs/pack-worker.js',
  'cli/dist/reports/painter-worker.js',
  'cli/dist/server/levels-process.js',
  'model/dist/node/check-worker.js',
  'model/dist/node/levels-worker.js',
  'model/dist/node/plan-worker.js',
];

/** Ours, and what the library cannot do without; all others are found where they are installed. */
const INCLUDED = /^(impinge|@impinge\/(model|scenes)|robust-predicates)(\/|$)/;

/** Functions of these are written into reports, as they are. They import nothing. */
const WRITTEN = /\/cli\/dist\/(reports\/client\/.*|wire\/text)\.js$/;

const chosen = {
  name: 'chosen',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      INCLUDED.test(path) || kind === 'entry-point' ? undefined : { path, external: true },
    );
    onResolve({ filter: /^\./ }, ({ path, importer }) => {
      const file = resolve(dirname(importer), path).split(sep).join('/');
      if (!WRITTEN.test(file)) return undefined;
      return { path: relative(outdir, file).split(sep).join('/'), external: true };
    });
  },
};

const options = {
  outdir,
  bundle: true,
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  plugins: [chosen],
};

// a thread is one file; of the command, what few need is loaded when it is needed
const built = await Promise.all([
  build({ ...options, entryPoints: STARTED.map((path) => join(packages, path)), entryNames: '[name]' }),
  build({ ...options, entryPoints: [join(packages, 'cli/dist/main.js')], splitting: true }),
]);
// what others are running stays as long as it is the same
const names = new Set(
  built.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((path) => basename(path))),
);
for (const name of readdirSync(outdir)) if (!names.has(name)) rmSync(join(outdir, name));
