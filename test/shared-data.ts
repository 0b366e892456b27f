/**
 * Reference data beside the checkout (../shared/data), too large or too encumbered to be part of it. Tests that use it
 * skip where it is absent, and say so once.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../shared/data/', import.meta.url));
let noted = false;

/** The path of a file of the reference data, or undefined where it is not at hand. */
export function sharedData(path: string): string | undefined {
  const file = FOLDER + path;
  if (existsSync(file)) return file;
  if (!noted) {
    noted = true;
    process.stderr.write(`\n*** SKIPPED: tests on reference data; ../shared/data/${path} is not there ***\n`);
  }
  return undefined;
}
