/**
 * Locks: one process at a time. A lock is a file that names its holder; a lock whose process has ended is taken over.
 *
 * Invariant: a lock is removed by its holder, or under a guard by a process that has found its holder ended.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../command-error.js';
import { beginningOf, isEnding, isRunning } from './process-identity.js';

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, where the system says: process ids are reused. */
  readonly began: string;
  readonly token: string;
}

/** Tokens of the locks that this process holds. */
const held = new Set<string>();

/** A lock without content is being written; after this time its writer counts as dead. */
const WRITING_MS = 200;
/** A guard exists only briefly; after this time its owner counts as dead. */
const GUARD_MS = 2000;
const GUARD_POLL_MS = 5;
/** Maximum time to wait for a holder that was killed: a system call of one of its threads may hang. */
const ENDING_MS = 10_000;
const ENDING_POLL_MS = 20;

export class LockFile {
  readonly #path: string;
  readonly #token: string;

  private constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
  }

  /** Takes the lock at `path`, which guards `subject`; throws a CommandError that names its holder. */
  static async acquire(path: string, subject: string): Promise<LockFile> {
    const token = randomUUID();
    const began = beginningOf(process.pid) ?? '';
    const me = JSON.stringify({ pid: process.pid, host: hostname(), began, token } satisfies Holder);
    held.add(token); // before any process can read it
    try {
      const deadline = Date.now() + ENDING_MS;
      while (!(await created(path, me))) await makeRoom(path, subject, deadline);
      // left by a process that was killed after the removal: one that is still before it would not have let this one in
      await rm(guardOf(path), { force: true });
    } catch (error) {
      held.delete(token);
      throw error;
    }
    return new LockFile(path, token);
  }

  async release(): Promise<void> {
    try {
      await rm(this.#path, { force: true });
    } finally {
      held.delete(this.#token); // not earlier: the lock would look abandoned
    }
  }
}

/**
 * Removes a lock whose holder has ended, or waits for one that is ending; throws a CommandError that names the holder.
 */
async function makeRoom(path: string, subject: string, deadline: number): Promise<void> {
  let text = await contentOf(path);
  if (text === '') {
    await delay(WRITING_MS);
    text = await contentOf(path);
  }
  if (text === undefined) return; // released in the meantime
  const holder = parsedHolder(text);
  if (holder !== undefined && isHolding(holder)) {
    const here = holder.host === hostname() && holder.pid !== process.pid;
    if (!here || !isEnding(holder.pid) || Date.now() > deadline) throw busy(subject, path, holder);
    return delay(ENDING_POLL_MS);
  }
  await removeEnded(path, text);
}

async function created(path: string, content: string): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return true;
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const guardOf = (path: string) => `${path}.removing`;

/**
 * Removes the lock of a holder that has ended, if it is still there. Only one process at a time removes, under a guard
 * of its own: no other process deletes such a lock, so the lock that was inspected is the one removed.
 */
async function removeEnded(path: string, expected: string): Promise<void> {
  const guard = guardOf(path);
  try {
    await (await open(guard, 'wx')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await delay(GUARD_POLL_MS);
    const since = await stat(guard).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (Date.now() - since > GUARD_MS) await rm(guard, { force: true });
    return;
  }
  try {
    if ((await contentOf(path)) === expected) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

function parsedHolder(text: string): Holder | undefined {
  try {
    const { pid, host, began, token } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid !== 'number' || !(pid > 0) || typeof host !== 'string') return undefined;
    return { pid, host, began: String(began ?? ''), token: String(token ?? '') };
  } catch {
    return undefined;
  }
}

function isHolding({ pid, host, began, token }: Holder): boolean {
  if (host !== hostname()) return true; // unknown on this machine
  return pid === process.pid ? held.has(token) : isRunning(pid, began);
}

function busy(subject: string, path: string, { pid, host }: Holder): CommandError {
  const there = host === hostname() ? '' : ` on ${host}`;
  return new CommandError(
    `${subject} is in use by process ${pid}${there}; wait for it, or delete ${path} if that process is not impinge`,
  );
}
