// Removes generated sources that build-kernels.mjs does not write, as an earlier version did: they would be compiled.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES } from './kernel-modules.mjs';

const packages = join(import.meta.dirname, '..', 'packages');
const written = new Set(
  Object.values(MODULES).flatMap(({ target }) =>
    ['kernels', 'layout'].map((name) => join(packages, target, `${name}.generated.ts`)),
  ),
);
for (const member of readdirSync(packages)) {
  const files = readdirSync(join(packages, member), { recursive: true })
    .map((path) => join(packages, member, path))
    .filter((path) => path.endsWith('.generated.ts') && !path.includes('node_modules'));
  for (const path of files) if (!written.has(path)) rmSync(path);
}
