/** How to add a package that is not installed with the command. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Installs a package, `name@version`, to where the command is. */
export function installLine(wanted: string): string {
  const folder = dirname(createRequire(import.meta.url).resolve('#manifest'));
  return `npm install ${isGlobal(folder) ? '-g ' : ''}${wanted}`;
}

/**
 * A project has a manifest beside the packages that are installed for it, and what is installed for everybody has none.
 */
function isGlobal(folder: string): boolean {
  const [place] = /^.*(?=[\\/]node_modules[\\/]@impinge[\\/]cli$)/.exec(folder) ?? [];
  return place !== undefined && !existsSync(join(place, 'package.json'));
}
