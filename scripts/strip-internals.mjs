// Writes the library's declarations into a folder, without what is marked @internal.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const into = resolve(process.argv[2]);
const options = [
  '--stripInternal',
  // the build has checked the types
  '--noCheck',
  '--emitDeclarationOnly',
  '--composite',
  'false',
  '--incremental',
  'false',
];
execFileSync(
  process.execPath,
  [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    join(root, 'packages/impinge'),
    ...options,
    '--outDir',
    into,
  ],
  { stdio: ['ignore', 2, 2] },
);
