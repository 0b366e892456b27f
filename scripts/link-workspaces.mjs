// Links workspaces that have come or moved since the last `npm install`, so that a build after a pull finds them.
import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const manifest = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

for (const folder of manifest('.').workspaces) {
  const link = join(root, 'node_modules', manifest(folder).name);
  const target = relative(dirname(link), join(root, folder));
  if (linked(link) === target) continue;
  rmSync(link, { force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link, 'junction');
}

function linked(link) {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
