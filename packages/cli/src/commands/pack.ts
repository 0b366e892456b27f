/** `impinge pack`: model files into a store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../command-error.js';
import { filesHere } from '../jobs/model-file.js';
import { packInThread } from '../jobs/pack-in-thread.js';
import { leftOutOf, notesOf, type PackCommandOptions, packing, packOptions, printNotes } from '../packing.js';
import { isElsewhere } from '../remote/location.js';
import { STORE_EXTENSION } from '../store-extension.js';
import { counted, fileSize, json, type Terminal } from '../terminal.js';

export async function pack(
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.each) return (await import('./pack-each.js')).packEach(names, options, terminal);
  if (!options.output.endsWith(STORE_EXTENSION)) {
    throw new CommandError(`-o ${options.output}: the name of a store ends with ${STORE_EXTENSION}`);
  }
  if (options.queue !== undefined && isElsewhere(options.output))
    throw new CommandError(`-o ${options.output}: with --queue, a path is needed that workers see`);
  return isElsewhere(options.output)
    ? packElsewhere(names, options, terminal)
    : packTo(options.output, names, options, terminal);
}

/** Packed here, and uploaded when it is complete. */
async function packElsewhere(
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { assertUploadable, uploadFile } = await import('../remote/upload.js');
  await assertUploadable(options.output);
  const folder = await mkdtemp(join(tmpdir(), 'impinge-pack-'));
  try {
    const path = join(folder, basename(options.output));
    return await packTo(path, names, options, terminal, () => uploadFile(path, options.output));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function packTo(
  path: string,
  names: readonly string[],
  options: PackCommandOptions,
  terminal: Terminal,
  onPacked?: () => Promise<void>,
): Promise<number> {
  const paths = await filesHere(names, dirname(path));
  const started = performance.now();
  const levels = options.levels === true;
  const pack = await packerOf(options, terminal);
  const packed = await packing(
    (progress) => pack(paths, path, { ...packOptions(options), levels, ...progress }),
    levels,
  );
  await onPacked?.();
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
      `${fileSize(packed.byteLength)}, in ${seconds.toFixed(1)} s\n`,
  );
  printNotes(packed.files, terminal);
  return 0;
}

/** Who packs: this process, or a worker of a queue. */
async function packerOf({ queue }: PackCommandOptions, terminal: Terminal): Promise<typeof packInThread> {
  if (queue === undefined) return packInThread;
  const { idleOn, queueAddress } = await import('../queue/queue-address.js');
  const address = queueAddress(queue);
  return (await import('../queue/queued-packing.js')).packerOn(address, idleOn(address, terminal));
}
