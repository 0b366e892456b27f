/** The model files of a run, if they are in allowed places. */
import { link, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { isRemote } from '@impinge/cli/internal/remote/location.js';
import { isStore } from '@impinge/cli/internal/store-extension.js';
import type { Model } from './api/schemas.js';
import { type Folders, modelNameProblem } from './folders.js';
import { fetchModel } from './network/fetch-model.js';
import { allowedUrl } from './network/guarded-request.js';
import { leastPace, type ServiceSettings } from './settings.js';

/** The kind of an address; throws a CommandError if it is not allowed. */
export async function namedModelKind(
  name: string,
  address: string,
  { models, network }: ServiceSettings,
): Promise<Model['kind']> {
  const problem = modelNameProblem(name);
  if (problem !== undefined) throw new CommandError(`${name}: ${problem}`);
  if (/^s3:/i.test(address)) {
    const allowed = models.filter((place) => /^s3:/i.test(place));
    if (!allowed.some((place) => isBelow(address, place)))
      throw new CommandError(`${address}: is not below any place of --models`);
    if (!isStore(address))
      throw new CommandError(`${address}: only stores (.impinge) are read from object storage`);
    return 's3';
  }
  if (isRemote(address)) {
    allowedUrl(address, network);
    return 'https';
  }
  await fileInFolders(address, models);
  return 'folder';
}

/** `s3://bucket/a/b` is below `s3://bucket/a`, but `s3://bucket/ab` is not. */
function isBelow(address: string, place: string): boolean {
  return address.startsWith(place.endsWith('/') ? place : `${place}/`) && !address.includes('..');
}

/** The file of this name in one of the folders; links must not lead out of it. */
export async function fileInFolders(name: string, places: readonly string[]): Promise<string> {
  const folders = places.filter((place) => !isRemote(place));
  if (folders.length === 0)
    throw new CommandError(
      `${name}: this service has no folder of models; upload it, or start it with --models`,
    );
  if (isAbsolute(name) || name.includes('\0'))
    throw new CommandError(`${name}: give a path relative to a folder of models`);
  for (const folder of folders) {
    try {
      const root = await realpath(folder);
      const path = await realpath(join(root, name));
      const inside = relative(root, path);
      if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..') continue;
      if ((await stat(path)).isFile()) return path;
    } catch {
      // not in this one
    }
  }
  throw new CommandError(`${name}: there is no such file in the folders of models`);
}

/** The file arguments of `impinge check`; models on servers are fetched into the folder of the run. */
export async function modelFiles(
  run: string,
  models: readonly Model[],
  folders: Folders,
  { models: places, network, uploadBytes, limits }: ServiceSettings,
  signal: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for (const { id, name, kind, address } of models) {
    if (kind === 'upload') files.push(await uploadedFile(run, join(folders.model(id), name), folders));
    else if (kind === 's3') files.push(address!);
    else if (kind === 'folder') files.push(await fileInFolders(address!, places));
    else {
      const path = await placeIn(run, name, folders);
      const bounds = { most: uploadBytes, least: leastPace(limits), policy: network };
      await fetchModel(address!, path, bounds, signal);
      files.push(path);
    }
  }
  return files;
}

async function placeIn(run: string, name: string, folders: Folders): Promise<string> {
  const folder = folders.fetched(run);
  await makeFolder(folder);
  return join(folder, name);
}

/**
 * Links an uploaded store into the run: its report shows it even after another store has replaced it in the project.
 */
async function uploadedFile(run: string, path: string, folders: Folders): Promise<string> {
  if (!isStore(path)) return path;
  const own = await placeIn(run, basename(path), folders);
  await rm(own, { force: true });
  await link(path, own);
  return own;
}

/** Deletes fetched models after a run, except stores, which its report shows. */
export async function removeFetched(run: string, folders: Folders): Promise<void> {
  const folder = folders.fetched(run);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => !isStore(one))) await rm(join(folder, name), { force: true });
}
