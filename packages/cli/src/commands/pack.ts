/** `impinge pack`: packs model files into a store. */
import { dirname } from 'node:path';
import { CommandError } from '../command-error.js';
import { skippedFindings } from '../federation/findings.js';
import { skippedFiles } from '../formats/input-files.js';
import { filesHere } from '../jobs/model-file.js';
import { packLocallyOrRemotely, withTemporaryFolder } from '../jobs/pack-elsewhere.js';
import type { packInThread } from '../jobs/pack-in-thread.js';
import {
  keptNote,
  leftOutOf,
  notesOf,
  type PackCommandOptions,
  packing,
  packOptions,
  printNotes,
} from '../packing.js';
import { isRemote } from '../remote/location.js';
import { packerOn, serverPackage } from '../server-package.js';
import { STORE_EXTENSION } from '../store-extension.js';
import { counted, fileSize, json, type Terminal } from '../terminal.js';
import { printFindings } from './print-findings.js';

export async function pack(
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.each) return (await import('./pack-each.js')).packEach(names, options, terminal);
  if (!options.output.endsWith(STORE_EXTENSION)) {
    throw new CommandError(`-o ${options.output}: the name of a store must end with ${STORE_EXTENSION}`);
  }
  if (!isRemote(options.output)) return packTo(dirname(options.output), names, options, terminal);
  await (await import('../remote/upload.js')).assertUploadable(options.output);
  return withTemporaryFolder((folder) => packTo(folder, names, options, terminal));
}

/** Remote stores among the files are copied to `folder`. */
async function packTo(
  folder: string,
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const paths = await filesHere(names, folder);
  const started = performance.now();
  const levels = options.levels === true;
  const pack = await packerOf(options, terminal);
  const packed = await packing(
    (progress) => pack(paths, options.output, { ...packOptions(options), levels, ...progress }),
    levels,
  );
  const seconds = (performance.now() - started) / 1000;
  if (options.json) {
    const { files, ...counts } = packed;
    terminal.out(
      json({ store: options.output, ...counts, notes: notesOf(files), leftOut: leftOutOf(files), seconds }),
    );
    return 0;
  }
  terminal.out(
    `${options.output}: ${counted(packed.objects, 'object')}, ${counted(packed.triangles, 'triangle')}, ` +
      `${fileSize(packed.byteLength)}, in ${seconds.toFixed(1)} s${keptNote(packed.kept, packed.files.length)}\n`,
  );
  printNotes(packed.files, terminal);
  printFindings(skippedFindings(await skippedFiles(names)), terminal);
  return 0;
}

/** The packer: this process, or a worker of a queue. */
async function packerOf({ queue }: PackCommandOptions, terminal: Terminal): Promise<typeof packInThread> {
  if (queue === undefined) return packLocallyOrRemotely;
  const workers = (await serverPackage('--queue')).queueAt(queue);
  return packerOn(workers, () => terminal.error(`impinge: ${workers.idleNote}\n`));
}
