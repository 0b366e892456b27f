// Writes the declarations of a package into a folder, without what is marked @internal: PACKAGE FOLDER
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const [member, into] = process.argv.slice(2).map((path) => resolve(path));
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
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', member, ...options, '--outDir', into],
  { stdio: ['ignore', 2, 2] },
);
