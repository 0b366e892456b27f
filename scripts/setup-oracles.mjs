// Finds what tests ask beside ours: CGAL with a compiler, and xmllint for the official schemas of BCF. Where they are
// missing, root on Debian gets the packages installed; without them these tests are skipped, and this says so.
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

/** What is missing, in one line; undefined when XML files can be held against schemas. */
export function missingXmllintNote() {
  return spawnSync('xmllint', ['--version']).status === 0 ? undefined : 'no xmllint (Debian: libxml2-utils)';
}

const ORACLES = [
  { what: 'comparisons with CGAL', missingNote: missingCgalNote, packages: ['g++', 'libcgal-dev'] },
  { what: 'official schemas of BCF', missingNote: missingXmllintNote, packages: ['libxml2-utils'] },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { what, missingNote, packages } of ORACLES) {
    const problem = missingNote() ? installOnDebian(...packages) : undefined;
    const missing = missingNote();
    console.log(
      missing
        ? `\n*** ${what.toUpperCase()}: SKIPPED; ${[missing, problem].filter(Boolean).join('; ')} ***\n`
        : `${what}: found`,
    );
  }
}
