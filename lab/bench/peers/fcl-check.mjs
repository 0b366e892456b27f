/**
 * FCL in the in-memory check and for points: compiles the driver of that name in ../native where FCL is installed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { compile, compileError } from './compile.mjs';

/** @returns {{ binary?: string, version?: string, note?: string }} */
export function findFclCheck() {
  return findDriver('fcl-check');
}

/** @returns {{ binary?: string, version?: string, note?: string }} */
export function findFclPoints() {
  return findDriver('fcl-points');
}

function findDriver(name) {
  if (!existsSync('/usr/include/fcl/fcl.h')) return { note: 'not installed (Debian: libfcl-dev)' };
  const ask = (what) => execFileSync('pkg-config', [what, 'fcl'], { encoding: 'utf8' }).trim();
  const words = (text) => text.split(/\s+/).filter((flag) => flag !== '' && !flag.startsWith('-std='));
  try {
    // 16-byte alignment is what the installed library was compiled with
    const flags = ['-DEIGEN_MAX_ALIGN_BYTES=16', ...words(ask('--cflags'))];
    const binary = compile(name, `${name}.cpp`, flags, words(ask('--libs')));
    return { binary, version: ask('--modversion') };
  } catch (error) {
    return { note: compileError(error) };
  }
}
