/**
 * What a store was made from: the contents of every file that was read, and how they were read. Equal recipes give
 * equal stores.
 *
 * A file names the files that are read with it, so while its contents are the same, so are their names; it is enough to
 * inspect the files that the recipe of a store lists.
 */
import { basename, dirname, relative, resolve } from 'node:path';
import { CommandError } from '../command-error.js';
import { type FilePattern, type FileSetting, settingOf } from '../formats/file-settings.js';
import { version } from '../version.js';
import { contentsOf, type FileContents, sameContents } from './source-contents.js';

export interface RecipeOptions {
  readonly metresPerUnit?: number;
  readonly up?: 'y' | 'z';
  readonly curveError?: number;
  readonly patterns?: readonly FilePattern[];
  readonly levels?: boolean;
  readonly signal?: AbortSignal;
}

/** A model file and the files read with it, by their paths relative to the model's folder. */
interface Ingredient extends FileContents {
  readonly name: string;
  /** The settings given for it. */
  readonly setting: FileSetting;
  readonly beside: readonly (FileContents & { readonly name: string })[];
}

/** The contents of files when they were first inspected, and for each model file the files beside it. */
export class Ingredients {
  readonly #signal: AbortSignal | undefined;
  readonly #first = new Map<string, FileContents>();

  /** `contents`: the known contents of the files at `paths`. */
  constructor(signal?: AbortSignal, paths: readonly string[] = [], contents: readonly FileContents[] = []) {
    this.#signal = signal;
    for (const [i, known] of contents.entries()) this.#first.set(paths[i], known);
  }

  async contents(path: string): Promise<FileContents> {
    const known = this.#first.get(path) ?? (await contentsOf(path, this.#signal));
    this.#first.set(path, known);
    return known;
  }

  /** Throws unless every inspected file still has the same contents. */
  async assertUnchanged(): Promise<void> {
    for (const [path, first] of this.#first) {
      const now = await contentsOf(path, this.#signal);
      if (!sameContents(first, now)) {
        throw new CommandError(`${path}: was changed while it was read; nothing was packed, run it again`);
      }
    }
  }
}

/** The recipe of a store made from the files at `paths`; `besides` are those read with each. */
export async function recipeOf(
  paths: readonly string[],
  besides: readonly (readonly string[])[],
  options: RecipeOptions,
  ingredients: Ingredients,
): Promise<string> {
  const files: Ingredient[] = [];
  for (const [i, path] of paths.entries()) {
    const beside = [];
    for (const other of besides[i]) {
      const name = relative(resolve(dirname(path)), other).replaceAll('\\', '/');
      beside.push({ name, ...(await ingredients.contents(other)) });
    }
    const setting = settingOf(path, options.patterns);
    files.push({ name: basename(path), ...(await ingredients.contents(path)), setting, beside });
  }
  const { metresPerUnit: unit = null, up = null, curveError = null, levels = false } = options;
  return JSON.stringify({ version: version(), unit, up, curveError, levels, files });
}

/**
 * Whether a store with this recipe equals one made now from the files at `paths`. One with levels contains everything
 * that one without does.
 */
export async function isRecipeOf(
  recipe: string,
  paths: readonly string[],
  options: RecipeOptions,
  ingredients: Ingredients,
): Promise<boolean> {
  const listed = listedFiles(recipe);
  if (listed?.length !== paths.length) return false;
  for (const [i, path] of paths.entries()) {
    if (listed[i].sha256 !== (await ingredients.contents(path)).sha256) return false;
  }
  const besides = paths.map((path, i) => listed[i].beside.map((name) => resolve(dirname(path), name)));
  try {
    for (const levels of options.levels ? [true] : [false, true]) {
      if (recipe === (await recipeOf(paths, besides, { ...options, levels }, ingredients))) return true;
    }
    return false;
  } catch {
    options.signal?.throwIfAborted();
    return false; // a file beside a model is no longer readable: the reader reports that
  }
}

/** The files that a recipe, which may be anything, lists. */
function listedFiles(recipe: string): { sha256: unknown; beside: string[] }[] | undefined {
  try {
    const { files } = JSON.parse(recipe) as { files: Ingredient[] };
    return files.map(({ sha256, beside }) => ({ sha256, beside: beside.map(({ name }) => String(name)) }));
  } catch {
    return undefined;
  }
}
