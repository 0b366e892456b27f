/**
 * Packages that a check alone does not take, and that are not installed with the command: whoever needs them is told
 * how.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { CommandError } from './command-error.js';

const here = createRequire(import.meta.url);

/** Names all that are missing at once, with the line that installs them. */
export function assertInstalled(what: string, names: readonly string[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length > 0)
    throw new CommandError(
      `${what} needs packages that are not installed with the command; install them with: ${installLine(missing)}`,
    );
}

function isInstalled(name: string): boolean {
  try {
    here.resolve(name);
    return true;
  } catch (error) {
    // one that cannot be loaded by require is there all the same
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/** In the versions that they were tried in, to where the command is. */
export function installLine(names: readonly string[]): string {
  const path = here.resolve('#manifest');
  const { peerDependencies } = here(path) as { peerDependencies: Readonly<Record<string, string>> };
  const exact = names.map((name) => `${name}@${peerDependencies[name].replace('^', '')}`);
  return `npm install ${isGlobal(dirname(path)) ? '-g ' : ''}${exact.join(' ')}`;
}

/**
 * A project has a manifest beside the packages that are installed for it, and what is installed for everybody has none.
 */
function isGlobal(folder: string): boolean {
  const [place] = /^.*(?=[\\/]node_modules[\\/]@impinge[\\/]cli$)/.exec(folder) ?? [];
  return place !== undefined && !existsSync(join(place, 'package.json'));
}
