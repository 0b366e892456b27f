/** `@impinge/server`, the service and queues, which is installed by those who want them; all that is asked of it. */
import type { StoredModel } from '@impinge/model';
import type { GroupFindings, GroupSettings } from '@impinge/model/node';
import type { Command } from 'commander';
import { CommandError } from './command-error.js';
import type { Shell } from './command-line/shell.js';
import { installLine } from './install-line.js';
import type { packInThread } from './jobs/pack-in-thread.js';
import type { Packed, PackOptions } from './jobs/pack-model.js';
import { version } from './version.js';

export interface ServerPackage {
  /** Options and action of `impinge serve` and `impinge worker`. */
  addServe(command: Command, shell: Shell): void;
  addWorker(command: Command, shell: Shell): void;
  queueAt(url: string): Queue;
}

/** Workers on other computers. */
export interface Queue {
  /** Says that no worker is connected. */
  readonly idleNote: string;
  /** Opens the queue for a check of a model, whose store is at `path`; `key` tells the check from others like it. */
  lead(
    model: StoredModel,
    path: string,
    options: { readonly key: () => string; readonly onIdle: () => void },
  ): Promise<QueuedCheck>;
  /** Makes stores; what became of each, in order: what is wrong with one does not keep the others. */
  pack(requests: readonly PackRequest[], options: QueuedPackingOptions): Promise<(Packed | CommandError)[]>;
}

/** Pairs of a check, measured by workers. */
export interface QueuedCheck {
  /** Pairs that no worker could measure. */
  readonly unmeasured: readonly UnmeasuredPair[];
  measure(triples: Uint32Array, settings: GroupSettings): Promise<GroupFindings>;
  /** Everything is in the journal: the results can be deleted. */
  finish(): Promise<void>;
  /** Removes jobs that were not started; results stay for a later resume. */
  close(): Promise<void>;
}

export interface UnmeasuredPair {
  readonly a: number;
  readonly b: number;
  readonly why: string;
}

/**
 * A store to make, and of which files: all on disks that workers see under the same paths, the store maybe in object
 * storage.
 */
export interface PackRequest {
  readonly files: readonly string[];
  readonly output: string;
  readonly options: PackOptions;
}

export interface QueuedPackingOptions {
  /** Called once if no worker seems to be active. */
  readonly onIdle: () => void;
  /** Called with each store that is there. */
  readonly onPacked?: (count: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** `packInThread`, by a worker. */
export function packerOn(queue: Queue, onIdle: () => void): typeof packInThread {
  return async (files, output, { signal, ...options }) => {
    const [packed] = await queue.pack([{ files, output, options }], { onIdle, signal });
    if (packed instanceof CommandError) throw packed;
    return packed;
  };
}

const NAME = '@impinge/server';

/** Loads it for what needs it; says how to install it where it is missing, or of another version. */
export async function serverPackage(what: string, name = NAME): Promise<ServerPackage> {
  try {
    return await import(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CommandError(
      `${what} needs the package ${name}, which is not installed with the command; ` +
        `install it with: ${installLine(`${name}@${version()}`)}`,
    );
  }
}
