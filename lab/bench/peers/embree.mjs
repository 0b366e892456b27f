/**
 * The Embree side of the benchmarks. It has no posed query of two models (both must be rebuilt in one frame), so beside
 * rays and points it takes part in self-intersection and build only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { compile, compileError } from './compile.mjs';

const CONFIG = '/usr/include/embree3/rtcore_config.h';

const ABSENT = 'not installed (Debian: libembree-dev, version 3)';

function installedVersion() {
  return /RTC_VERSION_STRING\s+"([^"]+)"/.exec(readFileSync(CONFIG, 'utf8'))?.[1] ?? '3';
}

/** The program for rays and points, or why it is missing. */
export function findEmbreeRays() {
  if (!existsSync(CONFIG)) return { note: ABSENT };
  try {
    const command = compile('embree-rays', 'embree-rays.cpp', [], ['-lembree3']);
    return { command, version: installedVersion(), note: '' };
  } catch (error) {
    return { note: compileError(error) };
  }
}

export function findEmbree() {
  if (!existsSync(CONFIG)) return { contenders: [], note: ABSENT };
  try {
    const version = installedVersion();
    const command = [compile('embree-bench', 'embree-bench.cpp', [], ['-lembree3'])];
    const label = `Embree ${version}, rtcCollide and a float64 triangle test`;
    return { contenders: [{ name: 'embree', label, command, scenarios: ['C', 'D'] }], note: '' };
  } catch (error) {
    return { contenders: [], note: compileError(error) };
  }
}
