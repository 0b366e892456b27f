/** Compiles a native driver into lab/bench/native/build, once per change of its source. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BUILD_FOLDER = fileURLToPath(new URL('../native/build/', import.meta.url));

/**
 * @param {string} name of the binary
 * @param {string} sourceName under lab/bench/native
 * @param {string[]} flags before the source
 * @param {string[]} libs after it
 * @returns {string} path of the binary
 */
export function compile(name, sourceName, flags, libs) {
  const source = fileURLToPath(new URL(`../native/${sourceName}`, import.meta.url));
  const output = join(BUILD_FOLDER, name);
  if (existsSync(output) && statSync(output).mtimeMs > statSync(source).mtimeMs) return output;
  mkdirSync(BUILD_FOLDER, { recursive: true });
  console.log(`compiling ${name} …`);
  execFileSync(
    'g++',
    ['-std=c++17', '-O3', '-march=native', '-DNDEBUG', '-w', ...flags, source, '-o', output, ...libs],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  return output;
}

/** The compiler's error, in one line. */
export function compileError(error) {
  const lines = String(error.stderr ?? error.message).split('\n');
  return `did not compile: ${lines.find((line) => line.includes('error')) ?? lines[0]}`;
}
