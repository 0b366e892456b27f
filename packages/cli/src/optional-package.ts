/** Packages of ours that are installed beside the command by those who need them. */
import { CommandError } from './command-error.js';
import { installLine } from './install-line.js';
import { version } from './version.js';

/**
 * Loads a package for the given purpose; if it is missing, throws an error that says how to install the one of this
 * version.
 */
export async function optionalPackage<Package>(what: string, name: string): Promise<Package> {
  try {
    return await import(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError(
      `${what} needs the package ${name}, which is not installed with the command; ` +
        `install it with: ${installLine(`${name}@${version()}`)}`,
    );
  }
}
