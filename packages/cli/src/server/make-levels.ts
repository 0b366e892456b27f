/**
 * Makes levels for a store that has none while it is shown, in a separate process with low priority, whose memory is
 * returned when it ends. Verifies that objects keep their numbers.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredModel } from '@impinge/model';
import { openStoreFile } from '@impinge/model/node';
import { receivedError } from '../jobs/pack-messages.js';
import { STORE_EXTENSION } from '../store-extension.js';
import type { LevelsReply, LevelsStart } from './levels-process.js';

export interface LevelsOptions {
  readonly model: StoredModel;
  readonly path: string;
  /** Folder in which the store with levels is kept for the next time; undefined: a temporary file. */
  readonly folder: string | undefined;
  readonly memory: number;
  readonly signal: AbortSignal;
  readonly onShare: (share: number) => void;
}

const KEPT = new RegExp(`^levels-[0-9a-f]{8}-\\d+\\${STORE_EXTENSION}$`);

/** The levels made earlier for a model, in a folder; undefined if there are none, or if they are unusable. */
export async function keptLevels(
  model: StoredModel,
  folder: string | undefined,
): Promise<StoredModel | undefined> {
  if (folder === undefined) return undefined;
  try {
    return await openedLevels(join(folder, nameOf(model)), model);
  } catch {
    return undefined;
  }
}

/** A store with levels of the same objects. Stops when `signal` fires, without leaving partial files. */
export async function makeLevels(options: LevelsOptions): Promise<StoredModel> {
  const { model, folder } = options;
  const place = folder ?? (await mkdtemp(join(tmpdir(), 'impinge-view-')));
  const output = join(place, nameOf(model));
  try {
    await inProcess(output, options);
    const made = await openedLevels(output, model);
    if (folder !== undefined) await removeOthers(folder, nameOf(model));
    return made;
  } finally {
    // where the system allows it, an open file stays readable after removal
    if (folder === undefined) await rm(place, { recursive: true, force: true }).catch(() => {});
  }
}

async function inProcess(output: string, { path, memory, signal, onShare }: LevelsOptions): Promise<void> {
  signal.throwIfAborted();
  // the built script, even if this file runs from its source
  const script = createRequire(import.meta.url).resolve('#levels-process');
  const child = fork(script, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const ended = once(child, 'exit');
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`the process that builds levels exited with ${code}`)));
      child.on('message', (reply: LevelsReply) => {
        if ('share' in reply) onShare(reply.share);
        else if ('made' in reply) resolve();
        else reject(receivedError(reply.error));
      });
      // leave one core to the browser
      const workers = Math.max(1, availableParallelism() - 1);
      child.send({ store: path, output, memory, workers } satisfies LevelsStart);
      lower(child.pid);
    });
  } finally {
    signal.removeEventListener('abort', stop);
    if (child.connected) child.disconnect();
    await ended;
    signal.throwIfAborted();
  }
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // where this is not permitted, priority stays unchanged
  }
}

async function openedLevels(path: string, model: StoredModel): Promise<StoredModel> {
  const made = await openStoreFile(path);
  if (made.hasLevels && hasSameObjects(made, model)) return made;
  await made.dispose();
  throw new Error(`${path}: is not this model with levels`);
}

function hasSameObjects(p: StoredModel, q: StoredModel): boolean {
  if (p.objectCount !== q.objectCount) return false;
  for (let object = 0; object < p.objectCount; object++) {
    const [a, b] = [p.object(object), q.object(object)];
    if (a.id !== b.id || a.path !== b.path || a.file !== b.file) return false;
  }
  const [axes, others] = [p.directory.objectAxes, q.directory.objectAxes];
  return axes.every((x, i) => x === others[i]);
}

function nameOf({ fingerprint }: StoredModel): string {
  return `levels-${fingerprint}${STORE_EXTENSION}`;
}

/** Removes levels of earlier versions of the model. */
async function removeOthers(folder: string, name: string): Promise<void> {
  for (const one of await readdir(folder)) {
    if (KEPT.test(one) && one !== name) await rm(join(folder, one), { force: true });
  }
}
