/** How to add a package that is not installed with the command. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The command that installs a package, `name@version`, where this command is installed. */
export function installLine(wanted: string): string {
  const folder = dirname(createRequire(import.meta.url).resolve('#manifest'));
  return `npm install ${isGlobal(folder) ? '-g ' : ''}${wanted}`;
}

/** A project has a manifest beside its installed packages; a global installation has none. */
function isGlobal(folder: string): boolean {
  const [place] = /^.*(?=[\\/]node_modules[\\/]@impinge[\\/]cli$)/.exec(folder) ?? [];
  return place !== undefined && !existsSync(join(place, 'package.json'));
}
