/** Packs model files on queue workers, several stores at the same time. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { CommandError } from '@impinge/cli/internal/command-error.js';
import { interruptible } from '@impinge/cli/internal/interruptible.js';
import { makeFolder } from '@impinge/cli/internal/jobs/folder.js';
import { openStoreAt } from '@impinge/cli/internal/jobs/model-file.js';
import type { Packed, PackOptions } from '@impinge/cli/internal/jobs/pack-model.js';
import { contentsOf } from '@impinge/cli/internal/jobs/source-contents.js';
import { isRemote } from '@impinge/cli/internal/remote/location.js';
import type { PackRequest, QueuedPackingOptions } from '@impinge/cli/internal/server-package.js';
import { version } from '@impinge/cli/internal/version.js';
import { openQueue } from './broker.js';
import { HandedOut } from './handed-out.js';
import {
  hash,
  type PackedStore,
  type PackOrder,
  readPackedStore,
  readQuarantine,
  taskName,
} from './job-format.js';
import type { QueueAddress } from './queue-address.js';
import type { Settled } from './result-table.js';

/** Packs stores and returns each result, in order: one failure does not affect the others. */
export async function packOnQueue(
  address: QueueAddress,
  requests: readonly PackRequest[],
  { onIdle, onPacked, signal }: QueuedPackingOptions,
): Promise<(Packed | CommandError)[]> {
  for (const { output } of requests) if (!isRemote(output)) await makeFolder(resolve(output, '..'));
  const { broker, table } = await openQueue(address);
  const stores = new HandedOut({ broker, table, onIdle });
  let done = 0;
  try {
    return await interruptible(async (stopping) => {
      const run = hash(randomUUID());
      await table.openRun(run, JSON.stringify({ stores: requests.length }));
      const stopped = new Promise<never>((_, reject) => {
        stopping.addEventListener('abort', () => reject(stopping.reason), { once: true });
      });
      stopping.throwIfAborted();
      const made = requests.map(async ({ files, output, options }) => {
        const order: PackOrder = {
          ...{
            files: files.map((path) => resolve(path)),
            output: isRemote(output) ? output : resolve(output),
          },
          ...{ version: version(), options: asOrdered(options) },
        };
        const pack = JSON.stringify(order);
        const packed = await checked(await stores.ask({ run, task: taskName(pack), pack }), order);
        onPacked?.(++done);
        return packed;
      });
      const all = await Promise.race([Promise.all(made), stopped]);
      await table.closeRun(run);
      return all;
    }, signal);
  } finally {
    await stores.close();
  }
}

/** The options that affect the result, without those that affect only how it is made. */
function asOrdered({
  metresPerUnit,
  up,
  curveError,
  patterns,
  memory,
  levels,
}: PackOptions): PackOrder['options'] {
  return {
    memory,
    ...(metresPerUnit !== undefined && { metresPerUnit }),
    ...(up !== undefined && { up }),
    ...(curveError !== undefined && { curveError }),
    ...(patterns !== undefined && { patterns }),
    ...(levels !== undefined && { levels }),
  };
}

/** The result of a worker, or an error if its store differs from the file seen here. */
async function checked(settled: Settled, { files, output }: PackOrder): Promise<Packed | CommandError> {
  if ('apart' in settled) {
    const { isRefused, why } = readQuarantine(settled.apart);
    if (isRefused) return new CommandError(`no worker can take part: ${why}`);
    const [first, ...others] = files;
    const which = others.length > 0 ? `${first} and ${others.length} more` : first;
    return new CommandError(files.some((path) => why.includes(path)) ? why : `${which}: ${why}`);
  }
  const made = readPackedStore(settled.result);
  return (await isSeen(made, output))
    ? made.packed
    : new CommandError(
        `${output}: a worker wrote it, but the file here is different; do all computers share this ${isRemote(output) ? 'storage' : 'folder'}?`,
      );
}

/** Of a remote store, the directory is compared; it contains the checksums of all pages. */
async function isSeen({ sha256, fingerprint }: PackedStore, output: string): Promise<boolean> {
  if (!isRemote(output)) return (await contentsOf(output).catch(() => undefined))?.sha256 === sha256;
  const model = await openStoreAt(output).catch(() => undefined);
  await model?.dispose();
  return model?.fingerprint === fingerprint;
}
