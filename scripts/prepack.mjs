// Before a package is packed or published: builds everything from the root, and anew what the package at hand ships, so
// that nothing of sources long gone is in it.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

for (const made of ['dist', 'tsconfig.tsbuildinfo'])
  rmSync(join(process.cwd(), made), { recursive: true, force: true });
// what npm says meanwhile must not be taken for the names of tarballs, which are printed
execFileSync('npm', ['run', '--silent', 'build'], {
  cwd: join(import.meta.dirname, '..'),
  shell: process.platform === 'win32',
  stdio: ['ignore', 2, 2],
});
