/** The seeds in the repository. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extensionOf } from '../mutate/structures.mjs';

export const CORPUS = fileURLToPath(new URL('../corpus', import.meta.url));

/** Seeds of the kind that a target takes: name, extension, bytes. */
export function corpusOf(extensions) {
  return readdirSync(CORPUS)
    .sort()
    .map((name) => ({ name, extension: extensionOf(name) }))
    .filter(({ extension }) => extensions.includes(extension))
    .map(({ name, extension }) => ({ name, extension, bytes: readFileSync(join(CORPUS, name)) }));
}
