/**
 * The Embree side of the benchmark. It has no posed query (both models must be rebuilt in one frame), so it
 * takes part in self-intersection and build only.
 */
import { existsSync, readFileSync } from 'node:fs';
import { compile, compileError } from './compile.mjs';

const CONFIG = '/usr/include/embree3/rtcore_config.h';

export function findEmbree() {
  if (!existsSync(CONFIG))
    return { contenders: [], note: 'not installed (Debian: libembree-dev, version 3)' };
  try {
    const version = /RTC_VERSION_STRING\s+"([^"]+)"/.exec(readFileSync(CONFIG, 'utf8'))?.[1] ?? '3';
    const command = [compile('embree-bench', 'embree-bench.cpp', [], ['-lembree3'])];
    const label = `Embree ${version}, rtcCollide and a float64 triangle test`;
    return { contenders: [{ name: 'embree', label, command, scenarios: ['C', 'D'] }], note: '' };
  } catch (error) {
    return { contenders: [], note: compileError(error) };
  }
}
