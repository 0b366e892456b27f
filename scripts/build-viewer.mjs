// Builds the page of `impinge view` into the command, unless that is newer than all it is made of.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const page = join(root, 'packages', 'cli', 'dist', 'viewer', 'index.html');
const sources = [
  'packages/viewer/src',
  'packages/ui/src',
  'packages/cli/src/wire',
  'packages/viewer/index.html',
  'packages/viewer/vite.config.ts',
]
  .concat(['impinge', 'model', 'motion'].map((name) => `packages/${name}/tsconfig.tsbuildinfo`))
  .concat('package-lock.json')
  .map((path) => join(root, path));

if (!existsSync(page) || sources.some((path) => newest(path) > statSync(page).mtimeMs)) {
  const { build } = await import('vite');
  await build({ configFile: join(root, 'packages', 'viewer', 'vite.config.ts'), logLevel: 'warn' });
}

function newest(path) {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return readdirSync(path, { recursive: true }).reduce(
    (time, name) => Math.max(time, statSync(join(path, name)).mtimeMs),
    mtimeMs,
  );
}
