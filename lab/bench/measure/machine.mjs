/** The machine and the versions that figures were measured with. */
import { readFileSync } from 'node:fs';
import os from 'node:os';

export const machine = {
  cpu: os.cpus()[0].model.trim(),
  cores: os.availableParallelism(),
  memory: os.totalmem(),
  arch: process.arch,
  node: process.version,
};

/** For file names. */
export const machineSlug = `${machine.cpu} ${machine.arch}`
  .toLowerCase()
  .replace(/\((r|tm)\)/g, '')
  .replace(/[^a-z0-9]+/g, '-');

/** Above this load, times are unreliable. */
export const QUIET = 0.7;

export function versionOf(name) {
  const ours = { impinge: '../../../packages/impinge/package.json' };
  const path = ours[name] ?? `../../../node_modules/${name}/package.json`;
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version;
}
