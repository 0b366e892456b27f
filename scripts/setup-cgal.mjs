// Finds CGAL and a compiler for the tests that ask another engine. Where they are missing, root on Debian gets the
// packages installed; without them these tests are skipped, and this says so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installOnDebian } from './setup-browser.mjs';

const HEADERS = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'].map(
  (folder) => `${folder}/CGAL/Exact_predicates_inexact_constructions_kernel.h`,
);

/** What is missing, in one line; undefined when programs that use CGAL can be compiled. */
export function missingCgalNote() {
  if (spawnSync('g++', ['--version']).status !== 0) return 'no g++ (Debian: g++)';
  return HEADERS.some((header) => existsSync(header)) ? undefined : 'no CGAL (Debian: libcgal-dev)';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = missingCgalNote() ? installOnDebian('g++', 'libcgal-dev') : undefined;
  const missing = missingCgalNote();
  console.log(
    missing
      ? `\n*** COMPARISONS WITH CGAL WILL BE SKIPPED: ${[missing, problem].filter(Boolean).join('; ')} ***\n`
      : 'comparisons with CGAL: it is there',
  );
}
