// Puts the command and each of its threads into few files: Node takes half a millisecond to find and load a module, and
// a check starts five threads of up to two hundred. Names and lines stay as they are, so that stack traces can be read.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

const packages = join(import.meta.dirname, '..', 'packages');
const outdir = join(packages, 'cli', 'dist', 'command');
/** The server stands on parts of the command: both are made at once, and what both need is in the command alone. */
const server = join(packages, 'server', 'dist', 'command');

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
const INCLUDED = /^(impinge|@impinge\/(model|motion|scenes|cli\/internal)|robust-predicates)(\/|$)/;

const chosen = {
  name: 'chosen',
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
      INCLUDED.test(path) || kind === 'entry-point' ? undefined : { path, external: true },
    );
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
const [threads, command] = await Promise.all([
  build({ ...options, entryPoints: STARTED.map((path) => join(packages, path)), entryNames: '[name]' }),
  build({
    ...options,
    entryPoints: ['cli/dist/main.js', 'server/dist/index.js'].map((path) => join(packages, path)),
    entryNames: '[name]',
    splitting: true,
    write: false,
  }),
]);
const root = join(packages, '..');
const { outputs } = command.metafile;
const ofCommand = reached(relative(root, join(outdir, 'main.js')).split(sep).join('/'));
const written = {
  [outdir]: new Set(Object.keys(threads.metafile.outputs).map((path) => basename(path))),
  [server]: new Set(),
};
mkdirSync(server, { recursive: true });
for (const { path, text } of command.outputFiles) {
  const name = relative(root, path).split(sep).join('/');
  const folder = ofCommand.has(name) ? outdir : server;
  written[folder].add(basename(path));
  writeIfOther(join(folder, basename(path)), folder === outdir ? text : standingOnCommand(text, name));
}
// what others are running stays as long as it is the same
for (const [folder, names] of Object.entries(written))
  for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name));

/** All files that one loads sooner or later. */
function reached(name, found = new Set()) {
  if (found.has(name) || !outputs[name]) return found;
  found.add(name);
  for (const { path } of outputs[name].imports) reached(path, found);
  return found;
}

/** A file of the server, which finds those of the command by the name of its package. */
function standingOnCommand(text, name) {
  return outputs[name].imports.reduce((code, { path, external }) => {
    const isRelative = external ? path.startsWith('.') : ofCommand.has(path);
    if (!isRelative) return code;
    const given = external ? path : `./${basename(path)}`;
    const place = relative(join(outdir, '..'), resolve(outdir, given)).split(sep).join('/');
    return code.replaceAll(`"${given}"`, `"@impinge/cli/internal/${place}"`);
  }, text);
}

function writeIfOther(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
