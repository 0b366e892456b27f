/** The folders of the service. Paths consist of ids and validated names of models. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isModelName } from '@impinge/cli/internal/formats/formats.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { isStore } from '@impinge/cli/internal/store-extension.js';
import { message } from '@impinge/cli/internal/wire/text.js';

const ID = /^[0-9a-f]{16}$/;
/** Letters, digits and a few signs: no path, hidden file, glob pattern or option. */
const MODEL_NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._()+-]{0,119}$/u;

export function isId(text: string): boolean {
  return ID.test(text);
}

/** Why a name is not valid for a model, or undefined. */
export function modelNameProblem(name: string): string | undefined {
  if (!MODEL_NAME.test(name) || name.includes('..') || /[ .]$/.test(name))
    return 'a name has up to 120 letters, digits, spaces and . _ - ( ) +, and begins with a letter or a digit';
  if (!isModelName(name) && !isStore(name)) return 'its extension is not supported';
  return undefined;
}

export class Folders {
  readonly root: string;
  readonly uploads: string;
  readonly #models: string;
  readonly #runs: string;

  constructor(root: string) {
    this.root = root;
    this.uploads = join(root, 'uploads');
    this.#models = join(root, 'models');
    this.#runs = join(root, 'runs');
  }

  /** Call only while holding the service's lock. */
  async make(): Promise<void> {
    for (const folder of [this.root, this.#models, this.#runs]) await makeFolder(folder);
    // incomplete uploads of the previous process
    await rm(this.uploads, { recursive: true, force: true });
    await makeFolder(this.uploads);
  }

  model(id: string): string {
    return join(this.#models, id);
  }

  run(id: string): string {
    return join(this.#runs, id);
  }

  report(id: string): string {
    return join(this.run(id), 'report');
  }

  /** Models fetched for this run alone. */
  fetched(id: string): string {
    return join(this.run(id), 'models');
  }

  viewer(id: string): string {
    return join(this.run(id), 'viewer');
  }

  /** Removes the service's paths and ids, which are internal, from a message. */
  unnamed(text: string): string {
    const named = text.replaceAll(`${this.root}/`, '');
    return message(named.replace(/\b(?:models|runs)\/[0-9a-f]{16}\/(?:models\/|report\/)?/g, ''));
  }

  async removeModel(id: string): Promise<void> {
    await rm(this.model(id), { recursive: true, force: true });
  }

  async removeRun(id: string): Promise<void> {
    await rm(this.run(id), { recursive: true, force: true });
  }

  /** Removes folders of models and runs that are not in the database. */
  async removeUnknown(models: ReadonlySet<string>, runs: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#models))
      if (isId(name) && !models.has(name)) await this.removeModel(name);
    for (const name of await readdir(this.#runs))
      if (isId(name) && !runs.has(name)) await this.removeRun(name);
  }
}
