#!/usr/bin/env node
// Is there before anything is built, so that `npm install` links the command.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/command/main.js', import.meta.url);
if (existsSync(fileURLToPath(main))) await import(main.href);
else {
  process.stderr.write('impinge: is not built yet: npm run build\n');
  process.exitCode = 2;
}
