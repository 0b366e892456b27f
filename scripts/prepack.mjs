// Before a package is packed or published: builds everything from the root, and anew what the package at hand ships, so
// that nothing of sources long gone is in it. Declarations go without what is marked @internal, which tests may use.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
// what is said meanwhile must not be taken for the names of tarballs, which npm prints
const run = (program, ...args) =>
  execFileSync(program, args, { cwd: root, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] });

for (const made of ['dist', 'tsconfig.tsbuildinfo']) {
  rmSync(join(process.cwd(), made), { recursive: true, force: true });
}
run('npm', 'run', '--silent', 'build');
// the command, and what is found by its name, are shipped as scripts alone
if (!['cli', 'server', 'mcp'].some((name) => process.cwd() === join(root, 'packages', name))) {
  run('node', 'scripts/strip-internals.mjs', process.cwd(), join(process.cwd(), 'dist'));
  // else the next build would take these declarations for its own
  rmSync(join(process.cwd(), 'tsconfig.tsbuildinfo'));
}
// what it contains of others, and under which licences
run('node', 'scripts/sbom.mjs', join(process.cwd(), 'dist'), process.env.npm_package_name);
