/**
 * Another program to ask: CGAL, by a small program that is compiled once and kept in the temporary folder under a name
 * made of its source and the compiler.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingCgalNote } from '../../../../scripts/setup-oracles.mjs';

const SOURCE = fileURLToPath(new URL('./triangle-pairs.cpp', import.meta.url));
/** CGAL proves its signs by interval arithmetic, which wants rounding left alone. */
const FLAGS = ['-O1', '-std=c++17', '-DCGAL_NDEBUG', '-frounding-math', '-w'];

/** Why CGAL cannot be asked here; undefined where it can. Says so once. */
export function cgalProblem(): string | undefined {
  const problem = missingCgalNote();
  if (problem) process.stderr.write(`\n*** SKIPPED: comparisons with CGAL; ${problem} ***\n`);
  return problem;
}

/** The compiled program. */
function program(): string {
  const version = execFileSync('g++', ['--version'], { encoding: 'utf8' });
  const source = readFileSync(SOURCE);
  const hash = createHash('sha256').update(source).update(version).update(FLAGS.join()).digest('hex');
  const folder = join(tmpdir(), `impinge-cgal-${userInfo().uid}`);
  const path = join(folder, hash.slice(0, 16));
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.${process.pid}`;
  execFileSync('g++', [...FLAGS, '-o', unfinished, SOURCE, '-lgmp', '-lmpfr'], {
    stdio: 'pipe', // an error shows it; what else compilers say is of no interest
  });
  renameSync(unfinished, path);
  return path;
}

/** Which pairs of triangles meet, 1 or 0 each; eighteen numbers per pair, handed over bit by bit. */
export function cgalMeets(pairs: Float64Array): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'impinge-pairs-'));
  try {
    const [input, output] = [join(folder, 'pairs'), join(folder, 'answers')];
    writeFileSync(input, pairs);
    execFileSync(program(), [input, output]);
    return new Uint8Array(readFileSync(output));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
