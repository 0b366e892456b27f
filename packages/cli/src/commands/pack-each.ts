/**
 * `impinge pack --each`: packs every model file into its own store, here one after the other, on a queue in parallel.
 */
import { basename, join, parse } from 'node:path';
import { CommandError } from '../command-error.js';
import { assertUsed, settingOf } from '../formats/file-settings.js';
import { makeFolder } from '../jobs/folder.js';
import { filesHere } from '../jobs/model-file.js';
import { packLocallyOrRemotely, withTemporaryFolder } from '../jobs/pack-elsewhere.js';
import type { Packed, PackOptions } from '../jobs/pack-model.js';
import { leftOutOf, notesOf, type PackCommandOptions, packing, packOptions, printNotes } from '../packing.js';
import { Progress } from '../progress.js';
import { isRemote } from '../remote/location.js';
import { serverPackage } from '../server-package.js';
import { STORE_EXTENSION } from '../store-extension.js';
import { counted, fileSize, json, printable, type Terminal } from '../terminal.js';

interface StoreToMake {
  readonly files: readonly [string];
  readonly output: string;
  readonly options: PackOptions;
}

export async function packEach(
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const folder = options.output;
  if (folder.endsWith(STORE_EXTENSION))
    throw new CommandError(`-o ${folder}: with --each, a folder is needed`);
  if (!isRemote(folder)) return packInto(folder, names, options, terminal);
  await (await import('../remote/upload.js')).assertUploadable(`${folder}/-`);
  return withTemporaryFolder((temporary) => packInto(temporary, names, options, terminal));
}

/** Remote stores among the files are copied to `folder`. */
async function packInto(
  folder: string,
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const stores = storesOf(await filesHere(names, folder), options);
  const started = performance.now();
  await makeFolder(folder);
  const made =
    options.queue === undefined ? await madeHere(stores) : await madeOn(options.queue, stores, terminal);
  const seconds = (performance.now() - started) / 1000;
  if (options.json) terminal.out(json({ stores: made.map((one, i) => record(stores[i], one)), seconds }));
  else {
    made.forEach((one, i) => {
      if (one instanceof CommandError) return;
      const { objects, triangles, byteLength, files } = one;
      terminal.out(
        `${printable(stores[i].output)}: ${counted(objects, 'object')}, ${counted(triangles, 'triangle')}, ${fileSize(byteLength)}\n`,
      );
      printNotes(files, terminal);
    });
    terminal.out(`${counted(made.length, 'file')} in ${seconds.toFixed(1)} s\n`);
  }
  const failed = made.filter((one) => one instanceof CommandError);
  for (const { lines } of failed) for (const line of lines) terminal.error(`impinge: ${printable(line)}\n`);
  return failed.length > 0 ? 2 : 0;
}

function storesOf(paths: readonly string[], options: PackCommandOptions): StoreToMake[] {
  const { patterns = [], ...asked } = packOptions(options);
  assertUsed(paths, patterns);
  const outputs = new Map<string, string>();
  return paths.map((path) => {
    const name = `${parse(path).name}${STORE_EXTENSION}`;
    const output = isRemote(options.output)
      ? `${options.output.replace(/\/+$/, '')}/${name}`
      : join(options.output, name);
    const other = outputs.get(output);
    if (other !== undefined)
      throw new CommandError(`${output}: both ${other} and ${path} would become this store`);
    outputs.set(output, path);
    const setting = settingOf(path, patterns);
    const own =
      Object.keys(setting).length > 0 ? [{ pattern: basename(path), from: '--each', ...setting }] : [];
    return { files: [path], output, options: { ...asked, patterns: own, levels: options.levels === true } };
  });
}

async function madeHere(stores: readonly StoreToMake[]): Promise<(Packed | CommandError)[]> {
  const made: (Packed | CommandError)[] = [];
  for (const { files, output, options } of stores) {
    try {
      made.push(
        await packing(
          (progress) => packLocallyOrRemotely(files, output, { ...options, ...progress }),
          options.levels,
        ),
      );
    } catch (error) {
      if (!(error instanceof CommandError) || error.message === 'stopped') throw error;
      made.push(error);
    }
  }
  return made;
}

async function madeOn(
  queue: string,
  stores: readonly StoreToMake[],
  terminal: Terminal,
): Promise<(Packed | CommandError)[]> {
  const workers = (await serverPackage('--queue')).queueAt(queue);
  const progress = new Progress();
  progress.begin({ label: 'packing', total: stores.length, unit: 'files' });
  try {
    return await workers.pack(stores, {
      onIdle: () => {
        progress.clear();
        terminal.error(`impinge: ${workers.idleNote}\n`);
      },
      onPacked: (count) => progress.update(count, ''),
    });
  } finally {
    progress.end();
  }
}

function record({ files: [file], output }: StoreToMake, made: Packed | CommandError) {
  if (made instanceof CommandError) return { file, store: output, error: made.message };
  const { files, ...counts } = made;
  return { file, store: output, ...counts, notes: notesOf(files), leftOut: leftOutOf(files) };
}
