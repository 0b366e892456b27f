/** The store that a command works on: one that is named, or one made from other files and kept for the next time. */
import { dirname } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { openRemoteStore, openStoreFile } from '@impinge/model/node';
import { inputFiles, skippedFiles } from '../formats/input-files.js';
import { isRemote } from '../remote/location.js';
import { isStore } from '../store-extension.js';
import { explained } from './file-errors.js';
import { makeFolder } from './folder.js';
import { packInThread } from './pack-in-thread.js';
import type { Packed, PackOptions } from './pack-model.js';
import { Ingredients, isRecipeOf } from './recipe.js';

export interface OpenedModel {
  readonly model: StoredModel;
  readonly path: string;
  /** The result of packing; undefined if the store existed. */
  readonly packed: Packed | undefined;
  /** Files in the folders that look like models but are in no supported format. */
  readonly skipped: readonly string[];
}

/** Opens a store, local or remote; any problem becomes a one-line error with its name. */
export async function openStoreAt(path: string): Promise<StoredModel> {
  if (isRemote(path)) {
    // the client library is loaded on demand
    return /^s3:/i.test(path)
      ? openRemoteStore(await (await import('../remote/s3-file.js')).openS3File(path))
      : openRemoteStore(path);
  }
  try {
    return await openStoreFile(path);
  } catch (error) {
    throw explained(error, (cause) => `${path}: cannot be read: ${cause}`);
  }
}

/**
 * The model that `names` refer to: a store by itself, or files, which `pack` packs into a store at `storePath` unless
 * the one there was made from the same files in the same way.
 */
export async function openModel(
  names: readonly string[],
  storePath: string,
  options: PackOptions,
  pack: typeof packInThread = packInThread,
): Promise<OpenedModel> {
  if (names.length === 1 && isStore(names[0])) {
    return { model: await openStoreAt(names[0]), path: names[0], packed: undefined, skipped: [] };
  }
  const paths = await filesHere(names, dirname(storePath));
  const skipped = await skippedFiles(names);
  const kept = await reusable(storePath, (recipe) =>
    isRecipeOf(recipe, paths, options, new Ingredients(options.signal)),
  );
  if (kept) return { model: kept, path: storePath, packed: undefined, skipped };
  await makeFolder(dirname(storePath));
  const packed = await pack(paths, storePath, options);
  return { model: await openStoreAt(storePath), path: storePath, packed, skipped };
}

/** The files that `names` refer to. Remote stores are copied to `folder`, where earlier copies are reused. */
export async function filesHere(names: readonly string[], folder: string): Promise<string[]> {
  const here: string[] = [];
  for (const name of names) here.push(isRemote(name) && isStore(name) ? await fetched(name, folder) : name);
  return inputFiles(here);
}

async function fetched(name: string, folder: string): Promise<string> {
  const { fetchStore } = await import('../remote/fetched-store.js');
  const there = await openStoreAt(name);
  try {
    return await fetchStore(there, name, folder);
  } finally {
    await there.dispose();
  }
}

async function reusable(
  path: string,
  isWanted: (recipe: string) => Promise<boolean>,
): Promise<StoredModel | undefined> {
  let model: StoredModel;
  try {
    model = await openStoreFile(path);
  } catch {
    return undefined; // missing or unreadable: it is made again
  }
  try {
    if (await isWanted(model.meta.recipe)) return model;
  } catch (error) {
    await model.dispose();
    throw error;
  }
  await model.dispose();
  return undefined;
}
